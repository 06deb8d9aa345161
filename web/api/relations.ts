/** The relations between tokens that `metrics.headRoles` scores. */
import { item } from './shape.js';

/** Whether a head of this role attends from position `query` to position `key`. */
type Relation = (query: number, key: number) => boolean;

/** Words are compared without case and in NFC. */
const fold = (word: string): string => word.normalize('NFC').toLowerCase();

function sumUp(counts: Iterable<readonly [string, number]>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [word, count] of counts) {
    const folded = fold(word);
    sums.set(folded, (sums.get(folded) ?? 0) + count);
  }
  return sums;
}

/** Returns which of `words` have the lowest count; none when all have the same. */
function rarest(words: readonly string[], counts: ReadonlyMap<string, number>): Set<string> {
  const countOf = (word: string): number => counts.get(word) ?? 0;
  const least = words.reduce((min, word) => Math.min(min, countOf(word)), Infinity);
  const rare = words.filter((word) => countOf(word) === least);
  return new Set(rare.length < words.length ? rare : []);
}

/** Returns the relations that `HeadRoles` describes, in its order. */
export function relationsOf(tokens: readonly string[], frequencies?: Readonly<Record<string, number>>) {
  const punctuation = tokens.map((token) => /^[\p{P}\p{S}]+$/u.test(token));
  const folded = tokens.map(fold);
  const words = folded.filter((_, i) => !punctuation[i]);
  const counts = frequencies ? Object.entries(frequencies) : words.map((word) => [word, 1] as const);
  const rare = rarest(words, sumUp(counts));
  return {
    previousToken: (i, j) => j === i - 1,
    nextToken: (i, j) => j === i + 1,
    self: (i, j) => j === i,
    firstToken: (i, j) => i > 0 && j === 0,
    sameWord: (i, j) => j !== i && !punctuation[i] && folded[j] === folded[i],
    punctuation: (_, j) => item(punctuation, j),
    rareWord: (_, j) => rare.has(item(folded, j)),
    neighbourhood: (i, j) => Math.abs(i - j) <= 2,
  } satisfies Record<string, Relation>;
}
