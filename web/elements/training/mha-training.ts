import { styled } from '../base/styled.js';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { RELATION_KINDS, type RelationKind } from '../../training/language/sentence.js';
import type { Evaluation, Inspection, Plan, Report } from '../../training/protocol.js';
import { radioTarget } from '../base/arrow-keys.js';
import { controlStyles, headRadioStyles } from '../base/control-styles.js';
import { checkbox, select, valueOf } from '../base/controls.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import { dataTableStyles, definitions } from '../base/data-table.js';
import { isolated, type Language, languageOfText } from '../base/language.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, HEADS, LAYER, NumberRange, SEED } from '../base/attribute-values.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { formatWeight, loadingStringsFor, percent } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { miniature, miniatureStyles } from '../heads/miniature.js';
import { describe } from '../sentence-view/mha-view.js';
import { Figure, type HeadPlace } from '../../sources/figure.js';
import { legendStyles, shortLegend } from '../sentence-view/legend.js';
import { barList, barListStyles } from '../base/bar-list.js';
import { type MhaSelectDetail, Selection } from '../sentence-view/selection.js';
import { stringsFor } from '../sentence-view/strings.js';
import type { ChartSource } from './charts.js';
import { loadParts } from './load-parts.js';
import { ModelFiles } from './model-files.js';
import { BestHead, bestHead, type History, type Phase, RunController, scoreOf } from './run.js';
import type { Chosen } from './sentences.js';
import type { TrainingStrings } from './strings.js';
import { chartStyles, trainingStyles } from './styles.js';

type Parts = typeof import('./parts.js');

const LAYERS = new NumberRange(1, 4);
const STEPS = new NumberRange(1, 100_000);
/** Numbers of heads to choose from, which divide the model's embedDim, 64. */
const HEAD_COUNTS: readonly number[] = [1, 2, 4, 8, 16];

/** A head's role is shown if its score is at least this many times chance. */
const NOTABLE = 2;

/** Detail of `mha-select` of this element: the chosen layer and head, and the locked query and key. */
export interface MhaTrainingSelectDetail extends MhaSelectDetail {
  readonly layer: number;
}

/** Detail of `mha-progress` of this element: the latest evaluation. */
export interface MhaTrainingProgressDetail {
  readonly step: number;
  /** Mean loss of the last steps, in nats; null before the first. */
  readonly loss: number | null;
  /** Share of held-out hidden words that are guessed right. */
  readonly accuracy: number;
}

const [EMBED_DIM, FEED_FORWARD_DIM] = [64, 128];

/** What the legend is drawn for while there are no weights. */
const ONE_WORD = Figure.from({ tokens: ['·'], weights: [[[1]]] });

/**
 * Heads specialising while a small transformer learns to guess hidden words of English and Korean sentences, in this
 * page: loss, accuracy, role scores, and every head of a sentence at every time of training. Nothing starts by itself: the
 * reader presses a button, or the page calls `start()`. The figure has its full height before that.
 *
 * Training runs in a worker, or in short time slices on the main thread where no worker can be created. It stops when
 * the element is removed from the page, and continues in a background tab as far as the browser allows.
 *
 * The element's content is the fallback until the figure is drawn, or if it cannot be.
 *
 * @slot - shown until the figure can be drawn
 * @csspart waiting - what stands in the figure's place until it can be drawn
 * @csspart figure - everything
 * @csspart controls - the buttons
 * @csspart progress - how far training is
 * @csspart label - says what kind of weights these are
 * @csspart more - the disclosure of settings, matrix, curves, tables, and saving
 * @csspart settings - the form for another model
 * @csspart learning - the disclosure of the curves and role scores
 * @csspart chart - one line chart
 * @csspart words - the sentence
 * @csspart word - one word, to be hidden
 * @csspart guesses - the model's guess of the hidden word
 * @csspart time - the slider through the time of training
 * @csspart reason - which head is shown, and why
 * @csspart head - one head to choose: name, miniature, role
 * @csspart miniature - its matrix, small
 * @csspart arcs - the shown head's arcs over the sentence
 * @csspart arcs-before - its arcs before training, beside them
 * @csspart as-matrix - the disclosure of the matrix
 * @csspart matrix - the shown head's matrix
 * @csspart legend - the scale of the weights
 * @csspart roles - the role scores over time
 * @csspart definitions - how the scores are measured
 * @csspart keep - saving and opening a model
 * @csspart numbers - the tables of numbers
 * @csspart note - what attention does not say
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - query colour; also of the hidden word and of the level of chance
 * @cssprop --mha-key - key colour
 * @cssprop --mha-arc - colour of lines, bars and form controls
 * @cssprop [--mha-miniature-size=4.5rem] - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head, or a word or pair: { layer, head, query, key }
 * @fires mha-progress - the model was measured anew: { step, loss, accuracy }
 * @tag mha-training
 */
export class MhaTraining extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    waitingStyles,
    dataTableStyles,
    legendStyles,
    chartStyles,
    headRadioStyles,
    barListStyles,
    miniatureStyles,
    trainingStyles,
  ];

  /** The inspected sentence: words with spaces between. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** Index of the hidden word, `none`, or `auto`: a pronoun, else another word that its sentence determines. */
  @property({ reflect: true, useDefault: true }) masked = 'auto';

  /** Layers of the next model to train. */
  @property({ type: LAYERS, reflect: true, useDefault: true }) layers = 2;

  /** Heads of each of its layers, a divisor of 64. */
  @property({ type: HEADS, reflect: true, useDefault: true }) heads = 8;

  /** Seed of the initial parameters and of the sampled sentences. */
  @property({ type: SEED, reflect: true, useDefault: true }) seed = 0;

  /** Number of train steps after which training stops. */
  @property({ type: STEPS, reflect: true, useDefault: true }) steps = 2000;

  /** The layer of the chosen head, from 0. null: 0 if `head` is set, else that of the best head. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer: number | null = null;

  /** The chosen head of that layer, from 0. null: 0 if `layer` is set, else the best head for the hidden word. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head: number | null = null;

  /** Shows the heads before training beside the current ones. */
  @property({ type: Boolean, reflect: true, useDefault: true }) compare = false;

  /** URL of a trained model, in the format that this element saves, to load instead of training. */
  @property() model: string | null = null;

  /** The inspected step; null follows training. */
  @state() private at: number | null = null;
  /** Text of the live region. */
  @state() private announcement = '';
  /** Why the settings or the file were rejected. */
  @state() private problem = '';
  /** The sentence is too long for the model; the previous one stays shown. */
  @state() private isTooLong = false;

  readonly #run = new RunController(this, (report) => {
    this.#onReport(report);
  });
  readonly #files = new ModelFiles(this, this.#run, {
    strings: () => this.#strings,
    started: () => {
      this.at = null;
    },
    refused: (message) => {
      this.problem = message;
    },
  });
  readonly #parts = new ModuleController(this, loadParts);
  readonly #selection = new Selection();
  /** Whether training starts once the figure can be drawn. */
  #isWanted = false;
  /** Of the words that wait for arcs: nothing is chosen. */
  readonly #noSelection = new Selection();
  readonly #figures = new WeakMap<Inspection, readonly Figure[]>();
  readonly #best = new BestHead();
  #chosen: Chosen | null = null;
  /** The words of the chosen sentence without weights, until training has started. */
  #waitingFigure: Figure | null = null;
  /** The language whose first sentence was chosen last. */
  #firstOf: Language | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#selection.addEventListener('change', this.#onSelectionChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#selection.removeEventListener('change', this.#onSelectionChange);
    this.at = null;
  }

  readonly #onSelectionChange = () => {
    this.requestUpdate();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { module } = this.#parts;
    const firstOf = this.sentence === null ? this.language : null;
    const isOther = changed.has('sentence') || changed.has('masked') || firstOf !== this.#firstOf;
    if (module && (!this.#chosen || isOther)) {
      const chosen = module.chosenSentence(this.sentence, this.masked, this.language);
      this.isTooLong = chosen === null;
      this.#firstOf = firstOf;
      this.#chosen = chosen ?? this.#chosen ?? module.chosenSentence(null, 'auto', this.language);
      if (this.#chosen) {
        this.#run.watch(this.#chosen.watched);
        const tokens = this.#shownTokens(this.#chosen);
        const none = tokens.map(() => tokens.map(() => 0));
        this.#waitingFigure = Figure.from({ tokens, weights: [none] });
      }
      this.#selection.lock({ query: this.#chosen?.watched.hidden ?? null, key: null });
    }
    if (module && this.#isWanted) this.start();
    this.#best.update(this.#run.history, this.#chosen?.relation?.kind ?? null, this.#run.isRunning);
    const place = this.#place;
    if (this.#selection.head !== place.head) this.#selection.chooseHead(place.head);
  }

  /** What the run does now; `idle` before the first start and after a reset. */
  get phase(): Phase {
    return this.#run.phase;
  }

  /** Starts training a new model, as soon as the figure can be drawn, or continues a paused run. */
  start(): void {
    this.#isWanted = !this.#parts.module;
    if (this.#isWanted) return;
    if (this.phase === 'idle') this.#start();
    else if (this.phase === 'paused') this.#run.resume();
  }

  /** Pauses training, as the button does. */
  pause(): void {
    if (this.phase === 'training') this.#run.pause();
  }

  get #strings(): TrainingStrings {
    return this.#parts.loaded.trainingStringsFor(this.language);
  }

  /** Whether the best head is shown, because neither author nor reader has chosen one. */
  get #followsBest(): boolean {
    return this.layer === null && this.head === null;
  }

  /** The shown head; layer or head 0 where the model has fewer than the chosen one. */
  get #place(): HeadPlace {
    if (this.#followsBest) return this.#best.place;
    const { numLayers, numHeads } = this.#run.history?.plan ?? this.#plan;
    const [layer, head] = [this.layer ?? 0, this.head ?? 0];
    return { layer: layer < numLayers ? layer : 0, head: head < numHeads ? head : 0 };
  }

  get #plan(): Plan {
    const { layers, heads, seed, steps } = this;
    return {
      numLayers: layers,
      numHeads: heads,
      embedDim: EMBED_DIM,
      feedForwardDim: FEED_FORWARD_DIM,
      seed,
      steps,
    };
  }

  /** The inspected model: of an earlier step, or the current one. */
  get #inspection(): Inspection | null {
    return this.at === null ? this.#run.now : this.#run.viewAt(this.at);
  }

  /** The words as the model reads them. */
  #shownTokens({ tokens, watched }: Chosen): readonly string[] {
    return tokens.map((token, place) => (place === watched.hidden ? '[MASK]' : token));
  }

  /** One figure for each layer. */
  #figuresOf(view: Inspection | null): readonly Figure[] {
    if (!view || !this.#chosen) return [];
    const known = this.#figures.get(view);
    if (known) return known;
    const tokens = this.#shownTokens(this.#chosen);
    const figures = view.weights.map((weights) => Figure.from({ tokens, weights }));
    this.#figures.set(view, figures);
    return figures;
  }

  override render(): TemplateResult {
    const { module } = this.#parts;
    if (!module) return waiting(this.#parts, this.language);
    const strings = this.#strings;
    return html`
      <div part="figure" class="figure" role="group" aria-label=${strings.learning}>
        ${this.#runSection(strings)}
        <section aria-label=${strings.sentence}>${this.#sentence(module, strings)}</section>
        <section aria-label=${strings.heads}>${this.#heads(strings)}</section>
        <details part="more" class="more">
          <summary>${strings.furtherParts}</summary>
          ${this.#more(strings)}
        </details>
        <p part="note" class="quiet">${strings.explanation}</p>
        <p class="visually-hidden" role="status">${this.announcement}</p>
      </div>
    `;
  }

  #runSection(strings: TrainingStrings): TemplateResult {
    const run = this.#run;
    const { history, phase } = run;
    const isIdle = phase === 'idle';
    const problem = (text: unknown) => html`<p class="problem" role="alert">${text}</p>`;
    const button = (name: string, label: string, act: () => void, isDisabled = false) => html`
      <button
        type="button"
        class="control ${name === 'reset' && isIdle ? 'gone' : ''}"
        data-do=${name}
        ?disabled=${isDisabled}
        @click=${act}
      >
        ${label}
      </button>
    `;
    return html`
      <section class="run">
        <div part="controls" class="buttons">
          ${this.#mainButton(strings)} ${button('reset', strings.reset, this.#reset)}
          ${
            this.model === null
              ? nothing
              : button(
                  'load',
                  strings.loadShipped,
                  () => void this.#files.fetch(this.model),
                  this.#files.isLoading,
                )
          }
        </div>
        <div class="in-turn">
          <p class=${isIdle ? '' : 'gone'}>${strings.intro}</p>
          ${history ? this.#progress(history, strings) : nothing}
        </div>
        <p part="label" class="label">${this.#label(strings)}</p>
        ${run.isOnPage ? html`<p class="quiet">${strings.onPage}</p>` : nothing}
        ${run.isSilent ? problem(strings.silent) : nothing}
        ${
          phase === 'failed'
            ? problem(
                html`${strings.failed}
                  ${run.isWrongFile ? loadingStringsFor(this.language).wrongFile : nothing}
                  <span class="detail" lang="en">${run.problem}</span>`,
              )
            : nothing
        }
        ${this.outOfRangeAlert()} ${this.problem ? problem(this.problem) : nothing}
      </section>
    `;
  }

  /** A progress bar of the training, with the estimated time left. */
  #progress({ step, pace, tokens, lastEvaluation }: History, strings: TrainingStrings): TemplateResult {
    const { phase, steps } = this.#run;
    const { number } = strings;
    const seconds = pace > 0 ? (steps - step) / pace : 0;
    const left =
      phase !== 'training' || seconds < 0.5
        ? ''
        : seconds < 90
          ? strings.left(Math.ceil(seconds))
          : strings.leftMinutes(Math.round(seconds / 60));
    const counts = [
      strings.stepOf(number(step), number(steps)),
      lastEvaluation && `${strings.accuracyAxis} ${percent(lastEvaluation.accuracy)}`,
      tokens > 0 && strings.shown(number(tokens)),
      left,
    ];
    return html`
      <div part="progress">
        <progress max=${steps} value=${step} aria-label=${strings.progress}></progress>
        <p class="counts">
          ${
            phase === 'preparing'
              ? html`<span>${strings.preparing}</span>`
              : counts.filter(Boolean).map((text) => html`<span class="number">${text}</span> `)
          }
        </p>
      </div>
    `;
  }

  /** Says whether the weights are untrained, trained here or from a file, and how large the model is. */
  #label(strings: TrainingStrings): string {
    const { history } = this.#run;
    const { number } = strings;
    if (!history) return strings.nothing;
    const { loadedAt, plan, parameterCount } = history;
    const step = this.at ?? history.step;
    const origin =
      step === 0
        ? strings.untrained
        : loadedAt === null
          ? strings.trained(number(step))
          : step === loadedAt
            ? strings.loaded(number(step))
            : strings.loadedAndTrained(number(loadedAt), number(step - loadedAt));
    if (parameterCount === 0) return origin;
    return `${origin}. ${strings.model(plan.numLayers, plan.numHeads, number(parameterCount))}`;
  }

  /** Form for the settings of the next model. */
  #settings(strings: TrainingStrings): TemplateResult {
    const wrong = this.outOfRange.map(({ attribute }) => attribute);
    const input = (name: 'layers' | 'seed' | 'steps', { least, most }: NumberRange) => html`
      <label class="field">
        ${strings[name]}
        <input
          type="number"
          name=${name}
          min=${least}
          max=${most}
          .value=${live(String(this[name]))}
          aria-invalid=${String(wrong.includes(name))}
          @change=${(event: Event) => {
            this[name] = Number(valueOf(event));
          }}
        />
      </label>
    `;
    return html`
      <details part="settings">
        <summary>${strings.settings}</summary>
        <div class="controls settings">
          ${input('layers', LAYERS)}
          <label class="field">
            ${strings.heads}
            ${select(
              'heads',
              null,
              HEAD_COUNTS.map((count) => [count, count]),
              this.heads,
              (heads) => (this.heads = Number(heads)),
            )}
          </label>
          ${input('seed', SEED)} ${input('steps', STEPS)}
        </div>
        ${this.#run.phase === 'idle' ? nothing : html`<p class="quiet">${strings.nextTime}</p>`}
      </details>
    `;
  }

  /** Start, pause and resume are one button, so that it keeps the focus. */
  #mainButton(strings: TrainingStrings): TemplateResult {
    const { phase } = this.#run;
    const name = {
      idle: strings.start,
      preparing: strings.pause,
      training: strings.pause,
      paused: this.#isComplete ? strings.more(strings.number(this.steps)) : strings.resume,
      done: strings.more(strings.number(this.steps)),
      failed: strings.retry,
    }[phase];
    return html`
      <button
        type="button"
        class="control primary"
        data-do=${phase === 'idle' ? 'start' : phase === 'failed' ? 'retry' : this.#run.isRunning ? 'pause' : 'resume'}
        ?disabled=${phase === 'preparing'}
        @click=${this.#onMainButton}
      >
        ${name}
      </button>
    `;
  }

  /** Whether all steps are done: a model from a file may have completed them although it is paused. */
  get #isComplete(): boolean {
    const { phase, history, steps } = this.#run;
    return phase === 'done' || (history?.step ?? 0) >= steps;
  }

  readonly #onMainButton = (): void => {
    const run = this.#run;
    const { announcements } = this.#strings;
    switch (run.phase) {
      case 'idle':
      case 'failed':
        this.#start();
        return;
      case 'paused':
      case 'done': {
        this.at = null;
        // Resuming a completed run adds more steps.
        run.resume(this.#isComplete ? this.steps : 0);
        this.announcement = announcements.resumed;
        return;
      }
      default:
        run.pause();
        this.announcement = announcements.paused;
    }
  };

  #start(): void {
    const strings = this.#strings;
    const isWrong = !HEAD_COUNTS.includes(this.heads);
    this.problem = isWrong ? strings.badHeads : '';
    if (isWrong) return;
    this.at = null;
    this.announcement = strings.announcements.started;
    void this.#run.start(this.#plan, null);
  }

  readonly #reset = (): void => {
    this.#files.abort();
    this.#run.reset();
    this.at = null;
    this.problem = '';
    this.announcement = this.#strings.announcements.reset;
    this.renderRoot.querySelector<HTMLElement>('[data-do]')?.focus();
  };

  #sentence(parts: Parts, strings: TrainingStrings): TemplateResult | typeof nothing {
    const chosen = this.#chosen;
    if (!chosen) return nothing;
    const { tokens, unknown, watched } = chosen;
    const { hidden } = watched;
    return html`
      <div class="columns sentence-columns">
        <div class="sentence-input">
          <div class="controls">${this.#sentenceList(parts, chosen, strings)}</div>
          ${
            this.isTooLong
              ? html`<p class="problem" role="alert">${strings.longSentence(parts.MAX_LENGTH)}</p>`
              : nothing
          }
          <p class="title">${strings.chooseWord}</p>
          <div part="words" class="words" role="group" aria-label=${strings.chooseWord}>
            ${tokens.map(
              (token, place) =>
                html`<button
                  type="button"
                  part="word"
                  lang=${languageOfText(token) ?? nothing}
                  data-place=${place}
                  aria-pressed=${String(place === hidden)}
                  @click=${() => {
                    this.masked = place === hidden ? 'none' : String(place);
                  }}
                >
                  ${token}
                </button>`,
            )}
          </div>
          ${unknown.length > 0 ? html`<p class="quiet">${strings.unknownWords(unknown.join(', '))}</p>` : nothing}
        </div>
        <div part="guesses" class="guesses ${hidden === null ? '' : 'reserved'}">
          ${this.#guesses(parts, chosen, strings)}
        </div>
      </div>
    `;
  }

  #sentenceList(parts: Parts, { text: own }: Chosen, strings: TrainingStrings): TemplateResult {
    const groups = (['en', 'ko'] as const).map((lang) => ({
      ...{ lang, label: strings.languageName[lang], texts: parts.choicesOf(lang) },
    }));
    const isOwn = !groups.some(({ texts }) => texts.includes(own));
    return html`
      <label class="field">
        ${strings.sentence}
        <select
          name="sentence"
          @change=${(event: Event) => {
            this.sentence = valueOf(event);
            this.masked = 'auto';
          }}
        >
          ${[...(isOwn ? [{ lang: null, label: strings.ownSentence, texts: [own] }] : []), ...groups].map(
            ({ lang, label, texts }) => html`
              <optgroup label=${label}>
                ${texts.map(
                  (text) =>
                    html`<option lang=${lang ?? nothing} value=${text} .selected=${text === own}>
                      ${text}
                    </option>`,
                )}
              </optgroup>
            `,
          )}
        </select>
      </label>
    `;
  }

  /** The words that the model finds most probable for the hidden one. */
  #guesses({ wordOf }: Parts, { tokens, watched }: Chosen, strings: TrainingStrings): TemplateResult {
    const { hidden, ids } = watched;
    const view = this.#inspection;
    const title = strings.guesses(hidden);
    if (hidden === null || !view?.truth) {
      return html`<p class="title">${title}</p>
        <p class="quiet">${hidden === null ? strings.noneHidden : strings.hideHint}</p>
        ${
          this.#run.phase === 'idle'
            ? html`<p>
                <button type="button" class="control" @click=${this.#onMainButton}>${strings.start}</button>
              </p>`
            : nothing
        }`;
    }
    const word = isolated(tokens[hidden] ?? '');
    const { probability, rank } = view.truth;
    const truth = formatWeight(probability);
    const bars = view.guesses.map(({ id, probability: likely }) => {
      const isTrue = id === ids[hidden];
      const guess = wordOf(id);
      const label = isTrue
        ? html`${guess}<span aria-hidden="true"> ✓</span
            ><span class="visually-hidden"> (${strings.right})</span>`
        : guess;
      return { label, lang: languageOfText(guess), value: likely, className: isTrue ? 'true' : '' };
    });
    return html`
      ${barList(title, bars)}
      <p class="quiet">
        ${rank === 1 ? strings.guessedRight(word, truth) : strings.truth(word, truth, rank)}
      </p>
    `;
  }

  #heads(strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    const place = this.#place;
    const { layer, head } = place;
    return html`
      <p part="reason" class="reason">
        ${
          history
            ? html`<strong>${strings.head(layer, head)}</strong> – ${this.#reason(history, strings)}`
            : strings.waitingForHeads
        }
      </p>
      ${this.#view(place, strings)} ${this.#time(strings)} ${this.#grid(strings)}
    `;
  }

  /** The shown head's arcs; beside them those before training, if they are compared. Until the first weights, only the words. */
  #view({ layer }: HeadPlace, strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    const views = stringsFor(this.language);
    const measured = history ? this.#figuresOf(this.#inspection)[layer] : undefined;
    const figure = measured ?? this.#waitingFigure;
    const before =
      this.compare && history && this.at !== 0 ? this.#figuresOf(this.#run.viewAt(0))[layer] : undefined;
    const arcs = (part: string, shown: Figure) => html`
      <mha-arcs
        part=${part}
        .embedded=${true}
        .figure=${shown}
        .selection=${measured ? this.#selection : this.#noSelection}
        ?inert=${!measured}
        ${/* New weights come faster than they could be moved to. */ styled({ '--mha-motion': this.#run.isRunning ? '0ms' : null })}
        @mha-select=${this.#onViewSelect}
      ></mha-arcs>
    `;
    const titled = (step: number, content: TemplateResult) => html`
      <div class="one">
        <p class="title">${step === 0 ? strings.beforeTraining : strings.atStep(strings.number(step))}</p>
        ${content}
      </div>
    `;
    return html`
      <div class="view">
        ${
          figure
            ? html`
                <div class="arcs ${before ? 'pair' : ''}">
                  ${before ? titled(0, arcs('arcs-before', before)) : nothing}
                  ${
                    before && history
                      ? titled(this.at ?? history.step, arcs('arcs', figure))
                      : arcs('arcs', figure)
                  }
                </div>
                <p class="description">
                  ${measured ? describe(figure, this.#selection.shownHead, this.#selection.shown, views) : nothing}
                </p>
                ${shortLegend(views, this.language, measured ?? ONE_WORD, 1, measured ? this.#selection.shownHead : 0)}
              `
            : nothing
        }
      </div>
    `;
  }

  /** What is not needed to watch the model learn. */
  #more(strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    return html`
      <div class="folded">
        ${this.#settings(strings)}
        ${
          history
            ? html`
                ${checkbox('best', strings.followBest, this.#followsBest, (isBest) => {
                  this.#choose(isBest ? null : this.#place);
                })}
                ${this.details('as-matrix', strings.matrix, () => this.#matrix())}
                ${this.details('learning', strings.learning, () => this.#learning(history, strings))}
                ${this.details('numbers', strings.table, () =>
                  this.#parts.loaded.trainingTables(history, this.at ?? history.step, strings),
                )}
              `
            : nothing
        }
        ${this.#files.render(strings)}
      </div>
    `;
  }

  /** Why this head is shown. */
  #reason({ lastEvaluation: evaluation, plan, chance }: History, strings: TrainingStrings): string {
    const kind = this.#chosen?.relation?.kind ?? null;
    if (!this.#followsBest) return strings.chosenHead;
    if ((this.#chosen?.watched.hidden ?? null) === null) return strings.firstUnhidden;
    if (kind === null) return strings.firstHead;
    if (!evaluation) return strings.preparing;
    const score = scoreOf(evaluation, kind, this.#place);
    const highest = scoreOf(evaluation, kind, bestHead(evaluation, kind, plan));
    const words = [strings.role[kind], formatWeight(score)] as const;
    return score === highest
      ? strings.bestHead(...words, chance ? formatWeight(chance.scores[kind]) : '')
      : strings.nearlyBest(...words, formatWeight(highest));
  }

  /** Slider over the steps whose model was kept, with the current one at its end. */
  #time(strings: TrainingStrings): TemplateResult {
    const { at } = this;
    const { history } = this.#run;
    const kept = history?.kept ?? [];
    const step = history?.step ?? 0;
    const last = kept.length;
    const index = at === null ? last : Math.max(0, kept.indexOf(at));
    const moment = strings.atStep(strings.number(at ?? step));
    const button = (name: string, label: string, target: number | null, isDisabled: boolean) => html`
      <button
        type="button"
        class="link"
        data-time=${name}
        ?disabled=${isDisabled}
        @click=${() => {
          this.at = target;
        }}
      >
        ${label}
      </button>
    `;
    return html`
      <div part="time" class="time">
        <p class="moment">
          <span class="title">${strings.time}</span>
          <span class="number">${history ? `${moment}${at === null ? ` (${strings.now})` : ''}` : '–'}</span>
        </p>
        <div class="line">
          ${button('untrained', strings.toUntrained, 0, !kept.includes(0))}
          <input
            type="range"
            name="time"
            min="0"
            max=${last}
            step="1"
            .value=${live(String(index))}
            aria-label=${strings.time}
            aria-valuetext=${at === null ? strings.now : moment}
            ?disabled=${last === 0}
            @input=${(event: Event) => {
              this.at = kept[Number(valueOf(event))] ?? null;
            }}
          />
          ${button('now', strings.toNow, null, at === null)}
        </div>
        <button
          type="button"
          class="control compare"
          data-do="compare"
          aria-pressed=${String(this.compare)}
          @click=${() => {
            this.compare = !this.compare;
          }}
        >
          ${strings.compare}
        </button>
      </div>
    `;
  }

  /** Radio group to choose one of all layers' heads. */
  #grid(strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    const { numLayers, numHeads } = history?.plan ?? this.#plan;
    const isMany = numHeads > 8;
    const upTo = (length: number) => Array.from({ length }, (_, index) => index);
    const evaluation = history?.evaluationAt(this.at ?? history.step);
    const figures = this.#figuresOf(this.#inspection);
    const before = this.compare ? this.#figuresOf(this.#run.viewAt(0)) : [];
    const marked = { query: this.#chosen?.watched.hidden ?? null, key: null };
    const chosen = this.#place;
    const radio = (layer: number, head: number) => {
      const place = { layer, head };
      const isChosen = layer === chosen.layer && head === chosen.head;
      const role = history && roleOf(evaluation, history, place);
      const score = role && formatWeight(role.score);
      const name = role && strings.role[role.kind];
      return html`
        <div
          role="radio"
          part="head"
          aria-checked=${String(isChosen)}
          aria-label="${strings.head(layer, head)}${role ? `. ${name} ${score}` : ''}"
          tabindex=${isChosen ? 0 : -1}
          data-layer=${layer}
          data-head=${head}
          @click=${() => this.#choose(place)}
        >
          <span class="name">${isMany ? head + 1 : strings.shortHead(head)}</span>
          <span class="pair">
            ${before.length > 0 ? miniature(before[layer], head, marked, { className: 'before', opacity: 0.8 }) : nothing}
            ${miniature(figures[layer], head, marked, {})}
          </span>
          <span class="note">${role ? html`${name} <span class="number">${score}</span>` : '–'}</span>
        </div>
      `;
    };
    const onKeydown = (event: KeyboardEvent) => {
      const index = chosen.layer * numHeads + chosen.head;
      const target = radioTarget(event, index, numLayers * numHeads, numHeads);
      if (target === null) return;
      event.preventDefault();
      const [layer, head] = [Math.floor(target / numHeads), target % numHeads];
      this.#choose({ layer, head });
      this.renderRoot.querySelector<HTMLElement>(`[data-layer="${layer}"][data-head="${head}"]`)?.focus();
    };
    return html`
      <div class="heads" role="radiogroup" aria-label=${strings.chooseHead} @keydown=${onKeydown}>
        ${upTo(numLayers).map(
          (layer) => html`
            <div class="layer">
              <p class="title">${isMany ? strings.headsOf(layer) : strings.layer(layer)}</p>
              <div class="row ${isMany ? 'many' : ''}">
                ${upTo(numHeads).map((head) => radio(layer, head))}
              </div>
            </div>
          `,
        )}
      </div>
    `;
  }

  #matrix(): TemplateResult | typeof nothing {
    const figure = this.#figuresOf(this.#inspection)[this.#place.layer];
    if (!figure) return nothing;
    return html`
      <mha-matrix
        part="matrix"
        .embedded=${true}
        .figure=${figure}
        .selection=${this.#selection}
        @mha-select=${this.#onViewSelect}
      ></mha-matrix>
    `;
  }

  #learning(history: History, strings: TrainingStrings): TemplateResult {
    const { steps } = this.#run;
    const parts = this.#parts.loaded;
    const source: ChartSource = { history, steps, chosen: this.#place, at: this.at, strings };
    return html`
      <div class="learning-parts">
        ${parts.learningCharts(source)}
        <section part="roles" aria-labelledby="roles">
          <p class="heading" id="roles">${strings.roles}</p>
          ${parts.roleCharts(source, this.#choose)}
        </section>
        <details part="definitions">
          <summary>${strings.definitions}</summary>
          ${definitions(RELATION_KINDS.map((kind) => [strings.role[kind], strings.roleDefinition[kind]]))}
          <p class="quiet">${strings.definitionNote}</p>
          <p class="quiet">${strings.accuracyDefinition}</p>
        </details>
      </div>
    `;
  }

  #onReport(report: Report): void {
    const { history } = this.#run;
    if (report.type === 'evaluation' && history) {
      const { step, accuracy } = report.evaluation;
      if (this.at !== null && !report.snapshots.includes(this.at)) this.at = null;
      const loss = history.losses.at(-1)?.[1] ?? null;
      const detail: MhaTrainingProgressDetail = { step, loss, accuracy };
      this.dispatchEvent(new CustomEvent('mha-progress', { detail, bubbles: true, composed: true }));
    }
    if (report.type === 'done' && history) {
      const strings = this.#strings;
      this.announcement = strings.done(
        strings.number(history.step),
        percent(history.lastEvaluation?.accuracy ?? 0),
      );
    }
  }

  /** Shows a head that the reader has chosen; null follows the best one. */
  readonly #choose = (place: HeadPlace | null): void => {
    this.layer = place?.layer ?? null;
    this.head = place?.head ?? null;
    this.#dispatchSelect();
  };

  /** Replaces the event of the arcs or the matrix with one that also has the layer. */
  readonly #onViewSelect = (event: Event): void => {
    event.stopPropagation();
    this.#dispatchSelect();
  };

  #dispatchSelect(): void {
    const { layer, head } = this.#place;
    const detail: MhaTrainingSelectDetail = { layer, head, ...this.#selection.locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  override picture(): Picture | null {
    const { history } = this.#run;
    if (!history || this.#figuresOf(this.#inspection).length === 0) return null;
    const strings = this.#strings;
    return {
      title: `${strings.picture(strings.number(this.at ?? history.step))}. ${this.#label(strings)}`,
      parts:
        '[part=label], [part=reason], mha-arcs, .description, .direction, .moment, .heads, mha-matrix, .chart-block, .heading',
    };
  }

  override csv(): CsvParts | null {
    return this.#run.history && csvTable(this.#parts.loaded.trainingRows(this.#run.history));
  }
}

/** The role whose score is farthest above chance, and the score; null if none is at least `NOTABLE` times chance. */
function roleOf(
  evaluation: Evaluation | undefined,
  { chance }: History,
  place: HeadPlace,
): { kind: RelationKind; score: number } | null {
  if (!evaluation || !chance) return null;
  const timesChance = (kind: RelationKind) => scoreOf(evaluation, kind, place) / chance.scores[kind];
  const kind = RELATION_KINDS.reduce((best, other) =>
    timesChance(other) > timesChance(best) ? other : best,
  );
  return timesChance(kind) >= NOTABLE ? { kind, score: scoreOf(evaluation, kind, place) } : null;
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-training': MhaTraining;
  }
}
