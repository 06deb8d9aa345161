import { html, type TemplateResult } from 'lit';
import type { PatchMaps } from './patch-maps.js';
import { learnedName, type PatchStrings } from './strings.js';

export interface PatchControls {
  readonly figure: PatchMaps;
  /** The locked query; null without one. */
  readonly query: number | null;
  readonly scale: 'row' | 'fixed';
  readonly strings: PatchStrings;
  /** Chooses the patch at an address. */
  readonly choose: (address: string) => void;
  /** Locks a learned token as query, or releases it. */
  readonly toggle: (token: number) => void;
  readonly point: (token: number | null) => void;
  readonly setScale: (scale: 'row' | 'fixed') => void;
}

/** Where to look from, a learned token or a patch by row and column, and the scale of the maps. */
export function patchControls(controls: PatchControls): TemplateResult {
  const { figure, strings, scale, setScale } = controls;
  const radio = (value: 'row' | 'fixed', label: string) => html`
    <label class="check">
      <input
        type="radio"
        name="scale"
        value=${value}
        .checked=${(scale === 'fixed') === (value === 'fixed')}
        @change=${() => {
          setScale(value);
        }}
      />
      ${label}
    </label>
  `;
  return html`
    <div class="controls">
      <fieldset class="choice">
        <legend class="quiet">${strings.lookFrom}</legend>
        ${figure.learned.map((_, token) => learnedButton(controls, token))}
        ${axis(controls, 'row', strings.row, figure.rows)}
        ${axis(controls, 'column', strings.column, figure.columns)}
      </fieldset>
      <fieldset class="choice">
        <legend class="quiet">${strings.scale}</legend>
        ${radio('row', strings.perRow)} ${radio('fixed', strings.fixed)}
      </fieldset>
    </div>
  `;
}

function learnedButton(
  { figure, query, strings, toggle, point }: PatchControls,
  token: number,
): TemplateResult {
  return html`
    <button
      class="control"
      part=${token === 0 ? 'cls' : 'learned'}
      data-learned=${token}
      aria-pressed=${String(query === token)}
      @click=${() => {
        toggle(token);
      }}
      @pointerenter=${(event: PointerEvent) => {
        if (event.pointerType !== 'touch') point(token);
      }}
      @pointerleave=${() => {
        point(null);
      }}
    >
      ${learnedName(figure, token, strings)}
    </button>
  `;
}

function axis(
  { figure, query, strings, choose }: PatchControls,
  name: 'row' | 'column',
  label: string,
  count: number,
): TemplateResult {
  const place = query !== null && figure.isPatch(query) ? figure.placeOf(query) : null;
  return html`
    <label class="field">
      ${label}
      <select
        name=${name}
        @change=${({ currentTarget }: Event) => {
          const index = Number((currentTarget as HTMLSelectElement).value);
          const chosen = { row: 0, column: 0, ...place, [name]: index };
          choose(`${chosen.row},${chosen.column}`);
        }}
      >
        <option value="" disabled .selected=${place === null}>${strings.noPatch}</option>
        ${Array.from(
          { length: count },
          (_, index) =>
            html`<option value=${index} .selected=${place?.[name] === index}>${index + 1}</option>`,
        )}
      </select>
    </label>
  `;
}
