/** The tables of the documents: the strongest pairs, and whether a printed row is the computed one. */
import { item, type Tensor } from '../api/tensor.js';
import type { Row } from './types.js';

export interface Pair {
  query: string;
  key: string;
  weight: number;
}

/** The keys of query `i` in one head of weights (H,L,L), strongest first. */
export function ranking(
  weights: Tensor,
  head: number,
  i: number,
  tokens: readonly string[],
): { j: number; key: string; weight: number }[] {
  return tokens
    .map((key, j) => ({ j, key, weight: weights.at(head, i, j) }))
    .sort((a, b) => b.weight - a.weight);
}

/** Per query the `count` strongest keys, the query's own index left out (an equal word elsewhere counts). */
export function strongestPairs(
  weights: Tensor,
  head: number,
  tokens: readonly string[],
  count: number,
): Pair[] {
  return tokens.flatMap((query, i) =>
    ranking(weights, head, i, tokens)
      .filter(({ j }) => j !== i)
      .slice(0, count)
      .map(({ key, weight }) => ({ query, key, weight })),
  );
}

/** Rows { head, query, key, weight } for every head, counted from 1: each query's strongest other key. */
export function strongestPerHead(weights: Tensor, tokens: readonly string[]): Row[] {
  const heads = Array.from({ length: item(weights.shape, 0) }, (_, h) => h);
  return heads.flatMap((h) =>
    strongestPairs(weights, h, tokens, 1).map((pair) => ({ head: h + 1, ...pair })),
  );
}

/**
 * `value` (≥ 0) counted in the last of `digits` decimals, as Python prints it: the nearest count and, of two
 * equally near, the even one. A binary fraction lies half-way exactly when it is an odd multiple of
 * 1 / 2^(digits + 1); `toFixed` takes the larger count there.
 */
function lastDigitCount(value: number, digits: number): number {
  const count = Math.round(Number(value.toFixed(digits)) * 10 ** digits);
  const halfway = (value * 2 ** (digits + 1)) % 2 === 1;
  return halfway && count % 2 === 1 ? count - 1 : count;
}

/**
 * Per printed row whether the computed one has the same words in the same columns, and numbers that round to the
 * printed ones at the `digits` that the document prints. Columns that only the computed row has do not count.
 */
export function compare(computed: readonly Row[], printed: readonly Row[], digits: number): boolean[] {
  return printed.map((row, i) =>
    Object.entries(row).every(([name, value]) => {
      const came = computed[i]?.[name];
      return typeof came === 'number' && typeof value === 'number'
        ? lastDigitCount(came, digits) === lastDigitCount(value, digits)
        : came === value;
    }),
  );
}
