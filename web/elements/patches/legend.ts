import { html, type TemplateResult } from 'lit';
import { formatWeight } from '../base/strings.js';
import { DIGITS, type PatchStrings } from './strings.js';

/** What the colours of the large map mean, up to the weight `top`, and whether all maps share that. */
export function legend(top: number, fixed: boolean, strings: PatchStrings): TemplateResult {
  const ticks = fixed ? [0, 0.25, 0.5, 0.75, 1] : [0, top / 2, top];
  const label = (tick: number) => (fixed || tick === 0 ? String(tick) : formatWeight(tick, DIGITS));
  return html`
    <div part="legend" class="legend">
      <span class="visually-hidden">${strings.legend}</span>
      <div class="scale"></div>
      <div class="ticks number">${ticks.map((tick) => html`<data value=${tick}>${label(tick)}</data>`)}</div>
      <p class="note">${fixed ? strings.legendFixed : strings.legendRow} ${strings.contours}</p>
    </div>
  `;
}
