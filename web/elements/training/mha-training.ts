import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Inspection, Plan, Report } from '../../training/protocol.js';
import { controlStyles } from '../base/controls.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import { dataTableStyles } from '../base/data-table.js';
import type { Picture } from '../base/picture/figure-svg.js';
import type { Language } from '../base/language.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, HEADS, LAYER, SEED } from '../base/number-range.js';
import { loadingStringsFor } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { legendStyles } from '../sentence-view/legend.js';
import { Figure } from '../sentence-view/figure.js';
import { type MhaSelectDetail, Selection } from '../sentence-view/selection.js';
import { stringsFor } from '../sentence-view/strings.js';
import { BestHead } from './best-head.js';
import { chartStyles } from './chart.js';
import { type ChartSource, percent } from './charts.js';
import { headReason, headView } from './head-view.js';
import { headGrid, headGridStyles } from './heads.js';
import type { HeadPlace, History } from './history.js';
import { learningCharts, roleCharts, roleDefinitions } from './learning.js';
import { ModelFiles } from './model-files.js';
import { RunController } from './run-controller.js';
import { progressBar, timeSlider, weightsLabel } from './run-status.js';
import type { Chosen } from './sentences.js';
import { HEAD_COUNTS, LAYERS, settingsForm, STEPS } from './settings-form.js';
import { trainingStringsFor, type TrainingStrings } from './strings.js';
import { trainingStyles } from './styles.js';
import { trainingRows, trainingTables } from './tables.js';
import { guessList, type Sentences, sentencePicker, wordButtons, wordStyles } from './words.js';

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

/**
 * Heads specialising while a small transformer learns to guess hidden words of English and Korean sentences, in this
 * page: loss, accuracy, role scores, and every head of a sentence at every time of training. Nothing starts by itself.
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
 * @csspart settings - the form for another model
 * @csspart learning - the disclosure of the curves and role scores
 * @csspart chart - one line chart
 * @csspart phenomena - accuracy by what gives the hidden word away
 * @csspart words - the sentence
 * @csspart word - one word, to be hidden
 * @csspart guesses - the model's guess of the hidden word
 * @csspart time - the slider through the time of training
 * @csspart reason - which head is shown, and why
 * @csspart head - one head to choose: name, miniature, role
 * @csspart miniature - its matrix, small
 * @csspart arcs - the shown head's arcs over the sentence
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
    wordStyles,
    headGridStyles,
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
    started: () => {
      this.at = null;
    },
    refused: (message) => {
      this.problem = message;
    },
  });
  readonly #sentences = new ModuleController(this, undefined, () => import('./sentences.js'));
  readonly #selection = new Selection();
  readonly #figures = new WeakMap<Inspection, readonly Figure[]>();
  readonly #best = new BestHead();
  #chosen: Chosen | null = null;
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
    const { module } = this.#sentences;
    const firstOf = this.sentence === null ? this.language : null;
    const isOther = changed.has('sentence') || changed.has('masked') || firstOf !== this.#firstOf;
    if (module && (!this.#chosen || isOther)) {
      const chosen = module.chosenSentence(this.sentence, this.masked, this.language);
      this.isTooLong = chosen === null;
      this.#firstOf = firstOf;
      this.#chosen = chosen ?? this.#chosen ?? module.chosenSentence(null, 'auto', this.language);
      if (this.#chosen) this.#run.watch(this.#chosen.watched);
      this.#selection.lock({ query: this.#chosen?.watched.hidden ?? null, key: null });
    }
    this.#best.update(this.#run.history, this.#chosen?.relation?.kind ?? null, this.#run.isRunning);
    const place = this.#place;
    if (this.#selection.head !== place.head) this.#selection.chooseHead(place.head);
  }

  get #strings(): TrainingStrings {
    return trainingStringsFor(this.language);
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

  /** One figure for each layer. */
  #figuresOf(view: Inspection | null): readonly Figure[] {
    if (!view || !this.#chosen) return [];
    const known = this.#figures.get(view);
    if (known) return known;
    const { hidden } = view.watched;
    const tokens = this.#chosen.tokens.map((token, place) => (place === hidden ? '[MASK]' : token));
    const figures = view.weights.map((weights) => Figure.from({ tokens, weights }));
    this.#figures.set(view, figures);
    return figures;
  }

  override render(): TemplateResult {
    const { module } = this.#sentences;
    if (!module) return waiting(this.#sentences, this.language);
    const strings = this.#strings;
    const { history } = this.#run;
    return html`
      <div part="figure" class="figure" role="group" aria-label=${strings.learning}>
        ${this.#runSection(strings)}
        <section aria-label=${strings.sentence}>${this.#sentence(module, strings)}</section>
        <section aria-label=${strings.heads}>${this.#heads(strings)}</section>
        <div class="folded" ?hidden=${!history}>
          ${this.details('as-matrix', strings.matrix, () => this.#matrix())}
          ${this.details('learning', strings.learning, () => history && this.#learning(history, strings))}
          ${this.details(
            'numbers',
            strings.table,
            () => history && trainingTables(history, this.at ?? history.step, strings),
          )}
        </div>
        ${this.#files.render(strings)}
        <p part="note" class="quiet">${strings.explanation}</p>
        <p class="visually-hidden" role="status">${this.announcement}</p>
      </div>
    `;
  }

  #runSection(strings: TrainingStrings): TemplateResult {
    const run = this.#run;
    const { history, phase } = run;
    return html`
      <section class="run">
        ${phase === 'idle' ? html`<p>${strings.intro}</p>` : nothing}
        <div part="controls" class="buttons">
          ${this.#mainButton(strings)}
          ${
            phase === 'idle'
              ? this.model === null
                ? nothing
                : html`<button
                    type="button"
                    class="control"
                    data-do="load"
                    ?disabled=${this.#files.isLoading}
                    @click=${() => this.#files.fetch(this.model)}
                  >
                    ${strings.loadShipped}
                  </button>`
              : html`<button type="button" class="control" data-do="reset" @click=${this.#reset}>
                  ${strings.reset}
                </button>`
          }
        </div>
        ${history ? progressBar(run, history, strings) : nothing}
        <p part="label" class="label">${weightsLabel(history, this.at, strings)}</p>
        ${run.isOnPage ? html`<p class="quiet">${strings.onPage}</p>` : nothing}
        ${run.isSilent ? html`<p class="problem" role="alert">${strings.silent}</p>` : nothing}
        ${
          phase === 'failed'
            ? html`<p class="problem" role="alert">
                ${strings.failed} ${run.isWrongFile ? loadingStringsFor(this.language).wrongFile : nothing}
                <span class="detail" lang="en">${run.problem}</span>
              </p>`
            : nothing
        }
        ${this.outOfRangeAlert()}
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${settingsForm(
          this,
          this.outOfRange.map(({ attribute }) => attribute),
          phase !== 'idle',
          strings,
        )}
      </section>
    `;
  }

  /** Start, pause and resume are one button, so that it keeps the focus. */
  #mainButton(strings: TrainingStrings): TemplateResult {
    const { phase } = this.#run;
    const name = {
      idle: strings.start,
      preparing: strings.pause,
      training: strings.pause,
      paused: strings.resume,
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
        // A model from a file may have completed its steps although it is paused: resuming adds more.
        const isComplete = run.phase === 'done' || (run.history?.step ?? 0) >= run.steps;
        run.resume(isComplete ? this.steps : 0);
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

  #sentence(sentences: Sentences, strings: TrainingStrings): TemplateResult {
    const chosen = this.#chosen;
    if (!chosen) return html``;
    return html`
      <div class="columns sentence-columns">
        <div class="sentence-input">
          <div class="controls">
            ${sentencePicker(sentences, chosen, strings, (text) => {
              this.sentence = text;
              this.masked = 'auto';
            })}
          </div>
          ${this.isTooLong ? html`<p class="problem" role="alert">${strings.longSentence(sentences.MAX_LENGTH)}</p>` : nothing}
          <p class="title">${strings.chooseWord}</p>
          ${wordButtons(chosen, strings, (place) => {
            this.masked = place === chosen.watched.hidden ? 'none' : String(place);
          })}
          ${
            chosen.unknown.length > 0
              ? html`<p class="quiet">${strings.unknownWords(chosen.unknown.join(', '))}</p>`
              : nothing
          }
        </div>
        <div
          part="guesses"
          class="guesses ${this.#run.history && chosen.watched.hidden !== null ? 'reserved' : ''}"
        >
          <p class="title" id="guesses">${strings.guesses(chosen.watched.hidden)}</p>
          ${guessList(sentences, chosen, this.#inspection, strings)}
        </div>
      </div>
    `;
  }

  #heads(strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    if (!history) return html`<p class="quiet empty">${strings.waitingForHeads}</p>`;
    const place = this.#place;
    const figures = this.#figuresOf(this.#inspection);
    const before = this.compare ? this.#figuresOf(this.#run.viewAt(0)) : [];
    const hidden = this.#chosen?.watched.hidden ?? null;
    const kind = this.#chosen?.relation?.kind ?? null;
    const shown = { place, isAutomatic: this.#followsBest, kind, isHidden: hidden !== null, history };
    return html`
      ${headReason(shown, strings)}
      ${headView(figures[place.layer], this.#selection, stringsFor(this.language), this.#onViewSelect)}
      ${timeSlider(history, this.at, strings, (step) => {
        this.at = step;
      })}
      ${headGrid({
        history,
        figures,
        before,
        evaluation: history.evaluationAt(this.at ?? history.step),
        hidden,
        chosen: place,
        choose: this.#choose,
        strings,
      })}
      <div class="controls">
        ${this.#check('best', strings.followBest, this.#followsBest, (isBest) => {
          this.#choose(isBest ? null : place);
        })}
        ${this.#check('compare', strings.compare, this.compare, (isCompared) => {
          this.compare = isCompared;
        })}
      </div>
    `;
  }

  #check(name: string, label: string, isChecked: boolean, set: (isChecked: boolean) => void): TemplateResult {
    return html`
      <label class="check">
        <input
          type="checkbox"
          name=${name}
          .checked=${live(isChecked)}
          @change=${({ currentTarget }: Event) => {
            set((currentTarget as HTMLInputElement).checked);
          }}
        />
        ${label}
      </label>
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
    const source: ChartSource = { history, steps, chosen: this.#place, at: this.at, strings };
    return html`
      <div class="learning-parts">
        ${learningCharts(source)}
        <section part="roles" aria-labelledby="roles">
          <p class="heading" id="roles">${strings.roles}</p>
          ${roleCharts(source, this.#choose)}
        </section>
        ${roleDefinitions(strings)}
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
      title: `${strings.picture(strings.number(this.at ?? history.step))}. ${weightsLabel(history, this.at, strings)}`,
      parts:
        '[part=label], [part=reason], mha-arcs, .description, .direction, .moment, .heads, mha-matrix, .chart-block, .heading',
    };
  }

  override csv(): CsvParts | null {
    return this.#run.history && csvTable(trainingRows(this.#run.history));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-training': MhaTraining;
  }
}
