import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { guard } from 'lit/directives/guard.js';
import { describe, footerStyles, MhaView } from '../sentence-view/mha-view.js';
import { dataTableStyles } from '../base/data-table.js';
import { isLong, legend, legendStyles } from '../sentence-view/legend.js';
import type { CsvParts } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import type { Figure } from '../../sources/figure.js';
import { languageOfText } from '../base/language.js';
import { differenceLegend, differenceLegendStyles } from './difference-legend.js';
import type { PaintedGrid } from './painted-grid.js';
import { differenceOf, largestPair, type MatrixValues, weightsOf } from './values.js';
import { HEAD } from '../base/attribute-values.js';
import { type Pair, pairTarget, type Place } from '../sentence-view/selection.js';
import { reachable } from '../base/reachable.js';
import { styled } from '../base/styled.js';
import { isHigh, theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { ModuleController } from '../base/module-controller.js';
import { weightTables } from '../sentence-view/weight-tables.js';
import { WidthController } from '../base/width-controller.js';

/** Smallest and largest cell, in pixels; 24 is the smallest target for touch. */
const SMALLEST = 24;
const LARGEST = 52;
/** Smallest cells, in pixels, that show a weight, or a difference with its sign, as a number. */
const FITS_NUMBER = 36;
const FITS_DIFFERENCE = 42;
const MOST_LEVELS = 3;
/** Minimum width of the column of row names, in pixels. */
const SHORTEST_NAME = 48;
/** Font size of row and column names in rem: by default, and in narrow containers. */
const ROOMY = 0.8125;
const TIGHT = 0.6875;
/** Width of the axes' names in either language, in em. */
const AXES = 3.5;
/** Space between a row's name and its cells, in em. */
const NAME_PADDING = 0.6;

/**
 * One head's matrix, or the difference of two heads: a row per query, a column per key, a colour (and a number, if it
 * fits) per weight. A keyboard grid with one tab stop. Column names are horizontal, on up to three levels. A text of
 * more than 64 words is painted on a canvas, with at least one pixel per weight; tested up to 2,048 words.
 *
 * @slot - shown until the figure can be drawn
 * @csspart grid - the table, or the grid over a painted matrix
 * @csspart cell - one weight
 * @csspart heat-map - the canvas of a long text's weights
 * @csspart readout - words and weight of the pointed cell of a long text
 * @csspart description - the figure in one sentence (not inside an explorer)
 * @csspart label - origin of the weights, if they were computed
 * @csspart legend - the colour scale (not inside an explorer)
 * @csspart numbers - the table of numbers (not inside an explorer)
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-minus-40 - colour of a difference of −0.4
 * @cssprop --mha-minus-100 - colour of a difference of −1
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @fires mha-select
 * @tag mha-matrix
 */
export class MhaMatrix extends MhaView {
  static {
    // What is drawn is measured, and drawn anew where it does not fit.
    this.disableWarning?.('change-in-update');
  }

  static override styles = [
    theme,
    waitingStyles,
    legendStyles,
    dataTableStyles,
    footerStyles,
    differenceLegendStyles,
    css`
      .frame {
        overscroll-behavior-x: contain;
        padding-bottom: 4px;
      }
      table {
        border-collapse: separate;
        border-spacing: 2px;
        margin-inline: auto;
        font-size: ${ROOMY}rem;
        line-height: 1.2;
      }
      th {
        font-weight: 400;
        padding: 0;
      }
      thead th:not(.corner) {
        height: calc(var(--levels) * 1.35em + 0.4em);
        vertical-align: bottom;
        position: relative;
      }
      thead th:not(.corner) span {
        position: absolute;
        left: 50%;
        bottom: calc(var(--level) * 1.35em + 0.3em);
        translate: -50%;
        width: max-content;
        max-width: calc(var(--levels) * (var(--cell) + 2px) - 4px);
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        border-radius: 0.2em;
      }
      .stem {
        position: absolute;
        left: 50%;
        bottom: 0.1em;
        height: calc(var(--level) * 1.35em + 0.15em);
        border-left: 1px solid var(--_line);
      }
      /* If centred, the last column's name would overflow the table. */
      .tight thead th:last-child span {
        left: auto;
        right: 0;
        translate: 0;
        text-align: end;
        max-width: calc((var(--levels) + 1) / 2 * (var(--cell) + 2px) - 4px);
      }
      .tight {
        font-size: ${TIGHT}rem;
      }
      .corner span {
        white-space: nowrap;
      }
      .corner {
        text-align: end;
        padding: 0 0.6em 0.3em 0;
        font-size: min(0.75rem, 1em);
        vertical-align: bottom;
      }
      .tight .corner {
        padding-inline-end: 0.2em;
      }
      .query {
        color: var(--_query);
      }
      .key {
        color: var(--_key);
      }
      tbody th {
        text-align: end;
        padding-inline-end: ${NAME_PADDING}em;
        white-space: nowrap;
        position: sticky;
        inset-inline-start: 0;
        background: var(--mha-paper, Canvas);
        cursor: pointer;
        z-index: 1;
      }
      .name {
        display: block;
        width: fit-content;
        margin-inline-start: auto;
        max-width: var(--names);
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .unknown span {
        text-decoration: underline dotted;
        /* Close to the word: what overflows a name is cut off. */
        text-underline-offset: 0.1em;
      }
      .unknown:not(.on) span {
        color: var(--_muted);
      }
      th.on {
        font-weight: 650;
      }
      tbody th.on {
        color: var(--_query);
      }
      thead th.on {
        color: var(--_key);
      }
      td {
        width: var(--cell);
        min-width: var(--cell);
        height: var(--cell);
        padding: 0;
        text-align: center;
        background: var(--_color);
        border-radius: 2px;
        cursor: pointer;
        font-size: 0.75rem;
      }
      td.masked {
        background: repeating-linear-gradient(45deg, var(--_line) 0 2px, transparent 2px 6px);
      }
      td.faint {
        color: light-dark(oklch(50% 0.02 285), oklch(74% 0.02 285));
      }
      tr.on {
        /* In the gap between the rows. */
        outline: 2px solid var(--_query);
      }
      td.pair {
        outline: 2px solid var(--_key);
        outline-offset: 0;
      }
      td:focus-visible {
        outline: 3px solid var(--_focus);
        outline-offset: 1px;
        position: relative;
        z-index: 2;
      }
      @media (forced-colors: active) {
        tr.on th,
        td.pair {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  /** Head, from 0, whose weights are subtracted from the chosen head's; null shows the chosen head's weights. */
  @property({ type: HEAD, reflect: true, useDefault: true }) difference: number | null = null;

  /** Head, from 0, that is drawn instead of the chosen one. */
  @property({ type: HEAD, attribute: false }) only: number | null = null;

  /** Whether an explorer contains this element: it then shows description, legend and table itself. */
  @property({ type: Boolean, attribute: false }) embedded = false;

  @state() private cell = 0;
  @state() private levels = 1;
  /** Width in pixels to which row names are cut; null if they fit. */
  @state() private names: number | null = null;

  @state() private tabStop: Pair = { query: 0, key: 0 };

  /** What draws long texts: most figures need none of it. */
  readonly #long = new ModuleController(
    this,
    () => import('./painted-grid.js'),
    () => this.#values !== null && isLong(this.#values.figure),
  );
  /** Null until it is loaded. */
  @state() private painted: PaintedGrid | null = null;

  constructor() {
    super();
    new WidthController(this, '.outer', () => this.#measure());
  }

  /** The drawn values; the object is replaced only if its inputs change. */
  #values: MatrixValues | null = null;
  #inputs: unknown[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    this.#values = this.#currentValues();
    const { module } = this.#long;
    if (this.painted || !module) return;
    this.addStyles(module.paintedGridStyles);
    this.painted = new module.PaintedGrid({
      preview: (cell) => this.selection.preview(cell),
      toggle: ({ query, key }) => this.#toggle(query, key),
      changed: () => this.requestUpdate(),
    });
  }

  get #shownHead(): number {
    return this.only ?? this.selection.shownHead;
  }

  #currentValues(): MatrixValues | null {
    const { figure, difference, strings } = this;
    if (!figure) return null;
    const head = this.#shownHead;
    const other = difference !== null && difference in figure.headNames ? difference : null;
    const inputs = [figure, head, other, strings];
    if (this.#values && inputs.every((input, index) => input === this.#inputs[index])) return this.#values;
    this.#inputs = inputs;
    return other === null ? weightsOf(figure, head, strings) : differenceOf(figure, head, other, strings);
  }

  override render(): TemplateResult {
    const values = this.#values;
    if (!values) return html`${this.pending()}`;
    const { strings, selection } = this;
    const { figure } = values;
    const lang = languageOfText([...figure.tokens, ...(figure.isOfTwo ? figure.keyTokens : [])].join(' '));
    const { shown, locked } = selection;
    return html`
      ${
        isLong(figure)
          ? html`<div class="outer" @keydown=${this.onEscape}>
              ${this.painted?.render(values, shown, locked, lang, strings) ?? waiting(this.#long, this.language)}
            </div>`
          : this.#table(values, lang)
      }
      ${this.embedded ? nothing : this.#footer(values)}
    `;
  }

  #footer(values: MatrixValues): TemplateResult {
    const { strings } = this;
    const { figure, scale } = values;
    return this.footer(
      figure,
      values.signed
        ? differenceLegend(values, this.#otherNames(figure), strings)
        : legend(strings, figure, scale, [this.#shownHead]),
      () => weightTables(figure, [values], this.selection.locked.query, strings),
      (head, place) => this.#describe(values, this.only ?? head, place),
    );
  }

  #describe(values: MatrixValues, head: number, { query, key }: Place): string {
    const { strings } = this;
    if (!values.signed) return describe(values.figure, head, { query, key }, strings);
    if (query !== null && key !== null) return `${values.labelOf(query, key)}.`;
    const farthest = largestPair(values, query);
    return strings.largestDifference(values.labelOf(farthest.query, farthest.key));
  }

  #otherNames(figure: Figure): [string, string] {
    const name = (head: number) => figure.nameOf(head, this.strings);
    return [name(this.#shownHead), name(this.difference ?? 0)];
  }

  #table(values: MatrixValues, lang: 'ko' | 'en' | undefined): TemplateResult {
    const { strings, levels } = this;
    const { figure } = values;
    const { query, key } = this.selection.shown;
    return html`
      <div class="frame outer sideways named" ${reachable(values.label)} @keydown=${this.onEscape}>
        <table
          role="grid"
          part="grid"
          class=${classMap({ tight: this.names !== null })}
          ${styled({
            '--cell': `${this.cell || SMALLEST}px`,
            '--levels': levels,
            '--names': this.names === null ? null : `${this.names}px`,
          })}
          aria-label=${values.label}
          @keydown=${this.#onKeydown}
          @focusin=${this.#focused}
          @focusout=${this.#leave}
          @pointerover=${this.#point}
          @pointerleave=${this.#leave}
          @click=${this.#click}
        >
          <thead>
            <tr>
              <th class="corner" scope="col">
                <span class="query">${strings.query} ↓</span> <span class="key">${strings.key} →</span>
              </th>
              ${figure.keyTokens.map(
                (token, index) => html`
                  <th
                    scope="col"
                    lang=${lang ?? nothing}
                    class=${classMap({ on: index === key, unknown: figure.isUnknown(index, figure.keyTokens) })}
                    aria-label=${figure.isUnknown(index, figure.keyTokens) ? figure.spoken(index, strings.unknownWord, figure.keyTokens) : nothing}
                    ${styled({ '--level': levels - 1 - (index % levels) })}
                  >
                    <span title=${token}>${token}</span><i class="stem"></i>
                  </th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${figure.tokens.map((token, row) => this.#row(values, token, row, row === query ? key : null, lang))}
          </tbody>
        </table>
      </div>
    `;
  }

  /** A row of the table. It is rendered only if something in it changes: pointing changes at most two rows. */
  #row(values: MatrixValues, token: string, row: number, pair: number | null, lang: 'ko' | 'en' | undefined) {
    const { locked, shown } = this.selection;
    const { size, keys } = values.figure;
    const stop = row === Math.min(this.tabStop.query, size - 1) ? Math.min(this.tabStop.key, keys - 1) : null;
    const lockedKey = row === locked.query ? locked.key : null;
    const on = row === shown.query;
    const withNumbers = this.cell >= (values.signed ? FITS_DIFFERENCE : FITS_NUMBER);
    // The names' widths determine the cell size: thousands of cells are rendered only once that is known.
    const isMeasured = this.cell > 0;
    return guard([values, row, on, pair, lockedKey, stop, withNumbers, isMeasured], () => {
      const cell = (column: number): TemplateResult => {
        const value = values.at(row, column);
        const share = Math.abs(value) / values.scale;
        return html`
          <td
            part="cell"
            class=${classMap({
              ramp: true,
              minus: value < 0,
              number: true,
              high: isHigh(share),
              faint: share < 0.05,
              masked: values.figure.isMasked(row, column),
              pair: column === pair,
            })}
            ${styled({ '--w': Math.round(255 * share) / 255 })}
            tabindex=${column === stop ? 0 : -1}
            aria-label=${values.labelOf(row, column)}
            aria-selected=${String(column === lockedKey)}
            data-query=${row}
            data-key=${column}
          >
            <data value=${value}
              >${withNumbers && !values.figure.isMasked(row, column) ? values.format(value) : nothing}</data
            >
          </td>
        `;
      };
      return html`
        <tr class=${classMap({ on })}>
          <th
            scope="row"
            lang=${lang ?? nothing}
            class=${classMap({ on, unknown: values.figure.isUnknown(row) })}
            aria-label=${values.figure.isUnknown(row) ? values.figure.spoken(row, this.strings.unknownWord) : nothing}
            data-query=${row}
          >
            <span class="name" title=${token}>${token}</span>
          </th>
          ${isMeasured ? values.figure.keyTokens.map((_, column) => cell(column)) : nothing}
        </tr>
      `;
    });
  }

  #toggle(query: number, key: number | null): void {
    this.select((selection) => selection.toggle({ query, key }));
  }

  readonly #point = (event: PointerEvent): void => {
    const place = placeOf(event);
    if (place && event.pointerType !== 'touch') this.selection.preview(place);
  };

  readonly #click = (event: Event): void => {
    const place = placeOf(event);
    if (place) this.#toggle(place.query, place.key);
  };

  readonly #focused = (event: Event): void => {
    const place = placeOf(event);
    if (place?.key == null) return;
    this.tabStop = { query: place.query, key: place.key };
    this.selection.preview(this.tabStop);
  };

  readonly #leave = (): void => this.selection.preview(null);

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#toggle(this.tabStop.query, this.tabStop.key);
      return;
    }
    const target = this.figure && pairTarget(event, this.tabStop, this.figure);
    if (!target) return;
    event.preventDefault();
    this.renderRoot
      .querySelector<HTMLElement>(`[data-query="${target.query}"][data-key="${target.key}"]`)
      ?.focus();
  };

  override picture(): Picture | null {
    const values = this.#values;
    if (!values) return null;
    const title = this.#describe(values, this.#shownHead, this.selection.shown);
    return { title };
  }

  override csv(): CsvParts | null {
    return this.#values?.csv() ?? null;
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    void document.fonts.ready.then(() => this.#measure());
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Don't measure after pointing, which changes no size. The Map type allows the names of private state as keys.
    const names: ReadonlyMap<PropertyKey, unknown> = changed;
    if (['figure', 'cell', 'levels', 'names', 'painted'].some((name) => names.has(name))) this.#measure();
    if (!this.#values || !isLong(this.#values.figure)) return;
    this.painted?.update(this.#values, this);
    this.painted?.focusMoved();
  }

  /** Fits the cell size to the container, then the number of levels and the width of the names. */
  #measure(): void {
    if (this.#values && isLong(this.#values.figure)) {
      this.painted?.measure(this.#values.figure);
      return;
    }
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame.outer');
    const table = frame?.querySelector<HTMLElement>('table');
    if (!frame?.clientWidth || !table) return;
    const size = parseFloat(getComputedStyle(table).fontSize);
    const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
    // The width of the whole text, cut or not. It is not rounded, as the size would then depend on the font's.
    const text = document.createRange();
    const ems = (selector: string) =>
      [...table.querySelectorAll<HTMLElement>(selector)].map((name) => {
        text.selectNodeContents(name);
        return text.getBoundingClientRect().width / size;
      });
    const rows = Math.max(...ems('.name'), AXES) + NAME_PADDING;
    const columns = ems('thead span[title]');
    // Each column has a gap of 2 px on its right; two more are left of the names and of the cells.
    const room = frame.clientWidth - 4;

    const fits = (cell: number) => {
      const overhang = Math.max(0, (columns.at(-1) ?? 0) * ROOMY * root - cell + 8) / 2;
      return rows * ROOMY * root + columns.length * (cell + 2) + overhang <= room;
    };
    let cell = LARGEST;
    while (cell >= SMALLEST && !fits(cell)) cell--;
    const tight = cell < SMALLEST;
    const em = (tight ? TIGHT : ROOMY) * root;
    if (tight) {
      cell = Math.max(SMALLEST, Math.floor((room - rows * em) / columns.length) - 2);
      const left = room - columns.length * (cell + 2) - NAME_PADDING * em;
      this.names = Math.floor(Math.max(SHORTEST_NAME, Math.min((rows - NAME_PADDING) * em + 1, left)));
    } else {
      this.names = null;
    }
    this.cell = cell;
    const widest = Math.max(...columns) * em;
    this.levels = Math.min(MOST_LEVELS, columns.length, Math.ceil((widest + 6) / (cell + 2)));
  }
}

/** Query and key of the event's cell; an event on a row's name has no key. */
function placeOf({ target }: Event): { query: number; key: number | null } | null {
  const { query, key } = (target as Element).closest<HTMLElement>('[data-query]')?.dataset ?? {};
  if (query === undefined) return null;
  return { query: Number(query), key: key === undefined ? null : Number(key) };
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-matrix': MhaMatrix;
  }
}
