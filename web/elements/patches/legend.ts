import { html, type TemplateResult } from 'lit';
import { formatWeight } from '../base/strings.js';
import { DIGITS, type PatchStrings } from './strings.js';

/**
 * Legend of the large map.
 *
 * @param top the weight that gets the colour ramp's last colour
 * @param note what else is drawn in the map
 */
export function mapLegend(top: number, isFixed: boolean, strings: PatchStrings, note = ''): TemplateResult {
  const ticks = isFixed ? [0, 0.25, 0.5, 0.75, 1] : [0, top / 2, top];
  const label = (tick: number) => (isFixed || tick === 0 ? String(tick) : formatWeight(tick, DIGITS));
  return html`
    <div part="legend" class="legend">
      <span class="visually-hidden">${strings.legend}</span>
      <div class="scale"></div>
      <div class="ticks number">${ticks.map((tick) => html`<data value=${tick}>${label(tick)}</data>`)}</div>
      <p class="note">${isFixed ? strings.legendFixed : strings.legendRow} ${note}</p>
    </div>
  `;
}
