import { css, html, nothing, type TemplateResult } from 'lit';
import { WEIGHTS, type WeightsName } from '../origin.js';
import type { ExplorerStrings } from './strings.js';

export const weightsStyles = css`
  .weights {
    border: 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    align-items: center;
    justify-content: center;
    font-size: 0.875rem;
  }
  .weights legend {
    float: left;
    padding: 0;
  }
  .weights label {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    min-height: 24px;
    white-space: nowrap;
  }
  .weights select {
    width: auto;
  }
  .weights p {
    flex-basis: 100%;
    text-align: center;
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

/** Which weights the reader has chosen. */
export interface WeightsChoice {
  weights: string;
  layer: number;
  /** How many layers the trained model has; null until it is there. */
  layers: number | null;
  /** Whether the trained model is on its way. */
  loading: boolean;
  strings: ExplorerStrings;
  set: (change: { weights?: WeightsName; layer?: number }) => void;
}

/** Random, constructed or trained weights; of a trained model, which layer. */
export function weightsPicker({
  weights,
  layer,
  layers,
  loading,
  strings,
  set,
}: WeightsChoice): TemplateResult {
  return html`
    <fieldset class="weights" part="weights">
      <legend>${strings.weights}</legend>
      ${WEIGHTS.map(
        (name) => html`
          <label>
            <input
              type="radio"
              name="weights"
              value=${name}
              .checked=${name === weights}
              @change=${() => {
                set({ weights: name });
              }}
            />
            ${strings.weightsNames[name]}
          </label>
        `,
      )}
      ${
        weights === 'trained' && layers !== null
          ? html`<label>
              ${strings.layer}
              <select
                name="layer"
                @change=${(event: Event) => {
                  set({ layer: Number((event.currentTarget as HTMLSelectElement).value) });
                }}
              >
                ${Array.from(
                  { length: layers },
                  (_, index) =>
                    html`<option value=${index} .selected=${index === layer}>${index + 1}</option>`,
                )}
              </select>
            </label>`
          : nothing
      }
      <p class="quiet" role="status">${loading ? strings.loadingModel : ''}</p>
    </fieldset>
  `;
}
