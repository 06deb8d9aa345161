import { html, nothing, type TemplateResult } from 'lit';
import { WIDTH } from '../../documents/pipeline.js';
import { divisorsOf, SEED } from '../base/number-range.js';
import { withSubscripts } from '../base/subscripts.js';
import { checkbox } from './filter-tools.js';
import type { ExplorerStrings } from './strings.js';

/** Settings of the forward pass; `set` changes them. */
export interface ComputeSettings {
  heads: number;
  kvHeads: number | null;
  temperature: number;
  unscaled: boolean;
  anyHeads: boolean;
  random: boolean;
  /** Seed of the random numbers; null where they are the document's. */
  seed: number | null;
  strings: ExplorerStrings;
  set: (change: {
    seed?: number;
    heads?: number;
    kvHeads?: number | null;
    temperature?: number;
    unscaled?: boolean;
  }) => void;
}

/** Controls for the number of heads, of key/value heads, and the softmax's temperature. */
export function computeTools(compute: ComputeSettings): TemplateResult {
  const { strings, temperature, unscaled, anyHeads, random, seed, set } = compute;
  return html`
    <fieldset>
      <legend>${strings.compute}</legend>
      ${
        anyHeads
          ? headTools(compute)
          : html`<p class="quiet">${random ? strings.fixedHeads : strings.fixedByWeights}</p>`
      }
      <label class="field">
        <span>
          ${strings.temperature} <output class="number">${temperature}</output>
          <span class="quiet">${strings.temperatureNote(String(temperature))}</span>
        </span>
        <input
          type="range"
          name="temperature"
          min="0.1"
          max="4"
          step="0.1"
          .value=${String(temperature)}
          @input=${(event: Event) => set({ temperature: Number((event.currentTarget as HTMLInputElement).value) })}
        />
      </label>
      ${
        seed === null
          ? nothing
          : html`<label class="field">
              ${strings.seed}
              <input
                type="number"
                name="seed"
                min="0"
                max=${SEED.most}
                .value=${String(seed)}
                @change=${(event: Event) => set({ seed: Number((event.currentTarget as HTMLInputElement).value) })}
              />
            </label>`
      }
      ${checkbox('unscaled', withSubscripts(strings.unscaled), unscaled, (on) => set({ unscaled: on }))}
    </fieldset>
  `;
}

function headTools({ heads, kvHeads, strings, set }: ComputeSettings): TemplateResult {
  const divides = WIDTH % heads === 0;
  const below = divisorsOf(WIDTH).findLast((count) => count < heads);
  const above = divisorsOf(WIDTH).find((count) => count > heads);
  return html`
    <label class="field">
      <span>
        ${strings.heads} <output class="number">${heads}</output>
        ${
          divides
            ? html`<span class="quiet">${strings.headsNote(heads, String(WIDTH / heads))}</span>`
            : nothing
        }
      </span>
      <input
        type="range"
        name="head-count"
        min="1"
        max=${WIDTH}
        step="1"
        .value=${String(heads)}
        aria-invalid=${String(!divides)}
        @input=${(event: Event) => set({ heads: Number((event.currentTarget as HTMLInputElement).value), kvHeads: null })}
      />
    </label>
    ${
      divides
        ? nothing
        : html`<p class="refused" role="alert">
            ${strings.headsRefused(heads)} ${strings.nearest}
            ${[below, above].map((count) =>
              count === undefined
                ? nothing
                : html`<button
                    type="button"
                    class="control"
                    @click=${() => set({ heads: count, kvHeads: null })}
                  >
                    ${count}
                  </button>`,
            )}
          </p>`
    }
    <label class="field">
      ${strings.keyValue}
      <select
        name="kv-heads"
        ?disabled=${!divides}
        @change=${(event: Event) => {
          const count = Number((event.currentTarget as HTMLSelectElement).value);
          set({ kvHeads: count === heads ? null : count });
        }}
      >
        ${divisorsOf(heads)
          .reverse()
          .map(
            (count) =>
              html`<option value=${count} .selected=${count === (kvHeads ?? heads)}>
                ${strings.keyValueHeads(heads, count)}
              </option>`,
          )}
      </select>
    </label>
  `;
}
