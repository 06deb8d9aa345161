import type { Figure } from './figure.js';

/** Up to so many words, every word and weight is an element of the page; beyond, weights are painted. */
const MOST_ELEMENTS = 64;

/** Whether a figure has more words than there should be elements for. */
export const isLong = (figure: Figure): boolean => figure.size > MOST_ELEMENTS;

const NICE = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** So many weights in a thousand may lie above the scale of a long text. */
const ABOVE = 1 / 1000;
/** So many weights are enough to find it. */
const SAMPLE = 250_000;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const scales = new WeakMap<Figure, number>();

/**
 * The weight that has the ramp's last colour, the same for all heads. It is 1, except for a long text: where a row
 * of hundreds sums to 1, almost all of its weights would have the first colour.
 */
export function scaleOf(figure: Figure): number {
  if (!isLong(figure)) return 1;
  const scale = scales.get(figure) ?? fittingScale(figure);
  scales.set(figure, scale);
  return scale;
}

function fittingScale(figure: Figure): number {
  const total = figure.heads * figure.size ** 2;
  const sample = Math.min(total, SAMPLE);
  const above = NICE.map(() => 0);
  for (let place = 0; place < sample; place++) {
    // Multiples of the golden ratio lie evenly, and fall into step with no row.
    const weight = figure.valueAt(Math.floor(((place * GOLDEN) % 1) * total));
    for (let step = 0; step < NICE.length && weight > (NICE[step] ?? 1); step++) {
      above[step] = (above[step] ?? 0) + 1;
    }
  }
  return NICE.find((_, step) => (above[step] ?? 0) <= sample * ABOVE) ?? 1;
}
