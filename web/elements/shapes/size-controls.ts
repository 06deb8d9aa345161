/** Renders the form to choose a model or set sizes, with messages about invalid sizes. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { divisorsOf } from '../base/number-range.js';
import { MOST_PARAMETERS } from './measured.js';
import { type Model, MODELS } from './models.js';
import { withSubscripts } from '../base/subscripts.js';
import { type Dimensions, LIMITS, type Problem, type SizeName, type Sizes } from './sizes.js';
import { formatCount, type ShapesStrings } from './strings.js';

export type Trouble = Problem | { readonly kind: 'unknownModel' | 'noGqa' };

/** An invalid input, which stays in its field so that the reader can correct it. */
export interface Rejected {
  readonly field: SizeName;
  readonly text: string;
  readonly trouble: Trouble;
}

export interface SizeControls {
  readonly sizes: Sizes;
  readonly drawn: Dimensions;
  readonly model: Model | undefined;
  readonly trouble: Trouble | null;
  readonly rejected: Rejected | null;
  /** Message about properties that were rejected as out of range; '' if there are none. */
  readonly outOfRange: string;
  readonly strings: ShapesStrings;
  readonly change: (patch: Partial<Sizes>) => void;
  readonly type: (field: SizeName, text: string) => void;
  readonly choose: (model: string) => void;
  readonly chooseGqa: () => void;
}

export const sizeControlStyles = css`
  .sizes {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.9rem;
  }
  .sizes .field > :is(input, select) {
    width: 100%;
  }
  .controls .short {
    width: 10.5rem;
  }
  .short label {
    white-space: nowrap;
  }
  .controls .model {
    width: 15rem;
    max-width: 100%;
  }
  .controls .heads {
    display: grid;
    grid-template-columns: minmax(0, 11rem) 5rem;
    gap: 0.25rem 0.75rem;
    align-items: center;
    min-width: 0;
    border: 0;
    margin: 0;
    padding: 0;
  }
  .heads label {
    grid-column: 1 / -1;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  legend {
    padding: 0;
    margin-bottom: 0.25rem;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    min-height: 2.25rem;
    align-items: center;
  }
  .choices input {
    accent-color: var(--_arc);
    width: 1.05rem;
    height: 1.05rem;
    margin: 0;
  }
  .more :is(.controls, .source) {
    margin-top: 0.5rem;
  }
  .source {
    margin: 0;
    font-size: 0.8125rem;
    color: var(--_muted);
    line-height: 1.5;
  }
  .trouble {
    display: grid;
    gap: 0.5rem;
    font-size: 0.875rem;
    line-height: 1.6;
  }
  .trouble:empty {
    display: none;
  }
  .trouble p {
    margin: 0;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
`;

export function sizeControls(view: SizeControls): TemplateResult {
  const { model, strings, sizes, change, choose } = view;
  const optional = ['batch', 'keys', 'headDim', 'valueHeadDim'] as const;
  return html`<div part="controls" class="sizes">
    <div class="controls">
      <label class="field model">
        ${strings.model}
        <select
          name="model"
          .value=${live(model?.id ?? '')}
          @change=${(event: Event) => choose((event.currentTarget as HTMLSelectElement).value)}
        >
          <option value="" ?selected=${!model}>${strings.ownSizes}</option>
          ${MODELS.map(
            ({ id, name }) => html`<option value=${id} ?selected=${id === model?.id}>${name}</option>`,
          )}
        </select>
      </label>
      ${numberField(view, 'embedDim')} ${headsField(view)} ${numberField(view, 'length')} ${sharing(view)}
    </div>
    <details class="more">
      <summary>${strings.moreSizes}</summary>
      <div class="controls">
        ${optional.map((field) => numberField(view, field))}
        <label class="check">
          <input
            type="checkbox"
            name="withoutBias"
            .checked=${live(sizes.withoutBias)}
            @change=${(event: Event) => change({ withoutBias: (event.currentTarget as HTMLInputElement).checked })}
          />
          ${strings.withoutBias}
        </label>
      </div>
      <p class="source">${strings.limits(LIMITS, MOST_PARAMETERS)}</p>
    </details>
    ${
      model
        ? html`<p part="source" class="source">
            ${strings.source(model)}${model.note ? html`. ${withSubscripts(strings.modelNotes[model.note])}` : nothing}
          </p>`
        : nothing
    }
    <div id="trouble" class="trouble" role="alert">${troubleTemplate(view)}</div>
  </div>`;
}

/** Whether the current message is about this field. */
function isBlamed(field: SizeName, { trouble, rejected }: SizeControls): boolean {
  if (rejected) return rejected.field === field;
  if (trouble?.kind === 'range') return trouble.field === field;
  return trouble?.kind === 'heads' ? field === 'numHeads' : trouble?.kind === field;
}

function input(view: SizeControls, field: SizeName, id: string): TemplateResult {
  const { sizes, rejected, strings, type } = view;
  const text = rejected?.field === field ? rejected.text : String(sizes[field] ?? '');
  return html`<input
    id=${id}
    name=${field}
    inputmode="numeric"
    autocomplete="off"
    class="number"
    .value=${text}
    placeholder=${strings.follows[field] ?? nothing}
    aria-invalid=${String(isBlamed(field, view))}
    aria-describedby="trouble"
    @change=${(event: Event) => type(field, (event.currentTarget as HTMLInputElement).value)}
  />`;
}

const numberField = (view: SizeControls, field: SizeName): TemplateResult =>
  html`<div class="field short">
    <label for=${field}>${withSubscripts(view.strings.sizes[field])}</label>
    ${input(view, field, field)}
  </div>`;

/** Upper end of the slider for the number of heads; the number field beside it accepts more. */
const mostOnSlider = (embedDim: number): number =>
  Math.min(LIMITS.numHeads, Math.max(32, 2 ** Math.ceil(Math.log2(Math.max(1, embedDim) / 96))));

function headsField(view: SizeControls): TemplateResult {
  const { sizes, strings, change } = view;
  return html`<div class="field heads">
    <label for="numHeads">${strings.sizes.numHeads}</label>
    <input
      type="range"
      name="heads"
      min="1"
      max=${mostOnSlider(sizes.embedDim)}
      step="1"
      aria-label=${strings.sizes.numHeads}
      .value=${live(String(sizes.numHeads))}
      @input=${(event: Event) => change({ numHeads: Number((event.currentTarget as HTMLInputElement).value) })}
    />
    ${input(view, 'numHeads', 'numHeads')}
  </div>`;
}

/** Controls to choose MHA, GQA or MQA and, for GQA, the number of groups. */
function sharing(view: SizeControls): TemplateResult {
  const { sizes, strings, change, chooseGqa } = view;
  const { numHeads, kvHeads } = sizes;
  const mode = kvHeads === null || kvHeads === numHeads ? 'mha' : kvHeads === 1 ? 'mqa' : 'gqa';
  const choices = [
    {
      id: 'mha',
      name: strings.mha,
      choose: () => change({ kvHeads: null }),
    },
    {
      id: 'gqa',
      name: strings.gqa(mode === 'gqa' ? numHeads / (kvHeads ?? numHeads) : null),
      choose: chooseGqa,
    },
    {
      id: 'mqa',
      name: strings.mqa,
      choose: () => change({ kvHeads: 1 }),
    },
  ];
  const groups = new Set([...divisorsOf(numHeads).slice(1, -1), kvHeads ?? 0].filter(Boolean));
  return html`<fieldset>
      <legend>${strings.sharing}</legend>
      <div class="choices">
        ${choices.map(
          ({ id, name, choose }) =>
            html`<label class="check">
              <input
                type="radio"
                name="sharing"
                value=${id}
                .checked=${live(id === mode)}
                @change=${choose}
              />
              ${name}
            </label>`,
        )}
      </div>
    </fieldset>
    ${
      mode === 'gqa'
        ? html`<label class="field short">
            ${strings.sizes.kvHeads}
            <select
              name="kvHeads"
              aria-invalid=${String(isBlamed('kvHeads', view))}
              .value=${live(String(kvHeads ?? ''))}
              @change=${(event: Event) => change({ kvHeads: Number((event.currentTarget as HTMLSelectElement).value) })}
            >
              ${[...groups]
                .sort((a, b) => a - b)
                .map(
                  (heads) => html`<option value=${heads} ?selected=${heads === kvHeads}>${heads}</option>`,
                )}
            </select>
          </label>`
        : nothing
    }`;
}

function troubleTemplate(view: SizeControls): TemplateResult | typeof nothing {
  const { trouble, outOfRange, sizes, drawn, strings, change } = view;
  const still = strings.stillDrawn(drawn.embed.size, drawn.heads.size, drawn.head.size);
  if (!trouble) return outOfRange ? html`<p>${outOfRange} ${still}</p>` : nothing;
  const fixes = 'fixes' in trouble ? trouble.fixes : [];
  return html`<p>
      ${outOfRange} ${withSubscripts(explain(trouble, sizes, strings))}
      ${trouble.kind === 'noGqa' ? nothing : still}
    </p>
    ${
      fixes.length > 0
        ? html`<div class="ways">
            ${fixes.map(
              (patch) =>
                html`<button part="way" class="control" type="button" @click=${() => change(patch)}>
                  ${fixText(patch, sizes, strings)}
                </button>`,
            )}
          </div>`
        : nothing
    }`;
}

export function explain(
  trouble: Trouble,
  { embedDim, numHeads, kvHeads }: Sizes,
  strings: ShapesStrings,
): string {
  switch (trouble.kind) {
    case 'range':
      return strings.range(trouble.field, LIMITS[trouble.field]);
    case 'heads': {
      const quotient = embedDim / numHeads;
      const sign = Math.round(quotient * 100) / 100 === quotient ? '=' : '≈';
      return strings.notWhole(embedDim, numHeads, `${sign} ${formatCount(quotient)}`);
    }
    case 'kvHeads':
      return strings.notShared(numHeads, kvHeads ?? numHeads);
    case 'noGqa':
      return strings.noGqa(numHeads);
    case 'tooLarge':
      return strings.tooLarge;
    case 'unknownModel':
      return strings.unknownModel;
  }
}

function fixText(patch: Partial<Sizes>, { embedDim }: Sizes, strings: ShapesStrings): string {
  const { numHeads, headDim, kvHeads } = patch;
  if (numHeads !== undefined) return strings.takeHeads(numHeads, embedDim / numHeads);
  return typeof headDim === 'number' ? strings.takeHeadDim(headDim) : strings.takeKvHeads(kvHeads ?? 1);
}
