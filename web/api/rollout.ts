import type { Float32Block } from '../wasm/attention.js';
import { item } from './shape.js';
import { Tensor } from './tensor.js';

/**
 * Attention rollout of layers of the same B and L: (H,L,L) or (B,H,L,L) each, to (L,L) or (B,L,L) behind each.
 *
 * @see Abnar & Zuidema, "Quantifying Attention Flow in Transformers" (2020)
 */
export function rollout(layers: readonly Float32Block[]): Tensor[] {
  let before: Float32Array | null = null;
  return layers.map(({ data, shape }) => {
    const [heads = 1, length = 1] = shape.slice(-3);
    const result = new Float32Array(data.length / heads);
    const row = new Float64Array(length);
    const mixed = new Float64Array(length);
    for (let start = 0; start < result.length; start += length) {
      const query = (start / length) % length;
      const batch = Math.floor(start / length / length);
      row.fill(0);
      for (let head = 0; head < heads; head++) {
        const from = ((batch * heads + head) * length + query) * length;
        for (let j = 0; j < length; j++) row[j] = item(row, j) + item(data, from + j) / heads;
      }
      // Half of a token stays as it is.
      row[query] = item(row, query) + 1;
      const sum = row.reduce((total, weight) => total + weight, 0);
      mixed.set(row);
      if (before) {
        mixed.fill(0);
        for (let j = 0; j < length; j++) {
          const from = (batch * length + j) * length;
          for (let k = 0; k < length; k++) {
            mixed[k] = item(mixed, k) + item(row, j) * item(before, from + k);
          }
        }
      }
      for (let j = 0; j < length; j++) result[start + j] = item(mixed, j) / sum;
    }
    before = result;
    return new Tensor(result, [...shape.slice(0, -3), length, length]);
  });
}
