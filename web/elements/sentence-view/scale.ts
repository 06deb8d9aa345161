import type { Figure } from './figure.js';

/** Up to this many words, every word and weight is a DOM element; beyond, weights are painted on a canvas. */
const MOST_ELEMENTS = 64;

/** Whether the figure is a long text, whose weights are not DOM elements. */
export const isLong = (figure: Figure): boolean => figure.size > MOST_ELEMENTS;

const NICE = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Share of a long text's weights that may exceed its scale. */
const ABOVE = 1 / 1000;
/** Number of weights that are sampled to find the scale. */
const SAMPLE = 250_000;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const scales = new WeakMap<Figure, number>();

/**
 * The weight of the ramp's last colour, the same for all heads: 1, except for a long text, where almost all weights
 * would have the first colour.
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
    // Sampling at multiples of the golden ratio is even and never aligns with the rows.
    const weight = figure.valueAt(Math.floor(((place * GOLDEN) % 1) * total));
    for (let step = 0; step < NICE.length && weight > (NICE[step] ?? 1); step++) {
      above[step] = (above[step] ?? 0) + 1;
    }
  }
  return NICE.find((_, step) => (above[step] ?? 0) <= sample * ABOVE) ?? 1;
}
