import { html, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { radioTarget } from '../base/arrow-keys.js';
import { controlStyles, headRadioStyles } from '../base/controls.js';
import { legendStyles } from '../sentence-view/legend.js';
import { dataTableStyles } from '../base/data-table.js';
import { type CsvParts, type CsvRow, csvTable } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD } from '../base/number-range.js';
import { card } from './card.js';
import { describe, why } from './description.js';
import { patchGrid } from './grid.js';
import { miniature } from './miniature.js';
import { CLS, PatchFigure } from './patch-figure.js';
import { patchStyles } from './styles.js';
import { DIGITS, headName, placeName, type PatchStrings, patchStringsFor, tokenName } from './strings.js';
import { mapTable, measuresTable, trap } from './tables.js';
import type { MhaSelectDetail } from '../sentence-view/selection.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';

/** A query and its key, or only a query, by token index. */
interface TokenPair {
  readonly query: number;
  readonly key: number | null;
}

/**
 * Document 000's four head patterns on a picture of 14×14 patches: choose a query and see each head's weights. The
 * module computes them with constructed, not trained, projection matrices.
 *
 * The element's content is a placeholder until the figure can be drawn.
 *
 * @slot - shown until the figure can be drawn
 * @csspart waiting - placeholder until the figure can be drawn
 * @csspart figure - the whole figure
 * @csspart cls - the button for CLS
 * @csspart picture - the grid of patches to choose a query from
 * @csspart map - the chosen head's grid of weights
 * @csspart cell - one patch of either grid
 * @csspart head - one head: name, miniature and number
 * @csspart miniature - the head's map, small
 * @csspart legend - the scale of the weights
 * @csspart label - kind of the weights: constructed
 * @csspart description - the figure in one sentence
 * @csspart why - how softmax gives the selected weight
 * @csspart card - one head's measure and heaviest keys
 * @csspart measures - the table of measures
 * @csspart trap - why 196 tokens including CLS leave only 195 patches
 * @csspart note - more about the weights
 * @csspart numbers - the chosen head's map as a table
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour at 0.4 of the scale
 * @cssprop --mha-ramp-100 - colour at the end of the scale
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @cssprop --mha-arc - colour of form controls
 * @cssprop --mha-paper - the page's background, around marked patches
 * @cssprop --mha-number-font - font of the numbers
 * @cssprop [--mha-miniature-size=10rem] - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head or a patch: { head, query, key }, tokens with CLS as 0
 * @tag mha-patches
 */
export class MhaPatches extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    headRadioStyles,
    waitingStyles,
    dataTableStyles,
    legendStyles,
    patchStyles,
  ];

  /** The chosen head, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The locked query: `row,column` from 0, or `cls`; without one, CLS is shown but not locked. */
  @property({ reflect: true, useDefault: true }) patch: string | null = null;

  /** The key of the locked pair: `row,column` from 0. */
  @property({ reflect: true, useDefault: true }) target: string | null = null;

  /** Weight that gets the colour ramp's last colour: with `row` the largest weight of the map, with `fixed` 1. */
  @property({ reflect: true, useDefault: true }) scale: 'row' | 'fixed' = 'row';

  @state() private figure: PatchFigure | null = null;
  @state() private pointed: TokenPair | null = null;
  @state() private pointedHead: number | null = null;
  /** The focusable token in the picture and in the map. */
  @state() private pictureStop = 1;
  @state() private mapStop = 1;

  #note: Readonly<Record<'ko' | 'en', string>> = { ko: '', en: '' };
  readonly #modules = new ModuleController(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { module } = this.#modules;
    const isFirst = !this.figure && module;
    if (isFirst) {
      const result = module.documents.run('000-patches');
      this.#note = result.note;
      this.figure = new PatchFigure(result);
    }
    if (isFirst || changed.has('patch')) {
      this.pictureStop = this.figure?.findPatch(this.patch) ?? this.pictureStop;
    }
  }

  get #strings(): PatchStrings {
    return patchStringsFor(this.language);
  }

  #locked(figure: PatchFigure): { query: number | null; key: number | null } {
    const query = figure.find(this.patch);
    return { query, key: query === null ? null : figure.findPatch(this.target) };
  }

  /** The pair to draw: the pointed one, else the locked one, else CLS as query. */
  #shown(figure: PatchFigure): TokenPair {
    const { query, key } = this.#locked(figure);
    return this.pointed ?? { query: query ?? CLS, key };
  }

  #shownHead(figure: PatchFigure): number {
    const head = this.pointedHead ?? this.head;
    return head in figure.heads ? head : 0;
  }

  /** The weight that gets the colour ramp's last colour. */
  #top(figure: PatchFigure, head: number, query: number): number {
    return this.scale === 'fixed' ? 1 : figure.maximum(head, query);
  }

  override render(): TemplateResult {
    const { figure } = this;
    if (!figure) return waiting(this.#modules, this.language);
    const strings = this.#strings;
    const head = this.#shownHead(figure);
    const { query, key } = this.#shown(figure);
    return html`
      <figure part="figure" @keydown=${this.#onEscape}>
        ${this.outOfRangeAlert()} ${this.#controls(figure)}
        <div class="views" ${styled({ '--side': figure.side })}>
          ${this.#picture(figure, query)} ${this.#map(figure, head, query, key)}
        </div>
        <div
          class="heads"
          role="radiogroup"
          aria-label=${strings.heads}
          @keydown=${this.#onHeadKeydown}
          @pointerleave=${() => {
            this.pointedHead = null;
          }}
        >
          ${figure.heads.map((_, index) => this.#radio(figure, index, query, key))}
        </div>
        <figcaption>
          <p part="description" class="description">${describe(figure, head, query, key, strings)}</p>
          ${why(figure, head, query, key, strings)}
          <p part="label" class="label">${strings.constructed}</p>
        </figcaption>
        <div class="cards">
          ${figure.heads.map((_, index) => card(figure, index, query, index === head, strings))}
        </div>
        <div class="facts">
          <div part="measures">${measuresTable(figure, strings)}</div>
          ${trap(figure, strings)}
        </div>
        <p part="note" class="quiet">${this.#note[this.language]}</p>
        ${this.details('numbers', strings.dataTable, () => mapTable(figure, head, query, strings))}
        <p class="visually-hidden" role="status">${this.#announcement(figure)}</p>
      </figure>
    `;
  }

  #controls(figure: PatchFigure): TemplateResult {
    const strings = this.#strings;
    const { query } = this.#locked(figure);
    const place = query ? figure.placeOf(query) : null;
    const choose = (axis: 'row' | 'column', label: string) => html`
      <label class="field">
        ${label}
        <select
          name=${axis}
          @change=${({ currentTarget }: Event) => {
            const chosen = {
              row: 0,
              column: 0,
              ...place,
              [axis]: Number((currentTarget as HTMLSelectElement).value),
            };
            this.#select({ patch: `${chosen.row},${chosen.column}`, target: null });
          }}
        >
          <option value="" disabled .selected=${place === null}>${strings.noPatch}</option>
          ${Array.from(
            { length: figure.side },
            (_, index) =>
              html`<option value=${index} .selected=${place?.[axis] === index}>${index + 1}</option>`,
          )}
        </select>
      </label>
    `;
    const scale = (value: 'row' | 'fixed', label: string) => html`
      <label class="check">
        <input
          type="radio"
          name="scale"
          value=${value}
          .checked=${(this.scale === 'fixed') === (value === 'fixed')}
          @change=${() => {
            this.scale = value;
          }}
        />
        ${label}
      </label>
    `;
    return html`
      <div class="controls">
        <fieldset class="choice">
          <legend class="quiet">${strings.lookFrom}</legend>
          <button
            class="control"
            part="cls"
            aria-pressed=${String(query === CLS)}
            @click=${() => this.#toggle({ query: CLS, key: null })}
            @pointerenter=${(event: PointerEvent) => {
              if (event.pointerType !== 'touch') this.pointed = { query: CLS, key: null };
            }}
            @pointerleave=${this.#leave}
          >
            CLS
          </button>
          ${choose('row', strings.row)} ${choose('column', strings.column)}
        </fieldset>
        <fieldset class="choice">
          <legend class="quiet">${strings.scale}</legend>
          ${scale('row', strings.perRow)} ${scale('fixed', strings.fixed)}
        </fieldset>
      </div>
    `;
  }

  #picture(figure: PatchFigure, query: number): TemplateResult {
    const strings = this.#strings;
    const locked = this.#locked(figure).query;
    return html`
      <div class="view">
        <p class="title">
          <span class="name">${strings.pictureTitle}</span>
          <span class="muted">${tokenName(figure, query, strings)}</span>
        </p>
        <div class="sideways">
          <div class="frame">
            ${patchGrid({
              part: 'picture',
              label: strings.picture,
              side: figure.side,
              tabStop: this.pictureStop,
              cell: (token) => ({
                label: tokenName(figure, token, strings),
                isLocked: token === locked,
                classes: { query: token === query },
                values: { '--patch': figure.colour(token) },
              }),
              onPoint: (token) => {
                this.pointed = token === null ? null : { query: token, key: null };
              },
              onFocus: (token) => {
                this.pictureStop = token;
                this.pointed = { query: token, key: null };
              },
              onToggle: (token) => this.#toggle({ query: token, key: null }),
            })}
          </div>
        </div>
        <p class="note hint">${strings.hint}</p>
      </div>
    `;
  }

  #map(figure: PatchFigure, head: number, query: number, key: number | null): TemplateResult {
    const strings = this.#strings;
    const locked = this.#locked(figure);
    const from = locked.query ?? CLS;
    const name = headName(figure, head, strings);
    const top = this.#top(figure, head, query);
    const queryName = tokenName(figure, query, strings);
    return html`
      <div class="view">
        <p class="title">
          <span class="name">${name}</span> <span class="muted">${placeName(figure, query, strings)} →</span>
        </p>
        <div class="sideways">
          <div class="frame">
            ${patchGrid({
              part: 'map',
              label: strings.map(name, queryName),
              side: figure.side,
              tabStop: this.mapStop,
              cell: (token) => {
                const weight = figure.at(head, query, token);
                const pair = strings.pair(
                  queryName,
                  tokenName(figure, token, strings),
                  formatWeight(weight, DIGITS),
                );
                return {
                  label: `${name}: ${pair}`,
                  isLocked: locked.key === token,
                  classes: { ramp: true, query: token === query, key: token === key },
                  values: { '--w': weight / top },
                };
              },
              onPoint: (token) => {
                this.pointed = token === null ? null : { query: from, key: token };
              },
              onFocus: (token) => {
                this.mapStop = token;
                this.pointed = { query: from, key: token };
              },
              onToggle: (token) => this.#toggle({ query: from, key: token }),
            })}
            <svg aria-hidden="true" viewBox="0 0 ${figure.side} ${figure.side}">
              <path class="contours" d=${figure.contours} />
            </svg>
          </div>
        </div>
        ${this.#legend(top)}
      </div>
    `;
  }

  /** Legend of the large map, up to the weight `top`. */
  #legend(top: number): TemplateResult {
    const strings = this.#strings;
    const isFixed = this.scale === 'fixed';
    const ticks = isFixed ? [0, 0.25, 0.5, 0.75, 1] : [0, top / 2, top];
    const label = (tick: number) => (isFixed || tick === 0 ? String(tick) : formatWeight(tick, DIGITS));
    return html`
      <div part="legend" class="legend">
        <span class="visually-hidden">${strings.legend}</span>
        <div class="scale"></div>
        <div class="ticks number">
          ${ticks.map((tick) => html`<data value=${tick}>${label(tick)}</data>`)}
        </div>
        <p class="note">${isFixed ? strings.legendFixed : strings.legendRow} ${strings.contours}</p>
      </div>
    `;
  }

  #radio(figure: PatchFigure, head: number, query: number, key: number | null): TemplateResult {
    const chosen = head === (this.head in figure.heads ? this.head : 0);
    const weight = key === null ? figure.maximum(head, query) : figure.at(head, query, key);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-head=${head}
        @click=${() => this.#select({ head })}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') this.pointedHead = head;
        }}
      >
        <span class="name">${headName(figure, head, this.#strings)}</span>
        ${miniature(figure, head, query, key, this.#top(figure, head, query))}
        <span class="note"
          >${key === null ? this.#strings.maximum : '→'}
          <data class="number" value=${weight}>${formatWeight(weight, DIGITS)}</data></span
        >
      </div>
    `;
  }

  /** Sentence about the locked pair for screen readers. */
  #announcement(figure: PatchFigure): string {
    const { query, key } = this.#locked(figure);
    const head = this.head in figure.heads ? this.head : 0;
    return describe(figure, head, query ?? CLS, key, this.#strings);
  }

  override picture(): Picture | null {
    const { figure } = this;
    if (!figure) return null;
    const strings = this.#strings;
    const { query } = this.#shown(figure);
    return {
      title: `${strings.maps(tokenName(figure, query, strings))}. ${strings.constructed}`,
      parts: '.view, .heads, figcaption',
    };
  }

  /** Maps of all heads: heads, rows and columns are counted from 0, queries and keys are token indices. */
  override csv(): CsvParts | null {
    const { figure } = this;
    if (!figure) return null;
    const { query } = this.#shown(figure);
    const rows = figure.heads.flatMap(({ pattern }, head) =>
      Array.from(figure.map(head, query), (weight, patch): CsvRow => {
        const { row, column } = figure.placeOf(patch + 1);
        return [head, pattern, query, patch + 1, row, column, weight];
      }),
    );
    return csvTable([['head', 'pattern', 'query', 'key', 'row', 'column', 'weight'], ...rows]);
  }

  /** Locks a pair, or clears the selection if it was locked already. */
  #toggle(place: TokenPair): void {
    const { figure } = this;
    if (!figure) return;
    const locked = this.#locked(figure);
    const same = place.query === locked.query && place.key === locked.key;
    this.#select({
      patch: same ? null : figure.address(place.query),
      target: same || place.key === null ? null : figure.address(place.key),
    });
  }

  /** Changes the selection on the reader's behalf and fires `mha-select`. */
  #select(change: Partial<Pick<MhaPatches, 'head' | 'patch' | 'target'>>): void {
    Object.assign(this, change);
    this.pointed = null;
    this.pointedHead = null;
    if (!this.figure) return;
    const detail: MhaSelectDetail = { head: this.head, ...this.#locked(this.figure) };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  readonly #leave = (): void => {
    this.pointed = null;
  };

  /** Escape clears the selection; without one the page handles the key. */
  readonly #onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.patch === null && this.pointed === null)) return;
    event.preventDefault();
    this.#select({ patch: null, target: null });
  };

  readonly #onHeadKeydown = (event: KeyboardEvent): void => {
    const head = radioTarget(event, this.head, this.figure?.heads.length ?? 1);
    if (head === null) return;
    event.preventDefault();
    this.#select({ head });
    this.renderRoot.querySelector<HTMLElement>(`[data-head="${head}"]`)?.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-patches': MhaPatches;
  }
}
