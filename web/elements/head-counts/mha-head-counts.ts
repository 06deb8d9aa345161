import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { HEAD_EXPERIMENT } from '../../training/head-counts.js';
import type { DocumentResult } from '../../index.js';
import { controlStyles } from '../base/controls.js';
import { dataTableStyles } from '../base/data-table.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { type CurveName, headCountChart, headCountChartStyles, keyOf } from './chart.js';
import { type Curves, curvesOf, type Point, seedsOf } from './curves.js';
import { findingOf } from './finding.js';
import { ShortRun } from './short-run.js';
import { type HeadCountStrings, headCountStringsFor } from './strings.js';
import { headCountStyles } from './styles.js';
import { headCountRows, headCountTables } from './tables.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { NumberRange } from '../base/number-range.js';
import { formatWeight, loadingStringsFor } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { WidthController } from '../base/width-controller.js';
import { loadFailure, waitingStyles } from '../base/waiting.js';

const { numLayers, embedDim, feedForwardDim, parameters, batchSize, questions } = HEAD_EXPERIMENT;
const measuredSteps = HEAD_EXPERIMENT.steps;
const MODELS = seedsOf(HEAD_EXPERIMENT).length;
const WORDS = Object.values(questions).reduce((sum, count) => sum + count, 0);

/** Seed of the models trained in the page. */
const SEED = 0;
const STEPS = new NumberRange(1, 10_000);

/** Width of the chart before its first layout, and its largest width, in pixels. */
const WIDTH = 640;
const WIDEST = 760;

/** Name of a curve and its text in the legend. */
type LegendEntry = readonly [name: CurveName, text: string];

const shown = (value: number): string => formatWeight(value, 3);

/**
 * Accuracy by number of heads: document 001's printed values, those of its formula, and measurements of trained models
 * with error bars. The reader can start a short version of the measurement in the page.
 *
 * The document's two curves need the module; everything else is drawn without it.
 *
 * @csspart chart - the chart
 * @csspart legend - the names of the curves
 * @csspart findings - result and method of the measurement
 * @csspart short - the short version of the measurement
 * @csspart button - the button that starts and stops the short version
 * @csspart progress - the progress of the short version
 * @csspart label - compares the short version's number of steps with the measurement's
 * @csspart numbers - the tables of numbers
 * @cssprop --mha-query - colour of chance
 * @cssprop --mha-key - colour of the document's formula
 * @cssprop --mha-value - colour of models trained in the page
 * @cssprop --mha-arc - colour of the measurement and of progress
 * @tag mha-head-counts
 */
export class MhaHeadCounts extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    dataTableStyles,
    waitingStyles,
    headCountChartStyles,
    headCountStyles,
  ];

  /** Training steps per model in the short version. */
  @property({ type: STEPS, reflect: true, useDefault: true }) steps = 300;

  @state() private announcement = '';

  readonly #modules = new ModuleController(this);
  readonly #short = new ShortRun(this, () => this.#announceLast());
  #document: DocumentResult | null = null;

  constructor() {
    super();
    new WidthController(this, '.chart', () => this.requestUpdate());
  }

  get #strings(): HeadCountStrings {
    return headCountStringsFor(this.language);
  }

  get #curves(): Curves {
    this.#document ??= this.#modules.module?.documents.run('001-e') ?? null;
    return curvesOf(HEAD_EXPERIMENT, this.#document, this.#short.points);
  }

  /** Width of the chart in CSS pixels: drawn at its real size, its text has the same size at any width. */
  get #width(): number {
    const width = this.renderRoot.querySelector('.chart')?.clientWidth ?? 0;
    return width === 0 ? WIDTH : Math.min(width, WIDEST);
  }

  override render(): TemplateResult {
    const strings = this.#strings;
    const curves = this.#curves;
    return html`
      <div class="all">
        <figure>
          <figcaption>${strings.title}</figcaption>
          <div part="chart" class="chart">
            ${headCountChart(curves, this.#width, strings, this.#alternative(curves))}
          </div>
          <ul part="legend" class="legend">
            ${this.#legend(curves).map(([name, words]) => html`<li>${keyOf(name)} <span>${words}</span></li>`)}
          </ul>
          ${this.#documentMissing(strings)}
          <p class="quiet">${strings.units}</p>
        </figure>
        ${this.#findings(curves, strings)} ${this.#shortVersion(strings)}
        ${this.details('numbers', strings.table, () => headCountTables(HEAD_EXPERIMENT, curves, strings))}
        <p class="visually-hidden" role="status">${this.announcement}</p>
      </div>
    `;
  }

  #legend({ printed, here }: Curves): readonly LegendEntry[] {
    const strings = this.#strings;
    const entries: LegendEntry[] = [['measured', strings.measured(MODELS)]];
    if (printed.length > 0) entries.push(['printed', strings.printed], ['computed', strings.computed]);
    entries.push(['chance', strings.chance]);
    if (here.length > 0) entries.push(['here', strings.here(strings.number(this.#shortSteps))]);
    return entries;
  }

  /** Text alternative of the chart; gives the first and last point of each curve. */
  #alternative({ printed, computed, measured, here, chance }: Curves): string {
    const strings = this.#strings;
    const ends = (name: keyof HeadCountStrings['shortName'], points: readonly Point[]) => {
      const [first, last] = [points[0], points.at(-1)];
      return first && last
        ? strings.from(
            strings.shortName[name],
            shown(first.value),
            first.heads,
            shown(last.value),
            last.heads,
          )
        : '';
    };
    const means = measured.map(({ heads, mean }) => ({ heads, value: mean }));
    return [
      `${strings.title}.`,
      ends('printed', printed),
      ends('computed', computed),
      ends('measured', means),
      ends('here', here),
      strings.chanceIs(shown(chance)),
    ]
      .filter((sentence) => sentence !== '')
      .join(' ');
  }

  #documentMissing(strings: HeadCountStrings): TemplateResult | typeof nothing {
    if (this.#document) return nothing;
    const common = loadingStringsFor(this.language);
    return html`<p class="quiet">
      ${strings.documentMissing}
      ${
        this.#modules.failure !== null
          ? html`<span class="problem" role="alert">
                ${common.failed} ${loadFailure(this.#modules.failure, this.language)}
              </span>
              <button type="button" class="control" @click=${this.#modules.retry}>${common.retry}</button>`
          : nothing
      }
    </p>`;
  }

  #findings({ measured }: Curves, strings: HeadCountStrings): TemplateResult {
    const { best, close, below } = findingOf(measured);
    return html`
      <div part="findings" class="findings">
        <p>
          ${strings.best(best.heads, shown(best.mean), shown(best.deviation))} ${strings.close(close, MODELS)}
          ${strings.below(below)}
        </p>
        <p class="quiet">
          ${strings.questions(MODELS, strings.number(WORDS))}
          ${strings.experiment(numLayers, embedDim, strings.number(parameters), strings.number(measuredSteps), batchSize)}
          ${strings.limits}
        </p>
      </div>
    `;
  }

  /** Steps per model of the short run: of the one drawn or, before any, of the next. */
  get #shortSteps(): number {
    return this.#short.plan?.steps ?? this.steps;
  }

  get #headCounts(): readonly number[] {
    return [...new Set(HEAD_EXPERIMENT.runs.map(({ heads }) => heads))];
  }

  #shortVersion(strings: HeadCountStrings): TemplateResult {
    const short = this.#short;
    const { phase } = short;
    const isTraining = phase === 'training';
    const steps = strings.number(this.steps);
    return html`
      <section part="short" class="short" aria-labelledby="short">
        <p class="heading" id="short">${strings.shortTitle}</p>
        <p class="quiet">${strings.shortIntro(steps, this.#headCounts.length)}</p>
        <button
          part="button"
          type="button"
          class="control"
          data-do=${isTraining ? 'stop' : 'start'}
          @click=${this.#onPress}
        >
          ${isTraining ? strings.stop : phase === 'idle' ? strings.start : strings.again}
        </button>
        ${isTraining ? this.#progress(strings) : nothing}
        ${
          short.points.length > 0
            ? html`<p part="label" class="quiet">
                ${strings.shortLabel(strings.number(this.#shortSteps), strings.number(measuredSteps))}
              </p>`
            : nothing
        }
        ${short.isOnPage ? html`<p class="quiet">${strings.onPage}</p>` : nothing}
        ${short.isSilent ? html`<p class="problem" role="alert">${strings.silent}</p>` : nothing}
        ${this.outOfRangeAlert()}
        ${
          phase === 'failed'
            ? html`<p class="problem" role="alert">
                ${strings.failed} ${short.isWrongFile ? loadingStringsFor(this.language).wrongFile : nothing}
                <span class="detail" lang="en">${short.problem}</span>
              </p>`
            : nothing
        }
      </section>
    `;
  }

  #progress(strings: HeadCountStrings): TemplateResult {
    const { step, steps, heads, left } = this.#short;
    const seconds = (left ?? 0) / 1000;
    const time =
      seconds < 90 ? strings.left(Math.ceil(seconds)) : strings.leftMinutes(Math.round(seconds / 60));
    return html`
      <div part="progress">
        <progress max=${steps} value=${step} aria-label=${strings.progress}></progress>
        <p class="counts">
          <span>${heads === undefined ? nothing : strings.training(heads)}</span>
          <span class="number">${strings.stepOf(strings.number(step), strings.number(steps))}</span>
          <span class="number">${left === null ? nothing : time}</span>
        </p>
      </div>
    `;
  }

  readonly #onPress = (): void => {
    const strings = this.#strings;
    if (this.#short.phase === 'training') {
      this.#short.stop();
      this.announcement = strings.stopped;
      return;
    }
    this.announcement = strings.started;
    this.#short.start({
      ...{ numLayers, embedDim, feedForwardDim },
      ...{ heads: this.#headCounts, steps: this.steps, seed: SEED },
    });
  };

  /** Announces the point of the last finished model to screen readers. */
  #announceLast(): void {
    const strings = this.#strings;
    const { points, phase } = this.#short;
    const last = points.at(-1);
    const point = last ? strings.pointIs(last.heads, shown(last.value)) : '';
    this.announcement = phase === 'done' ? `${point} ${strings.allDone}` : point;
  }

  override picture(): Picture {
    return { title: this.#strings.title, parts: 'figure' };
  }

  override csv(): CsvParts {
    const short = { steps: this.#shortSteps, seed: SEED };
    return csvTable(headCountRows(HEAD_EXPERIMENT, this.#curves, short));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-head-counts': MhaHeadCounts;
  }
}
