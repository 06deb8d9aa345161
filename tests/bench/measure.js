/**
 * Timing side by side, in Node and in pages. In every round each contender takes one sample, in random order,
 * so that disturbances affect all equally.
 */

/** A sample lasts at least this long: 100 steps of the clock of a page that is not isolated. */
const SAMPLE_MILLISECONDS = 10;

/** How long the engine has after a garbage collection to give memory back, which it does beside the page. */
const SETTLING_MILLISECONDS = 5;

/** How long and how often. Published figures use `full`. */
export const effort = {
  full: { warmUpRuns: 5, warmUpMilliseconds: 300, fewestRounds: 5, milliseconds: 1500 },
  quick: { warmUpRuns: 2, warmUpMilliseconds: 100, fewestRounds: 3, milliseconds: 300 },
  smoke: { warmUpRuns: 1, warmUpMilliseconds: 0, fewestRounds: 2, milliseconds: 0 },
};

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The same in another order (Fisher and Yates). */
function shuffled(values) {
  const order = [...values];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** Collects garbage of the last contender, if the engine has --expose-gc. */
async function settle() {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, SETTLING_MILLISECONDS));
}

/** Mean time of `runs` runs in a row, in ms. */
async function sample(run, runs) {
  const started = performance.now();
  for (let i = 0; i < runs; i++) {
    const result = run();
    // What is not a promise does not have to wait for one.
    if (result instanceof Promise) await result;
  }
  return (performance.now() - started) / runs;
}

/** Runs until it is warm; resolves to the time of one run then, in ms. */
async function warmUp(run, { warmUpRuns, warmUpMilliseconds }) {
  const end = performance.now() + warmUpMilliseconds;
  for (let i = 0; i < warmUpRuns || performance.now() < end; i++) await sample(run, 1);
  // A fast run is below the clock's step: count how many fit.
  for (let runs = 1; ; runs *= 4) {
    const time = await sample(run, runs);
    if (time * runs > 1) return time;
  }
}

/**
 * Times functions side by side; each may give a promise.
 *
 * @param runs functions without arguments, one per contender
 * @param how one of `effort`: `fewestRounds` rounds, more until `milliseconds` per contender have passed
 * @returns per contender, in ms per run: { median, min, runs }, where `runs` is the number of runs timed
 */
export async function sideBySide(runs, how) {
  const contenders = [];
  for (const run of runs) {
    const time = await warmUp(run, how);
    contenders.push({ run, runsPerSample: Math.ceil(SAMPLE_MILLISECONDS / time), times: [] });
  }
  const end = performance.now() + how.milliseconds * runs.length;
  for (let round = 0; round < how.fewestRounds || performance.now() < end; round++) {
    for (const { run, runsPerSample, times } of shuffled(contenders)) {
      // What is short leaves little, and a collection would take the engine's optimised code with it. It needs to
      // come back into the caches instead, which a run that is a whole sample fills by itself.
      await (runsPerSample > 1 ? sample(run, 1) : settle());
      times.push(await sample(run, runsPerSample));
    }
  }
  return contenders.map(({ times, runsPerSample }) => ({
    median: median(times),
    min: Math.min(...times),
    runs: times.length * runsPerSample,
  }));
}
