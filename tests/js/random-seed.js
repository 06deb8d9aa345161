/** The seed of a file's random cases: another in every run, printed, so that `FC_SEED=<seed> npm test` draws the same. */
export function randomSeed(cases) {
  const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`Random cases of ${cases}: FC_SEED=${seed} draws them again.\n`);
  return seed;
}

/** How many of `count` random cases are drawn: a quarter in a quick run, all with `MHA_FULL=1`. */
export const randomCases = (count) => (process.env.MHA_FULL === '1' ? count : Math.ceil(count / 4));
