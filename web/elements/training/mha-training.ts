import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { modelBytesAt, MOST_BYTES, NoBytesError } from '../../api/bytes-at.js';
import { RELATION_KINDS, type RelationKind } from '../../training/language/sentence.js';
import type { Plan, Report, SavedModel, View } from '../../training/protocol.js';
import { controlStyles } from '../base/controls.js';
import { dataTableStyles } from '../base/data-table.js';
import { detailStyles, legend } from '../sentence-view/details.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import type { Drawing } from '../base/export.js';
import { save } from '../explorer/keep.js';
import { Figure } from '../sentence-view/figure.js';
import { MhaElement } from '../base/mha-element.js';
import { paletteOf } from '../base/palette.js';
import { type MhaSelectDetail, Selection } from '../sentence-view/selection.js';
import { formatWeight, loadingStringsFor } from '../base/strings.js';
import { stringsFor } from '../sentence-view/strings.js';
import { HEAD, HEADS, LAYER, NumberRange, SEED } from '../base/number-range.js';
import { reasonOfModel } from '../base/problem.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { styled } from '../base/styled.js';
import { theme } from '../base/theme.js';
import { type Chart, chartStyles, lineChart } from './chart.js';
import { accuracyChart, type ChartSource, lossChart, percent, roleChart } from './charts.js';
import { headGrid, headGridStyles } from './heads.js';
import { bestHead, type HeadPlace, type History, scoreOf } from './history.js';
import { trainingDrawing } from './picture.js';
import { RunController } from './run-controller.js';
import type { Chosen } from './sentences.js';
import { type Sentences, SentencesController } from './sentences-controller.js';
import { trainingStringsFor, type TrainingStrings } from './strings.js';
import { trainingStyles } from './styles.js';
import { trainingRows, trainingTables } from './tables.js';
import { waiting, waitingStyles } from '../base/waiting.js';
import { guessList, sentencePicker, wordButtons, wordStyles } from './words.js';

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

/** Width of the model, which the numbers of heads divide, and inside its feed-forward network. */
const [EMBED_DIM, FEED_FORWARD_DIM] = [64, 128];

const LAYERS = new NumberRange(1, 4);
const STEPS = new NumberRange(1, 100_000);
const HEAD_COUNTS: readonly number[] = [1, 2, 4, 8, 16];

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
    detailStyles,
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
  readonly #sentences = new SentencesController(this);
  readonly #selection = new Selection();
  readonly #figures = new WeakMap<View, readonly Figure[]>();
  #chosen: Chosen | null = null;
  /** Where a model is loaded from now. */
  #loading: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#selection.addEventListener('change', this.#turned);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#selection.removeEventListener('change', this.#turned);
    this.#loading?.abort();
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
  get #view(): View | null {
    return this.at === null ? this.#run.now : this.#run.viewAt(this.at);
  }

  /** One figure for each layer. */
  #figuresOf(view: View | null): readonly Figure[] {
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
          ${this.#learning(strings)}
        </section>
        ${
          history
            ? html`<section part="roles" aria-labelledby="roles">
                <p class="heading" id="roles">${strings.roles}</p>
                ${this.#roles(strings)}
              </section>`
            : nothing
        }
        ${this.#definitions(strings)} ${this.#keep(strings)}
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
                    ?disabled=${this.#loading !== null}
                    @click=${this.#loadShipped}
                  >
                    ${strings.loadShipped}
                  </button>`
              : html`<button type="button" class="control" data-do="reset" @click=${this.#reset}>
                  ${strings.reset}
                </button>`
          }
        </div>
        ${history ? this.#progress(history, strings) : nothing}
        <p part="label" class="label">${this.#label(strings)}</p>
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
        ${this.outsideLine()}
        ${this.refused ? html`<p class="problem" role="alert">${this.refused}</p>` : nothing}
        ${this.#settings(strings)}
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
    this.#loading?.abort();
    this.#run.reset();
    this.at = null;
    this.refused = '';
    this.said = this.#strings.said.reset;
    this.renderRoot.querySelector<HTMLElement>('[data-do]')?.focus();
  };

  #progress(history: History, strings: TrainingStrings): TemplateResult {
    const { phase, steps } = this.#run;
    const number = (value: number) => strings.number(value);
    const seconds = history.pace > 0 ? (steps - history.step) / history.pace : 0;
    const left =
      phase !== 'training' || seconds < 0.5
        ? ''
        : seconds < 90
          ? strings.left(Math.ceil(seconds))
          : strings.leftMinutes(Math.round(seconds / 60));
    return html`
      <div part="progress">
        <progress max=${steps} value=${history.step} aria-label=${strings.progress}></progress>
        <p class="counts">
          ${
            phase === 'preparing'
              ? html`<span>${strings.preparing}</span>`
              : html`
                  <span class="number">${strings.stepOf(number(history.step), number(steps))}</span>
                  ${history.tokens > 0 ? html`<span class="number">${strings.shown(number(history.tokens))}</span>` : nothing}
                  <span class="number">${left}</span>
                `
          }
        </p>
      </div>
    `;
  }

  /** What kind of weights these are. */
  #label(strings: TrainingStrings): string {
    const { history } = this.#run;
    const number = (value: number) => strings.number(value);
    if (!history) return strings.nothing;
    const step = this.at ?? history.step;
    const { loadedAt, plan } = history;
    const what =
      step === 0
        ? strings.untrained
        : loadedAt === null
          ? strings.trained(number(step))
          : step === loadedAt
            ? strings.loaded(number(step))
            : strings.loadedAndTrained(number(loadedAt), number(step - loadedAt));
    if (history.parameterCount === 0) return what;
    return `${what}. ${strings.model(plan.numLayers, plan.numHeads, number(history.parameterCount))}`;
  }

  #settings(strings: TrainingStrings): TemplateResult {
    const input = (name: 'layers' | 'seed' | 'steps', { least, most }: NumberRange) => html`
      <label class="field">
        ${strings[name]}
        <input
          type="number"
          name=${name}
          min=${least}
          max=${most}
          .value=${live(String(this[name]))}
          aria-invalid=${String(this.outside.some(({ attribute }) => attribute === name))}
          @change=${({ currentTarget }: Event) => {
            this[name] = Number((currentTarget as HTMLInputElement).value);
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
            <select
              name="heads"
              @change=${({ currentTarget }: Event) => {
                this.heads = Number((currentTarget as HTMLSelectElement).value);
              }}
            >
              ${HEAD_COUNTS.map(
                (count) => html`<option value=${count} .selected=${count === this.heads}>${count}</option>`,
              )}
            </select>
          </label>
          ${input('seed', SEED)} ${input('steps', STEPS)}
        </div>
        ${this.#run.phase === 'idle' ? nothing : html`<p class="quiet">${strings.nextTime}</p>`}
      </details>
    `;
  }

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
      ${this.#time(history, strings)}
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

  #time(history: History, strings: TrainingStrings): TemplateResult {
    const steps = history.kept;
    const last = steps.length;
    const index = this.at === null ? last : Math.max(0, steps.indexOf(this.at));
    const name = this.at === null ? strings.now : strings.atStep(strings.number(this.at));
    const turnTo = (step: number | null) => {
      this.at = step;
    };
    return html`
      <div part="time" class="time">
        <div class="line">
          <span class="title">${strings.time}</span>
          <span class="number"
            >${strings.atStep(strings.number(this.at ?? history.step))}${this.at === null ? ` (${strings.now})` : ''}</span
          >
        </div>
        <input
          type="range"
          name="time"
          min="0"
          max=${last}
          step="1"
          .value=${live(String(index))}
          aria-label=${strings.time}
          aria-valuetext=${name}
          ?disabled=${last === 0}
          @input=${({ currentTarget }: Event) => {
            turnTo(steps[Number((currentTarget as HTMLInputElement).value)] ?? null);
          }}
        />
        <div class="line">
          <button
            type="button"
            class="link"
            data-time="untrained"
            ?disabled=${!steps.includes(0)}
            @click=${() => {
              turnTo(0);
            }}
          >
            ${strings.toUntrained}
          </button>
          <button
            type="button"
            class="link"
            data-time="now"
            ?disabled=${this.at === null}
            @click=${() => {
              turnTo(null);
            }}
          >
            ${strings.toNow}
          </button>
        </div>
      </div>
    `;
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

  #learning(strings: TrainingStrings): TemplateResult {
    const source = this.#chartSource;
    const { history } = source;
    // Of a model from a file no loss is known before it learns on.
    const hasLosses = history !== null && (history.loadedAt === null || history.losses.length > 0);
    const curves = history ? [...(hasLosses ? [lossChart(source)] : []), accuracyChart(source)] : [];
    const titled = (chart: Chart) => html`
      <div class="chart-block">
        <p class="title">${chart.title}</p>
        ${lineChart(chart)}
      </div>
    `;
    return html`
      <div class="charts">
        ${curves.map(titled)}
        <div class="chart-block">
          <p class="title" id="phenomena">${strings.byPhenomenon}</p>
          ${history ? nothing : html`<p class="quiet">${strings.waitingForAccuracy}</p>`}
          <ul part="phenomena" class="phenomena" aria-labelledby="phenomena">
            ${RELATION_KINDS.map((kind) => this.#phenomenon(kind, strings))}
          </ul>
          ${history?.chance ? html`<p class="quiet">${strings.dotted}</p>` : nothing}
        </div>
      </div>
    `;
  }

  #phenomenon(kind: RelationKind, strings: TrainingStrings): TemplateResult {
    const { history } = this.#run;
    const exam = history?.examAt(this.at ?? history.step);
    const accuracy = exam?.accuracyOf[kind];
    const chance = history?.chance?.accuracyOf[kind];
    const chanceText = chance === undefined ? '' : ` (${strings.withoutKeysShort} ${percent(chance)})`;
    return html`
      <li data-kind=${kind}>
        <span>${strings.kind[kind]} <span class="example">${strings.kindExample[kind]}</span></span>
        ${
          accuracy === undefined
            ? nothing
            : html`<span class="number"
                  ><data value=${accuracy}>${percent(accuracy)}</data>${chanceText}</span
                >
                <span class="meter" aria-hidden="true" ${styled({ '--w': accuracy, '--c': chance ?? 0 })}
                  >${chance === undefined ? nothing : html`<span></span>`}</span
                >`
        }
      </li>
    `;
  }

  #roles(strings: TrainingStrings): TemplateResult {
    const source = this.#chartSource;
    const { history } = source;
    const exam = history?.examAt(this.at ?? history.step);
    return html`
      <p class="quiet">${strings.rolesHint}</p>
      <div class="charts four">
        ${RELATION_KINDS.map((kind) => {
          const best = exam && history ? bestHead(exam, kind, history.plan) : null;
          return html`
            <div class="chart-block" data-role=${kind}>
              <p class="title">${strings.role[kind]}</p>
              ${lineChart(roleChart(source, kind))}
              ${
                best && exam && history
                  ? html`<p class="quiet">
                      ${strings.highest}
                      <button
                        type="button"
                        class="link"
                        @click=${() => {
                          this.#choose(best);
                        }}
                      >
                        ${strings.head(best.layer, best.head)}
                      </button>
                      <span class="number">${formatWeight(scoreOf(exam, kind, best))}</span>
                      ${
                        history.chance
                          ? html`<span class="nowrap"
                              >(${strings.chance}
                              <span class="number">${formatWeight(history.chance.scores[kind])}</span>)</span
                            >`
                          : nothing
                      }
                    </p>`
                  : nothing
              }
            </div>
          `;
        })}
      </div>
    `;
  }

  #definitions(strings: TrainingStrings): TemplateResult {
    return html`
      <details part="definitions">
        <summary>${strings.definitions}</summary>
        <dl class="definitions">
          ${RELATION_KINDS.map(
            (kind) =>
              html`<dt>${strings.role[kind]}</dt>
                <dd>${strings.roleDefinition[kind]}</dd>`,
          )}
        </dl>
        <p class="quiet">${strings.definitionNote}</p>
        <p class="quiet">${strings.accuracyDefinition}</p>
      </details>
    `;
  }

  #keep(strings: TrainingStrings): TemplateResult {
    const canSave =
      this.#run.history !== null && this.#run.phase !== 'failed' && this.#run.phase !== 'preparing';
    return html`
      <div part="keep" class="controls" role="group" aria-label=${strings.keep}>
        <button type="button" class="control" data-do="save" ?disabled=${!canSave} @click=${this.#save}>
          ${strings.saveModel}
        </button>
        <label class="file">
          <input
            class="visually-hidden"
            type="file"
            name="model"
            accept=".safetensors"
            @change=${this.#open}
          />
          <span class="look">${strings.openModel}</span>
        </label>
      </div>
    `;
  }

  readonly #save = async (): Promise<void> => {
    try {
      const model = await this.#run.save();
      const { writeModel } = await import('../../training/model-file.js');
      const blob = new Blob([writeModel(model)], { type: 'application/octet-stream' });
      save(blob, `mha-training-${model.step}.safetensors`);
      this.refused = '';
    } catch (error) {
      console.error(error);
      this.refused = this.#strings.saveFailed;
    }
  };

  readonly #open = async ({ currentTarget }: Event): Promise<void> => {
    const input = currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    await this.#load(async () => {
      if (file.size > MOST_BYTES) throw new NoBytesError(file.name, 'too large');
      return new Uint8Array(await file.arrayBuffer());
    });
    // The same file may be chosen once more.
    input.value = '';
  };

  readonly #loadShipped = async (): Promise<void> => {
    const { model } = this;
    if (model === null) return;
    await this.#load((signal) => modelBytesAt(new URL(model, document.baseURI), signal));
  };

  /** Takes a model from a file; what runs is ended only when the file is one. */
  async #load(bytes: (signal: AbortSignal) => Promise<Uint8Array>): Promise<void> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    this.refused = '';
    this.requestUpdate();
    try {
      const { readModel } = await import('../../training/model-file.js');
      const model: SavedModel = readModel(await bytes(loading.signal));
      if (loading.signal.aborted) return;
      this.at = null;
      await this.#run.start(model.plan, model);
    } catch (error) {
      if (loading.signal.aborted) return;
      const reason = reasonOfModel(error);
      this.refused = `${this.#strings.badModel} ${reason(problemStringsFor(this.language))}`;
    } finally {
      if (this.#loading === loading) this.#loading = null;
      this.requestUpdate();
    }
  }

  #heard(report: Report): void {
    const { history } = this.#run;
    if (report.type === 'exam' && history) {
      const { step, accuracy } = report.exam;
      if (this.at !== null && !report.kept.includes(this.at)) this.at = null;
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

  override drawing(): Drawing | null {
    const { history } = this.#run;
    const figures = this.#figuresOf(this.#view);
    if (!history || figures.length === 0) return null;
    const strings = this.#strings;
    return trainingDrawing({ ...this.#chartSource, history }, figures, paletteOf(this), {
      title: strings.picture(strings.number(this.at ?? history.step)),
      label: this.#label(strings),
      sentence: figures[0]?.tokens.join(' ') ?? '',
      legend: stringsFor(this.language).legend,
    });
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
