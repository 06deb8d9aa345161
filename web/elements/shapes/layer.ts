/** The sizes of a layer and its input, and what follows from them: dimensions, costs, stages and their formulas. */
import { divisorsOf, NumberRange } from '../base/attribute-values.js';

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
export type Dimensions = ReturnType<typeof dimensionsOf>;

export function dimensionsOf(sizes: Sizes) {
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
    const divisors = nearestDivisors(embedDim, numHeads, LIMITS.numHeads);
    const ownHeadDim = { headDim: Math.max(1, Math.round(embedDim / numHeads)) };
    return { kind: 'heads', fixes: [...divisors.map((heads) => ({ numHeads: heads })), ownHeadDim] };
  }
  if (headDim === null && embedDim / numHeads > LIMITS.headDim) return { kind: 'range', field: 'headDim' };
  if (kvHeads !== null && numHeads % kvHeads !== 0) {
    const fixes = nearestDivisors(numHeads, kvHeads).map((heads) => ({ kvHeads: heads }));
    return { kind: 'kvHeads', fixes };
  }
  const { batch, heads, queries, keys, embed, head, valueHead } = dimensionsOf(sizes);
  const longest = Math.max(queries.size, keys.size);
  // No count of the layer is larger than this, so below MAX_SAFE_INTEGER all are exact.
  const bound =
    batch.size * longest * heads.size * Math.max(head.size, valueHead.size) * (4 * embed.size + 2 * longest);
  return bound > Number.MAX_SAFE_INTEGER ? { kind: 'tooLarge' } : null;
}

/** A count as a product of dimensions. */
export interface Product {
  readonly factors: readonly Dimension[];
  readonly value: number;
}

function product(...factors: Dimension[]): Product {
  return { factors, value: factors.reduce((value, { size }) => value * size, 1) };
}

export const total = (products: readonly Product[]): number =>
  products.reduce((sum, { value }) => sum + value, 0);

export type Costs = ReturnType<typeof costsOf>;

/** A layer's costs: parameters, and multiply–accumulates of one forward pass. */
export function costsOf(dimensions: Dimensions, withoutBias: boolean) {
  const { batch, heads, kvHeads, queries, keys, embed, head, valueHead } = dimensions;
  const parameters = {
    query: product(embed, heads, head),
    key: product(embed, kvHeads, head),
    value: product(embed, kvHeads, valueHead),
    output: product(heads, valueHead, embed),
  };
  /** Lengths of the biases of query, key, value and output. */
  const biases = withoutBias
    ? []
    : [product(heads, head), product(kvHeads, head), product(kvHeads, valueHead), product(embed)];
  const operations = {
    query: product(batch, queries, ...parameters.query.factors),
    key: product(batch, keys, ...parameters.key.factors),
    value: product(batch, keys, ...parameters.value.factors),
    output: product(batch, queries, ...parameters.output.factors),
    scores: product(batch, heads, queries, keys, head),
    context: product(batch, heads, queries, keys, valueHead),
  };
  return {
    parameters,
    biases,
    parameterCount: total([...Object.values(parameters), ...biases]),
    operations,
    multiplyAdds: total(Object.values(operations)),
    /** Number of weights of all heads, which is also the softmax's number of exponentials. */
    weights: product(batch, heads, queries, keys),
  };
}

export const STAGES = [
  'input',
  'projections',
  'split',
  'scores',
  'weights',
  'context',
  'concat',
  'output',
] as const;

export type StageId = (typeof STAGES)[number];

/** One axis of a tensor; it has two dimensions if the heads are side by side in it. */
export type Side = readonly Dimension[];

/** What a tensor contains, which determines its colour. */
export type Role = 'query' | 'key' | 'value' | 'weight' | 'plain';

export interface ShapedTensor {
  readonly name: string;
  readonly role: Role;
  readonly sides: readonly Side[];
}

export const lengthOf = (side: Side): number => product(...side).value;
export const shapeOf = (tensor: ShapedTensor): number[] => tensor.sides.map(lengthOf);
export const sizeOf = (tensor: ShapedTensor): number => lengthOf(tensor.sides.flat());

/** @param twoInputs whether keys and values come from another input than the queries */
export function tensorsOf(
  dimensions: Dimensions,
  twoInputs: boolean,
): Readonly<Record<StageId, readonly ShapedTensor[]>> {
  const { batch, heads, kvHeads, queries, keys, embed, head, valueHead } = dimensions;
  const tensor = (name: string, role: Role, ...sides: (Dimension | Side)[]): ShapedTensor => ({
    name,
    role,
    sides: sides.map((side) => ('letter' in side ? [side] : side)),
  });
  return {
    input: [
      tensor('X', 'plain', batch, queries, embed),
      ...(twoInputs ? [tensor('Y', 'plain', batch, keys, embed)] : []),
    ],
    projections: [
      tensor('Q', 'query', batch, queries, [heads, head]),
      tensor('K', 'key', batch, keys, [kvHeads, head]),
      tensor('V', 'value', batch, keys, [kvHeads, valueHead]),
    ],
    split: [
      tensor('Q', 'query', batch, heads, queries, head),
      tensor('K', 'key', batch, kvHeads, keys, head),
      tensor('V', 'value', batch, kvHeads, keys, valueHead),
    ],
    scores: [tensor('QKᵀ', 'plain', batch, heads, queries, keys)],
    weights: [tensor('A', 'weight', batch, heads, queries, keys)],
    context: [tensor('AV', 'plain', batch, heads, queries, valueHead)],
    concat: [tensor('Concat', 'plain', batch, queries, [heads, valueHead])],
    output: [tensor('Z', 'plain', batch, queries, embed)],
  };
}

/** A formula of a stage: its name in the strings, its factors and value. */
export interface Line extends Product {
  readonly name:
    | 'numbers'
    | 'width'
    | 'queryWidth'
    | 'keyWidth'
    | 'valueWidth'
    | 'multiplyAddsQuery'
    | 'multiplyAddsKey'
    | 'multiplyAddsValue'
    | 'multiplyAdds'
    | 'parameters'
    | 'sharing'
    | 'scale'
    | 'exponentials';
  readonly operator: '×' | '÷' | '√';
}

/** The formulas of a stage. */
export function linesOf(
  id: StageId,
  dimensions: Dimensions,
  { parameters, operations, weights }: Costs,
): Line[] {
  const { batch, heads, kvHeads, queries, embed, head, valueHead } = dimensions;
  const times = (name: Line['name'], counted: Product): Line => ({ name, operator: '×', ...counted });
  const isShared = kvHeads.size !== heads.size;
  const sharing: Line = {
    ...{ name: 'sharing', operator: '÷', factors: [heads, kvHeads] },
    value: heads.size / kvHeads.size,
  };
  const widths =
    isShared || head.size !== valueHead.size
      ? [
          times('queryWidth', product(heads, head)),
          times('keyWidth', product(kvHeads, head)),
          times('valueWidth', product(kvHeads, valueHead)),
        ]
      : [times('width', product(heads, head))];
  const lines: Record<StageId, Line[]> = {
    input: [times('numbers', product(batch, queries, embed))],
    projections: [
      ...widths,
      times('multiplyAddsQuery', operations.query),
      times('multiplyAddsKey', operations.key),
      times('multiplyAddsValue', operations.value),
    ],
    split: [
      ...widths,
      times('numbers', product(batch, heads, queries, head)),
      ...(isShared ? [sharing] : []),
    ],
    scores: [
      times('numbers', weights),
      times('multiplyAdds', operations.scores),
      { name: 'scale', operator: '√', factors: [head], value: Math.sqrt(head.size) },
    ],
    weights: [times('numbers', weights), times('exponentials', weights)],
    context: [
      times('numbers', product(batch, heads, queries, valueHead)),
      times('multiplyAdds', operations.context),
    ],
    concat: [
      times('width', product(heads, valueHead)),
      times('numbers', product(batch, queries, heads, valueHead)),
    ],
    output: [
      times('parameters', parameters.output),
      times('multiplyAdds', operations.output),
      times('numbers', product(batch, queries, embed)),
    ],
  };
  return lines[id];
}
