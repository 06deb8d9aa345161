import { html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { item } from '../../api/shape.js';
import { scoped } from '../../api/handle.js';
import type { AttentionModule } from '../../index.js';
import { type Cell, clamp, gridTarget, listTarget } from '../base/arrow-keys.js';
import { controlStyles } from '../base/control-styles.js';
import { select } from '../base/controls.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import { languageOfText } from '../base/language.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { squares } from '../base/squares.js';
import { styled } from '../base/styled.js';
import { withSubscripts } from '../base/subscripts.js';
import { isHigh, theme } from '../base/theme.js';
import { waitingStyles } from '../base/waiting.js';
import type { ModelTask } from '../../sources/model.js';
import type { TextRequest, TextResult } from '../../sources/source.js';
import { type FigureRequest, maskOptions, openRequest } from '../../sources/random.js';
import type { Figure } from '../../sources/figure.js';
import { sumsOfRows } from '../sentence-view/legend.js';
import { maskField } from '../sentence-view/mask-field.js';
import { MhaView } from '../sentence-view/mha-view.js';
import { NO_FILTER, type WeightFilter } from '../sentence-view/weight-filter.js';
import {
  Flow,
  isSquare,
  isStep,
  MOST_WORDS,
  rowsAreKeys,
  type Step,
  STEPS,
  stepsTask,
  type StepsResult,
  type Table,
} from './flow.js';
import {
  type Formula,
  formulaOf,
  formulaText,
  formulaView,
  type Naming,
  placeOf,
  type Region,
} from './formula.js';
import { formatNumber, formatShape, type StepStrings, stepStringsFor } from './strings.js';
import { stepStyles } from './styles.js';

const MASKS = ['none', 'causal', 'padding', 'window'] as const;

/** Columns that are shown at once: X of a pretrained model has hundreds. */
const PAGE = 64;

/** Number of shades in a thumbnail; each is one path, because a matrix can have thousands of cells. */
const SHADES = 8;

/** What is drawn: the flow of the shown head, the head's index in it, and the open step's table. */
interface Drawn {
  readonly figure: Figure;
  readonly flow: Flow;
  readonly head: number;
  readonly table: Table;
  readonly naming: Naming;
}

/** An outlined part of a thumbnail: the shown cell, an input of its formula, or the chosen word's row. */
interface Mark extends Region {
  readonly kind: 'cell' | 'input' | 'word';
}

/** Steps grouped by stage; the steps of a stage are computed from the same inputs. */
const STAGES: readonly (readonly Step[])[] = [
  ['x'],
  ['q', 'k', 'v'],
  ...STEPS.slice(STEPS.indexOf('scores')).map((step) => [step]),
];

/**
 * Every number from the word vectors to the output: X → Q, K, V → Q·Kᵀ → ÷√d_k → mask → softmax → ×V → concat → W_O,
 * for one head. One step is open as a table of numbers; pointing at a cell shows its formula with numbers and outlines
 * the formula's inputs in the steps before.
 *
 * Needs `document` or `sentence`: weights alone (`data`, `src`) have no steps.
 *
 * @slot - shown until the figure can be drawn
 * @csspart controls - the choice of head and mask
 * @csspart words - the choice of a word
 * @csspart flow - thumbnails of all steps
 * @csspart step - one step's thumbnail
 * @csspart grid - the open step's table
 * @csspart cell - one number
 * @csspart note - explains what kind of numbers the figure shows
 * @csspart formula - the formula of a cell
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @cssprop --mha-value - value colour
 * @cssprop --mha-arc - score colour
 * @cssprop --mha-paper - the page's background, behind row names that stay while a table scrolls
 * @cssprop --mha-number-font - font of the numbers
 * @cssprop --mha-math-font - font of the symbols in a formula
 * @fires mha-select - the reader has chosen a head, a word or a pair
 * @tag mha-steps
 */
export class MhaSteps extends MhaView {
  static override styles = [theme, controlStyles, waitingStyles, stepStyles];

  /**
   * The open step: `x`, `q`, `k`, `v`, `scores`, `scaled`, `masked`, `weights`, `context`, `concat` or `output`;
   * anything else opens the scores.
   */
  @property({ reflect: true, useDefault: true }) step = 'scores';

  /** The locked cell of the open table as `row,column`, from 0; null for none. */
  @property({ reflect: true, useDefault: true }) cell: string | null = null;

  /** `none`, `causal`, `padding:n` (the last n words are padding) or `window:n` (n words to either side). */
  @property({ reflect: true, useDefault: true }) mask = 'none';

  @state() private pointed: Cell | null = null;

  @state() private tabStop: Cell = { row: 0, column: 0 };

  /** Index of the focusable word. */
  @state() private wordStop = 0;

  /** Whether a formula shows all of its terms. */
  @state() private allTerms = false;

  /** The layer's flow. Some examples have a second one, of a single head without projections, for comparison. */
  #flows: readonly Flow[] = [];
  #lastComputed: unknown = null;
  /** Step and cell of the last scroll into view; '' if no cell is locked. */
  #revealed = '';
  /** Step and cell when they were last synchronised with the selection. */
  #synced: { step: Step; cell: string | null } | null = null;

  protected override get request(): FigureRequest {
    return { ...super.request, mask: this.mask };
  }

  /** Of a pretrained model the steps are computed with the weights. */
  protected override taskOf(): ModelTask<TextRequest, TextResult> {
    return stepsTask;
  }

  /** Weights alone do not tell how they were computed. */
  protected override readonly drawsWeights = false;

  /** No filter, because the steps show all numbers of a head. */
  protected override get filter(): WeightFilter {
    return NO_FILTER;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A state was set that has a cell but no word: derive the selection from the cell again.
    if (this.token === null && this.cell !== null && this.selection.locked.query !== null)
      this.#synced = null;
    super.willUpdate(changed);
    const { module } = this.modules;
    if (this.computed !== this.#lastComputed) {
      this.#lastComputed = this.computed;
      this.#flows =
        module && this.computed && this.computed.figure.size <= MOST_WORDS ? this.#run(module) : [];
    }
    if (this.shownFlow) this.#syncCell();
  }

  #run(module: AttentionModule): readonly Flow[] {
    const { layer, single, x, tokens } = openRequest(module, this.request);
    const options = maskOptions(this.mask, tokens.length);
    return [layer, ...(single ? [single] : [])].map((one) => scoped(one, () => Flow.run(one, x, options)));
  }

  /** Keeps the locked cell and the selection in sync: the one that changed determines the other. */
  #syncCell(): void {
    const { selection, openStep: step } = this;
    const { query, key } = selection.locked;
    const square = isSquare(step);
    const cell = this.#lockedCell;
    const sameStep = this.#synced?.step === step;
    const changed = !sameStep || this.cell !== this.#synced?.cell;
    if (rowsAreKeys(step)) {
      // These steps have no queries, and a selection cannot have a key alone: leave it as it is.
    } else if (cell && changed) {
      selection.lock({ query: cell.row, key: square ? cell.column : null });
    } else if (this.cell === null && changed && sameStep) {
      if (square && key !== null) selection.lock({ query, key: null });
    } else if (square) {
      this.cell = query === null || key === null ? null : addressOf({ row: query, column: key });
    } else {
      this.cell = query === null || !cell ? null : addressOf({ row: query, column: cell.column });
    }
    // The page of columns with the locked cell.
    if (this.cell !== this.#synced?.cell && cell) this.tabStop = cell;
    this.#synced = { step, cell: this.cell };
  }

  private get openStep(): Step {
    return isStep(this.step) ? this.step : 'scores';
  }

  /** The flow of the shown head, and the head's index in it. */
  private get shownFlow(): { flow: Flow; head: number } | null {
    const [flow, single] = this.#isPretrained ? this.#modelFlow : this.#flows;
    if (!flow) return null;
    const head = this.selection.shownHead;
    return head >= flow.heads && single
      ? { flow: single, head: 0 }
      : { flow, head: clamp(head, flow.heads - 1) };
  }

  get #isPretrained(): boolean {
    return this.kind === 'model' && this.computes;
  }

  /** The flow of the drawn layer of a pretrained model; none until it is computed. */
  get #modelFlow(): readonly Flow[] {
    const { flow = null } = (this.pretrained.answer?.result ?? {}) as Partial<StepsResult>;
    return flow && this.figure?.size === flow.size ? [flow] : [];
  }

  get #lockedCell(): Cell | null {
    const [row, column] = /^\d+,\d+$/.test(this.cell ?? '') ? (this.cell ?? '').split(',').map(Number) : [];
    const shown = this.shownFlow;
    if (!shown || row === undefined || column === undefined) return null;
    const { rows, columns } = shown.flow.table(this.openStep, shown.head);
    return row < rows && column < columns ? { row, column } : null;
  }

  override render(): TemplateResult | typeof nothing {
    const { figure } = this;
    const texts = stepStringsFor(this.language);
    if (!figure) return this.pending();
    if (figure.size > MOST_WORDS) {
      return html`<p class="problem" role="status">${texts.tooLong(MOST_WORDS, figure.size)}</p>`;
    }
    const drawn = this.#drawn();
    if (!drawn) {
      if (this.computes) return this.pending();
      return html`<slot></slot>
        <p class="quiet" role="status">${texts.weightsOnly}</p>`;
    }
    const cell = this.pointed ?? this.#lockedCell;
    const formula = cell && formulaOf(drawn.flow, this.openStep, drawn.head, cell.row, cell.column);
    return html`<div class="all" @keydown=${this.#escape}>
      ${this.#controls(figure, texts)} ${this.#words(figure, texts)} ${this.#flow(drawn, formula)}
      ${this.#panel(drawn, formula)} ${this.#note()}
      <p class="visually-hidden" role="status">${this.#announcement(drawn)}</p>
    </div>`;
  }

  #drawn(): Drawn | null {
    const { figure, shownFlow } = this;
    if (!figure || !shownFlow) return null;
    const naming = {
      tokens: figure.tokens,
      strings: stepStringsFor(this.language),
      sameVectors: this.computed?.origin.kind === 'random',
      fromBelow: this.#isPretrained,
    };
    const { flow, head } = shownFlow;
    return { figure, flow, head, naming, table: flow.table(this.openStep, head) };
  }

  #note(): TemplateResult | typeof nothing {
    const { computed, origin } = this;
    if (!origin) return nothing;
    const isRandom = computed?.origin.kind === 'random';
    return html`<p part="note" class="quiet sentence">
      ${isRandom ? nothing : html`<strong>${origin.label}.</strong> ${origin.unknown}`}
      ${computed?.note[this.language] ?? nothing}
    </p>`;
  }

  /** The choice of layer, head and mask. A pretrained model has a mask of its own. */
  #controls(figure: Figure, texts: StepStrings): TemplateResult {
    const isModel = this.#isPretrained;
    const message = this.problemMessage;
    const { selection } = this;
    return html`<div class="controls" part="controls">
        ${
          isModel
            ? html`<label class="field">
                ${texts.layer}
                ${select(
                  'layer',
                  null,
                  Array.from({ length: this.layers?.count ?? 1 }, (_, layer) => [layer, layer + 1]),
                  selection.layer,
                  (layer) => this.select(() => selection.chooseHead(selection.head, Number(layer))),
                )}
              </label>`
            : nothing
        }
        ${this.#headControls(figure, texts)}
        ${isModel ? html`<p class="quiet">${texts.ownMask}</p>` : maskField(this, MASKS, figure.size, this.language, 1)}
      </div>
      ${isModel ? this.modelStatus() : nothing}
      ${message === '' ? nothing : html`<p class="problem" role="alert">${message}</p>`}`;
  }

  #headControls(figure: Figure, texts: StepStrings): TemplateResult | typeof nothing {
    if (figure.heads < 2) return nothing;
    const { strings, selection } = this;
    return html`<fieldset>
      <legend>${texts.heads}</legend>
      <div class="segments">
        ${figure.headNames.map(
          (name, index) =>
            html`<label>
              <input
                type="radio"
                name="head"
                aria-label=${figure.nameOf(index, strings)}
                .checked=${live(index === selection.head)}
                @change=${() => {
                  this.select(() => selection.chooseHead(index));
                }}
              /><span>${typeof name === 'number' ? name + 1 : figure.nameOf(index, strings)}</span>
            </label>`,
        )}
      </div>
    </fieldset>`;
  }

  #words(figure: Figure, texts: StepStrings): TemplateResult {
    const stop = clamp(this.wordStop, figure.size - 1);
    return html`<div
      class="words"
      part="words"
      role="toolbar"
      aria-label=${texts.words}
      lang=${languageOfText(figure.tokens.join(' ')) ?? nothing}
      @keydown=${this.#onWordKeydown}
    >
      ${figure.tokens.map(
        (token, index) =>
          html`<button
            type="button"
            data-word=${index}
            tabindex=${index === stop ? 0 : -1}
            aria-pressed=${String(this.selection.locked.query === index)}
            @focus=${() => {
              this.wordStop = index;
            }}
            @click=${() => this.#chooseWord(index)}
          >
            ${token}
          </button>`,
      )}
    </div>`;
  }

  /** Thumbnails of all steps. */
  #flow({ flow, head, naming }: Drawn, formula: Formula | null): TemplateResult {
    const { openStep } = this;
    const { strings: texts } = naming;
    return html`<div role="tablist" part="flow" aria-label=${texts.flow} @keydown=${this.#onStepKeydown}>
      ${STAGES.map(
        (stage, index) =>
          html`<div role="presentation" class=${stage.length > 1 ? 'stage branch' : 'stage'}>
            ${
              index > 0
                ? html`<span class="arrow" aria-hidden="true"
                    ><span class="down">↓</span><span class="across">→</span></span
                  >`
                : nothing
            }
            ${stage.map((step) => {
              const table = flow.table(step, head);
              const open = step === openStep;
              return html`<button
                type="button"
                role="tab"
                part="step"
                id="step-${step}"
                data-step=${step}
                aria-selected=${String(open)}
                aria-controls="open"
                tabindex=${open ? 0 : -1}
                @click=${() => this.#open(step)}
              >
                ${thumbnail(table, this.#marks(step, formula))}
                <span class="name">${texts.name[step]}</span>
                <span class="op">${operation(step, flow)}</span>
                <span class="shape number">${formatShape(table.rows, table.columns)}</span>
              </button>`;
            })}
          </div>`,
      )}
    </div>`;
  }

  /** Parts of a step's thumbnail that are outlined. */
  #marks(step: Step, formula: Formula | null): Mark[] {
    const word = this.selection.shown.query;
    const inputs = (formula?.inputs ?? []).filter((region) => region.step === step);
    return [
      ...(word === null || rowsAreKeys(step) ? [] : [{ kind: 'word' as const, step, row: word }]),
      ...inputs.map((region) => ({ kind: 'input' as const, ...region })),
      ...(formula?.step === step
        ? [{ kind: 'cell' as const, step, row: formula.row, column: formula.column }]
        : []),
    ];
  }

  #panel(drawn: Drawn, formula: Formula | null): TemplateResult {
    const { openStep } = this;
    const { figure, flow, head, table, naming } = drawn;
    const { strings: texts } = naming;
    const context = {
      width: item(flow.x.shape, 1),
      headDim: flow.headDim,
      plain: flow.plain,
      masked: flow.masked,
      pretrained: this.#isPretrained,
    };
    return html`<div role="tabpanel" id="open" aria-labelledby="step-${openStep}">
      <div>
        <p class="title">
          ${texts.name[openStep]}
          <span class="shape number">${formatShape(table.rows, table.columns)}</span>
        </p>
        <p class="sentence">${withSubscripts(texts.describe(openStep, context))}</p>
      </div>
      <div class="open" @focusout=${this.#onFocusout}>
        <div>
          ${this.#pageTools(table, texts)} ${this.#grid(drawn)}
          <p class="quiet">
            ${openStep === 'weights' ? `${texts.weightScale} ${sumsOfRows(figure, [head], this.strings)}` : texts.scale}
          </p>
        </div>
        <div role="group" class="why" part="formula" aria-label=${texts.why}>
          <p class="title">${texts.why}</p>
          ${
            formula
              ? formulaView(formula, naming, {
                  open: this.allTerms,
                  toggle: () => {
                    this.allTerms = !this.allTerms;
                  },
                })
              : html`<p class="quiet">${texts.hint}</p>`
          }
          <p class="quiet">${texts.rounded}</p>
        </div>
      </div>
    </div>`;
  }

  /** The shown columns, from `first` to before `end`. */
  #page({ columns }: Table): { first: number; end: number } {
    const first = Math.floor(clamp(this.tabStop.column, columns - 1) / PAGE) * PAGE;
    return { first, end: Math.min(first + PAGE, columns) };
  }

  /** Buttons to turn the pages of a table that has more columns than are shown at once. */
  #pageTools(table: Table, texts: StepStrings): TemplateResult | typeof nothing {
    const { columns } = table;
    if (columns <= PAGE) return nothing;
    const { first, end } = this.#page(table);
    const button = (name: string, label: string, text: string, column: number, isDisabled: boolean) =>
      html`<button
        type="button"
        class="control"
        data-page=${name}
        aria-label=${label}
        ?disabled=${isDisabled}
        @click=${() => {
          this.tabStop = { ...this.tabStop, column };
        }}
      >
        ${text}
      </button>`;
    return html`<p class="pages">
      ${button('earlier', texts.earlier, '←', first - PAGE, first === 0)}
      <span role="status">${texts.columns} ${texts.columnsFrom(first + 1, end, columns)}</span>
      ${button('later', texts.later, '→', end, end === columns)}
    </p>`;
  }

  /** Accessible name of the open table. */
  #label({ figure, table, naming }: Drawn): string {
    const { strings: texts } = naming;
    const inAllHeads = ['x', 'concat', 'output'].includes(table.step);
    const head = inAllHeads ? null : figure.nameOf(this.selection.shownHead, this.strings);
    return texts.table(texts.name[table.step], head, formatShape(table.rows, table.columns));
  }

  #corner({ naming, table: { step } }: Drawn): string {
    const rows = step === 'x' ? 'word' : rowsAreKeys(step) ? 'key' : 'query';
    return naming.strings.corner(rows, isSquare(step) ? 'key' : 'dimension');
  }

  #columnNames({ figure, table }: Drawn): readonly string[] {
    if (isSquare(table.step)) return figure.tokens;
    return Array.from({ length: table.columns }, (_, index) => String(index + 1));
  }

  /** A keyboard grid of numbers with one tab stop; each cell is coloured by its absolute value. */
  #grid(drawn: Drawn): TemplateResult {
    const { figure, table } = drawn;
    const { first, end } = this.#page(table);
    const lang = languageOfText(figure.tokens.join(' ')) ?? nothing;
    const shown = this.pointed ?? this.#lockedCell;
    const names = this.#columnNames(drawn).slice(first, end);
    return html`<div class="frame sideways named">
      <table
        role="grid"
        part="grid"
        class=${tintOf(table.step)}
        aria-label=${this.#label(drawn)}
        @keydown=${(event: KeyboardEvent) => {
          this.#onGridKeydown(event, table);
        }}
        @pointerover=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') this.#point(cellAt(event));
        }}
        @pointerleave=${() => this.#point(null)}
        @focusin=${(event: FocusEvent) => {
          const cell = cellAt(event);
          if (!cell) return;
          this.tabStop = cell;
          this.#point(cell);
        }}
        @click=${(event: MouseEvent) => {
          const cell = cellAt(event);
          const row = (event.target as Element).closest<HTMLElement>('th[data-row]')?.dataset.row;
          if (cell) this.#toggle(cell);
          else if (row !== undefined && !rowsAreKeys(table.step)) this.#chooseWord(Number(row));
        }}
      >
        <thead>
          ${this.#bands(drawn)}
          <tr>
            <th class="corner" scope="col">${this.#corner(drawn)}</th>
            ${names.map(
              (name, index) =>
                html`<th scope="col" lang=${lang} class=${classMap({ on: first + index === shown?.column })}>
                  ${name}
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${figure.tokens.map((name, row) => this.#row(drawn, name, row, lang, shown))}
        </tbody>
      </table>
    </div>`;
  }

  /** Above the concatenated columns, the heads that they come from. */
  #bands({ figure, flow, head, table }: Drawn): TemplateResult | typeof nothing {
    if (table.step !== 'concat') return nothing;
    const { first, end } = this.#page(table);
    const width = flow.valueHeadDim;
    const bands = Array.from({ length: flow.heads }, (_, index) => ({
      index,
      columns: Math.min(end, (index + 1) * width) - Math.max(first, index * width),
    })).filter(({ columns }) => columns > 0);
    if (bands.length < 2) return nothing;
    return html`<tr>
      <td></td>
      ${bands.map(
        ({ index, columns }) =>
          html`<th
            scope="colgroup"
            colspan=${columns}
            class=${classMap({ band: true, chosen: index === head })}
          >
            <span>${figure.nameOf(index, this.strings)}</span>
          </th>`,
      )}
    </tr>`;
  }

  /** Renders a row only if something in it changes, because a table can have thousands of cells. */
  #row(
    { table, naming }: Drawn,
    name: string,
    row: number,
    lang: string | typeof nothing,
    shownCell: Cell | null,
  ): TemplateResult {
    const { step, rows, columns } = table;
    const { first, end } = this.#page(table);
    const { strings: texts } = naming;
    const word = rowsAreKeys(step) ? null : this.selection.shown.query;
    const stop = { row: clamp(this.tabStop.row, rows - 1), column: clamp(this.tabStop.column, columns - 1) };
    const [shown, locked, tabStop] = [shownCell, this.#lockedCell, stop].map((cell) =>
      cell?.row === row ? cell.column : null,
    );
    const strength = strengthsOf(table);
    const isWeight = step === 'weights';
    const cell = (column: number) => {
      const value = table.at(row, column);
      const text = formatNumber(value);
      const w = strength(value);
      return html`<td
        part="cell"
        class=${classMap({
          number: true,
          ...{ tint: !isWeight, ramp: isWeight, high: isWeight && isHigh(w) },
          hidden: value === -Infinity,
          shown: column === shown,
          locked: column === locked,
        })}
        ${styled({ '--w': w })}
        tabindex=${column === tabStop ? 0 : -1}
        aria-label=${texts.cell(placeOf(step, row, column, naming), texts.name[step], text)}
        aria-selected=${String(column === locked)}
        data-row=${row}
        data-column=${column}
      >
        <data value=${value}>${text}</data>
      </td>`;
    };
    return html`<tr class=${classMap({ word: row === word })}>
      <th
        scope="row"
        lang=${lang}
        data-row=${row}
        class=${classMap({ on: row === shownCell?.row || row === word })}
      >
        ${name}
      </th>
      ${guard([table, naming.tokens, this.language, shown, locked, tabStop, first], () =>
        Array.from({ length: end - first }, (_, index) => cell(first + index)),
      )}
    </tr>`;
  }

  /** The locked cell's formula as text for screen readers; pointing is not announced. */
  #announcement({ flow, head, naming }: Drawn): string {
    const cell = this.#lockedCell;
    return cell ? formulaText(formulaOf(flow, this.openStep, head, cell.row, cell.column), naming) : '';
  }

  #open(step: Step): void {
    // Keep the locked cell only between steps that all have a row per query and a column per key.
    if (!isSquare(this.openStep) || !isSquare(step)) this.cell = null;
    this.step = step;
    this.pointed = null;
  }

  #point(cell: Cell | null): void {
    if (sameCell(cell, this.pointed)) return;
    this.pointed = cell;
    const { openStep } = this;
    if (rowsAreKeys(openStep)) return;
    this.selection.preview(cell && { query: cell.row, key: isSquare(openStep) ? cell.column : null });
  }

  #onGridKeydown(event: KeyboardEvent, { rows, columns }: Table): void {
    const cell = cellAt(event);
    if (!cell || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#toggle(cell);
      return;
    }
    const target = gridTarget(event, cell, rows, columns);
    if (!target) return;
    event.preventDefault();
    // The cell may be on another page of columns.
    this.tabStop = target;
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector<HTMLElement>('[part=cell][tabindex="0"]')?.focus();
    });
  }

  #toggle(cell: Cell): void {
    const { openStep } = this;
    if (sameCell(cell, this.#lockedCell)) {
      this.#release();
      return;
    }
    this.cell = addressOf(cell);
    if (rowsAreKeys(openStep)) return;
    this.select((selection) =>
      selection.lock({ query: cell.row, key: isSquare(openStep) ? cell.column : null }),
    );
  }

  #chooseWord(index: number): void {
    const { query } = this.selection.locked;
    const column = this.#lockedCell?.column;
    // Keep the locked cell's column, so that its formula is shown for the new word.
    const key = query !== index && isSquare(this.openStep) && column !== undefined ? column : null;
    this.select((selection) => {
      if (query === index) selection.clear();
      else selection.lock({ query: index, key });
    });
  }

  #release(): void {
    this.cell = null;
    this.pointed = null;
    if (this.selection.locked.query === null) return;
    this.select((selection) => selection.clear());
  }

  /** Hides the pointed cell's formula unless the focus stays within cell and formula. */
  readonly #onFocusout = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!(currentTarget as Element).contains(relatedTarget as Node | null)) this.#point(null);
  };

  readonly #escape = (event: KeyboardEvent): void => {
    const isSelected = this.cell !== null || this.pointed !== null || this.selection.locked.query !== null;
    if (event.key !== 'Escape' || !isSelected) return;
    event.preventDefault();
    // The formula will be removed: if its button has the focus, move the focus to the cell.
    const inFormula = (event.target as Element).closest('[part=formula]') !== null;
    if (inFormula) this.renderRoot.querySelector<HTMLElement>('[part=cell][tabindex="0"]')?.focus();
    this.#release();
    this.selection.preview(null);
  };

  readonly #onWordKeydown = (event: KeyboardEvent): void => void this.#moveFocus(event, '[data-word]');

  readonly #onStepKeydown = (event: KeyboardEvent): void => {
    const target = this.#moveFocus(event, '[data-step]');
    if (target?.dataset.step && isStep(target.dataset.step)) this.#open(target.dataset.step);
  };

  /** Moves the focus along a list of buttons and returns the focused one. */
  #moveFocus(event: KeyboardEvent, selector: string): HTMLElement | null {
    if (event.altKey || event.metaKey || event.ctrlKey) return null;
    const buttons = [...this.renderRoot.querySelectorAll<HTMLElement>(selector)];
    const index = buttons.indexOf(event.target as HTMLElement);
    const target = listTarget(event, index, buttons.length);
    if (index < 0 || target === null) return null;
    event.preventDefault();
    const button = buttons[target] ?? null;
    button?.focus();
    return button;
  }

  /** Scrolls a newly locked cell into view; another view of the same selection may have locked it. */
  protected override updated(): void {
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame');
    const cell = frame?.querySelector<HTMLElement>('[aria-selected=true]');
    const address = cell ? `${this.openStep} ${this.cell ?? ''}` : '';
    if (frame && cell && address !== this.#revealed) scrollIntoFrame(cell, frame);
    this.#revealed = address;
  }

  override picture(): Picture | null {
    const drawn = this.#drawn();
    if (!drawn) return null;
    const sentence = this.#announcement(drawn);
    return {
      title: sentence === '' ? this.#label(drawn) : `${this.#label(drawn)}. ${sentence}`,
      parts: '[part=flow], #open > div:first-child, .frame, .frame + .quiet, .why:has(.math), [part=note]',
    };
  }

  override csv(): CsvParts | null {
    const drawn = this.#drawn();
    if (!drawn) return null;
    const { figure, table } = drawn;
    const names = this.#columnNames(drawn);
    return csvTable([
      [this.#corner(drawn), ...names],
      ...figure.tokens.map((name, row) => [name, ...names.map((_, column) => table.at(row, column))]),
    ]);
  }
}

const addressOf = ({ row, column }: Cell): string => `${row},${column}`;

const sameCell = (a: Cell | null, b: Cell | null): boolean => a?.row === b?.row && a?.column === b?.column;

function cellAt(event: Event): Cell | null {
  const cell = (event.target as Element).closest<HTMLElement>('td[data-row]');
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null;
}

/** The operation that computes a step, in symbols. */
function operation(step: Step, { plain, heads, headDim, ropeBase, masked }: Flow): TemplateResult {
  const projection = (from: string, matrix: string, turns = false) =>
    plain ? html`= ${from}` : html`${turns ? 'R · ' : ''}${from} · W<sub>${matrix}</sub>`;
  switch (step) {
    case 'x':
      return html`X`;
    case 'q':
      return projection('X', 'Q', ropeBase !== null);
    case 'k':
      return projection('X', 'K', ropeBase !== null);
    case 'v':
      return projection('X', 'V');
    case 'scores':
      return html`Q · Kᵀ`;
    case 'scaled':
      return html`÷ √${headDim}`;
    case 'masked':
      return masked ? html`+ M` : html`+ 0`;
    case 'weights':
      return html`softmax`;
    case 'context':
      return html`× V`;
    case 'concat':
      return heads === 1 ? html`= C` : html`[C<sub>1</sub> … C<sub>${heads}</sub>]`;
    case 'output':
      return plain ? html`= C` : html`× W<sub>O</sub>`;
  }
}

/** Maps a table's numbers to colour strengths, 0 … 1: a weight to itself, others to |value| over the largest. */
function strengthsOf({ step, values }: Table): (value: number) => number {
  if (step === 'weights') return (value) => value;
  const largest = values.reduce(
    (most, value) => (value === -Infinity ? most : Math.max(most, Math.abs(value))),
    0,
  );
  return (value) => (largest === 0 || value === -Infinity ? 0 : Math.abs(value) / largest);
}

/** Colour of a step, by what its matrix contains. */
function tintOf(step: Step): string {
  const tints: Partial<Record<Step, string>> = {
    ...{ q: 'query', k: 'key', v: 'value', context: 'value', concat: 'value' },
    ...{ scores: 'arc', scaled: 'arc', masked: 'arc' },
  };
  return tints[step] ?? 'ink';
}

/** A small picture of a step, with a square per number. */
function thumbnail(table: Table, marks: readonly Mark[]): TemplateResult {
  const { step, rows, columns } = table;
  return html`<svg
    class="thumbnail ${tintOf(step)}"
    viewBox="0 0 ${columns} ${rows}"
    preserveAspectRatio="none"
    aria-hidden="true"
    ${styled({ '--columns': columns, '--rows': rows })}
  >
    ${guard([table], () => cells(table))}
    ${marks.map(({ kind, row, column }) => {
      const [x, width] = column === undefined ? [0, columns] : [column, 1];
      const [y, height] = row === undefined ? [0, rows] : [row, 1];
      return svg`<rect class=${kind} x=${x} y=${y} width=${width} height=${height} />`;
    })}
  </svg>`;
}

function cells(table: Table): TemplateResult[] {
  const { step, columns, values } = table;
  const hidden = values.map((value) => (value === -Infinity ? 1 : 0));
  const kind = step === 'weights' ? 'ramp' : 'tint';
  return [
    ...squares(Array.from(values, strengthsOf(table)), columns, SHADES, kind),
    ...squares(hidden, columns, 1, 'hidden'),
  ];
}

/** Scrolls the table only, not the page, until the cell is visible beside the sticky headers. */
function scrollIntoFrame(cell: HTMLElement, frame: HTMLElement): void {
  const [names, titles] = [cell.parentElement?.firstElementChild, frame.querySelector('.corner')];
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  const left = names?.getBoundingClientRect().right ?? outer.left;
  const top = titles?.getBoundingClientRect().bottom ?? outer.top;
  frame.scrollLeft += Math.min(0, inner.left - left) + Math.max(0, inner.right - outer.right);
  frame.scrollTop += Math.min(0, inner.top - top) + Math.max(0, inner.bottom - outer.bottom);
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-steps': MhaSteps;
  }
}
