import { css, html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import type { Figure } from '../../sources/figure.js';
import type { Strings } from './strings.js';

/** Positions of the numbers along the legend's colour scale, as shares of its length. */
export const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** Formats a number of the legend, without trailing zeros. */
export const tickText = (value: number): string => String(Number(value.toFixed(4)));

export const legendStyles = css`
  .legend {
    display: grid;
    gap: 0.3rem;
    font-size: 0.8125rem;
    max-width: 22rem;
  }
  .legend .scale {
    height: 0.7rem;
    border-radius: 0.2rem;
    background: linear-gradient(to right in oklab, var(--_ramp-0), var(--_ramp-40) 40%, var(--_ramp-100));
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  .legend .ticks {
    display: flex;
    justify-content: space-between;
    font-size: 0.75rem;
  }
  .legend p {
    margin: 0;
    color: var(--_muted);
    text-wrap: balance;
  }
  .legend.short {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.1rem 1.5rem;
    max-width: none;
    text-align: center;
  }
  .legend .colours {
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }
  .legend .colours .scale {
    width: 6rem;
  }
`;

const directions = {
  en: {
    ofOne: 'Arcs up or to the right lead to later words, down or to the left to earlier ones.',
    ofTwo: 'The words below, or on the right, look at the others.',
  },
  ko: {
    ofOne: '위쪽·오른쪽 호는 뒤에 나오는 단어를, 아래쪽·왼쪽 호는 앞에 나온 단어를 봐요.',
    ofTwo: '아래쪽이나 오른쪽 단어가 다른 쪽 단어를 봐요.',
  },
};

/**
 * Legend in one line of arcs and colours, for figures that explain them elsewhere. Rows of `head` that do not sum to 1 are
 * told of here too, because the picture does not show it.
 */
export const shortLegend = (
  strings: Strings,
  language: Language,
  figure: Figure,
  scale: number,
  head: number,
): TemplateResult => html`
  <div part="legend" class="legend short">
    <p class="direction">${directions[language][figure.isOfTwo ? 'ofTwo' : 'ofOne']}</p>
    <p class="colours">
      <span>${strings.legend}</span> <span class="number">0</span> <span class="scale"></span>
      <span class="number">${tickText(scale)}</span>
    </p>
    ${hasSumsOfOne(figure, head) ? nothing : html`<p class="sums">${sumsOfRows(figure, [head], strings)}</p>`}
  </div>
`;

/** Whether every row of this head sums to 1 in two decimals, or a filter hides weights. */
function hasSumsOfOne(figure: Figure, head: number): boolean {
  const { least, most } = figure.extent(head);
  return figure.partial || [least, most].every((sum) => Number(formatWeight(sum)) === 1);
}

/** Sentence about the smallest and largest row sum of these heads; '' if a filter hides weights. */
export function sumsOfRows(figure: Figure, heads: readonly number[], strings: Strings): string {
  if (figure.partial) return '';
  const extents = heads.map((head) => figure.extent(head));
  const least = Math.min(...extents.map((extent) => extent.least));
  const most = Math.max(...extents.map((extent) => extent.most));
  return strings.rowSums(formatWeight(least), formatWeight(most));
}

/** Legend with the colour ramp, whose last colour stands for the weight `scale`, and the row sums of `heads`. */
export function legend(
  strings: Strings,
  figure: Figure,
  scale: number,
  heads: readonly number[],
): TemplateResult {
  const isBeyond = heads.some((head) => figure.extent(head).largest > scale);
  return html`
    <div part="legend" class="legend">
      <span>${strings.legend}</span>
      <div class="scale"></div>
      <div class="ticks number" aria-hidden="true">
        ${TICKS.map((tick) => html`<span>${tickText(tick * scale)}</span>`)}
      </div>
      <p>
        ${scale === 1 && !isBeyond ? strings.fixedScale : strings.scaleUpTo(tickText(scale))}
        ${sumsOfRows(figure, heads, strings)}
      </p>
    </div>
  `;
}

/** Up to this many words, every word and weight is a DOM element; beyond, weights are painted on a canvas. */
const MOST_ELEMENTS = 64;

/** Whether the figure is a long text, whose weights are not DOM elements. */
export const isLong = (figure: Figure): boolean => Math.max(figure.size, figure.keys) > MOST_ELEMENTS;

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
  const total = figure.heads * figure.size * figure.keys;
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
