/** Defines the sizes of a layer and its input, and which combinations are valid. */
import { divisorsOf, NumberRange } from '../base/number-range.js';

/** Sizes that the reader chooses; a null size is derived from the others. */
export interface Sizes {
  embedDim: number;
  numHeads: number;
  /** Number of key/value heads; null: `numHeads`. */
  kvHeads: number | null;
  /** d_k; null: `embedDim / numHeads`. */
  headDim: number | null;
  /** d_v; null: `headDim`. */
  valueHeadDim: number | null;
  length: number;
  /** Number of keys, S; null: `length`. */
  keys: number | null;
  batch: number;
  withoutBias: boolean;
}

/** Names of the sizes that are numbers. */
export type SizeName = Exclude<keyof Sizes, 'withoutBias'>;

/** Largest value of each size: above all published models, and small enough for exact counts. */
export const LIMITS: Readonly<Record<SizeName, number>> = {
  embedDim: 32_768,
  numHeads: 512,
  kvHeads: 512,
  headDim: 4096,
  valueHeadDim: 4096,
  length: 131_072,
  keys: 131_072,
  batch: 1024,
};

export const RANGES = Object.fromEntries(
  Object.entries(LIMITS).map(([name, most]) => [name, new NumberRange(1, most)]),
) as Readonly<Record<SizeName, NumberRange>>;

export type Axis = 'b' | 'h' | 'l' | 's' | 'd';

/** A dimension: its letter, its axis (which has a colour) and its length. */
export interface Dimension {
  readonly letter: string;
  readonly axis: Axis;
  readonly size: number;
}

/** All dimensions of a layer and its input. */
export interface Dimensions {
  readonly batch: Dimension;
  readonly heads: Dimension;
  readonly kvHeads: Dimension;
  readonly queries: Dimension;
  readonly keys: Dimension;
  readonly embed: Dimension;
  readonly head: Dimension;
  readonly valueHead: Dimension;
  readonly bias: boolean;
}

export function dimensionsOf(sizes: Sizes): Dimensions {
  const { embedDim, numHeads, length, batch } = sizes;
  const kvHeads = sizes.kvHeads ?? numHeads;
  const headDim = sizes.headDim ?? embedDim / numHeads;
  const valueHeadDim = sizes.valueHeadDim ?? headDim;
  const of = (letter: string, axis: Axis, size: number): Dimension => ({ letter, axis, size });
  return {
    batch: of('B', 'b', batch),
    heads: of('H', 'h', numHeads),
    kvHeads: of(kvHeads === numHeads ? 'H' : 'H_kv', 'h', kvHeads),
    queries: of('L', 'l', length),
    keys: of('S', 's', sizes.keys ?? length),
    embed: of('E', 'd', embedDim),
    head: of(valueHeadDim === headDim ? 'd' : 'd_k', 'd', headDim),
    valueHead: of(valueHeadDim === headDim ? 'd' : 'd_v', 'd', valueHeadDim),
    bias: !sizes.withoutBias,
  };
}

/** The divisors of `n` closest to `wanted`, one below and one above, if they exist and are at most `limit`. */
export function nearestDivisors(n: number, wanted: number, limit = n): number[] {
  const divisors = divisorsOf(n).filter((divisor) => divisor <= limit);
  const below = divisors.filter((divisor) => divisor < wanted).at(-1);
  const above = divisors.find((divisor) => divisor > wanted);
  return [below, above].filter((divisor) => divisor !== undefined);
}

/** The divisor of `numHeads` closest to its square root, as an example of GQA; null if only 1 and itself divide it. */
export function middleKvHeads(numHeads: number): number | null {
  const between = divisorsOf(numHeads).slice(1, -1);
  const distance = (divisor: number) => Math.abs(Math.log(divisor ** 2 / numHeads));
  // `sort` is stable: starting from the largest divisor, a tie gives the larger one.
  return between.reverse().sort((a, b) => Math.round((distance(a) - distance(b)) * 1e9))[0] ?? null;
}

/** A reason why sizes are invalid, with changes (`fixes`) that would make them valid. */
export type Problem =
  | { readonly kind: 'range'; readonly field: SizeName }
  | { readonly kind: 'heads' | 'kvHeads'; readonly fixes: readonly Partial<Sizes>[] }
  | { readonly kind: 'tooLarge' };

/** The first reason why `sizes` are invalid; null if they are valid. */
export function problemOf(sizes: Sizes): Problem | null {
  for (const field of Object.keys(LIMITS) as SizeName[]) {
    const size = sizes[field];
    if (size !== null && !RANGES[field].holds(size)) return { kind: 'range', field };
  }
  const { embedDim, numHeads, headDim, kvHeads } = sizes;
  if (headDim === null && embedDim % numHeads !== 0) {
    const divisors = nearestDivisors(embedDim, numHeads, LIMITS.numHeads).map((heads) => ({
      numHeads: heads,
    }));
    const ownHeadDim = { headDim: Math.max(1, Math.round(embedDim / numHeads)) };
    return { kind: 'heads', fixes: [...divisors, ownHeadDim] };
  }
  if (headDim === null && embedDim / numHeads > LIMITS.headDim) return { kind: 'range', field: 'headDim' };
  if (kvHeads !== null && numHeads % kvHeads !== 0) {
    return {
      kind: 'kvHeads',
      fixes: nearestDivisors(numHeads, kvHeads).map((heads) => ({ kvHeads: heads })),
    };
  }
  const { batch, heads, queries, keys, embed, head, valueHead } = dimensionsOf(sizes);
  const longest = Math.max(queries.size, keys.size);
  // No count of the layer is larger than this, so below MAX_SAFE_INTEGER all are exact.
  const bound =
    batch.size * longest * heads.size * Math.max(head.size, valueHead.size) * (4 * embed.size + 2 * longest);
  return bound > Number.MAX_SAFE_INTEGER ? { kind: 'tooLarge' } : null;
}
