import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { item } from '../../api/tensor.js';
import { scoped } from '../../documents/compute.js';
import type { AttentionModule } from '../../index.js';
import { maskOptions } from '../sentence-view/mask.js';
import { type Cell, clamp, listTarget } from '../base/arrow-keys.js';
import { controlStyles } from '../base/controls.js';
import { sumsOfRows } from '../sentence-view/legend.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import type { Figure } from '../sentence-view/figure.js';
import { languageOfText } from '../base/language.js';
import { NO_FILTER, type WeightFilter } from '../sentence-view/weight-filter.js';
import { MhaView } from '../sentence-view/mha-view.js';
import type { TextRequest, TextResult } from '../sentence-view/text-reading.js';
import type { Reading } from '../model/model-controller.js';
import { type FigureRequest, openRequest } from '../sentence-view/computed-figure.js';
import { stepControls } from './controls.js';
import { Flow, isSquare, isStep, rowsAreKeys, type Step, STEPS } from './flow.js';
import { type Formula, formulaOf } from './formula.js';
import { operation } from './operation.js';
import { formatShape, type StepStrings, stepStringsFor } from './strings.js';
import { MOST_WORDS, stepsReading, type StepsResult } from './steps-reading.js';
import { stepStyles } from './styles.js';
import { columnsOn, grid, type GridView, pageOf, pageTools, sameCell } from './table.js';
import { type Mark, thumbnail } from './thumbnail.js';
import { formulaText, formulaView, type Naming, placeOf, rowsOf } from './formula-view.js';
import { withSubscripts } from '../base/subscripts.js';
import { theme } from '../base/theme.js';
import { modelStatusStyles } from '../model/model-status.js';
import { waitingStyles } from '../base/waiting.js';

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
  static override styles = [theme, controlStyles, waitingStyles, modelStatusStyles, stepStyles];

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
  protected override get reading(): Reading<TextRequest, TextResult> {
    return stepsReading;
  }

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
    const { layer, single, x, tokens } = openRequest(module, this.request, this.trained.model);
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
    const { figure, shownFlow } = this;
    const texts = stepStringsFor(this.language);
    if (!figure) return this.pending();
    if (figure.size > MOST_WORDS) {
      return html`<p class="problem" role="status">${texts.tooLong(MOST_WORDS, figure.size)}</p>`;
    }
    if (!shownFlow && this.computes && !this.computed) return this.pending();
    if (!shownFlow) {
      return html`<slot></slot>
        <p class="quiet" role="status">${texts.weightsOnly}</p>`;
    }
    const { flow, head } = shownFlow;
    const naming = this.#naming(figure);
    const shown = this.pointed ?? this.#lockedCell;
    const formula = shown && formulaOf(flow, this.openStep, head, shown.row, shown.column);
    return html`<div class="all" @keydown=${this.#escape}>
      ${this.#controls(figure, texts)} ${this.#words(figure, texts)} ${this.#flow(flow, head, formula, texts)}
      ${this.#panel(figure, flow, head, formula, naming)} ${this.#note()}
      <p class="visually-hidden" role="status">${this.#announcement(flow, head, naming)}</p>
    </div>`;
  }

  #naming({ tokens }: Figure): Naming {
    const sameVectors = this.computed?.origin.kind === 'random';
    const fromBelow = this.#isPretrained;
    return { tokens, strings: stepStringsFor(this.language), sameVectors, fromBelow };
  }

  #note(): TemplateResult | typeof nothing {
    const { computed, origin } = this;
    if (!origin) return nothing;
    if (!computed)
      return html`<p part="note" class="quiet sentence">
        <strong>${origin.label}.</strong> ${origin.unknown}
      </p>`;
    return html`<p part="note" class="quiet sentence">
      ${computed.origin.kind === 'random' ? nothing : html`<strong>${origin.label}.</strong> ${origin.unknown}`}
      ${computed.note[this.language]}
    </p>`;
  }

  #controls(figure: Figure, texts: StepStrings): TemplateResult {
    const { strings, mask, selection } = this;
    const isModel = this.#isPretrained;
    const message = this.problemMessage;
    return html`${stepControls({
      ...{ figure, texts, strings, mask, head: selection.head },
      layers: isModel ? { shown: figure.part?.layer ?? 0, count: this.layers?.count ?? 1 } : null,
      chooseHead: (head) => {
        this.select((selection) => selection.chooseHead(head));
      },
      chooseLayer: (layer) => {
        this.select((selection) => selection.chooseHead(selection.head, layer));
      },
      setMask: (value) => {
        this.mask = value;
      },
    })}
    ${isModel ? this.modelStatus() : nothing}
    ${message === '' ? nothing : html`<p class="problem" role="alert">${message}</p>`}`;
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

  #flow(flow: Flow, head: number, formula: Formula | null, texts: StepStrings): TemplateResult {
    const { openStep } = this;
    return html`<div role="tablist" part="flow" aria-label=${texts.flow} @keydown=${this.#onStepKeydown}>
      ${STAGES.map(
        (stage, index) =>
          html`<div role="presentation" class=${stage.length > 1 ? 'stage branch' : 'stage'}>
            ${index > 0 ? ARROW : nothing}
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
    return [
      ...(word === null || rowsAreKeys(step) ? [] : [{ kind: 'word' as const, step, row: word }]),
      ...(formula?.inputs ?? [])
        .filter((region) => region.step === step)
        .map((region) => ({ kind: 'input' as const, ...region })),
      ...(formula?.step === step
        ? [{ kind: 'cell' as const, step, row: formula.row, column: formula.column }]
        : []),
    ];
  }

  #panel(figure: Figure, flow: Flow, head: number, formula: Formula | null, naming: Naming): TemplateResult {
    const { openStep } = this;
    const { strings: texts } = naming;
    const view = this.#view(figure, flow, head, naming);
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
          <span class="shape number">${formatShape(view.table.rows, view.table.columns)}</span>
        </p>
        <p class="sentence">${withSubscripts(texts.describe(openStep, context))}</p>
      </div>
      <div class="open" @focusout=${this.#onFocusout}>
        <div>
          ${pageTools(view, texts, (column) => {
            this.tabStop = { ...this.tabStop, column };
          })}
          ${grid(view, {
            point: (cell) => this.#point(cell),
            focus: (cell) => {
              this.tabStop = cell;
              this.#point(cell);
            },
            moveTo: (cell) => {
              this.#moveTo(cell);
            },
            toggle: (cell) => this.#toggle(cell),
            chooseRow: (row) => {
              if (!rowsAreKeys(openStep)) this.#chooseWord(row);
            },
          })}
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

  #view(figure: Figure, flow: Flow, head: number, naming: Naming): GridView {
    const { openStep } = this;
    const { strings: texts } = naming;
    const table = flow.table(openStep, head);
    const square = isSquare(openStep);
    const tabStop = {
      row: clamp(this.tabStop.row, table.rows - 1),
      column: clamp(this.tabStop.column, table.columns - 1),
    };
    const page = pageOf(tabStop.column, table.columns);
    const dimensions = Array.from({ length: table.columns }, (_, index) => String(index + 1));
    const name = (index: number) => figure.nameOf(index, this.strings);
    const inAllHeads = openStep === 'x' || openStep === 'concat' || openStep === 'output';
    const shape = formatShape(table.rows, table.columns);
    return {
      table,
      label: texts.table(texts.name[openStep], inAllHeads ? null : name(this.selection.shownHead), shape),
      corner: texts.corner(rowsOf(openStep), square ? 'key' : 'dimension'),
      rowNames: figure.tokens,
      columnNames: square ? figure.tokens : dimensions,
      bands:
        openStep === 'concat'
          ? Array.from({ length: flow.heads }, (_, index) => ({
              name: name(index),
              columns: columnsOn(page, index * flow.valueHeadDim, (index + 1) * flow.valueHeadDim),
              chosen: index === head,
            })).filter(({ columns }) => columns > 0)
          : [],
      labelOf: (row, column, value) =>
        texts.cell(placeOf(openStep, row, column, naming), texts.name[openStep], value),
      lang: languageOfText(figure.tokens.join(' ')),
      shown: this.pointed ?? this.#lockedCell,
      locked: this.#lockedCell,
      word: rowsAreKeys(openStep) ? null : this.selection.shown.query,
      tabStop,
      page,
    };
  }

  /** The locked cell's formula as text for screen readers; pointing is not announced. */
  #announcement(flow: Flow, head: number, naming: Naming): string {
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

  /** Focuses a cell of the open table, on whatever page of columns it is. */
  #moveTo(cell: Cell): void {
    this.tabStop = cell;
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
    const { figure, shownFlow } = this;
    if (!figure || !shownFlow) return null;
    const { flow, head } = shownFlow;
    const naming = this.#naming(figure);
    const { label } = this.#view(figure, flow, head, naming);
    const sentence = this.#announcement(flow, head, naming);
    return {
      title: sentence === '' ? label : `${label}. ${sentence}`,
      parts: '[part=flow], #open > div:first-child, .frame, .frame + .quiet, .why:has(.math), [part=note]',
    };
  }

  override csv(): CsvParts | null {
    const { figure, shownFlow } = this;
    if (!figure || !shownFlow) return null;
    const { flow, head } = shownFlow;
    const naming = this.#naming(figure);
    const { table, corner, rowNames, columnNames } = this.#view(figure, flow, head, naming);
    return csvTable([
      [corner, ...columnNames],
      ...rowNames.map((name, row) => [name, ...columnNames.map((_, column) => table.at(row, column))]),
    ]);
  }
}

/** The arrow between two stages: down, or right where the stages stand in a row. */
const ARROW = html`<span class="arrow" aria-hidden="true"
  ><span class="down">↓</span><span class="across">→</span></span
>`;

const addressOf = ({ row, column }: Cell): string => `${row},${column}`;

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
