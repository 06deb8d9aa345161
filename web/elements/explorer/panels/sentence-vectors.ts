/** Vectors of sentences and of their tokens, as the panels compare them. */
import type { TextOutput } from '../../../models/model.js';

export function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product / Math.sqrt(squareA * squareB);
}

/** The mean of some rows, as sentence embeddings are made (Reimers & Gurevych 2019). */
export function meanRow(rows: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(rows[0]?.length ?? 0);
  for (const row of rows) for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (row[i] ?? 0);
  return mean.map((sum) => sum / rows.length);
}

/** The last hidden state of each token. */
export function rowsOf({
  shown,
  lastHiddenState,
}: Pick<TextOutput, 'shown' | 'lastHiddenState'>): Float32Array[] {
  const width = lastHiddenState.shape.at(-1) ?? 1;
  return shown.map((_, token) => lastHiddenState.data.subarray(token * width, (token + 1) * width));
}
