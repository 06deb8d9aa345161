/** Inputs and parameters of the contenders: the same numbers everywhere. */
import { mulberry32 } from '../mulberry32.js';

/** Uniform around 0 with this standard deviation. */
function uniform(size, deviation, seed) {
  const next = mulberry32(seed);
  return Float32Array.from({ length: size }, () => (2 * next() - 1) * Math.sqrt(3) * deviation);
}

/** (B, N, d) of variance 1. */
export const layerInput = ({ batch, length, embedDim }) => uniform(batch * length * embedDim, 1, 1);

/** Weights (out, in) that keep the variance, and biases: those of the query, the key, the value and the output projection. */
export function layerParameters({ embedDim }) {
  const linear = (seed) => ({
    weight: uniform(embedDim ** 2, embedDim ** -0.5, seed),
    bias: uniform(embedDim, 0.1, seed + 1),
  });
  return { query: linear(10), key: linear(20), value: linear(30), output: linear(40) };
}

/** query, key and value, each (B, H, N, d_k) of variance 1. */
export function attentionInput({ batch, length, numHeads, headDim }) {
  const size = batch * numHeads * length * headDim;
  return { query: uniform(size, 1, 1), key: uniform(size, 1, 2), value: uniform(size, 1, 3) };
}

/** Typed arrays of the same kind, one after the other. */
export function concatenate(arrays) {
  const all = new arrays[0].constructor(arrays.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const array of arrays) {
    all.set(array, start);
    start += array.length;
  }
  return all;
}

/** (rows, columns) → (columns, rows). */
export function transpose(matrix, rows, columns) {
  const transposed = new Float32Array(matrix.length);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) transposed[c * rows + r] = matrix[r * columns + c];
  }
  return transposed;
}

/** A linear layer times `factor`. */
export const scaled = ({ weight, bias }, factor) => ({
  weight: weight.map((value) => value * factor),
  bias: bias.map((value) => value * factor),
});
