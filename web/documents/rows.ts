/** The documents' tables: strongest pairs, model dimensions, and the comparison of computed and printed rows. */
import { item } from '../api/shape.js';
import type { Tensor } from '../api/tensor.js';
import type { Row } from './types.js';

export interface Pair {
  query: string;
  key: string;
  weight: number;
}

/** Ranks the keys of query `i` in one head of weights (H,L,L), strongest first. */
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

/** Lists, per query, the `count` strongest keys other than its own position (an equal word elsewhere counts). */
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

/** Makes rows { head, query, key, weight } for every head, counted from 1: each query's strongest other key. */
export function strongestPerHead(weights: Tensor, tokens: readonly string[]): Row[] {
  const heads = Array.from({ length: item(weights.shape, 0) }, (_, h) => h);
  return heads.flatMap((h) =>
    strongestPairs(weights, h, tokens, 1).map((pair) => ({ head: h + 1, ...pair })),
  );
}

/** A row of a model table as printed: `embedDim` is d_model, `headDim` is d_k. */
export type Split = Row & { model: string; heads: number; headDim: number; embedDim: number };

/** Returns the printed rows with `embedDim` computed as heads × d_k. */
export const splitRows = (printed: readonly Split[]): Row[] =>
  printed.map((row) => ({ ...row, embedDim: row.heads * row.headDim }));

/**
 * Returns `value` (≥ 0) in units of its last printed decimal, rounded as Python prints it: half to even. A binary
 * fraction is exactly half-way when it is an odd multiple of 1 / 2^(digits + 1); `toFixed` rounds up there.
 */
function lastDigitCount(value: number, digits: number): number {
  const count = Math.round(Number(value.toFixed(digits)) * 10 ** digits);
  const halfway = (value * 2 ** (digits + 1)) % 2 === 1;
  return halfway && count % 2 === 1 ? count - 1 : count;
}

/**
 * Compares each printed row with the computed one: whether it has the same words in the same columns, and numbers that
 * round to the printed ones at `digits` decimals. Columns that only the computed row has are ignored.
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
