import { Figure, type HeadName } from './figure.js';

/** The figure with two more heads: per pair the mean and the largest weight of all its numbered heads. */
export function withSummaries(figure: Figure): Figure {
  const { size } = figure;
  const numbered = figure.headNames.flatMap((name, head) => (typeof name === 'number' ? [head] : []));
  if (numbered.length < 2) return figure;
  const cells = size * size;
  const values = new Float32Array((figure.heads + 2) * cells);
  values.set(figure.values());
  // Head by head, as they lie in memory: a long text has millions of cells.
  const sums = new Float64Array(cells);
  const largest = values.subarray((figure.heads + 1) * cells);
  for (const head of numbered) {
    for (let cell = 0; cell < cells; cell++) {
      const weight = values[head * cells + cell] ?? 0;
      sums[cell] = (sums[cell] ?? 0) + weight;
      if (weight > (largest[cell] ?? 0)) largest[cell] = weight;
    }
  }
  const means = values.subarray(figure.heads * cells);
  for (let cell = 0; cell < cells; cell++) means[cell] = (sums[cell] ?? 0) / numbered.length;
  const names: HeadName[] = [...figure.headNames, 'mean', 'max'];
  return new Figure(figure.tokens, names, values, figure.partial, figure.allowed);
}
