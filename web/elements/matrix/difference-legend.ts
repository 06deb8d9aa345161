import { css, html, type TemplateResult } from 'lit';
import { TICKS, tickText } from '../sentence-view/legend.js';
import type { Strings } from '../sentence-view/strings.js';
import type { MatrixValues } from './values.js';

export const differenceLegendStyles = css`
  .legend .scale.signed {
    background: linear-gradient(
      to right in oklab,
      var(--_minus-100),
      var(--_minus-40) 30%,
      var(--_ramp-0) 50%,
      var(--_ramp-40) 70%,
      var(--_ramp-100)
    );
  }
`;

/** Legend of a difference of two heads: a colour scale with one hue per head. */
export function differenceLegend(
  { scale, name }: MatrixValues,
  heads: readonly [string, string],
  strings: Strings,
): TemplateResult {
  return html`
    <div part="legend" class="legend">
      <span>${strings.difference}: ${name}</span>
      <div class="scale signed"></div>
      <div class="ticks number" aria-hidden="true">
        ${TICKS.map((place) => html`<span>${tickText((2 * place - 1) * scale).replace('-', '−')}</span>`)}
      </div>
      <p>${strings.differenceScale(...heads)}</p>
    </div>
  `;
}
