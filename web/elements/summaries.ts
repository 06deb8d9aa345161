import { Figure, type HeadName } from './figure.js';

/** The figure with two more heads: per pair the mean and the largest weight of all its numbered heads. */
export function withSummaries(figure: Figure): Figure {
  const { size } = figure;
  const numbered = figure.headNames.flatMap((name, head) => (typeof name === 'number' ? [head] : []));
  if (numbered.length < 2) return figure;
  const cells = size * size;
  const values = new Float32Array((figure.heads + 2) * cells);
  for (let index = 0; index < figure.heads * cells; index++) values[index] = figure.valueAt(index);
  for (let cell = 0; cell < cells; cell++) {
    const all = numbered.map((head) => figure.valueAt(head * cells + cell));
    values[figure.heads * cells + cell] = all.reduce((sum, weight) => sum + weight, 0) / all.length;
    values[(figure.heads + 1) * cells + cell] = Math.max(...all);
  }
  const names: HeadName[] = [...figure.headNames, 'mean', 'max'];
  return new Figure(figure.tokens, names, values, figure.partial, figure.allowed);
}
