/** The parts of a loaded module that the examples use, and helpers for their tensors and layers. */
import type { TensorLike } from '../api/inputs.js';
import type { MultiHeadAttentionOptions } from '../api/layer-options.js';
import type { ComputeModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import { item, Tensor } from '../api/tensor.js';

export type Compute = Pick<
  ComputeModule,
  'MultiHeadAttention' | 'scaledDotProductAttention' | 'masks' | 'random'
>;

/** Calls `work` with `owned`, and disposes `owned` afterwards. */
export function scoped<G extends { dispose(): void }, R>(owned: G, work: (owned: G) => R): R {
  try {
    return work(owned);
  } finally {
    owned.dispose();
  }
}

/** Draws `RandomState(seed).normal(0, 1, shape)` in float32: the input of examples whose document gives none. */
export function standardNormal(compute: Compute, seed: number, shape: readonly number[]): Tensor {
  return scoped(
    compute.random.RandomState(seed),
    (generator) => new Tensor(new Float32Array(generator.normal(0, 1, shape).data), shape),
  );
}

/**
 * Converts matrices that the documents apply from the right (x·W) to PyTorch's layout: (rows,columns) becomes
 * (columns,rows), and one matrix per head (H,rows,columns) becomes (H·columns,rows).
 */
export function toTorch({ data, shape }: Tensor<Float64Array>): Tensor {
  const [rows, columns] = shape.slice(-2) as [number, number];
  const transposed = new Float32Array(data.length);
  for (let matrix = 0, to = 0; matrix < data.length; matrix += rows * columns) {
    for (let column = 0; column < columns; ++column) {
      for (let row = 0; row < rows; ++row) transposed[to++] = item(data, matrix + row * columns + column);
    }
  }
  return new Tensor(transposed, [data.length / rows, rows]);
}

export const zeros = (...shape: readonly number[]): Tensor =>
  new Tensor(new Float32Array(shape.reduce((size, length) => size * length)), shape);

/** Returns the identity matrix (n,n). */
export function identity(n: number): Tensor {
  const matrix = zeros(n, n);
  for (let i = 0; i < n; ++i) matrix.data[i * (n + 1)] = 1;
  return matrix;
}

/** Returns a layer without biases that has these four matrices, in PyTorch's layout. */
export function layerWith(
  compute: Compute,
  options: MultiHeadAttentionOptions,
  [query, key, value, out]: readonly [TensorLike, TensorLike, TensorLike, TensorLike],
): MultiHeadAttention {
  const layer = new compute.MultiHeadAttention({ bias: false, ...options });
  layer.loadStateDict({
    q_proj_weight: query,
    k_proj_weight: key,
    v_proj_weight: value,
    'out_proj.weight': out,
  });
  return layer;
}
