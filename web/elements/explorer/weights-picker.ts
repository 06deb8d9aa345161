import { css, html, nothing, type TemplateResult } from 'lit';
import { knownModels } from '../../models/known-models.js';
import { nameOf } from '../model/model-store.js';
import { modelStringsFor } from '../model/strings.js';
import type { Language } from '../base/language.js';
import { isPretrained } from '../model/pretrained-facts.js';
import { needsTrained, WEIGHTS } from '../sentence-view/weights-origin.js';
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
  .unknown button {
    color: CanvasText;
  }
  @media print {
    .weights {
      display: none;
    }
  }
`;

/** What the reader can choose: a kind of weights, and for a pretrained model its address. */
interface Choice {
  weights: string | null;
  model?: string | null;
}

export interface WeightsChoice {
  /** Kind of the shown weights. */
  kind: string;
  /** The attribute `model`. */
  model: string | null;
  /** Pretrained models that this element has shown. */
  opened: ReadonlySet<string>;
  layer: number;
  /** Number of layers to choose from; null until the model is loaded, and for weights without layers. */
  layers: number | null;
  offersTrained: boolean;
  loading: boolean;
  language: Language;
  strings: ExplorerStrings;
  set: (change: Choice | { layer: number }) => void;
  /** The reader wants another model than the listed ones. */
  openOther: () => void;
}

const OTHER = 'other';

/** Drop-down lists for the weights (of a pretrained model, the package's small one, random or constructed) and the layer. */
export function weightsPicker(choice: WeightsChoice): TemplateResult {
  const { kind, model, layer, layers, loading, strings, set } = choice;
  return html`
    <div class="weights" part="weights">
      <label>
        ${strings.weights}
        <select
          name="weights"
          @change=${(event: Event) => {
            const select = event.currentTarget as HTMLSelectElement;
            const { value } = select;
            if (value === OTHER) {
              // The list shows what is drawn until another model is open.
              select.value = valueOf(kind, model);
              choice.openOther();
            } else if (value.startsWith(PREFIX)) {
              set({ weights: null, model: value.slice(PREFIX.length) });
            } else if (isPretrained(model) && needsTrained(value)) set({ weights: value, model: null });
            else set({ weights: value === 'random' && !isPretrained(model) ? null : value });
          }}
        >
          ${modelOptions(choice)} ${kindOptions(choice)}
        </select>
      </label>
      ${
        layers !== null && layers > 1
          ? html`<label>
              ${strings.layer}
              <select
                name="layer"
                @change=${(event: Event) => set({ layer: Number((event.currentTarget as HTMLSelectElement).value) })}
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
      <span class="quiet" role="status">${loading ? strings.loadingModel : ''}</span>
    </div>
  `;
}

const PREFIX = 'model:';

const valueOf = (kind: string, model: string | null): string =>
  kind === 'model' ? `${PREFIX}${model ?? ''}` : kind;

function modelOptions({ kind, model, opened, language, strings }: WeightsChoice): TemplateResult {
  const listed = knownModels()
    .filter(({ isAvailable }) => isAvailable)
    .map(({ name }) => name);
  const names = [...new Set([...opened, ...listed])];
  return html`<optgroup label=${strings.pretrained}>
    ${names.map(
      (name) =>
        html`<option value="${PREFIX}${name}" .selected=${kind === 'model' && name === model}>
          ${nameOf(name)}
        </option>`,
    )}
    <option value=${OTHER}>${modelStringsFor(language).ownModel}</option>
  </optgroup>`;
}

function kindOptions({ kind, offersTrained, strings }: WeightsChoice): TemplateResult {
  const names = WEIGHTS.filter((name) => name !== 'model').filter(
    (name) => !needsTrained(name) || offersTrained || needsTrained(kind),
  );
  return html`<optgroup label=${strings.notPretrained}>
    ${names.map(
      (name) => html`<option value=${name} .selected=${name === kind}>${strings.weightsNames[name]}</option>`,
    )}
  </optgroup>`;
}
