/**
 * Timing side by side, in Node and in pages. In every round each contender takes one sample, in a rotated order, so
 * that whatever disturbs the machine disturbs them alike.
 */

/** A sample lasts this many steps of the clock: a page that is not isolated sees steps of 0.1 ms. */
const STEPS_PER_SAMPLE = 100;

/** How long and how often. `full` is what published figures are made with. */
export const effort = {
  full: { warmUpRuns: 5, warmUpMilliseconds: 300, fewestRounds: 7, milliseconds: 1500 },
  quick: { warmUpRuns: 2, warmUpMilliseconds: 100, fewestRounds: 3, milliseconds: 300 },
  smoke: { warmUpRuns: 1, warmUpMilliseconds: 0, fewestRounds: 2, milliseconds: 0 },
};

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest step that this engine's clock makes, in ms. */
function clockStep() {
  const step = () => {
    const started = performance.now();
    let now = started;
    while (now === started) now = performance.now();
    return now - started;
  };
  return Math.min(...Array.from({ length: 10 }, step));
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
  const shortest = STEPS_PER_SAMPLE * clockStep();
  for (const run of runs) {
    const time = await warmUp(run, how);
    contenders.push({ run, runsPerSample: Math.ceil(shortest / time), times: [] });
  }
  const end = performance.now() + how.milliseconds * runs.length;
  for (let round = 0; round < how.fewestRounds || performance.now() < end; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length];
      contender.times.push(await sample(contender.run, contender.runsPerSample));
    }
  }
  return contenders.map(({ times, runsPerSample }) => ({
    median: median(times),
    min: Math.min(...times),
    runs: times.length * runsPerSample,
  }));
}
