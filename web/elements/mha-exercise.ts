import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { controlStyles } from './controls.js';
import { answersText, type Answers, parseAnswers } from './exercise/answers.js';
import { type DrawnPart, exerciseDrawing } from './exercise/drawing.js';
import { judge, orderOf, type Verdict } from './exercise/judge.js';
import { matrixInput, matrixInputStyles, type Stop } from './exercise/matrix-input.js';
import { answerText, fill, messageOf, plainText, textsOf } from './exercise/message.js';
import { onesText, parseOnes, type Place, placeText } from './exercise/place.js';
import { exerciseProgress, isSolved, progressChanges, setSolved } from './exercise/progress.js';
import {
  type ChoicePart,
  type ExerciseNumber,
  type Grid,
  isExerciseNumber,
  type NumberPart,
  type OneHotPart,
  type OrderPart,
  type Part,
  type PickPart,
  type Question,
  questionOf,
  rightAnswer,
  type ShapePart,
  type Table,
} from './exercise/questions.js';
import { rich, richStyles } from './exercise/rich.js';
import { LETTERS, parseShape } from './exercise/shapes.js';
import { exerciseStrings, type ExerciseStrings } from './exercise/strings.js';
import { type ExerciseTexts, textsFor } from './exercise/texts.js';
import { triesOf } from './exercise/tries.js';
import type { CsvRow, Drawing } from './export.js';
import { type ElementState, MhaElement } from './mha-element.js';
import { ModuleController } from './module-controller.js';
import { paletteOf } from './palette.js';
import { formatWeight, stringsFor } from './strings.js';
import { theme } from './theme.js';
import { waiting, waitingStyles } from './waiting.js';

/** Where the reader is sent: `detail` of `mha-try`. */
export interface MhaTryDetail {
  /** Tag of the figure. */
  element: string;
  /** How it should stand, by attribute. */
  state: ElementState;
}

/**
 * One of the eight exercises of document 002: dimensions to choose, matrices to fill and to read, formulas to match,
 * steps to order. A check says of every answer what it would mean; the right ones come from computed examples.
 *
 * What is solved is kept in this browser (`localStorage`, keys `mha-exercise:1` …), where that is allowed.
 *
 * @slot - shown until the exercise can be asked
 * @csspart title - number and name of the exercise
 * @csspart statement - what is given
 * @csspart question - one question with its answer
 * @csspart feedback - what is said about an answer
 * @csspart hint - the hint
 * @csspart solution - the solution
 * @csspart actions - the buttons
 * @cssprop --mha-value - colour of what is right
 * @cssprop --mha-query - colour of what is to be thought over
 * @cssprop --mha-number-font - font of numbers and formulas
 * @fires mha-try - the reader wants to see the exercise in a figure; `detail` says which and how
 * @fires mha-progress - an exercise was solved or started over; `detail` is what `exerciseProgress()` gives
 * @tag mha-exercise
 */
export class MhaExercise extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    waitingStyles,
    richStyles,
    matrixInputStyles,
    css`
      :host {
        container-type: inline-size;
        line-height: 1.65;
      }
      p,
      h3,
      ol,
      dl,
      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
        min-width: 0;
      }
      header {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15rem 0.75rem;
        align-items: baseline;
        margin-bottom: 0.6rem;
      }
      h3 {
        font-size: 1.125rem;
        line-height: 1.4;
      }
      h3 .number {
        color: var(--_muted);
        font-weight: 500;
        margin-inline-end: 0.4em;
      }
      .solved,
      .right {
        color: var(--_value);
        font-weight: 600;
      }
      .solved {
        font-size: 0.875rem;
      }
      .statement {
        display: grid;
        gap: 0.4rem;
        text-wrap: pretty;
      }
      .letters {
        display: flex;
        flex-wrap: wrap;
        gap: 0.1rem 1.1rem;
        color: var(--_muted);
        font-size: 0.8125rem;
        margin-top: 0.6rem;
      }
      .letters div {
        display: flex;
        gap: 0.4em;
      }
      .letters dd {
        margin: 0;
      }
      .questions {
        display: grid;
        gap: 0.9rem;
        margin-block: 1.25rem;
      }
      .question {
        display: grid;
        gap: 0.4rem 1rem;
        grid-template-columns: minmax(0, 1fr);
        border-top: 1px solid var(--_line);
        padding-top: 0.9rem;
      }
      .question > * {
        grid-column: 1;
      }
      .prompt {
        display: block;
        padding: 0;
        text-wrap: pretty;
      }
      .shape {
        display: flex;
        gap: 0.5rem;
        align-items: center;
      }
      .question :is(.shape select, input) {
        font-family: var(--mha-number-font, ui-monospace, monospace);
      }
      .shape select {
        min-width: 4.25rem;
      }
      .question input[type='text'] {
        width: 8rem;
      }
      .options {
        display: grid;
        gap: 0.25rem;
      }
      .options .check {
        align-items: start;
        padding-block: 0.1rem;
      }
      .options .check input {
        margin-top: 0.32em;
      }
      .order {
        list-style: none;
        display: grid;
        gap: 0.25rem;
      }
      .order li {
        display: grid;
        grid-template-columns: 1.5rem minmax(0, 1fr) auto;
        gap: 0.5rem;
        align-items: center;
      }
      .order .place {
        font-family: var(--mha-number-font, ui-monospace, monospace);
        color: var(--_muted);
        text-align: end;
      }
      .order button {
        font: inherit;
        color: inherit;
        background: none;
        border: 1px solid var(--_control-line);
        border-radius: 0.4rem;
        min-width: 2.25rem;
        min-height: 2.25rem;
        cursor: pointer;
      }
      .order button:hover {
        background: var(--_hover);
      }
      .order button[aria-disabled='true'] {
        opacity: 0.45;
        cursor: default;
      }
      .order .buttons {
        display: flex;
        gap: 0.25rem;
      }
      .feedback {
        font-size: 0.9375rem;
        display: grid;
        grid-template-columns: 1.2rem minmax(0, 1fr);
        text-wrap: pretty;
        animation: appear 160ms ease-out;
      }
      .feedback .mark {
        font-weight: 700;
      }
      .feedback.right {
        font-weight: 400;
      }
      .feedback.wrong .mark {
        color: var(--_query);
      }
      @keyframes appear {
        from {
          opacity: 0;
          translate: 0 -0.2rem;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .feedback {
          animation: none;
        }
      }
      .result {
        font-weight: 600;
        min-height: 1.65em;
        font-size: 0.9375rem;
      }
      .more {
        margin-top: 1rem;
        padding-inline-start: 1rem;
        border-inline-start: 3px solid var(--_line);
        display: grid;
        gap: 0.5rem;
        grid-template-columns: minmax(0, 1fr);
        font-size: 0.9375rem;
      }
      .more h4 {
        margin: 0;
        font-size: 0.875rem;
        color: var(--_muted);
        font-weight: 600;
      }
      .answers {
        display: grid;
        gap: 0.15rem;
        padding-inline-start: 1.2rem;
      }
      .table {
        overflow-x: auto;
        padding-block: 2px;
      }
      .table table {
        border-collapse: collapse;
        font-size: 0.8125rem;
        font-family: var(--mha-number-font, ui-monospace, monospace);
        font-variant-numeric: tabular-nums;
      }
      .table caption {
        text-align: start;
        color: var(--_muted);
        padding-bottom: 0.3rem;
        font-family: system-ui, sans-serif;
        font-family: inherit;
      }
      .table :is(th, td) {
        padding: 0.15rem 0.5rem;
        text-align: end;
        white-space: nowrap;
        font-weight: 400;
      }
      .table tbody tr {
        border-top: 1px solid var(--_line);
      }
      .table th {
        color: var(--_muted);
      }
      @container (min-width: 34rem) {
        .question.inline {
          grid-template-columns: minmax(0, 1fr) minmax(0, 15rem);
          align-items: center;
        }
        .question.inline > .answer {
          grid-column: 2;
          grid-row: 1;
        }
        .question.inline > .feedback {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  /** Which exercise: 1 to 8. */
  @property({ type: Number, reflect: true, useDefault: true }) number = 1;

  /**
   * What the reader has answered, as short as an address needs it: `d-7_x-1.3.0.6.4...` is 7 for the question `d`, and
   * the column of each row's one for the question `x`.
   */
  @property({ reflect: true, useDefault: true }) answer: string | null = null;

  /** Id of an element of the page, such as an `<mha-steps>`: where the exercise can be tried out. */
  @property({ attribute: 'for' }) figureId: string | null = null;

  @state() private question: Question | null = null;

  /** The answers of the last check; what was changed since then is not judged. */
  @state() private checked: Answers | null = null;

  @state() private open: 'hint' | 'solution' | null = null;
  @state() private said = '';

  /** Of each matrix: the place that Tab reaches. */
  @state() private stops: Readonly<Record<string, Stop>> = {};

  /** Which step has just been moved, and by which button: it keeps the focus. */
  #moved: { step: string; up: boolean } | null = null;

  readonly #modules = new ModuleController(this);

  readonly #progressed = () => {
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    progressChanges.addEventListener('change', this.#progressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    progressChanges.removeEventListener('change', this.#progressed);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('number') && this.hasUpdated) {
      this.checked = null;
      this.open = null;
      this.stops = {};
    }
    const { module } = this.#modules;
    const { number, question } = this;
    if (!module || question?.number === number) return;
    this.question = isExerciseNumber(number) ? questionOf(number, (id) => module.documents.run(id)) : null;
  }

  protected override updated(): void {
    if (!this.#moved) return;
    const { step, up } = this.#moved;
    this.#moved = null;
    this.renderRoot.querySelector<HTMLElement>(`[data-step="${step}"] .${up ? 'up' : 'down'}`)?.focus();
  }

  private get strings(): ExerciseStrings {
    return exerciseStrings(this.language);
  }

  private get answers(): Answers {
    return parseAnswers(this.answer);
  }

  override render(): TemplateResult {
    const { number, strings, question } = this;
    if (!isExerciseNumber(number)) return html`<p class="problem" role="alert">${strings.badNumber}</p>`;
    const texts = textsFor(this.language)[number];
    const facts = question?.number === number ? question.facts : null;
    return html`
      <header>
        <h3 part="title"><span class="number">${strings.number(number)}</span>${texts.title}</h3>
        ${isSolved(number) ? html`<p class="solved"><span aria-hidden="true">✓</span> ${strings.solved}</p>` : nothing}
      </header>
      ${
        question && facts
          ? html`
              <div part="statement" class="statement">
                ${texts.statement.map((paragraph) => html`<p>${rich(fill(paragraph, facts))}</p>`)}
              </div>
              ${this.#form(number, question, texts)}
            `
          : waiting(this.#modules, stringsFor(this.language))
      }
    `;
  }

  #form(number: ExerciseNumber, question: Question, texts: ExerciseTexts): TemplateResult {
    const { strings, checked, open } = this;
    const hasShapes = question.parts.some(({ kind }) => kind === 'shape');
    return html`
      ${
        hasShapes
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
        <div class="questions">${question.parts.map((part) => this.#part(number, part, question))}</div>
        <p class="result" role="status">${this.#result(number, question)}</p>
        <div part="actions" class="controls">
          <button class="control primary">${strings.check}</button>
          ${this.#toggle('hint', strings.hint)}
          ${checked ? this.#toggle('solution', strings.solution) : nothing}
          <button class="control" type="button" data-action="try" @click=${this.#try}>
            ${strings.tryIt}
          </button>
          <button class="control" type="button" data-action="reset" @click=${this.#reset}>
            ${strings.reset}
          </button>
        </div>
      </form>
      <div id="more" part=${open ?? nothing}>
        ${open === 'hint' ? this.#hint(question, texts) : nothing}
        ${open === 'solution' ? this.#solution(number, question, texts) : nothing}
      </div>
      <p class="visually-hidden" role="status">${this.said}</p>
    `;
  }

  #toggle(name: 'hint' | 'solution', label: string): TemplateResult {
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
      ${label}
    </button>`;
  }

  /** The verdict on a part as it was checked; null where it was not, or has been changed since. */
  #verdict(part: Part): Verdict | null {
    const given = this.answers[part.id] ?? '';
    return this.checked && (this.checked[part.id] ?? '') === given ? judge(part, given) : null;
  }

  #result(number: ExerciseNumber, { parts }: Question): TemplateResult | typeof nothing {
    const verdicts = parts.map((part) => ({ part, verdict: this.#verdict(part) }));
    if (verdicts.some(({ verdict }) => verdict === null)) return nothing;
    const wrong = verdicts.filter(({ verdict }) => verdict?.kind !== 'right');
    const spoken = wrong.map(
      ({ part, verdict }) => verdict && plainText(messageOf(number, part, verdict, this.language)),
    );
    return html`${this.strings.result(parts.length - wrong.length, parts.length)}
      <span class="visually-hidden">${spoken.join(' ')}</span>`;
  }

  #part(number: ExerciseNumber, part: Part, question: Question): TemplateResult {
    const verdict = this.#verdict(part);
    const prompt = rich(fill(textsOf(number, part, this.language).prompt, { ...question.facts }));
    const id = `answer-${part.id}`;
    const isInline =
      part.kind === 'shape' || part.kind === 'number' || (part.kind === 'choice' && part.short);
    const isSingle = part.kind === 'number' || (part.kind === 'choice' && part.short);
    const content = html`<div class="answer">${this.#input(number, part)}</div>
      ${this.#feedback(number, part, verdict)}`;
    const above =
      part.id === 'sum' && part.kind === 'number' ? question.shown.map((grid) => this.#grid(grid)) : nothing;
    return isSingle
      ? html`<div part="question" class="question ${isInline ? 'inline' : ''}" data-part=${part.id}>
          ${above}<label class="prompt" for=${id}>${prompt}</label>${content}
        </div>`
      : html`<fieldset part="question" class="question ${isInline ? 'inline' : ''}" data-part=${part.id}>
          <legend class="prompt">${prompt}</legend>
          ${content}
        </fieldset>`;
  }

  #feedback(number: ExerciseNumber, part: Part, verdict: Verdict | null): TemplateResult {
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
        ${rich(messageOf(number, part, verdict, this.language))}
      </span>
    </p>`;
  }

  #input(number: ExerciseNumber, part: Part): TemplateResult {
    switch (part.kind) {
      case 'number':
        return this.#numberInput(part);
      case 'shape':
        return this.#shapeInput(part);
      case 'choice':
        return part.short ? this.#selectInput(number, part) : this.#radioInput(number, part);
      case 'order':
        return this.#orderInput(number, part);
      case 'one-hot':
        return this.#oneHotInput(number, part);
      case 'pick':
        return this.#pickInput(number, part);
    }
  }

  /** Whether an answer was checked and is not right. */
  #isInvalid(part: Part): boolean {
    const verdict = this.#verdict(part);
    return verdict !== null && verdict.kind !== 'right';
  }

  #numberInput(part: NumberPart): TemplateResult {
    return html`<input
      id="answer-${part.id}"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      .value=${this.answers[part.id] ?? ''}
      aria-invalid=${String(this.#isInvalid(part))}
      aria-describedby="says-${part.id}"
      @input=${(event: Event) => {
        this.#answer(part, (event.currentTarget as HTMLInputElement).value.trim());
      }}
    />`;
  }

  #shapeInput(part: ShapePart): TemplateResult {
    const { strings } = this;
    const chosen = parseShape(this.answers[part.id] ?? '');
    const side = (index: 0 | 1, label: string) => html`
      <select
        aria-label=${label}
        aria-invalid=${String(this.#isInvalid(part))}
        aria-describedby="says-${part.id}"
        @change=${(event: Event) => {
          const sides = [...chosen];
          const { value } = event.currentTarget as HTMLSelectElement;
          sides[index] = LETTERS.find((letter) => letter === value) ?? null;
          this.#answer(part, sides.some(Boolean) ? sides.map((letter) => letter ?? '').join('.') : '');
        }}
      >
        <option value="" ?selected=${chosen[index] === null}>–</option>
        ${LETTERS.map(
          (letter) => html`<option value=${letter} ?selected=${chosen[index] === letter}>${letter}</option>`,
        )}
      </select>
    `;
    return html`<div class="shape">
      ${side(0, strings.rows)}<span class="formula" aria-hidden="true">×</span>${side(1, strings.columns)}
    </div>`;
  }

  #selectInput(number: ExerciseNumber, part: ChoicePart): TemplateResult {
    const { options = {} } = textsOf(number, part, this.language);
    const chosen = this.answers[part.id] ?? '';
    return html`<select
      id="answer-${part.id}"
      aria-invalid=${String(this.#isInvalid(part))}
      aria-describedby="says-${part.id}"
      @change=${(event: Event) => {
        this.#answer(part, (event.currentTarget as HTMLSelectElement).value);
      }}
    >
      <option value="" ?selected=${chosen === ''}>${this.strings.choose}</option>
      ${part.options.map(
        (option) =>
          html`<option value=${option} ?selected=${chosen === option}>
            ${plainText(options[option] ?? option)}
          </option>`,
      )}
    </select>`;
  }

  #radioInput(number: ExerciseNumber, part: ChoicePart): TemplateResult {
    const { options = {} } = textsOf(number, part, this.language);
    const chosen = this.answers[part.id];
    return html`<div class="options">
      ${part.options.map(
        (option) =>
          html`<label class="check">
            <input
              type="radio"
              name=${part.id}
              value=${option}
              .checked=${chosen === option}
              aria-describedby="says-${part.id}"
              @change=${() => {
                this.#answer(part, option);
              }}
            />
            <span>${rich(options[option] ?? option)}</span>
          </label>`,
      )}
    </div>`;
  }

  #orderInput(number: ExerciseNumber, part: OrderPart): TemplateResult {
    const { strings } = this;
    const { options = {} } = textsOf(number, part, this.language);
    const order = orderOf(part, this.answers[part.id] ?? '');
    const button = (index: number, up: boolean) => {
      const step = order[index] ?? '';
      const other = index + (up ? -1 : 1);
      const name = plainText(options[step] ?? step);
      return html`<button
        type="button"
        class=${up ? 'up' : 'down'}
        aria-label=${up ? strings.up(name) : strings.down(name)}
        aria-disabled=${String(!(other in order))}
        @click=${() => {
          if (!(other in order)) return;
          const next = [...order];
          [next[index], next[other]] = [next[other] ?? '', next[index] ?? ''];
          this.#moved = { step, up };
          this.said = strings.moved(name, other + 1);
          this.#answer(part, next.join('.'));
        }}
      >
        ${up ? '↑' : '↓'}
      </button>`;
    };
    return html`<ol class="order" aria-describedby="says-${part.id}">
      ${order.map(
        (step, index) =>
          html`<li data-step=${step}>
            <span class="place" aria-hidden="true">${index + 1}</span>
            <span>${rich(options[step] ?? step)}</span>
            <span class="buttons">${button(index, true)} ${button(index, false)}</span>
          </li>`,
      )}
    </ol>`;
  }

  #oneHotInput(number: ExerciseNumber, part: OneHotPart): TemplateResult {
    const { strings } = this;
    const ones = parseOnes(this.answers[part.id] ?? '', part.rows);
    const isOne = ({ row, column }: Place) => ones[row ?? -1]?.includes(column ?? -1) ?? false;
    return matrixInput({
      label: plainText(textsOf(number, part, this.language).prompt),
      describedBy: `says-${part.id}`,
      rows: ones.map((row) =>
        part.columns.map((_, column) => {
          const value = Number(row.includes(column));
          return { text: String(value), value };
        }),
      ),
      whole: false,
      isChosen: isOne,
      name: (place) => {
        const { row, column } = { row: place.row ?? 0, column: place.column ?? 0 };
        const word = part.columns[column] ?? '';
        return `${strings.entry(row + 1, column + 1, String(Number(isOne(place))))}, ${word}`;
      },
      ...this.#stop(part, { row: 0, column: 0 }),
      onChoose: ({ row, column }) => {
        if (column === null) return;
        const next = ones.map((one, index) => {
          if (index !== row) return one;
          return one.includes(column) ? one.filter((other) => other !== column) : [...one, column];
        });
        this.#answer(part, onesText(next));
      },
    });
  }

  #pickInput(number: ExerciseNumber, part: PickPart): TemplateResult {
    const { strings } = this;
    const { rows, digits } = part.numbers;
    const given = this.answers[part.id] ?? '';
    return matrixInput({
      label: plainText(textsOf(number, part, this.language).prompt),
      describedBy: `says-${part.id}`,
      rows: rows.map((row) => row.map((value) => ({ text: shown(value, digits), value }))),
      whole: true,
      isChosen: (place) => placeText(place) === given,
      name: ({ row, column }) => {
        if (column === null) return strings.row((row ?? 0) + 1);
        if (row === null) return strings.column(column + 1);
        return strings.entry(row + 1, column + 1, shown(rows[row]?.[column] ?? 0, digits));
      },
      ...this.#stop(part, { row: 0, column: -1 }),
      onChoose: (place) => {
        const text = placeText(place);
        this.#answer(part, text === given ? '' : text);
      },
    });
  }

  #stop({ id }: Part, first: Stop): { stop: Stop; onStop: (stop: Stop) => void } {
    return {
      stop: this.stops[id] ?? first,
      onStop: (stop) => {
        this.stops = { ...this.stops, [id]: stop };
      },
    };
  }

  /** A matrix to look at. */
  #grid({ rows, digits }: Grid): TemplateResult {
    return this.#table({
      columns: rows[0]?.map((_, column) => String(column + 1)) ?? [],
      rows: rows.map((row, index) => ({ name: String(index + 1), cells: row })),
      digits,
    });
  }

  #table({ columns, rows, digits = 2 }: Table & { digits?: number }): TemplateResult {
    const caption = textsFor(this.language)[this.number as ExerciseNumber].caption ?? '';
    const cell = (value: string | number) =>
      typeof value === 'number'
        ? html`<data value=${value}>${Number.isInteger(value) ? value : shown(value, digits)}</data>`
        : value;
    return html`<div class="table" role="group" aria-label=${caption} tabindex="0">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${columns.map((name) => html`<th scope="col">${this.#tableName(name)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, cells }) => html`
              <tr>
                <th scope="row">${this.#tableName(name)}</th>
                ${cells.map((value) => html`<td>${cell(value)}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** Names of matrices stand for their formulas; all others are said as they are. */
  #tableName(name: string): unknown {
    const { parts } = textsFor(this.language)[this.number as ExerciseNumber];
    const prompt = parts[name]?.prompt ?? parts[`${name}Name`]?.prompt;
    const [, formula] = prompt?.split('`') ?? [];
    return formula === undefined ? name : rich(`\`${formula}\``);
  }

  #hint(question: Question, texts: ExerciseTexts): TemplateResult {
    return html`<div class="more">
      <h4>${this.strings.hint}</h4>
      <p>${rich(texts.hint)}</p>
      ${question.hint ? this.#table(question.hint) : nothing}
    </div>`;
  }

  #solution(number: ExerciseNumber, question: Question, texts: ExerciseTexts): TemplateResult {
    const { language, strings } = this;
    return html`<div class="more">
      <h4>${strings.solution}</h4>
      ${texts.solution.map((paragraph) => html`<p>${rich(fill(paragraph, question.facts))}</p>`)}
      <h4>${strings.answers}</h4>
      <ul class="answers">
        ${question.parts.map((part) => {
          const prompt = fill(textsOf(number, part, language).prompt, question.facts);
          const text = answerText(number, part, rightAnswer(part), language);
          const isFormula = ['shape', 'number', 'one-hot'].includes(part.kind);
          return html`<li>${rich(prompt)}: ${rich(isFormula ? `\`${text}\`` : text)}</li>`;
        })}
      </ul>
      ${question.solution ? this.#table(question.solution) : nothing}
    </div>`;
  }

  #answer({ id }: Part, value: string): void {
    const known = this.question?.parts ?? [];
    const answers = { ...this.answers, [id]: value };
    // In the order of the questions, so that the same answers are always written the same way.
    this.answer = answersText(Object.fromEntries(known.map((part) => [part.id, answers[part.id] ?? ''])));
  }

  readonly #check = (event: SubmitEvent): void => {
    event.preventDefault();
    const { question, answers } = this;
    if (!question) return;
    this.checked = answers;
    const isDone = question.parts.every((part) => judge(part, answers[part.id] ?? '').kind === 'right');
    if (isDone && setSolved(question.number, true)) this.#tellProgress();
  };

  readonly #reset = (): void => {
    this.answer = null;
    this.checked = null;
    this.open = null;
    this.stops = {};
    this.said = this.strings.wasReset;
    if (isExerciseNumber(this.number) && setSolved(this.number, false)) this.#tellProgress();
  };

  #tellProgress(): void {
    const detail = exerciseProgress();
    this.dispatchEvent(new CustomEvent('mha-progress', { detail, bubbles: true, composed: true }));
  }

  readonly #try = (): void => {
    if (!isExerciseNumber(this.number)) return;
    const tries = triesOf[this.number];
    const root = this.getRootNode() as Document | ShadowRoot;
    const figure = this.figureId === null ? null : root.getElementById(this.figureId);
    const fitting = tries.find(({ element }) => element === figure?.localName);
    const detail: MhaTryDetail = fitting ?? tries[0];
    this.dispatchEvent(new CustomEvent('mha-try', { detail, bubbles: true, composed: true }));
    if (!figure) return;
    // An element of this name that is not defined (yet) has no state.
    if (fitting && 'state' in figure) figure.state = fitting.state;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    figure.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    if (!figure.hasAttribute('tabindex')) figure.tabIndex = -1;
    figure.focus({ preventScroll: true });
  };

  override drawing(): Drawing | null {
    const { question, language, strings, answers } = this;
    if (!question) return null;
    const texts = textsFor(language)[question.number];
    const parts = question.parts.map((part): DrawnPart => {
      const given = answers[part.id] ?? '';
      const verdict = this.#verdict(part);
      return {
        prompt: plainText(fill(textsOf(question.number, part, language).prompt, question.facts)),
        answer: plainText(answerText(question.number, part, given, language)),
        isRight: verdict ? verdict.kind === 'right' : null,
        ones:
          part.kind === 'one-hot'
            ? parseOnes(given, part.rows).map((row) => part.columns.map((_, column) => row.includes(column)))
            : null,
      };
    });
    const title = `${strings.number(question.number)} ${texts.title}`;
    const statement = texts.statement.map((paragraph) => plainText(fill(paragraph, question.facts)));
    return exerciseDrawing({ title, statement, parts }, paletteOf(this));
  }

  override csvRows(): readonly CsvRow[] | null {
    const { question, language, answers } = this;
    if (!question) return null;
    const { header, right, wrong } = this.strings.csv;
    return [
      header,
      ...question.parts.map((part) => {
        const given = answers[part.id] ?? '';
        const verdict = given === '' ? '' : judge(part, given).kind === 'right' ? right : wrong;
        return [
          question.number,
          plainText(fill(textsOf(question.number, part, language).prompt, question.facts)),
          plainText(answerText(question.number, part, given, language)),
          verdict,
        ];
      }),
    ];
  }
}

/** A number with a typographic minus, as wide as a plus. */
const shown = (value: number, digits: number): string => formatWeight(value, digits).replace('-', '−');

declare global {
  interface HTMLElementTagNameMap {
    'mha-exercise': MhaExercise;
  }
  interface HTMLElementEventMap {
    'mha-try': CustomEvent<MhaTryDetail>;
    'mha-progress': CustomEvent<ReturnType<typeof exerciseProgress>>;
  }
}
