/** A short run of every fuzzer, as many at a time as there are cores; three minutes of each with `MHA_FULL=1`. */
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { fuzz, targets } from './targets.js';

const minutes = process.env.MHA_FULL === '1' ? 3 : undefined;

describe('fuzzed', { concurrency: availableParallelism() }, () => {
  for (const target of Object.keys(targets)) {
    test(target, async (t) => {
      const { tried, coverage, features } = await fuzz(target, minutes);
      t.diagnostic(`${target}: ${tried} inputs, cov ${coverage}, ft ${features}`);
    });
  }
});
