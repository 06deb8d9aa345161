import { css, html, nothing, type TemplateResult } from 'lit';
import { needsModel, WEIGHTS, type WeightsName } from '../sentence-view/weights-origin.js';
import type { ExplorerStrings } from './strings.js';

export const weightsStyles = css`
  .weights {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    align-items: center;
    font-size: 0.875rem;
  }
  .weights label {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    flex-wrap: wrap;
    min-width: 0;
  }
  .unknown {
    font-size: 0.875rem;
    color: var(--_query);
  }
  @media print {
    .weights {
      display: none;
    }
  }
`;

export interface WeightsChoice {
  weights: string;
  layer: number;
  /** Number of layers of the trained model; null until the model is loaded. */
  layers: number | null;
  offersTrained: boolean;
  loading: boolean;
  strings: ExplorerStrings;
  set: (change: { weights?: WeightsName; layer?: number }) => void;
}

/** Drop-down lists for the kind of weights (random, constructed or a model's) and the model's layer. */
export function weightsPicker({
  weights,
  layer,
  layers,
  offersTrained,
  loading,
  strings,
  set,
}: WeightsChoice): TemplateResult {
  const chosen = (event: Event) => (event.currentTarget as HTMLSelectElement).value;
  const names = WEIGHTS.filter((name) => !needsModel(name) || offersTrained || needsModel(weights));
  return html`
    <div class="weights" part="weights">
      <label>
        ${strings.weights}
        <select name="weights" @change=${(event: Event) => set({ weights: chosen(event) as WeightsName })}>
          ${names.map(
            (name) =>
              html`<option value=${name} .selected=${name === weights}>
                ${strings.weightsNames[name]}
              </option>`,
          )}
        </select>
      </label>
      ${
        needsModel(weights) && layers !== null
          ? html`<label>
              ${strings.layer}
              <select name="layer" @change=${(event: Event) => set({ layer: Number(chosen(event)) })}>
                ${Array.from(
                  { length: layers },
                  (_, index) =>
                    html`<option value=${index} .selected=${index === layer}>${index + 1}</option>`,
                )}
              </select>
            </label>`
          : nothing
      }
      <span class="quiet" role="status">${loading ? strings.loadingModel : ''}</span>
    </div>
  `;
}
