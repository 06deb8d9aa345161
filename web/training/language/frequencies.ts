/** Word frequencies. A module of its own, because counting takes too long for workers that do not need them. */
import { drawAny } from './grammar.js';
import { mulberry32 } from './mulberry.js';

const COUNTED_SENTENCES = 4000;
const COUNTED_SEED = 2;

function count(): Record<string, number> {
  const counts: Record<string, number> = {};
  const uniform = mulberry32(COUNTED_SEED);
  for (let i = 0; i < COUNTED_SENTENCES; ++i) {
    for (const word of drawAny(uniform, i % 2 === 0 ? 'en' : 'ko').tokens)
      counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

/** How often each word occurs in 4,000 sentences of the grammar, for the `rareWord` of `metrics.headRoles`. */
export const FREQUENCIES: Readonly<Record<string, number>> = count();
