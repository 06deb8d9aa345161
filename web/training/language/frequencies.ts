import { drawSentence } from './corpus.js';
import { mulberry32 } from './mulberry.js';

/** How many sentences `FREQUENCIES` counts. */
const COUNTED_SENTENCES = 10_000;
const COUNTED_SEED = 2;

function count(): Record<string, number> {
  const counts: Record<string, number> = {};
  const uniform = mulberry32(COUNTED_SEED);
  for (let i = 0; i < COUNTED_SENTENCES; ++i) {
    for (const word of drawSentence(uniform).tokens) counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

/** How often each word comes in 10,000 drawn sentences, for the `rareWord` of `metrics.headRoles`. */
export const FREQUENCIES: Readonly<Record<string, number>> = count();
