/** Calculates a layer's costs by formula: every count is a product of dimensions. */
import type { Dimension, Dimensions } from './sizes.js';
import { formatCount } from './strings.js';

export interface Product {
  readonly factors: readonly Dimension[];
  readonly value: number;
}

export function product(...factors: Dimension[]): Product {
  return { factors, value: factors.reduce((value, { size }) => value * size, 1) };
}

export const total = (products: readonly Product[]): number =>
  products.reduce((sum, { value }) => sum + value, 0);

/** A count for each of the four learned matrices. */
export interface PerMatrix {
  readonly query: Product;
  readonly key: Product;
  readonly value: Product;
  readonly output: Product;
}

export interface Costs {
  readonly parameters: PerMatrix;
  /** Lengths of the biases of query, key, value and output; empty for a layer without biases. */
  readonly biases: readonly Product[];
  readonly parameterCount: number;
  /** Multiply-adds of the projections in one forward pass. */
  readonly projections: PerMatrix;
  readonly scores: Product;
  readonly context: Product;
  readonly multiplyAdds: number;
  /** Number of weights of all heads, which is also the softmax's number of exponentials. */
  readonly weights: Product;
}

export function costsOf(dimensions: Dimensions): Costs {
  const { batch, heads, kvHeads, queries, keys, embed, head, valueHead, bias } = dimensions;
  const parameters = {
    query: product(embed, heads, head),
    key: product(embed, kvHeads, head),
    value: product(embed, kvHeads, valueHead),
    output: product(heads, valueHead, embed),
  };
  const biases = bias
    ? [product(heads, head), product(kvHeads, head), product(kvHeads, valueHead), product(embed)]
    : [];
  const projections = {
    query: product(batch, queries, ...parameters.query.factors),
    key: product(batch, keys, ...parameters.key.factors),
    value: product(batch, keys, ...parameters.value.factors),
    output: product(batch, queries, ...parameters.output.factors),
  };
  const scores = product(batch, heads, queries, keys, head);
  const context = product(batch, heads, queries, keys, valueHead);
  return {
    parameters,
    biases,
    parameterCount: total([...Object.values(parameters), ...biases]),
    projections,
    scores,
    context,
    multiplyAdds: total([...Object.values(projections), scores, context]),
    weights: product(batch, heads, queries, keys),
  };
}

export const BYTES = { float32: 4, float16: 2 } as const;

/** Numbers in one layer's key/value cache per token: H_kv·(d_k + d_v). */
export const cachedNumbers = (kvHeads: number, { head, valueHead }: Dimensions): number =>
  kvHeads * (head.size + valueHead.size);

/** Formats 3,932,160 as 3.75 MiB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${formatCount(bytes / 1024 ** step)} ${units[step] ?? ''}`;
}
