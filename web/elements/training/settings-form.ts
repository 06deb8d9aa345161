import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { NumberRange, SEED } from '../base/number-range.js';
import type { TrainingStrings } from './strings.js';

export const LAYERS = new NumberRange(1, 4);
export const STEPS = new NumberRange(1, 100_000);
/** Numbers of heads to choose from, which divide the model's embedDim, 64. */
export const HEAD_COUNTS: readonly number[] = [1, 2, 4, 8, 16];

/** The settings of the next model, which the form reads and writes. */
interface Settings {
  layers: number;
  heads: number;
  seed: number;
  steps: number;
}

/** Form for the settings of the next model. `wrong` has the attributes whose last value was rejected. */
export function settingsForm(
  settings: Settings,
  wrong: readonly string[],
  isRunning: boolean,
  strings: TrainingStrings,
): TemplateResult {
  const input = (name: 'layers' | 'seed' | 'steps', { least, most }: NumberRange) => html`
    <label class="field">
      ${strings[name]}
      <input
        type="number"
        name=${name}
        min=${least}
        max=${most}
        .value=${live(String(settings[name]))}
        aria-invalid=${String(wrong.includes(name))}
        @change=${({ currentTarget }: Event) => {
          settings[name] = Number((currentTarget as HTMLInputElement).value);
        }}
      />
    </label>
  `;
  return html`
    <details part="settings">
      <summary>${strings.settings}</summary>
      <div class="controls settings">
        ${input('layers', LAYERS)}
        <label class="field">
          ${strings.heads}
          <select
            name="heads"
            @change=${({ currentTarget }: Event) => {
              settings.heads = Number((currentTarget as HTMLSelectElement).value);
            }}
          >
            ${HEAD_COUNTS.map(
              (count) => html`<option value=${count} .selected=${count === settings.heads}>${count}</option>`,
            )}
          </select>
        </label>
        ${input('seed', SEED)} ${input('steps', STEPS)}
      </div>
      ${isRunning ? html`<p class="quiet">${strings.nextTime}</p>` : nothing}
    </details>
  `;
}
