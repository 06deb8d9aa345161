import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { listTarget } from '../base/arrow-keys.js';
import { controlStyles } from '../base/controls.js';
import { dataTableStyles, scrollTable } from '../base/data-table.js';
import { type CsvParts, csvTable } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { costs, costStyles } from './cost-tables.js';
import { type Costs, costsOf } from './costs.js';
import { csvOf } from './csv.js';
import { isMeasurable, measure, type Measured } from './measured.js';
import { type Model, modelOf } from './models.js';
import { formula, formulaText, letterOf, lettersOf, notationStyles } from './notation.js';
import { withSubscripts } from '../base/subscripts.js';
import { pipeline, pipelineStyles } from './pipeline.js';
import {
  type Axis,
  type Dimensions,
  dimensionsOf,
  middleKvHeads,
  problemOf,
  RANGES,
  type SizeName,
  type Sizes,
} from './sizes.js';
import { type Rejected, sizeControls, sizeControlStyles, type Trouble } from './size-controls.js';
import { isStage, linesOf, shapeOf, sizeOf, type Stage, type StageId, STAGES, stagesOf } from './stages.js';
import { formatCount, otherAxes, type ShapesStrings, shapesStringsFor } from './strings.js';
import { theme } from '../base/theme.js';
import { loadFailure } from '../base/waiting.js';

/** Milliseconds without a change of sizes before a layer is run, because a moving slider changes them many times. */
const PAUSE = 150;

const AXES: readonly Axis[] = ['b', 'h', 'l', 's', 'd'];

const DEFAULT: Sizes = {
  embedDim: 768,
  numHeads: 12,
  kvHeads: null,
  headDim: null,
  valueHeadDim: null,
  length: 197,
  keys: null,
  batch: 1,
  withoutBias: false,
};

/** Dimensions, costs and stages that are derived from valid sizes. */
interface Layer {
  readonly sizes: Sizes;
  readonly dimensions: Dimensions;
  readonly costs: Costs;
  readonly stages: readonly Stage[];
}

function layerOf(sizes: Sizes): Layer {
  const dimensions = dimensionsOf(sizes);
  return { sizes, dimensions, costs: costsOf(dimensions), stages: stagesOf(dimensions, sizes.keys !== null) };
}

/**
 * How multi-head attention splits and joins its dimensions: every stage with its tensors' shapes, one colour and letter
 * per axis, formulas with numbers, and the layer's costs.
 *
 * Small layers are run and their shapes measured; larger ones, and all before the module is loaded, are calculated by
 * formula. A label tells which.
 *
 * @csspart controls - the form for model and sizes
 * @csspart way - a button that corrects invalid sizes
 * @csspart source - source of a model's sizes
 * @csspart split - the line E = H × d
 * @csspart label - whether shapes are measured or calculated
 * @csspart pipeline - the list of stages
 * @csspart stage - one stage
 * @csspart drawing - a stage's drawing
 * @csspart tensor - one tensor's shape
 * @csspart explanation - the chosen stage's formulas
 * @csspart legend - the names of the axes
 * @csspart costs - all costs
 * @csspart parameters - parameters by matrix
 * @csspart multiply-adds - operations by part
 * @csspart cache - the key/value cache of MHA, GQA and MQA
 * @csspart weights-memory - the memory of the weights
 * @csspart by-heads - costs by number of heads
 * @csspart numbers - the table of all shapes
 * @cssprop --mha-query - colour of queries and of the axis L
 * @cssprop --mha-key - colour of keys and of the axis S
 * @cssprop --mha-value - value colour
 * @cssprop --mha-arc - colour of form controls
 * @cssprop --mha-paper - the page's background, on the sheets of the drawings
 * @cssprop --mha-number-font - font of the numbers
 * @tag mha-shapes
 */
export class MhaShapes extends MhaElement {
  static override styles = [
    theme,
    controlStyles,
    dataTableStyles,
    notationStyles,
    pipelineStyles,
    costStyles,
    sizeControlStyles,
    css`
      :host {
        container-type: inline-size;
        line-height: 1.6;
      }
      .all {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.75rem;
      }
      figure {
        margin: 0;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.5rem;
      }
      figcaption p {
        margin: 0;
      }
      .split {
        font-size: 1.375rem;
        line-height: 1.4;
      }
      .term {
        white-space: nowrap;
      }
      .quiet {
        font-size: 0.8125rem;
        color: var(--_muted);
        margin: 0;
      }
      .quiet button {
        font: inherit;
        min-width: 24px;
        min-height: 24px;
        cursor: pointer;
      }
      .explanation {
        display: none;
        border-top: 1px solid var(--_line);
        padding-top: 0.9rem;
        /* As tall as the longest explanation, so that nothing moves when pointing shows another. */
        min-height: 10rem;
        align-content: start;
        gap: 0.5rem;
      }
      .explanation p {
        margin: 0;
      }
      .explanation .name {
        font-weight: 650;
      }
      .inline {
        padding: 0.5rem 0.7rem 0;
      }
      .lines {
        margin: 0;
        display: grid;
        font-size: 0.875rem;
        line-height: 1.5;
      }
      .lines dt {
        color: var(--_muted);
      }
      .lines dd {
        margin: 0 0 0.5rem;
      }
      .axes {
        list-style: none;
        margin: 0.9rem 0 0;
        padding: 0;
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.4rem;
        font-size: 0.8125rem;
      }
      .axes .other {
        color: var(--_muted);
      }
      .numbers td {
        white-space: nowrap;
      }
      @container (min-width: 62rem) {
        .explanation {
          display: grid;
        }
        .inline {
          display: none;
        }
        .lines {
          grid-template-columns: max-content minmax(0, 1fr);
          gap: 0.35rem 1.25rem;
        }
        .lines dd {
          margin: 0;
        }
      }
    `,
  ];

  /** Width of the model, E: 1 … 32,768. */
  @property({ type: RANGES.embedDim, attribute: 'embed-dim', reflect: true, useDefault: true }) embedDim =
    768;

  /** Query heads, H: 1 … 512. A number that does not divide `embedDim` gives a message. */
  @property({ type: RANGES.numHeads, attribute: 'num-heads', reflect: true, useDefault: true }) numHeads = 12;

  /** Key/value heads, H_kv, a divisor of `numHeads`: 1 is MQA, fewer than `numHeads` GQA; null: as many. */
  @property({ type: RANGES.kvHeads, attribute: 'kv-heads', reflect: true, useDefault: true }) kvHeads:
    number | null = null;

  /** d_k, 1 … 4096; null: `embedDim / numHeads`. */
  @property({ type: RANGES.headDim, attribute: 'head-dim', reflect: true, useDefault: true }) headDim:
    number | null = null;

  /** d_v, 1 … 4096; null: as `headDim`. */
  @property({ type: RANGES.valueHeadDim, attribute: 'value-head-dim', reflect: true, useDefault: true })
  valueHeadDim: number | null = null;

  /** Queries, L: 1 … 131,072. */
  @property({ type: RANGES.length, reflect: true, useDefault: true }) length = 197;

  /** Keys, S: 1 … 131,072; null: self-attention, S = L. */
  @property({ type: RANGES.keys, reflect: true, useDefault: true }) keys: number | null = null;

  /** Items of the batch, B: 1 … 1024. */
  @property({ type: RANGES.batch, reflect: true, useDefault: true }) batch = 1;

  /** Whether the projections have no biases. */
  @property({ type: Boolean, attribute: 'without-bias', reflect: true, useDefault: true }) withoutBias =
    false;

  /** A published model, such as `vit-base`, `gpt-3` or `llama-2-70b`, whose sizes replace all others. */
  @property({ reflect: true, useDefault: true }) model: string | null = null;

  /**
   * The locked stage: `input`, `projections`, `split`, `scores`, `weights`, `context`, `concat` or `output`; null for
   * none.
   */
  @property({ reflect: true, useDefault: true }) stage: string | null = null;

  @state() private previewed: StageId | null = null;
  @state() private tabStop: StageId = 'input';
  @state() private rejected: Rejected | null = null;
  @state() private measured: Measured | null = null;

  readonly #modules = new ModuleController(this);
  #drawn = layerOf(DEFAULT);
  #trouble: Trouble | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  private get strings(): ShapesStrings {
    return shapesStringsFor(this.language);
  }

  get #locked(): StageId | null {
    return isStage(this.stage) ? this.stage : null;
  }

  get #model(): Model | undefined {
    return modelOf(this.model);
  }

  /** The sizes that the attributes request, valid or not. */
  get #sizes(): Sizes {
    const { embedDim, numHeads, kvHeads, headDim, valueHeadDim, length, keys, batch, withoutBias } = this;
    const own = { embedDim, numHeads, kvHeads, headDim, valueHeadDim, length, keys, batch, withoutBias };
    return this.#model?.sizes ?? own;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const inputs = [...(Object.keys(DEFAULT) as (keyof Sizes)[]), 'model' as const];
    if (this.hasUpdated && !inputs.some((name) => changed.has(name))) return;
    const sizes = this.#sizes;
    const problem = problemOf(sizes);
    this.rejected = null;
    this.#trouble = this.model !== null && !this.#model ? { kind: 'unknownModel' } : problem;
    if (problem) return;
    this.#drawn = layerOf(sizes);
    this.measured = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected override updated(): void {
    const { module } = this.#modules;
    if (!module || this.measured || this.#timer !== undefined || !isMeasurable(this.#drawn.costs)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.measured = measure(module, this.#drawn.sizes, this.#drawn.dimensions);
    }, PAUSE);
  }

  override render(): TemplateResult {
    const { strings } = this;
    const { sizes, dimensions, stages } = this.#drawn;
    const locked = this.#locked;
    return html`
      <div class="all" @keydown=${this.#onEscape}>
        ${sizeControls({
          sizes: this.#sizes,
          drawn: dimensions,
          model: this.#model,
          trouble: this.rejected?.trouble ?? this.#trouble,
          rejected: this.rejected,
          outOfRange: this.outOfRangeMessage,
          strings,
          change: this.#change,
          type: this.#type,
          choose: this.#choose,
          chooseGqa: this.#chooseGqa,
        })}
        <figure>
          <figcaption>
            ${this.#split(dimensions, sizes.headDim !== null)} ${this.#label()} ${this.#legend()}
          </figcaption>
          <div @keydown=${this.#onKeydown}>
            ${pipeline({
              stages,
              measured: this.measured,
              locked,
              shown: this.previewed ?? locked,
              tabStop: this.tabStop,
              explanation: locked ? html`<div class="inline">${this.#lines(locked)}</div>` : nothing,
              strings,
              toggle: this.#toggle,
              preview: this.#preview,
              focused: (stage) => {
                this.tabStop = stage;
                this.previewed = stage;
              },
            })}
          </div>
          ${this.#explanation()}
          <p class="quiet">${strings.scale} ${strings.hint}</p>
        </figure>
        ${this.details('costs', strings.costs, () =>
          costs({
            ...this.#drawn,
            measured: this.measured,
            layers: this.#model?.layers ?? null,
            strings,
          }),
        )}
        ${this.#numbers(stages)}
        <p class="visually-hidden" role="status">${this.#spokenLines()}</p>
      </div>
    `;
  }

  /** Line such as E 768 = H 12 × d 64; H × d ≠ E if the chosen head dimension is not E / H. */
  #split({ embed, heads, head }: Dimensions, free: boolean): TemplateResult {
    const width = heads.size * head.size;
    const term = (dimension: typeof embed) =>
      html`<span class="term"
        >${letterOf(dimension)} <data value=${dimension.size}>${formatCount(dimension.size)}</data></span
      >`;
    return html`<p part="split" class="split number">
      ${
        free && width !== embed.size
          ? html`${term(heads)} × ${term(head)} = <data value=${width}>${formatCount(width)}</data> ≠
              ${term(embed)}`
          : html`${term(embed)} = ${term(heads)} × ${term(head)}`
      }
    </p>`;
  }

  /** Label that tells whether shapes and counts are measured or calculated. */
  #label(): TemplateResult {
    const { strings } = this;
    const isLarge = !isMeasurable(this.#drawn.costs);
    return html`<p part="label" class="quiet" data-source=${this.measured ? 'layer' : 'formula'}>
      ${this.measured ? strings.measured : strings.byFormula} ${isLarge ? strings.whyFormula : nothing}
      ${
        this.#modules.failure !== null && !isLarge
          ? html`<span role="alert">
                ${strings.failed} ${loadFailure(this.#modules.failure, this.language)}
              </span>
              <button type="button" @click=${this.#modules.retry}>${strings.retry}</button>`
          : nothing
      }
    </p>`;
  }

  #legend(): TemplateResult {
    const { strings, language } = this;
    const letters: Record<Axis, string> = { b: 'B', h: 'H', l: 'L', s: 'S', d: 'd, E' };
    return html`<ul part="legend" class="axes" aria-label=${strings.legend}>
      ${AXES.map(
        (axis) =>
          html`<li>
            <span class="axis ${axis}">${letters[axis]}</span> ${strings.axes[axis]}
            <span class="other" lang=${language === 'ko' ? 'en' : 'ko'}>${otherAxes[language][axis]}</span>
          </li>`,
      )}
    </ul>`;
  }

  #lines(stage: StageId): TemplateResult {
    const { strings } = this;
    const { dimensions, costs } = this.#drawn;
    return html`<dl class="lines">
      ${linesOf(stage, dimensions, costs).map(
        (line) =>
          html`<dt>${strings.lines[line.name]}</dt>
            <dd data-line=${line.name}>${formula(line)}</dd>`,
      )}
    </dl>`;
  }

  #explanation(): TemplateResult {
    const { strings } = this;
    const shown = this.previewed ?? this.#locked;
    if (!shown) {
      return html`<div part="explanation" class="explanation"><p class="quiet">${strings.choose}</p></div>`;
    }
    return html`<div part="explanation" class="explanation" data-stage=${shown}>
      <p class="name">${strings.stages[shown].name}</p>
      ${this.#lines(shown)}
    </div>`;
  }

  /** The locked stage's formulas as text for screen readers. */
  #spokenLines(): string {
    const stage = this.#locked;
    if (!stage) return '';
    const { dimensions, costs } = this.#drawn;
    const { strings } = this;
    const lines = linesOf(stage, dimensions, costs).map(
      (line) => `${strings.lines[line.name]}: ${formulaText(line)}`,
    );
    return `${strings.stages[stage].name}. ${lines.join('. ')}`;
  }

  #numbers(stages: readonly Stage[]): TemplateResult {
    const { strings, measured } = this;
    return this.details('numbers', strings.table, () =>
      scrollTable(
        strings.tableCaption,
        html`<th scope="col">${strings.stage}</th>
          <th scope="col">${strings.tensor}</th>
          <th scope="col" colspan="2">${strings.shapeColumn}</th>
          <th scope="col">${strings.numbersColumn}</th>`,
        stages.flatMap(({ id, tensors }) =>
          tensors.map(
            (tensor, index) =>
              html`<tr>
                <th scope="row">${strings.stages[id].name}</th>
                <td>${tensor.name}</td>
                <td>
                  (${tensor.sides.map((side, at) => html`${at > 0 ? ', ' : ''}${withSubscripts(lettersOf(side))}`)})
                </td>
                <td class="number">(${(measured?.shapes[id][index] ?? shapeOf(tensor)).join(', ')})</td>
                <td class="number">
                  <data value=${sizeOf(tensor)}>${formatCount(sizeOf(tensor))}</data>
                </td>
              </tr>`,
          ),
        ),
      ),
    );
  }

  /** Sets attributes to new sizes. Invalid combinations are set too, but not values outside a size's range. */
  readonly #change = (patch: Partial<Sizes>): void => {
    const sizes = { ...this.#sizes, ...patch };
    const problem = problemOf(sizes);
    const [field] = Object.keys(patch) as SizeName[];
    if (field && (problem?.kind === 'tooLarge' || problem?.kind === 'range')) {
      this.rejected = { field, text: String(patch[field]), trouble: problem };
      return;
    }
    this.rejected = null;
    Object.assign(this, sizes, { model: null });
  };

  readonly #type = (field: SizeName, typed: string): void => {
    const text = typed.trim();
    if (text === '' && DEFAULT[field] === null) {
      this.#change({ [field]: null });
      return;
    }
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (RANGES[field].holds(value)) this.#change({ [field]: value });
    else this.rejected = { field, text: typed, trouble: { kind: 'range', field } };
  };

  readonly #choose = (id: string): void => {
    if (id === '') Object.assign(this, this.#sizes, { model: null });
    else this.model = id;
  };

  readonly #chooseGqa = (): void => {
    const kvHeads = middleKvHeads(this.#sizes.numHeads);
    if (kvHeads === null) this.rejected = { field: 'kvHeads', text: '', trouble: { kind: 'noGqa' } };
    else this.#change({ kvHeads });
  };

  readonly #toggle = (stage: StageId): void => {
    this.stage = this.stage === stage ? null : stage;
    if (this.stage === null) this.previewed = null;
  };

  readonly #preview = (stage: StageId | null): void => {
    this.previewed = stage;
  };

  readonly #onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.previewed ?? this.#locked) === null) return;
    event.preventDefault();
    this.previewed = null;
    this.stage = null;
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const target = listTarget(event, STAGES.indexOf(this.tabStop), STAGES.length);
    if (target === null) return;
    event.preventDefault();
    const stage = STAGES[target];
    this.renderRoot.querySelector<HTMLElement>(`.stage[data-stage="${stage ?? ''}"] button`)?.focus();
  };

  override picture(): Picture {
    const { embed, heads, head } = this.#drawn.dimensions;
    return {
      title: this.strings.title(embed.size, heads.size, head.size),
      parts: 'figcaption, .pipeline, [part=explanation][data-stage]',
    };
  }

  override csv(): CsvParts {
    return csvTable(csvOf(this.#drawn, this.measured));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-shapes': MhaShapes;
  }
}
