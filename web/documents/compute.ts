/** What the examples use of a loaded module, and how they draw from its generators. */
import type { ComputeModule } from '../api/load.js';
import { item, Tensor } from '../api/tensor.js';

export type Compute = Pick<
  ComputeModule,
  'MultiHeadAttention' | 'scaledDotProductAttention' | 'masks' | 'random'
>;

/** Frees `owned` once `work` is done with it. */
export function scoped<G extends { dispose(): void }, R>(owned: G, work: (owned: G) => R): R {
  try {
    return work(owned);
  } finally {
    owned.dispose();
  }
}

/** `RandomState(seed).normal(0, 1, shape)` in float32: the inputs of examples whose document leaves them open. */
export function standardNormal(compute: Compute, seed: number, shape: readonly number[]): Tensor {
  return scoped(
    compute.random.RandomState(seed),
    (generator) => new Tensor(new Float32Array(generator.normal(0, 1, shape).data), shape),
  );
}

/**
 * Matrices that the documents apply from the right (x·W) as PyTorch stores them: (rows,columns) becomes
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
