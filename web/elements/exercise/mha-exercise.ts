import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { bindDocuments } from '../../documents/examples.js';
import { type Cell, gridTarget } from '../base/arrow-keys.js';
import { controlStyles } from '../base/control-styles.js';
import { valueOf } from '../base/controls.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import { type ElementState, MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { sharedModule } from '../base/shared-module.js';
import { NumberRange } from '../base/attribute-values.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { reachable } from '../base/reachable.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import type { MhaTrainingProgressDetail } from '../training/mha-training.js';
import {
  type Answers,
  answersText,
  onesText,
  orderOf,
  parseAnswers,
  parseOnes,
  type Verdict,
} from './judge.js';
import {
  type ChoicePart,
  type ExerciseNumber,
  type Grid,
  LETTERS,
  type Name,
  NUMBERS,
  type OneHotPart,
  type OrderPart,
  parseShape,
  type Part,
  type PickPart,
  placeText,
  type Question,
  rightAnswer,
  type ShapePart,
  type Table,
} from './questions.js';
import { bundledParts, loadParts, type Parts } from './load-parts.js';
import type { ExerciseStrings } from './strings.js';
import { exerciseStyles } from './styles.js';
import type { ExerciseTexts, PartTexts } from './texts-en.js';

const EXERCISE = new NumberRange(1, NUMBERS.length);

/** Detail of the event `mha-try`: the element in which the reader wants to try the exercise. */
export interface MhaTryDetail {
  /** Tag of the element, such as `mha-steps`. */
  element: string;
  /** State to set on that element. */
  state: ElementState;
}

/** A cell of a matrix that answers a question. */
interface Entry {
  readonly value: number;
  readonly text: string;
  readonly label: string;
}

/** Answers to a question that is a matrix. */
interface MatrixAnswer {
  readonly rows: readonly (readonly Entry[])[];
  /** Whether whole rows and columns can be chosen as well, by their headers. */
  readonly whole: boolean;
  readonly isChosen: (place: Cell) => boolean;
  readonly choose: (place: Cell) => void;
}

/**
 * One of the eight exercises of document 002: choose dimensions, fill in and read matrices, match formulas, order steps.
 * Feedback explains each answer; right answers come from computed examples.
 *
 * Solved exercises are stored in the browser (`localStorage`, keys `mha-exercise:1` …) if that is allowed.
 *
 * @slot - shown until the exercise is loaded
 * @csspart waiting - placeholder until the exercise is loaded
 * @csspart title - number and name of the exercise
 * @csspart statement - the given facts
 * @csspart question - one question with its answer
 * @csspart feedback - feedback on an answer
 * @csspart hint - the hint
 * @csspart solution - the solution
 * @csspart actions - the buttons
 * @cssprop --mha-value - colour of right answers
 * @cssprop --mha-query - colour of wrong answers
 * @cssprop --mha-arc - colour of form controls
 * @cssprop --mha-number-font - font of numbers and formulas
 * @fires mha-try - the reader wants to see the exercise in a figure; `detail` has its tag and state
 * @fires mha-progress - an exercise was solved or reset; `detail` is that of `exerciseProgress()`
 * @tag mha-exercise
 */
export class MhaExercise extends MhaElement {
  static override styles = [theme, controlStyles, waitingStyles, exerciseStyles];

  /** Number of the exercise, 1 to 8. */
  @property({ type: EXERCISE, reflect: true, useDefault: true }) number = 1;

  /**
   * The reader's answers in short form: `d-7_x-1.3.0.6.4...` is 7 for the question `d`, and for the question `x` the
   * column of each row's one.
   */
  @property({ reflect: true, useDefault: true }) answer: string | null = null;

  /** Id of a figure in the page, such as an `<mha-steps>`, in which the exercise can be tried. */
  @property({ attribute: 'for' }) figureId: string | null = null;

  @state() private question: Question | null = null;

  /** Answers at the time of the last check; answers changed since then get no feedback. */
  @state() private checked: Answers | null = null;

  @state() private open: 'hint' | 'solution' | null = null;
  @state() private announcement = '';

  /** The focusable cell of each matrix, by question id; row or column −1 is the header. */
  @state() private stops: Readonly<Record<string, Cell>> = {};

  /** The step that was just moved up or down; after rendering, the same button of that step gets the focus. */
  #moved: { step: string; up: boolean } | null = null;

  /** The exercises and their texts; null until they are loaded. */
  #loadedParts: Parts | null = bundledParts;

  readonly #modules = new ModuleController(this, async () => {
    const [module] = await Promise.all([sharedModule(), this.#loadParts()]);
    return module;
  });

  async #loadParts(): Promise<void> {
    this.#loadedParts ??= await loadParts();
    this.requestUpdate();
  }

  get #parts(): Parts {
    if (!this.#loadedParts) throw new Error('the exercises are not loaded yet');
    return this.#loadedParts;
  }

  readonly #onProgress = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    progressChanges.addEventListener('change', this.#onProgress);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    progressChanges.removeEventListener('change', this.#onProgress);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('number') && this.hasUpdated) {
      this.checked = null;
      this.open = null;
      this.stops = {};
    }
    const { module } = this.#modules;
    if (!module || this.question?.number === this.#number) return;
    this.question = this.#parts.questionOf(this.#number, (id) => bindDocuments(module).run(id));
  }

  protected override updated(): void {
    if (!this.#moved) return;
    const { step, up } = this.#moved;
    this.#moved = null;
    this.renderRoot.querySelector<HTMLElement>(`[data-step="${step}"] .${up ? 'up' : 'down'}`)?.focus();
  }

  private get strings(): ExerciseStrings {
    return this.#parts.exerciseStrings(this.language);
  }

  private get answers(): Answers {
    return parseAnswers(this.answer);
  }

  get #number(): ExerciseNumber {
    return this.number as ExerciseNumber;
  }

  get #texts(): ExerciseTexts {
    return this.#parts.textsFor(this.language)[this.#number];
  }

  #textsOf(part: Part): PartTexts {
    return this.#parts.textsOf(this.#number, part, this.language);
  }

  #given({ id }: Part): string {
    return this.answers[id] ?? '';
  }

  override render(): TemplateResult {
    const { question } = this;
    if (!this.#loadedParts) return html`${this.outOfRangeAlert()} ${waiting(this.#modules, this.language)}`;
    const { strings } = this;
    const number = this.#number;
    const { title } = this.#texts;
    return html`
      ${this.outOfRangeAlert()}
      <div class="head">
        <h3 part="title"><span class="number">${strings.number(number)}</span>${title}</h3>
        ${
          solvedNumbers().has(number)
            ? html`<p class="solved"><span aria-hidden="true">✓</span> ${strings.solved}</p>`
            : nothing
        }
      </div>
      ${question ? this.#form(question) : waiting(this.#modules, this.language)}
    `;
  }

  #form(question: Question): TemplateResult {
    const { strings, checked, open } = this;
    return html`
      <div part="statement" class="statement">
        ${this.#texts.statement.map((text) => html`<p>${withFormulas(this.#parts.fill(text, question.facts))}</p>`)}
      </div>
      ${
        question.parts.some(({ kind }) => kind === 'shape')
          ? html`<dl class="letters" aria-label=${strings.lettersTitle}>
              ${LETTERS.map(
                (letter) =>
                  html`<div>
                    <dt class="formula">${letter}</dt>
                    <dd>${strings.letters[letter]}</dd>
                  </div>`,
              )}
            </dl>`
          : nothing
      }
      <form novalidate @submit=${this.#check}>
        <div class="questions">${question.parts.map((part) => this.#part(part, question))}</div>
        <p class="result" role="status">${this.#result(question)}</p>
        <div part="actions" class="controls">
          <button class="control primary">${strings.check}</button>
          ${this.#toggle('hint')} ${checked ? this.#toggle('solution') : nothing}
          <button class="control" type="button" data-action="try" @click=${this.#try}>
            ${strings.tryIt}
          </button>
          <button class="control" type="button" data-action="reset" @click=${this.#reset}>
            ${strings.reset}
          </button>
        </div>
      </form>
      <div id="more" part=${open ?? nothing}>
        ${open === 'hint' ? this.#hint(question) : open === 'solution' ? this.#solution(question) : nothing}
      </div>
      <p class="visually-hidden" role="status">${this.announcement}</p>
    `;
  }

  #toggle(name: 'hint' | 'solution'): TemplateResult {
    return html`<button
      class="control"
      type="button"
      data-action=${name}
      aria-expanded=${String(this.open === name)}
      aria-controls="more"
      @click=${() => {
        this.open = this.open === name ? null : name;
      }}
    >
      ${this.strings[name]}
    </button>`;
  }

  /** The verdict on the answer to a question; null if it was not checked or has changed since. */
  #verdict(part: Part): Verdict | null {
    const given = this.#given(part);
    return this.checked && (this.checked[part.id] ?? '') === given ? this.#parts.judge(part, given) : null;
  }

  #message(part: Part, verdict: Verdict): string {
    return this.#parts.messageOf(this.#number, part, verdict, this.language);
  }

  #result({ parts }: Question): TemplateResult | typeof nothing {
    const verdicts = parts.map((part) => ({ part, verdict: this.#verdict(part) }));
    if (verdicts.some(({ verdict }) => verdict === null)) return nothing;
    const wrong = verdicts.filter(({ verdict }) => verdict?.kind !== 'right');
    const spoken = wrong.map(
      ({ part, verdict }) => verdict && this.#parts.plainText(this.#message(part, verdict)),
    );
    return html`${this.strings.result(parts.length - wrong.length, parts.length)}
      <span class="visually-hidden">${spoken.join(' ')}</span>`;
  }

  #part(part: Part, { facts, shown }: Question): TemplateResult {
    const prompt = withFormulas(this.#parts.fill(this.#textsOf(part).prompt, facts));
    const isChoice = part.kind === 'choice';
    // The prompt can label a single form control.
    const isSingle = part.kind === 'number' || (isChoice && part.short);
    return html`
      ${shown?.above === part.id ? this.#table(tableOf(shown.grid)) : nothing}
      <div
        part="question"
        class=${classMap({ question: true, inline: isSingle || part.kind === 'shape', wide: isChoice })}
        role=${isSingle ? nothing : isChoice ? 'radiogroup' : 'group'}
        aria-labelledby=${isSingle ? nothing : `prompt-${part.id}`}
        data-part=${part.id}
      >
        ${
          isSingle
            ? html`<label class="prompt" for="answer-${part.id}">${prompt}</label>`
            : html`<p class="prompt" id="prompt-${part.id}">${prompt}</p>`
        }
        <div class="answer">${this.#input(part)}</div>
        ${this.#feedback(part)}
      </div>
    `;
  }

  #feedback(part: Part): TemplateResult {
    const verdict = this.#verdict(part);
    const id = `says-${part.id}`;
    if (!verdict) return html`<p id=${id} hidden></p>`;
    const isRight = verdict.kind === 'right';
    return html`<p
      id=${id}
      part="feedback"
      class="feedback ${isRight ? 'right' : 'wrong'}"
      data-kind=${verdict.kind}
    >
      <span class="mark" aria-hidden="true">${isRight ? '✓' : '→'}</span>
      <span>
        <span class="visually-hidden">${isRight ? this.strings.isRight : this.strings.isWrong}:</span>
        ${withFormulas(this.#message(part, verdict))}
      </span>
    </p>`;
  }

  #input(part: Part): TemplateResult {
    const { strings } = this;
    switch (part.kind) {
      case 'number':
        return html`<input
          id="answer-${part.id}"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          .value=${this.#given(part)}
          aria-invalid=${this.#isWrong(part)}
          aria-describedby="says-${part.id}"
          @input=${(event: Event) => this.#write(part, valueOf(event).trim())}
        />`;
      case 'shape':
        return html`<div class="shape">
          ${this.#shapeSide(part, 0, strings.rows)}<span class="formula" aria-hidden="true">×</span
          >${this.#shapeSide(part, 1, strings.columns)}
        </div>`;
      case 'choice':
        return part.short ? this.#list(part) : this.#radios(part);
      case 'order':
        return this.#order(part);
      case 'one-hot':
        return this.#oneHot(part);
      case 'pick':
        return this.#pick(part);
    }
  }

  /** For `aria-invalid`: whether the answer was checked and is wrong. */
  #isWrong(part: Part): string {
    return String((this.#verdict(part)?.kind ?? 'right') !== 'right');
  }

  #shapeSide(part: ShapePart, index: 0 | 1, label: string): TemplateResult {
    const chosen = parseShape(this.#given(part));
    const options = LETTERS.map((letter) => ({ value: letter, text: letter }));
    return this.#select(part, { label, none: '–', options, chosen: chosen[index] ?? '' }, (value) => {
      const sides = chosen.map((letter, side) => (side === index ? value : (letter ?? '')));
      this.#write(part, sides.some(Boolean) ? sides.join('.') : '');
    });
  }

  #list(part: ChoicePart): TemplateResult {
    const { options: texts = {} } = this.#textsOf(part);
    const options = part.options.map((value) => ({
      value,
      text: this.#parts.plainText(texts[value] ?? value),
    }));
    const content = { label: null, none: this.strings.choose, options, chosen: this.#given(part) };
    return this.#select(part, content, (value) => this.#write(part, value));
  }

  /** A drop-down list; without a `label` of its own, the prompt labels it. */
  #select(
    part: Part,
    {
      label,
      none,
      options,
      chosen,
    }: {
      label: string | null;
      none: string;
      options: readonly { value: string; text: string }[];
      chosen: string;
    },
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<select
      id=${label === null ? `answer-${part.id}` : nothing}
      aria-label=${label ?? nothing}
      aria-invalid=${this.#isWrong(part)}
      aria-describedby="says-${part.id}"
      @change=${(event: Event) => {
        choose(valueOf(event));
      }}
    >
      ${[{ value: '', text: none }, ...options].map(
        ({ value, text }) => html`<option value=${value} .selected=${chosen === value}>${text}</option>`,
      )}
    </select>`;
  }

  #radios(part: ChoicePart): TemplateResult {
    const { options = {} } = this.#textsOf(part);
    return html`<div class="options">
      ${part.options.map(
        (option) => html`
          <label class="check">
            <input
              type="radio"
              name=${part.id}
              value=${option}
              .checked=${this.#given(part) === option}
              aria-describedby="says-${part.id}"
              @change=${() => this.#write(part, option)}
            />
            <span>${withFormulas(options[option] ?? option)}</span>
          </label>
        `,
      )}
    </div>`;
  }

  #order(part: OrderPart): TemplateResult {
    const { strings } = this;
    const { options = {} } = this.#textsOf(part);
    const order = orderOf(part, this.#given(part));
    const button = (step: string, index: number, up: boolean) => {
      const other = index + (up ? -1 : 1);
      const name = this.#parts.plainText(options[step] ?? step);
      return html`<button
        type="button"
        class=${up ? 'up' : 'down'}
        aria-label=${up ? strings.up(name) : strings.down(name)}
        aria-disabled=${String(!(other in order))}
        @click=${() => {
          const neighbour = order[other];
          if (neighbour === undefined) return;
          this.#moved = { step, up };
          this.announcement = strings.moved(name, other + 1);
          const moved = order.with(index, neighbour).with(other, step);
          this.#write(part, moved.join('.'));
        }}
      >
        ${up ? '↑' : '↓'}
      </button>`;
    };
    return html`<ol class="order">
      ${order.map(
        (step, index) => html`
          <li data-step=${step}>
            <span class="place" aria-hidden="true">${index + 1}</span>
            <span>${withFormulas(options[step] ?? step)}</span>
            <span class="buttons">${button(step, index, true)} ${button(step, index, false)}</span>
          </li>
        `,
      )}
    </ol>`;
  }

  #oneHot(part: OneHotPart): TemplateResult {
    const { strings } = this;
    const ones = parseOnes(this.#given(part), part.rows);
    return this.#matrix(part, {
      rows: ones.map((chosen, row) =>
        part.columns.map((word, column) => {
          const value = Number(chosen.includes(column));
          const text = String(value);
          return { value, text, label: `${strings.entry(row + 1, column + 1, text)}, ${word}` };
        }),
      ),
      whole: false,
      isChosen: ({ row, column }) => ones[row]?.includes(column) ?? false,
      choose: ({ row, column }) => {
        const toggled = ones.map((chosen, index) => {
          if (index !== row) return chosen;
          return chosen.includes(column) ? chosen.filter((other) => other !== column) : [...chosen, column];
        });
        this.#write(part, onesText(toggled));
      },
    });
  }

  #pick(part: PickPart): TemplateResult {
    const chosen = this.#given(part);
    return this.#matrix(part, {
      rows: part.numbers.map((values, row) =>
        values.map((value, column) => {
          const text = this.#parts.shownNumber(value);
          return { value, text, label: this.strings.entry(row + 1, column + 1, text) };
        }),
      ),
      whole: true,
      isChosen: (place) => placeText(place) === chosen,
      choose: (place) => {
        const text = placeText(place);
        this.#write(part, text === chosen ? '' : text);
      },
    });
  }

  /** A keyboard grid of a matrix with one tab stop. */
  #matrix(part: Part, { rows, whole, isChosen, choose }: MatrixAnswer): TemplateResult {
    const { strings } = this;
    const first = whole ? -1 : 0;
    const columns = rows[0]?.length ?? 0;
    const stop = this.stops[part.id] ?? { row: 0, column: first };
    const setStop = (place: Cell) => {
      this.stops = { ...this.stops, [part.id]: place };
    };
    const onKeydown = (event: KeyboardEvent) => {
      if (event.altKey || event.metaKey) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        choose(stop);
        return;
      }
      // `gridTarget` counts from 0; if headers can be chosen, the header is its row or column 0.
      const from = { row: stop.row - first, column: stop.column - first };
      const target = gridTarget(event, from, rows.length - first, columns - first);
      if (!target) return;
      event.preventDefault();
      const row = event.key === 'Home' && event.ctrlKey ? 0 : target.row + first;
      const column = target.column + first;
      // The corner between both headers is empty and cannot get the focus.
      if (row < 0 && column < 0) return;
      (event.currentTarget as HTMLElement)
        .querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)
        ?.focus();
    };
    const cell = (row: number, column: number, { text, value, label }: Entry) => html`
      <td
        class=${classMap({ chosen: [row, -1].some((r) => [column, -1].some((c) => isChosen({ row: r, column: c }))) })}
        tabindex=${row === stop.row && column === stop.column ? 0 : -1}
        aria-label=${label}
        aria-selected=${String(isChosen({ row, column }))}
        data-row=${row}
        data-column=${column}
      >
        <data value=${value}>${text}</data>
      </td>
    `;
    const header = (row: number, column: number) => {
      const number = Math.max(row, column) + 1;
      const scope = row < 0 ? 'col' : 'row';
      if (!whole) return html`<th scope=${scope}>${number}</th>`;
      const chosen = isChosen({ row, column });
      return html`
        <th
          scope=${scope}
          class=${classMap({ chosen })}
          tabindex=${row === stop.row && column === stop.column ? 0 : -1}
          aria-label=${row < 0 ? strings.column(number) : strings.row(number)}
          aria-selected=${String(chosen)}
          data-row=${row}
          data-column=${column}
        >
          ${number}
        </th>
      `;
    };
    return html`
      <div
        class="matrix sideways ${whole ? 'wide' : ''}"
        role="group"
        aria-labelledby="prompt-${part.id}"
        ${reachable(null)}
      >
        <table
          role="grid"
          aria-labelledby="prompt-${part.id}"
          aria-describedby="says-${part.id}"
          aria-multiselectable=${whole ? nothing : 'true'}
          @keydown=${onKeydown}
          @focusin=${(event: Event) => {
            const place = placeAt(event);
            if (place) setStop(place);
          }}
          @click=${(event: Event) => {
            const place = placeAt(event);
            if (!place) return;
            setStop(place);
            choose(place);
          }}
        >
          <thead>
            <tr>
              <td></td>
              ${rows[0]?.map((_, column) => header(-1, column))}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells, row) =>
                html`<tr>
                  ${header(row, -1)} ${cells.map((entry, column) => cell(row, column, entry))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  /** A table of numbers and shapes for a hint or a solution, in a scroll container of its own. */
  #table({ digits, columns, rows }: Table): TemplateResult {
    const { caption = '', parts } = this.#texts;
    const named = (name: Name) =>
      typeof name === 'string' ? name : withFormulas(`\`${parts[name.part]?.prompt.split('`')[1] ?? ''}\``);
    const cell = (value: string | number) =>
      typeof value === 'number'
        ? html`<data value=${value}>${this.#parts.shownNumber(value, digits)}</data>`
        : value;
    return html`
      <div class="table sideways" role="group" aria-label=${caption} tabindex="0">
        <table>
          <caption>
            ${caption}
          </caption>
          <thead>
            <tr>
              <td></td>
              ${columns.map((name) => html`<th scope="col">${named(name)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ name, cells }) =>
                html`<tr>
                  <th scope="row">${named(name)}</th>
                  ${cells.map((value) => html`<td>${cell(value)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  #hint(question: Question): TemplateResult {
    return html`<div class="more">
      <h4>${this.strings.hint}</h4>
      <p>${withFormulas(this.#texts.hint)}</p>
      ${question.hint ? this.#table(question.hint) : nothing}
    </div>`;
  }

  #solution({ parts, facts, solution }: Question): TemplateResult {
    const { language, strings } = this;
    return html`<div class="more">
      <h4>${strings.solution}</h4>
      ${this.#texts.solution.map((text) => html`<p>${withFormulas(this.#parts.fill(text, facts))}</p>`)}
      <h4>${strings.answers}</h4>
      <ul class="answers">
        ${parts.map((part) => {
          const text = this.#parts.answerText(this.#number, part, rightAnswer(part), language);
          const isFormula = ['shape', 'number', 'one-hot'].includes(part.kind);
          return html`<li>
            ${withFormulas(this.#parts.fill(this.#textsOf(part).prompt, facts))}
            <strong>${withFormulas(isFormula ? `\`${text}\`` : text)}</strong>
          </li>`;
        })}
      </ul>
      ${solution ? this.#table(solution) : nothing}
    </div>`;
  }

  #write({ id }: Part, value: string): void {
    const answers = { ...this.answers, [id]: value };
    // Sort the answers by question, so that equal answers give equal texts.
    const parts = this.question?.parts ?? [];
    this.answer = answersText(Object.fromEntries(parts.map((part) => [part.id, answers[part.id] ?? ''])));
  }

  readonly #check = (event: SubmitEvent): void => {
    event.preventDefault();
    const { question, answers } = this;
    if (!question) return;
    this.checked = answers;
    if (question.parts.every((part) => this.#parts.judge(part, this.#given(part)).kind === 'right'))
      this.#setSolved(true);
  };

  readonly #reset = (): void => {
    this.answer = null;
    this.checked = null;
    this.open = null;
    this.stops = {};
    this.announcement = this.strings.wasReset;
    this.#setSolved(false);
  };

  #setSolved(isSolved: boolean): void {
    if (!setSolved(this.#number, isSolved)) return;
    const detail = exerciseProgress();
    this.dispatchEvent(new CustomEvent('mha-progress', { detail, bubbles: true, composed: true }));
  }

  readonly #try = (): void => {
    const examples = EXAMPLES[this.#number];
    const root = this.getRootNode() as Document | ShadowRoot;
    const figure = this.figureId === null ? null : root.getElementById(this.figureId);
    const fitting = examples.find(({ element }) => element === figure?.localName);
    const detail: MhaTryDetail = fitting ?? examples[0];
    this.dispatchEvent(new CustomEvent('mha-try', { detail, bubbles: true, composed: true }));
    if (!figure) return;
    // `state` is missing until the figure's custom element is defined.
    if (fitting && 'state' in figure) figure.state = fitting.state;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    figure.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    if (!figure.hasAttribute('tabindex')) figure.tabIndex = -1;
    figure.focus({ preventScroll: true });
  };

  override picture(): Picture | null {
    if (!this.question) return null;
    return {
      title: `${this.strings.number(this.#number)} ${this.#texts.title}`,
      parts: '.head, .statement, .letters, .questions > *',
      withControls: true,
    };
  }

  override csv(): CsvParts | null {
    const { question, language } = this;
    if (!question) return null;
    const { header, right, wrong } = this.strings.csv;
    return csvTable([
      header,
      ...question.parts.map((part) => {
        const given = this.#given(part);
        return [
          question.number,
          this.#parts.plainText(this.#parts.fill(this.#textsOf(part).prompt, question.facts)),
          this.#parts.plainText(this.#parts.answerText(question.number, part, given, language)),
          given === '' ? '' : this.#parts.judge(part, given).kind === 'right' ? right : wrong,
        ];
      }),
    ]);
  }
}

/** The cell or header of a matrix that an event is about. */
function placeAt({ target }: Event): Cell | null {
  const { row, column } = (target as Element).closest<HTMLElement>('[data-row]')?.dataset ?? {};
  return row === undefined ? null : { row: Number(row), column: Number(column) };
}

/** A computed matrix with rows and columns numbered from 1. */
const tableOf = (grid: Grid): Table => ({
  digits: 2,
  columns: grid[0]?.map((_, column) => String(column + 1)) ?? [],
  rows: grid.map((cells, row) => ({ name: String(row + 1), cells })),
});

/** Sets the character after `_` or `^` as subscript or superscript: `W_i^Q`. */
const formula = (text: string): (string | TemplateResult)[] =>
  [...text.matchAll(/[_^](.)|[^_^]+/gu)].map(([whole, one]) => {
    if (one === undefined) return whole;
    return whole.startsWith('_') ? html`<sub>${one}</sub>` : html`<sup>${one}</sup>`;
  });

/** Renders a sentence with formulas between backticks. Words in formulas are English in every language. */
const withFormulas = (text: string): (string | TemplateResult)[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 0
        ? part
        : html`<code class="formula" lang=${/[a-z]{4}/i.test(part) ? 'en' : nothing}>${formula(part)}</code>`,
    );

const EXAMPLE = '002-5';

/** Shows the layer of exercise 1 in <mha-shapes>; all of its dimensions differ. */
const shapes = (stage: string): MhaTryDetail => ({
  element: 'mha-shapes',
  state: { 'embed-dim': 7, 'num-heads': 2, 'head-dim': 4, 'value-head-dim': 3, length: 8, stage },
});

/** @param column column of the cell to open in the token's row, from 0 */
const steps = (step: string, token: 'attention' | 'is', column: number): MhaTryDetail => ({
  element: 'mha-steps',
  state: { document: EXAMPLE, step, token, cell: `${token === 'is' ? 1 : 0},${column}` },
});

const explorer = (document: string, token: string): MhaTryDetail => ({
  element: 'mha-explorer',
  state: { document, token },
});

/** Elements in which to try each exercise, the best one first; the others are for pages that contain only those. */
const EXAMPLES: Readonly<Record<ExerciseNumber, readonly [MhaTryDetail, ...MhaTryDetail[]]>> = {
  1: [steps('x', 'attention', 1), shapes('input'), explorer(EXAMPLE, 'attention')],
  2: [shapes('split'), steps('q', 'attention', 0), explorer(EXAMPLE, 'attention')],
  3: [shapes('scores'), steps('scores', 'attention', 0), explorer(EXAMPLE, 'attention')],
  4: [steps('weights', 'attention', 0), shapes('weights'), explorer(EXAMPLE, 'attention')],
  5: [steps('scores', 'is', 4), shapes('scores'), explorer(EXAMPLE, 'is')],
  6: [shapes('concat'), steps('concat', 'attention', 3), explorer(EXAMPLE, 'attention')],
  7: [shapes('output'), steps('output', 'attention', 3), explorer(EXAMPLE, 'attention')],
  8: [steps('output', 'attention', 3), shapes('output'), explorer('004-sentence', 'it')],
};

const SOLVED = 'solved';
const keyOf = (number: ExerciseNumber) => `mha-exercise:${number}`;

/** Fires `change` on all exercises of the page when one is solved or reset. */
const progressChanges = new EventTarget();

/** Runs `work` with `localStorage`; null if storage is forbidden, full or missing. */
function withStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

let known: Set<ExerciseNumber> | undefined;

const solvedNumbers = (): Set<ExerciseNumber> =>
  (known ??= new Set(
    NUMBERS.filter((number) => withStorage((storage) => storage.getItem(keyOf(number))) === SOLVED),
  ));

/** @returns whether the exercise's status changed */
function setSolved(number: ExerciseNumber, isSolved: boolean): boolean {
  const numbers = solvedNumbers();
  if (numbers.has(number) === isSolved) return false;
  if (isSolved) numbers.add(number);
  else numbers.delete(number);
  withStorage((storage) => {
    if (isSolved) storage.setItem(keyOf(number), SOLVED);
    else storage.removeItem(keyOf(number));
  });
  progressChanges.dispatchEvent(new Event('change'));
  return true;
}

export interface ExerciseProgress {
  /** Numbers of the solved exercises, in order. */
  readonly solved: readonly number[];
  /** Number of all exercises. */
  readonly total: number;
}

/**
 * Returns which of the eight exercises the reader has solved in this browser.
 *
 * @example
 * ```js
 * const { solved, total } = exerciseProgress();
 * console.log(`${solved.length}/${total}`); // 0/8
 * ```
 */
export function exerciseProgress(): ExerciseProgress {
  return { solved: [...solvedNumbers()].sort((a, b) => a - b), total: NUMBERS.length };
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-exercise': MhaExercise;
  }
  interface HTMLElementEventMap {
    'mha-try': CustomEvent<MhaTryDetail>;
    'mha-progress': CustomEvent<ExerciseProgress | MhaTrainingProgressDetail>;
  }
}
