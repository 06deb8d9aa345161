import { css, html, nothing, type TemplateResult } from 'lit';
import type { Figure } from './figure.js';
import { formatWeight } from '../base/strings.js';
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
  }
  .legend.short {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.1rem 1.5rem;
    max-width: none;
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

/**
 * Legend in one line of arcs and colours, for figures that explain them elsewhere. Rows of `head` that do not sum to 1 are
 * told of here too, because the picture does not show it.
 */
export const shortLegend = (
  strings: Strings,
  figure: Figure,
  scale: number,
  head: number,
): TemplateResult => html`
  <div part="legend" class="legend short">
    <p class="direction">${strings.directions}</p>
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
