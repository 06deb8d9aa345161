import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { controlStyles } from '../base/controls.js';
import { answersText, type Answers, parseAnswers } from './answers.js';
import { answerId, feedbackId, input, type InputContext, isSingle, promptId } from './inputs.js';
import { judge, type Verdict } from './judge.js';
import { matrixInputStyles } from './matrix-input.js';
import { answerText, fill, messageOf, plainText, textsOf } from './message.js';
import { exerciseProgress, isSolved, progressChanges, setSolved } from './progress.js';
import {
  type ExerciseNumber,
  NUMBERS,
  type Part,
  type Question,
  questionOf,
  rightAnswer,
} from './questions.js';
import { withFormulas, formulaTextStyles } from './formula-text.js';
import { LETTERS } from './shapes.js';
import { exerciseStrings, type ExerciseStrings, textsFor } from './strings.js';
import type { ExerciseTexts } from './texts-en.js';
import { exerciseStyles } from './styles.js';
import { table, tableOf } from './table.js';
import { exampleFigures, type MhaTryDetail } from './example-figures.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { MhaElement } from '../base/mha-element.js';
import type { MhaTrainingProgressDetail } from '../training/mha-training.js';
import { ModuleController } from '../base/module-controller.js';
import { NumberRange } from '../base/number-range.js';
import type { Cell } from '../base/arrow-keys.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';

const EXERCISE = new NumberRange(1, NUMBERS.length);

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
  static override styles = [
    theme,
    controlStyles,
    waitingStyles,
    formulaTextStyles,
    matrixInputStyles,
    exerciseStyles,
  ];

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

  /** The focusable cell of each matrix, by question id. */
  @state() private stops: Readonly<Record<string, Cell>> = {};

  /** The step that was just moved up or down; after rendering, the same button of that step gets the focus. */
  #moved: { step: string; up: boolean } | null = null;

  readonly #modules = new ModuleController(this);

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
    const { question } = this;
    const number = this.#number;
    if (!module || question?.number === number) return;
    this.question = questionOf(number, (id) => module.documents.run(id));
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

  get #number(): ExerciseNumber {
    return this.number as ExerciseNumber;
  }

  override render(): TemplateResult {
    const { strings, question } = this;
    const number = this.#number;
    const texts = textsFor(this.language)[number];
    const facts = question?.number === number ? question.facts : null;
    return html`
      ${this.outOfRangeAlert()}
      <header>
        <h3 part="title"><span class="number">${strings.number(number)}</span>${texts.title}</h3>
        ${isSolved(number) ? html`<p class="solved"><span aria-hidden="true">✓</span> ${strings.solved}</p>` : nothing}
      </header>
      ${
        question && facts
          ? html`
              <div part="statement" class="statement">
                ${texts.statement.map((paragraph) => html`<p>${withFormulas(fill(paragraph, facts))}</p>`)}
              </div>
              ${this.#form(number, question, texts)}
            `
          : waiting(this.#modules, this.language)
      }
    `;
  }

  #form(number: ExerciseNumber, question: Question, texts: ExerciseTexts): TemplateResult {
    const { strings, checked, open } = this;
    const context = this.#inputContext(number);
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
        <div class="questions">${question.parts.map((part) => this.#part(context, part, question))}</div>
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
      <p class="visually-hidden" role="status">${this.announcement}</p>
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

  #inputContext(number: ExerciseNumber): InputContext {
    return {
      number,
      language: this.language,
      answers: this.answers,
      isWrong: (part) => (this.#verdict(part)?.kind ?? 'right') !== 'right',
      write: (part, answer) => this.#write(part, answer),
      stops: this.stops,
      setStop: ({ id }, stop) => {
        this.stops = { ...this.stops, [id]: stop };
      },
      onMoved: (step, up, announcement) => {
        this.#moved = { step, up };
        this.announcement = announcement;
      },
    };
  }

  /** The verdict on the answer to a question; null if it was not checked or has changed since. */
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

  #part(context: InputContext, part: Part, { facts, shown }: Question): TemplateResult {
    const prompt = withFormulas(fill(textsOf(context.number, part, context.language).prompt, facts));
    const single = isSingle(part);
    const isInline = single || part.kind === 'shape';
    return html`
      ${shown?.above === part.id ? table(context.number, tableOf(shown.grid), context.language) : nothing}
      <div
        part="question"
        class="question ${isInline ? 'inline' : ''} ${part.kind === 'choice' ? 'wide' : ''}"
        role=${single ? nothing : part.kind === 'choice' ? 'radiogroup' : 'group'}
        aria-labelledby=${single ? nothing : promptId(part)}
        data-part=${part.id}
      >
        ${
          single
            ? html`<label class="prompt" for=${answerId(part)}>${prompt}</label>`
            : html`<p class="prompt" id=${promptId(part)}>${prompt}</p>`
        }
        <div class="answer">${input(context, part)}</div>
        ${this.#feedback(context.number, part)}
      </div>
    `;
  }

  #feedback(number: ExerciseNumber, part: Part): TemplateResult {
    const verdict = this.#verdict(part);
    const id = feedbackId(part);
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
        ${withFormulas(messageOf(number, part, verdict, this.language))}
      </span>
    </p>`;
  }

  #hint(question: Question, texts: ExerciseTexts): TemplateResult {
    return html`<div class="more">
      <h4>${this.strings.hint}</h4>
      <p>${withFormulas(texts.hint)}</p>
      ${question.hint ? table(question.number, question.hint, this.language) : nothing}
    </div>`;
  }

  #solution(number: ExerciseNumber, question: Question, texts: ExerciseTexts): TemplateResult {
    const { language, strings } = this;
    return html`<div class="more">
      <h4>${strings.solution}</h4>
      ${texts.solution.map((paragraph) => html`<p>${withFormulas(fill(paragraph, question.facts))}</p>`)}
      <h4>${strings.answers}</h4>
      <ul class="answers">
        ${question.parts.map((part) => {
          const prompt = fill(textsOf(number, part, language).prompt, question.facts);
          const text = answerText(number, part, rightAnswer(part), language);
          const isFormula = ['shape', 'number', 'one-hot'].includes(part.kind);
          return html`<li>
            ${withFormulas(prompt)} <strong>${withFormulas(isFormula ? `\`${text}\`` : text)}</strong>
          </li>`;
        })}
      </ul>
      ${question.solution ? table(number, question.solution, language) : nothing}
    </div>`;
  }

  #write({ id }: Part, value: string): void {
    const known = this.question?.parts ?? [];
    const answers = { ...this.answers, [id]: value };
    // Sort the answers by question, so that equal answers give equal texts.
    this.answer = answersText(Object.fromEntries(known.map((part) => [part.id, answers[part.id] ?? ''])));
  }

  readonly #check = (event: SubmitEvent): void => {
    event.preventDefault();
    const { question, answers } = this;
    if (!question) return;
    this.checked = answers;
    const isDone = question.parts.every((part) => judge(part, answers[part.id] ?? '').kind === 'right');
    if (isDone && setSolved(question.number, true)) this.#fireProgress();
  };

  readonly #reset = (): void => {
    this.answer = null;
    this.checked = null;
    this.open = null;
    this.stops = {};
    this.announcement = this.strings.wasReset;
    if (setSolved(this.#number, false)) this.#fireProgress();
  };

  #fireProgress(): void {
    const detail = exerciseProgress();
    this.dispatchEvent(new CustomEvent('mha-progress', { detail, bubbles: true, composed: true }));
  }

  readonly #try = (): void => {
    const examples = exampleFigures[this.#number];
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
    const { question, strings } = this;
    if (!question) return null;
    const { number } = question;
    return {
      title: `${strings.number(number)} ${textsFor(this.language)[number].title}`,
      parts: 'header, .statement, .letters, .questions > *',
      withControls: true,
    };
  }

  override csv(): CsvParts | null {
    const { question, language, answers } = this;
    if (!question) return null;
    const { header, right, wrong } = this.strings.csv;
    return csvTable([
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
    ]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-exercise': MhaExercise;
  }
  interface HTMLElementEventMap {
    'mha-try': CustomEvent<MhaTryDetail>;
    'mha-progress': CustomEvent<ReturnType<typeof exerciseProgress> | MhaTrainingProgressDetail>;
  }
}
