import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { maskName } from '../sentence-view/mask.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Strings } from '../sentence-view/strings.js';
import type { StepStrings } from './strings.js';

const MASKS = ['none', 'causal', 'padding', 'window'] as const;

export interface StepControls {
  readonly figure: Figure;
  readonly head: number;
  /** The shown layer and the number of layers of a pretrained model; null for other weights. */
  readonly layers: { readonly shown: number; readonly count: number } | null;
  readonly mask: string;
  readonly strings: Strings;
  readonly texts: StepStrings;
  readonly chooseHead: (head: number) => void;
  readonly chooseLayer: (layer: number) => void;
  readonly setMask: (mask: string) => void;
}

/** The choice of layer, head and mask. A pretrained model has a mask of its own. */
export function stepControls(controls: StepControls): TemplateResult {
  const { layers, texts, chooseLayer } = controls;
  return html`<div class="controls" part="controls">
    ${
      layers
        ? html`<div class="mask">
            <label for="layer">${texts.layer}</label>
            <select
              id="layer"
              name="layer"
              @change=${(event: Event) => {
                chooseLayer(Number((event.currentTarget as HTMLSelectElement).value));
              }}
            >
              ${Array.from(
                { length: layers.count },
                (_, layer) =>
                  html`<option value=${layer} .selected=${layer === layers.shown}>${layer + 1}</option>`,
              )}
            </select>
          </div>`
        : nothing
    }
    ${headControls(controls)} ${layers ? html`<p class="quiet">${texts.ownMask}</p>` : maskControls(controls)}
  </div>`;
}

function headControls({ figure, head, texts, strings, chooseHead }: StepControls) {
  if (figure.heads < 2) return nothing;
  return html`<fieldset>
    <legend>${texts.heads}</legend>
    <div class="segments">
      ${figure.headNames.map(
        (headName, index) =>
          html`<label>
            <input
              type="radio"
              name="head"
              aria-label=${figure.nameOf(index, strings)}
              .checked=${live(index === head)}
              @change=${() => {
                chooseHead(index);
              }}
            /><span>${typeof headName === 'number' ? headName + 1 : figure.nameOf(index, strings)}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}

function maskControls({ figure, mask, texts, setMask }: StepControls): TemplateResult {
  const name = maskName(mask) ?? 'none';
  const counted = name === 'padding' || name === 'window' ? name : null;
  return html`<div class="mask">
    <label for="mask">${texts.mask}</label>
    <select
      id="mask"
      .value=${live(name)}
      @change=${(event: Event) => {
        const chosen = (event.currentTarget as HTMLSelectElement).value;
        setMask(chosen === 'padding' || chosen === 'window' ? `${chosen}:1` : chosen);
      }}
    >
      ${MASKS.map(
        (option) =>
          html`<option value=${option} ?selected=${option === name}>${texts.masks[option]}</option>`,
      )}
    </select>
    ${
      counted
        ? html`<label for="count">${texts.maskCount[counted]}</label>
            <input
              id="count"
              type="number"
              min="0"
              max=${figure.size - 1}
              .value=${live(mask.split(':')[1] ?? '')}
              @change=${(event: Event) => {
                setMask(`${counted}:${(event.currentTarget as HTMLInputElement).value}`);
              }}
            />`
        : nothing
    }
  </div>`;
}
