import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Inspection, Plan, Report } from '../../training/protocol.js';
import { controlStyles } from '../base/controls.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import { dataTableStyles } from '../base/data-table.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, HEADS, LAYER, SEED } from '../base/number-range.js';
import { loadingStringsFor } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { legend, legendStyles } from '../sentence-view/legend.js';
import { Figure } from '../sentence-view/figure.js';
import { type MhaSelectDetail, Selection } from '../sentence-view/selection.js';
import { stringsFor } from '../sentence-view/strings.js';
import { chartStyles } from './chart.js';
import { type ChartSource, percent } from './charts.js';
import { headGrid, headGridStyles } from './heads.js';
import type { HeadPlace } from './history.js';
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

/** Detail of `mha-select` of this element: which head of which layer is chosen, and what is held in its matrix. */
export interface MhaTrainingSelectDetail extends MhaSelectDetail {
  readonly layer: number;
}

/** How far training is: detail of `mha-progress` of this element. */
export interface MhaTrainingProgressDetail {
  readonly step: number;
  /** Mean loss of the last steps, in nats; null before the first. */
  readonly loss: number | null;
  /** Share of held-out hidden words that are guessed right. */
  readonly accuracy: number;
}

/** Sizes of the model that is trained. */
const [EMBED_DIM, FEED_FORWARD_DIM] = [64, 128];

/**
 * Heads specialising while a small transformer learns to guess hidden words of English and Korean sentences, in this
 * page: loss, accuracy, role scores, and every head of a sentence at every time of training. Nothing starts by itself.
 *
 * Training runs in a worker, or where none can be had in short turns on the page itself. It ends when the element is
 * taken out of the page, and goes on while the page is in the background, as far as the browser lets it.
 *
 * Content of the element stands in for the figure until it is there, and if it never comes.
 *
 * @slot - shown until the figure can be drawn
 * @csspart waiting - what stands in the figure's place until it can be drawn
 * @csspart figure - everything
 * @csspart controls - the buttons
 * @csspart progress - how far training is
 * @csspart label - says what kind of weights these are
 * @csspart settings - the form for another model
 * @csspart chart - one line chart
 * @csspart phenomena - accuracy by what gives the hidden word away
 * @csspart words - the sentence
 * @csspart word - one word, to be hidden
 * @csspart guesses - the model's guess of the hidden word
 * @csspart time - the slider through the time of training
 * @csspart head - one head to choose: name, miniature, role
 * @csspart miniature - its matrix, small
 * @csspart matrix - the chosen head's matrix
 * @csspart legend - the scale of the weights
 * @csspart roles - the role scores over time
 * @csspart definitions - how the scores are measured
 * @csspart keep - saving and opening a model
 * @csspart numbers - the tables of numbers
 * @csspart note - what attention does not say
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-query - colour of what looks, of the hidden word, of chance
 * @cssprop --mha-key - colour of what is looked at
 * @cssprop --mha-arc - colour of lines, bars and form controls
 * @cssprop [--mha-miniature-size=7rem] - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head, or a place of its matrix: { layer, head, query, key }
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

  /** The sentence that is looked at: words with spaces between. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** The word that is hidden from the model: its place from 0, `none`, or `auto`, the word that tells most. */
  @property({ reflect: true, useDefault: true }) masked = 'auto';

  /** Layers of the model that is trained next. */
  @property({ type: LAYERS, reflect: true, useDefault: true }) layers = 2;

  /** Heads of each of its layers, a divisor of 64. */
  @property({ type: HEADS, reflect: true, useDefault: true }) heads = 8;

  /** Seed of its first parameters and of the sentences that are drawn. */
  @property({ type: SEED, reflect: true, useDefault: true }) seed = 0;

  /** After how many steps training ends by itself. */
  @property({ type: STEPS, reflect: true, useDefault: true }) steps = 2000;

  /** The layer of the chosen head, from 0. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer = 0;

  /** The chosen head of that layer, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The heads before training stand beside those of now. */
  @property({ type: Boolean, reflect: true, useDefault: true }) compare = false;

  /** A file of a trained model, as the figure saves it, which the reader may load instead of training. */
  @property() model: string | null = null;

  /** The step that is looked back at; null is the present. */
  @state() private at: number | null = null;
  @state() private said = '';
  /** What the reader asked for and cannot have, and the library's words for it. */
  @state() private refused = '';
  /** Whether the sentence is one that no model takes; the last one stays. */
  @state() private isTooLong = false;
  @state() private isTableOpen = false;

  readonly #run = new RunController(this, (report) => {
    this.#heard(report);
  });
  readonly #files = new ModelFiles(this, this.#run, {
    started: () => {
      this.at = null;
    },
    refused: (message) => {
      this.refused = message;
    },
  });
  readonly #sentences = new ModuleController(this, undefined, () => import('./sentences.js'));
  readonly #selection = new Selection();
  readonly #figures = new WeakMap<Inspection, readonly Figure[]>();
  #chosen: Chosen | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#selection.addEventListener('change', this.#turned);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#selection.removeEventListener('change', this.#turned);
    this.at = null;
  }

  readonly #turned = () => {
    this.requestUpdate();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { module } = this.#sentences;
    if (module && (!this.#chosen || changed.has('sentence') || changed.has('masked'))) {
      const chosen = module.chosenSentence(this.sentence, this.masked);
      this.isTooLong = chosen === null;
      this.#chosen = chosen ?? this.#chosen ?? module.chosenSentence(null, 'auto');
      if (this.#chosen) this.#run.watch(this.#chosen.watched);
      this.#selection.lock({ query: this.#chosen?.watched.hidden ?? null, key: null });
    }
    const place = this.#place;
    if (this.#selection.head !== place.head) this.#selection.chooseHead(place.head);
  }

  get #strings(): TrainingStrings {
    return trainingStringsFor(this.language);
  }

  /** The chosen head, or the first where the model has none of this number. */
  get #place(): HeadPlace {
    const { numLayers, numHeads } = this.#run.history?.plan ?? this.#plan;
    return {
      layer: this.layer < numLayers ? this.layer : 0,
      head: this.head < numHeads ? this.head : 0,
    };
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

  /** What is looked at: the model of an earlier step, or the present one. */
  get #view(): Inspection | null {
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
        <section aria-labelledby="learning">
          <p class="heading" id="learning">${strings.learning}</p>
          ${learningCharts(this.#chartSource)}
        </section>
        ${
          history
            ? html`<section part="roles" aria-labelledby="roles">
                <p class="heading" id="roles">${strings.roles}</p>
                ${roleCharts(this.#chartSource, this.#choose)}
              </section>`
            : nothing
        }
        ${roleDefinitions(strings)} ${this.#files.render(strings)}
        <details
          part="numbers"
          class="numbers"
          @toggle=${(event: Event) => {
            this.isTableOpen = (event.currentTarget as HTMLDetailsElement).open;
          }}
        >
          <summary>${strings.table}</summary>
          ${
            this.isTableOpen
              ? history
                ? trainingTables(history, this.at ?? history.step, strings)
                : html`<p class="quiet">${strings.noLossYet}</p>`
              : nothing
          }
        </details>
        <p part="note" class="quiet">${strings.explanation}</p>
        <p class="visually-hidden" role="status">${this.said}</p>
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
        ${this.refused ? html`<p class="problem" role="alert">${this.refused}</p>` : nothing}
        ${settingsForm(
          this,
          this.outOfRange.map(({ attribute }) => attribute),
          phase !== 'idle',
          strings,
        )}
      </section>
    `;
  }

  /** Starts, pauses, goes on: always in one place, so that the focus stays. */
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
        @click=${this.#press}
      >
        ${name}
      </button>
    `;
  }

  readonly #press = (): void => {
    const strings = this.#strings;
    switch (this.#run.phase) {
      case 'idle':
      case 'failed':
        this.#start();
        return;
      case 'paused': {
        this.at = null;
        // A model from a file was trained to its end: going on means further.
        const { history } = this.#run;
        this.#run.resume(history && history.step >= this.#run.steps ? this.steps : 0);
        this.said = strings.said.resumed;
        return;
      }
      case 'done':
        this.at = null;
        this.#run.resume(this.steps);
        this.said = strings.said.resumed;
        return;
      default:
        this.#run.pause();
        this.said = strings.said.paused;
    }
  };

  #start(): void {
    const strings = this.#strings;
    const isWrong = !HEAD_COUNTS.includes(this.heads);
    this.refused = isWrong ? strings.badHeads : '';
    if (isWrong) return;
    this.at = null;
    this.said = strings.said.started;
    void this.#run.start(this.#plan, null);
  }

  readonly #reset = (): void => {
    this.#files.abort();
    this.#run.reset();
    this.at = null;
    this.refused = '';
    this.said = this.#strings.said.reset;
    this.renderRoot.querySelector<HTMLElement>('[data-do]')?.focus();
  };

  #sentence(sentences: Sentences, strings: TrainingStrings): TemplateResult {
    const chosen = this.#chosen;
    if (!chosen) return html``;
    return html`
      <div class="columns sentence-columns">
        <div class="said">
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
        <div part="guesses" class="guesses">
          <p class="title" id="guesses">${strings.guesses(chosen.watched.hidden)}</p>
          ${guessList(sentences, chosen, this.#view, strings)}
        </div>
      </div>
    `;
  }

  #heads(strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    if (!history) return html`<p class="quiet empty">${strings.waitingForHeads}</p>`;
    const place = this.#place;
    const figures = this.#figuresOf(this.#view);
    const figure = figures[place.layer];
    const before = this.compare ? this.#figuresOf(this.#run.viewAt(0)) : [];
    return html`
      ${timeSlider(history, this.at, strings, (step) => {
        this.at = step;
      })}
      <div class="columns head-columns">
        <div>
          ${headGrid({
            history,
            figures,
            before,
            exam: history.examAt(this.at ?? history.step),
            hidden: this.#chosen?.watched.hidden ?? null,
            chosen: place,
            choose: this.#choose,
            strings,
          })}
          <label class="check">
            <input
              type="checkbox"
              name="compare"
              .checked=${live(this.compare)}
              @change=${({ currentTarget }: Event) => {
                this.compare = (currentTarget as HTMLInputElement).checked;
              }}
            />
            ${strings.compare}
          </label>
        </div>
        <div class="chart-block">
          <p class="title">${strings.chosen(strings.head(place.layer, place.head))}</p>
          ${
            figure
              ? html`<mha-matrix
                    part="matrix"
                    embedded
                    .embedded=${true}
                    .figure=${figure}
                    .selection=${this.#selection}
                    @mha-select=${this.#held}
                  ></mha-matrix>
                  ${legend(stringsFor(this.language), figure, 1, [0])}`
              : nothing
          }
        </div>
      </div>
    `;
  }

  #heard(report: Report): void {
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
      this.said = strings.done(strings.number(history.step), percent(history.lastExam?.accuracy ?? 0));
    }
  }

  readonly #choose = (place: HeadPlace): void => {
    this.layer = place.layer;
    this.head = place.head;
    this.#tell();
  };

  /** A place of the matrix was held or let go: the page is told of which layer it is. */
  readonly #held = (event: Event): void => {
    event.stopPropagation();
    this.#tell();
  };

  #tell(): void {
    const { layer, head } = this.#place;
    const detail: MhaTrainingSelectDetail = { layer, head, ...this.#selection.locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  get #chartSource(): ChartSource {
    const { history, steps } = this.#run;
    return {
      history,
      steps: history ? steps : this.steps,
      chosen: this.#place,
      at: this.at,
      strings: this.#strings,
    };
  }

  override picture(): Picture | null {
    const { history } = this.#run;
    if (!history || this.#figuresOf(this.#view).length === 0) return null;
    const strings = this.#strings;
    return {
      title: `${strings.picture(strings.number(this.at ?? history.step))}. ${weightsLabel(history, this.at, strings)}`,
      parts: '[part=label], .time .line:first-child, .heads, .chart-block, .heading',
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
