import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { live } from 'lit/directives/live.js';
import { listTarget } from '../base/arrow-keys.js';
import { controlStyles } from '../base/control-styles.js';
import { checkbox, select, valueOf } from '../base/controls.js';
import { type CsvParts, type CsvRow, csvTable } from '../base/csv.js';
import { dataTableStyles, scrollTable } from '../base/data-table.js';
import { MhaElement } from '../base/mha-element.js';
import { divisorsOf } from '../base/attribute-values.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { styled } from '../base/styled.js';
import { withSubscripts } from '../base/subscripts.js';
import { theme } from '../base/theme.js';
import { drawStages } from './drawing.js';
import {
  type Axis,
  type Costs,
  costsOf,
  type Dimension,
  type Dimensions,
  dimensionsOf,
  type Line,
  LIMITS,
  linesOf,
  middleKvHeads,
  type Problem,
  problemOf,
  type Product,
  RANGES,
  type ShapedTensor,
  shapeOf,
  type Side,
  type SizeName,
  type Sizes,
  sizeOf,
  type StageId,
  STAGES,
  tensorsOf,
  total,
} from './layer.js';
import { type Model, MODELS } from './models.js';
import { type CostName, formatCount, otherAxes, type ShapesStrings, shapesStringsFor } from './strings.js';
import { shapesStyles } from './styles.js';

/** Width of the widest drawing of a stage, in pixels. */
const DRAWING = 224;

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

/** Bytes of a number, by format. */
const BYTES = { float16: 2, float32: 4 } as const;
const FORMATS = ['float16', 'float32'] as const;

const LETTERS: Readonly<Record<Axis, string>> = { b: 'B', h: 'H', l: 'L', s: 'S', d: 'd, E' };

/** What is derived from valid sizes. */
interface Layer {
  readonly sizes: Sizes;
  readonly dimensions: Dimensions;
  readonly costs: Costs;
  readonly tensors: Readonly<Record<StageId, readonly ShapedTensor[]>>;
}

function layerOf(sizes: Sizes): Layer {
  const dimensions = dimensionsOf(sizes);
  const costs = costsOf(dimensions, sizes.withoutBias);
  return { sizes, dimensions, costs, tensors: tensorsOf(dimensions, sizes.keys !== null) };
}

type Trouble = Problem | { readonly kind: 'unknownModel' };

/** An invalid input, which stays in its field so that the reader can correct it. */
interface Rejected {
  readonly field: SizeName;
  readonly text: string;
  readonly trouble: Problem;
}

/**
 * How multi-head attention splits and joins its dimensions: every stage with its tensors' shapes, one colour and letter
 * per axis, formulas with numbers, and the layer's costs. Everything is calculated by formula: no layer is run.
 *
 * @csspart controls - the form for model and sizes
 * @csspart way - a button that corrects invalid sizes
 * @csspart source - source of a model's sizes
 * @csspart split - the line E = H × d
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
  static override styles = [theme, controlStyles, dataTableStyles, shapesStyles];

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

  #drawn = layerOf(DEFAULT);
  #trouble: Trouble | null = null;

  private get strings(): ShapesStrings {
    return shapesStringsFor(this.language);
  }

  get #locked(): StageId | null {
    return STAGES.find((stage) => stage === this.stage) ?? null;
  }

  get #model(): Model | undefined {
    return MODELS.find(({ id }) => id === this.model);
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
    const problem = problemOf(this.#sizes);
    this.rejected = null;
    this.#trouble = this.model !== null && !this.#model ? { kind: 'unknownModel' } : problem;
    if (!problem) this.#drawn = layerOf(this.#sizes);
  }

  override render(): TemplateResult {
    const { strings } = this;
    return html`
      <div class="all" @keydown=${this.#onEscape}>
        ${this.#controls()}
        <figure>
          <figcaption>
            ${this.#split()}
            <p class="quiet">${strings.byFormula}</p>
            ${this.#legend()}
          </figcaption>
          ${this.#pipeline()} ${this.#explanation()}
          <p class="quiet">${strings.scale} ${strings.hint}</p>
        </figure>
        ${this.details('costs', strings.costs, () => this.#costs())}
        ${this.details('numbers', strings.table, () => this.#numbers())}
        <p class="visually-hidden" role="status">${this.#spokenLines()}</p>
      </div>
    `;
  }

  #controls(): TemplateResult {
    const { strings } = this;
    const model = this.#model;
    const optional = ['batch', 'keys', 'headDim', 'valueHeadDim'] as const;
    return html`<div part="controls" class="sizes">
      <div class="controls">
        <label class="field model">
          ${strings.model}
          ${select(
            'model',
            null,
            [['', strings.ownSizes], ...MODELS.map(({ id, name }) => [id, name] as const)],
            model?.id ?? '',
            (id) => {
              if (id === '') Object.assign(this, this.#sizes, { model: null });
              else this.model = id;
            },
          )}
        </label>
        ${this.#field('embedDim')} ${this.#headsField()} ${this.#field('length')} ${this.#kvHeadsField()}
      </div>
      <details class="more">
        <summary>${strings.moreSizes}</summary>
        <div class="controls">
          ${optional.map((field) => this.#field(field))}
          ${checkbox('withoutBias', strings.withoutBias, this.#sizes.withoutBias, (withoutBias) => {
            this.#change({ withoutBias });
          })}
        </div>
        <p class="source">${strings.limits(LIMITS)}</p>
      </details>
      ${
        model
          ? html`<p part="source" class="source">
              ${strings.source(model)}${model.note ? html`. ${withSubscripts(strings.modelNotes[model.note])}` : nothing}
            </p>`
          : nothing
      }
      <div id="trouble" class="trouble" role="alert">${this.#message()}</div>
    </div>`;
  }

  #field(field: SizeName): TemplateResult {
    return html`<div class="field short">
      <label for=${field}>${withSubscripts(this.strings.sizes[field])}</label>
      ${this.#input(field)}
    </div>`;
  }

  #input(field: SizeName): TemplateResult {
    const { rejected } = this;
    return html`<input
      id=${field}
      name=${field}
      inputmode="numeric"
      autocomplete="off"
      class="number"
      .value=${rejected?.field === field ? rejected.text : String(this.#sizes[field] ?? '')}
      placeholder=${this.strings.follows[field] ?? nothing}
      aria-invalid=${String(this.#isBlamed(field))}
      aria-describedby="trouble"
      @change=${(event: Event) => this.#type(field, valueOf(event))}
    />`;
  }

  #headsField(): TemplateResult {
    const { embedDim, numHeads } = this.#sizes;
    const { numHeads: label } = this.strings.sizes;
    // The number field beside the slider accepts more.
    const most = Math.min(LIMITS.numHeads, Math.max(32, 2 ** Math.ceil(Math.log2(embedDim / 96))));
    return html`<div class="field heads">
      <label for="numHeads">${label}</label>
      <input
        type="range"
        name="heads"
        min="1"
        max=${most}
        step="1"
        aria-label=${label}
        .value=${live(String(numHeads))}
        @input=${(event: Event) => {
          this.#change({ numHeads: Number(valueOf(event)) });
        }}
      />
      ${this.#input('numHeads')}
    </div>`;
  }

  /** The choice of MHA, GQA or MQA: the number of key/value heads. */
  #kvHeadsField(): TemplateResult {
    const { strings } = this;
    const { numHeads, kvHeads } = this.#sizes;
    const chosen = kvHeads ?? numHeads;
    const counts = [...new Set([...divisorsOf(numHeads), chosen])].sort((a, b) => b - a);
    return html`<label class="field">
      ${strings.sizes.kvHeads}
      <select
        name="kvHeads"
        aria-invalid=${String(this.#isBlamed('kvHeads'))}
        aria-describedby="trouble"
        @change=${(event: Event) => {
          const heads = Number(valueOf(event));
          this.#change({ kvHeads: heads === numHeads ? null : heads });
        }}
      >
        ${counts.map(
          (heads) =>
            html`<option value=${heads} .selected=${live(heads === chosen)}>
              ${strings.sharing(heads, numHeads)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  /** Whether the current message is about this field. */
  #isBlamed(field: SizeName): boolean {
    if (this.rejected) return this.rejected.field === field;
    const trouble = this.#trouble;
    if (trouble?.kind === 'range') return trouble.field === field;
    return trouble?.kind === 'heads' ? field === 'numHeads' : trouble?.kind === field;
  }

  /** What is wrong with the sizes, and buttons that mend it. */
  #message(): TemplateResult | typeof nothing {
    const { strings, outOfRangeMessage } = this;
    const { embed, heads, head } = this.#drawn.dimensions;
    const trouble = this.rejected?.trouble ?? this.#trouble;
    if (!trouble && outOfRangeMessage === '') return nothing;
    const fixes = trouble && 'fixes' in trouble ? trouble.fixes : [];
    return html`<p>
        ${outOfRangeMessage} ${trouble ? withSubscripts(this.#explain(trouble)) : nothing}
        ${strings.stillDrawn(embed.size, heads.size, head.size)}
      </p>
      ${
        fixes.length > 0
          ? html`<div class="ways">
              ${fixes.map(
                (patch) =>
                  html`<button part="way" class="control" type="button" @click=${() => this.#change(patch)}>
                    ${strings.fix(patch, this.#sizes)}
                  </button>`,
              )}
            </div>`
          : nothing
      }`;
  }

  #explain(trouble: Trouble): string {
    const { strings } = this;
    const { embedDim, numHeads, kvHeads } = this.#sizes;
    switch (trouble.kind) {
      case 'range':
        return strings.range(trouble.field, LIMITS[trouble.field]);
      case 'heads': {
        const quotient = embedDim / numHeads;
        return strings.notWhole(embedDim, numHeads, `${equals(quotient)} ${formatCount(quotient)}`);
      }
      case 'kvHeads':
        return strings.notShared(numHeads, kvHeads ?? numHeads);
      default:
        return strings[trouble.kind];
    }
  }

  /** Line such as E 768 = H 12 × d 64; H × d ≠ E if the chosen head dimension is not E / H. */
  #split(): TemplateResult {
    const { embed, heads, head } = this.#drawn.dimensions;
    const width = heads.size * head.size;
    const count = (size: number) => html`<data value=${size}>${formatCount(size)}</data>`;
    const term = (dimension: Dimension) =>
      html`<span class="term">${letterOf(dimension)} ${count(dimension.size)}</span>`;
    return html`<p part="split" class="split number">
      ${
        width === embed.size
          ? html`${term(embed)} = ${term(heads)} × ${term(head)}`
          : html`${term(heads)} × ${term(head)} = ${count(width)} ≠ ${term(embed)}`
      }
    </p>`;
  }

  #legend(): TemplateResult {
    const { strings, language } = this;
    return html`<ul part="legend" class="axes" aria-label=${strings.legend}>
      ${(Object.keys(LETTERS) as Axis[]).map(
        (axis) =>
          html`<li>
            <span class="axis ${axis}">${LETTERS[axis]}</span> ${strings.axes[axis]}
            <span class="other" lang=${language === 'ko' ? 'en' : 'ko'}>${otherAxes[language][axis]}</span>
          </li>`,
      )}
    </ul>`;
  }

  /** The list of stages, each with a button, a drawing and its tensors' shapes. */
  #pipeline(): TemplateResult {
    const { strings } = this;
    const { tensors } = this.#drawn;
    const locked = this.#locked;
    const drawings = drawStages(
      STAGES.map((stage) => tensors[stage]),
      DRAWING,
    );
    return html`<ol
      part="pipeline"
      class="pipeline"
      aria-label=${strings.pipeline}
      @keydown=${this.#onKeydown}
      @pointerleave=${this.#endPreview}
    >
      ${STAGES.map((id, index) => {
        const { name, does } = strings.stages[id];
        const { width = 0, height = 0, content = nothing } = drawings[index] ?? {};
        const spoken = tensors[id].map(strings.shape);
        return html`<li>
          ${
            index === 0
              ? nothing
              : html`<span class="arrow" aria-hidden="true"
                  ><span class="down">↓</span><span class="across">→</span></span
                >`
          }
          <div
            part="stage"
            class=${classMap({ stage: true, shown: id === (this.previewed ?? locked) })}
            data-stage=${id}
            @pointerenter=${({ pointerType }: PointerEvent) => {
              if (pointerType !== 'touch') this.previewed = id;
            }}
          >
            <button
              type="button"
              tabindex=${id === this.tabStop ? 0 : -1}
              aria-pressed=${String(id === locked)}
              aria-describedby="about-${id}"
              @click=${() => {
                this.stage = id === locked ? null : id;
                if (this.stage === null) this.previewed = null;
              }}
              @focus=${() => {
                this.tabStop = id;
                this.previewed = id;
              }}
              @blur=${this.#endPreview}
            >
              ${index + 1}. <span>${name}</span>
            </button>
            <svg
              part="drawing"
              aria-hidden="true"
              width=${width}
              height=${height}
              viewBox="0 0 ${width} ${height}"
            >
              ${content}
            </svg>
            <div class="tensors" aria-hidden="true">
              ${tensors[id].map(
                (tensor) =>
                  html`<span class="tensor" part="tensor">
                    <b class=${tensor.role}>${tensor.name}</b> ${shape(tensor)}
                  </span>`,
              )}
            </div>
            <p class="does" id="about-${id}">
              <span class="visually-hidden">${spoken.join('. ')}. </span>${does}
            </p>
          </div>
          ${id === locked ? html`<div class="inline">${this.#lines(id)}</div>` : nothing}
        </li>`;
      })}
    </ol>`;
  }

  #linesOf(stage: StageId): readonly Line[] {
    return linesOf(stage, this.#drawn.dimensions, this.#drawn.costs);
  }

  #lines(stage: StageId): TemplateResult {
    return html`<dl class="lines">
      ${this.#linesOf(stage).map(
        (line) =>
          html`<dt>${this.strings.lines[line.name]}</dt>
            <dd data-line=${line.name}>
              ${filled(line, line.operator)} ${equals(line.value)}
              <data class="result number" value=${line.value}>${formatCount(line.value)}</data>
            </dd>`,
      )}
    </dl>`;
  }

  #explanation(): TemplateResult {
    const { strings } = this;
    const shown = this.previewed ?? this.#locked;
    return html`<div part="explanation" class="explanation" data-stage=${shown ?? nothing}>
      ${
        shown
          ? html`<p class="name">${strings.stages[shown].name}</p>
              ${this.#lines(shown)}`
          : html`<p class="quiet">${strings.choose}</p>`
      }
    </div>`;
  }

  /** The locked stage's formulas as text for screen readers. */
  #spokenLines(): string {
    const stage = this.#locked;
    if (!stage) return '';
    const { strings } = this;
    const lines = this.#linesOf(stage).map(({ name, operator, factors, value }) => {
      const joined = (parts: readonly string[]) =>
        operator === '√' ? `√${parts.join('')}` : parts.join(` ${operator} `);
      const letters = joined(factors.map(({ letter }) => letter));
      const numbers = joined(factors.map(({ size }) => formatCount(size)));
      return `${strings.lines[name]}: ${letters} = ${numbers} ${equals(value)} ${formatCount(value)}`;
    });
    return `${strings.stages[stage].name}. ${lines.join('. ')}`;
  }

  #costs(): TemplateResult {
    const { strings } = this;
    const { costs } = this.#drawn;
    return html`<div class="cost-tables">
      ${this.#costList('parameters', strings.parameters, parametersOf(costs), costs.parameterCount)}
      ${this.#costList(
        'multiply-adds',
        strings.multiplyAdds,
        operationsOf(costs),
        costs.multiplyAdds,
        html`<li data-cost="softmax">
          <span>${strings.exponentials}</span> ${count(costs.weights.value)} ${filled(costs.weights)}
        </li>`,
      )}
      ${this.#cache()}
      ${bytesTable(
        'weights-memory',
        strings.weightsMemory,
        nothing,
        FORMATS.map(
          (format) =>
            html`<tr data-format=${format}>
              <th scope="row">${format}</th>
              ${bytesCell(costs.weights.value * BYTES[format])}
            </tr>`,
        ),
        strings.weightsMemoryNote,
      )}
    </div>`;
  }

  /** List of costs, each with its formula and a bar, followed by their sum. */
  #costList(
    id: string,
    title: string,
    entries: readonly Entry[],
    sum: number,
    more: TemplateResult | typeof nothing = nothing,
  ): TemplateResult {
    const { strings } = this;
    const largest = Math.max(...entries.map(({ products }) => total(products)));
    return html`<div part=${id}>
      <p class="title" id=${id}>${title}</p>
      <ul class="cost" aria-labelledby=${id}>
        ${entries.map(({ name, products }) => {
          const value = total(products);
          const [first, ...others] = products;
          const parts = products.map((part) => formatCount(part.value)).join(' + ');
          return html`<li data-cost=${name}>
            <span>${withSubscripts(strings.costNames[name])}</span> ${count(value)}
            <span class="bar" ${styled({ '--part': value / largest })}></span>
            ${first && others.length === 0 ? filled(first) : html`<span class="formula number">${parts}</span>`}
          </li>`;
        })}
        <li class="sum" data-cost="total"><span>${strings.total}</span> ${count(sum)}</li>
        ${more}
      </ul>
    </div>`;
  }

  /** The key/value cache of one token: MHA, GQA and MQA, in one layer and in the whole model. */
  #cache(): TemplateResult {
    const { strings } = this;
    const { sizes, dimensions } = this.#drawn;
    const layers = this.#model?.layers ?? null;
    const columns = [1, ...(layers === null ? [] : [layers])].flatMap((times, index) =>
      FORMATS.map((format) => ({
        name: index === 0 ? strings.perLayer : strings.perModel(times),
        format,
        bytes: BYTES[format] * times,
      })),
    );
    return bytesTable(
      'cache',
      strings.cache,
      html`<thead>
        <tr>
          <td></td>
          ${columns.map(({ name, format }) => html`<th scope="col">${format}<br />${name}</th>`)}
        </tr>
      </thead>`,
      sharingOf(sizes).map(({ name, kvHeads }) => {
        const isNow = kvHeads === dimensions.kvHeads.size;
        return html`<tr data-sharing=${name}>
          <th scope="row" class=${isNow ? 'on' : ''}>
            ${name} · ${strings.cacheOf(kvHeads)}${isNow ? ` · ${strings.current}` : ''}
          </th>
          ${columns.map(({ bytes }) => bytesCell(cachedNumbers(kvHeads, dimensions) * bytes))}
        </tr>`;
      }),
      strings.cacheNote,
    );
  }

  #numbers(): TemplateResult {
    const { strings } = this;
    return scrollTable(
      strings.tableCaption,
      html`<th scope="col">${strings.stage}</th>
        <th scope="col">${strings.tensor}</th>
        <th scope="col" colspan="2">${strings.shapeColumn}</th>
        <th scope="col">${strings.lines.numbers}</th>`,
      STAGES.flatMap((id) =>
        this.#drawn.tensors[id].map(
          (tensor) =>
            html`<tr>
              <th scope="row">${strings.stages[id].name}</th>
              <td>${tensor.name}</td>
              <td>(${withSubscripts(tensor.sides.map(lettersOf).join(', '))})</td>
              <td class="number">(${shapeOf(tensor).join(', ')})</td>
              <td class="number"><data value=${sizeOf(tensor)}>${formatCount(sizeOf(tensor))}</data></td>
            </tr>`,
        ),
      ),
    );
  }

  /** Sets attributes to new sizes. Invalid combinations are set too, but not values outside a size's range. */
  #change(patch: Partial<Sizes>): void {
    const sizes = { ...this.#sizes, ...patch };
    const problem = problemOf(sizes);
    const [field] = Object.keys(patch) as SizeName[];
    if (field && (problem?.kind === 'tooLarge' || problem?.kind === 'range')) {
      this.rejected = { field, text: String(patch[field]), trouble: problem };
      return;
    }
    this.rejected = null;
    Object.assign(this, sizes, { model: null });
  }

  #type(field: SizeName, typed: string): void {
    const text = typed.trim();
    if (text === '' && DEFAULT[field] === null) {
      this.#change({ [field]: null });
      return;
    }
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (RANGES[field].holds(value)) this.#change({ [field]: value });
    else this.rejected = { field, text: typed, trouble: { kind: 'range', field } };
  }

  readonly #endPreview = (): void => {
    this.previewed = null;
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
    this.renderRoot.querySelector<HTMLElement>(`.stage[data-stage="${STAGES[target]}"] button`)?.focus();
  };

  override picture(): Picture {
    const { embed, heads, head } = this.#drawn.dimensions;
    return {
      title: this.strings.title(embed.size, heads.size, head.size),
      parts: 'figcaption, .pipeline, [part=explanation][data-stage]',
    };
  }

  /** All stages and costs. */
  override csv(): CsvParts {
    const { sizes, dimensions, costs, tensors } = this.#drawn;
    const { head, valueHead } = dimensions;
    const tuple = (parts: readonly (string | number)[]) => `(${parts.join(', ')})`;
    const filledIn = (products: readonly Product[]) => {
      const sum = (part: (dimension: Dimension) => string | number) =>
        products.map(({ factors }) => factors.map(part).join(' × ')).join(' + ');
      return [sum(({ letter }) => letter), sum(({ size }) => size), total(products)];
    };
    const entries = (part: string, all: readonly Entry[], sum: number): CsvRow[] => [
      ...all.map(({ name, products }) => [part, name, ...filledIn(products)]),
      [part, 'total', '', '', sum],
    ];
    const shapes = STAGES.flatMap((id) =>
      tensors[id].map((tensor): CsvRow => [
        ...[id, tensor.name, tuple(tensor.sides.map(lettersOf)), tuple(shapeOf(tensor)), sizeOf(tensor)],
      ]),
    );
    const caches = sharingOf(sizes).flatMap(({ name, kvHeads }) =>
      FORMATS.map((format): CsvRow => [
        ...['cache bytes per token', `${name} ${format}`, 'H_kv × (d_k + d_v) × bytes'],
        `${kvHeads} × (${head.size} + ${valueHead.size}) × ${BYTES[format]}`,
        cachedNumbers(kvHeads, dimensions) * BYTES[format],
      ]),
    );
    return csvTable([
      ['part', 'name', 'letters', 'numbers', 'count'],
      ...shapes,
      ...entries('parameters', parametersOf(costs), costs.parameterCount),
      ...entries('multiply-adds', operationsOf(costs), costs.multiplyAdds),
      ['exponentials', 'softmax', ...filledIn([costs.weights])],
      ...caches,
      ...FORMATS.map((format): CsvRow => [
        ...['weights bytes', format, 'B × H × L × S × bytes'],
        `${costs.weights.factors.map(({ size }) => size).join(' × ')} × ${BYTES[format]}`,
        costs.weights.value * BYTES[format],
      ]),
    ]);
  }
}

const letterOf = ({ letter, axis }: Dimension): TemplateResult =>
  html`<span class="axis ${axis}">${withSubscripts(letter)}</span>`;

const lettersOf = (side: Side): string => side.map(({ letter }) => letter).join('·');

const equals = (value: number): string => (Math.round(value * 100) / 100 === value ? '=' : '≈');

/** Renders B × H × L × S = 1 × 12 × 197 × 197. */
function filled({ factors }: Product, operator: Line['operator'] = '×'): TemplateResult {
  const joined = (parts: readonly unknown[]) =>
    parts.map((part, index) => html`${operator === '√' ? '√' : index > 0 ? ` ${operator} ` : ''}${part}`);
  return html`<span class="formula number"
    >${joined(factors.map(letterOf))} = ${joined(factors.map(({ size }) => formatCount(size)))}</span
  >`;
}

/** Renders a shape such as (1, 12, 197, 64), each number above the letter of its axis. */
function shape(tensor: ShapedTensor): TemplateResult {
  const sizes = shapeOf(tensor);
  return html`<span class="shape number"
    >(${tensor.sides.map(
      (side, index) =>
        html`<span class="side"
          ><span
            ><data value=${sizes[index] ?? NaN}>${sizes[index]}</data
            >${index < sizes.length - 1 ? ',' : ')'}</span
          ><span class="letters"
            >${side.map((dimension, place) => html`${place > 0 ? '·' : ''}${letterOf(dimension)}`)}</span
          ></span
        >`,
    )}</span
  >`;
}

const count = (value: number): TemplateResult =>
  html`<data class="count number" value=${value}>${formatCount(value)}</data>`;

interface Entry {
  readonly name: CostName;
  readonly products: readonly Product[];
}

const entriesOf = (products: Readonly<Partial<Record<CostName, Product>>>): Entry[] =>
  Object.entries(products).map(([name, product]) => ({ name: name as CostName, products: [product] }));

const parametersOf = ({ parameters, biases }: Costs): Entry[] => [
  ...entriesOf(parameters),
  ...(biases.length > 0 ? [{ name: 'bias' as const, products: biases }] : []),
];

const operationsOf = ({ operations }: Costs): Entry[] => entriesOf(operations);

/** MHA, GQA and MQA with their numbers of key/value heads, without those that `numHeads` does not allow. */
function sharingOf({ numHeads, kvHeads }: Sizes): { name: 'MHA' | 'GQA' | 'MQA'; kvHeads: number }[] {
  const isBetween = kvHeads !== null && kvHeads > 1 && kvHeads < numHeads;
  const between = isBetween ? kvHeads : middleKvHeads(numHeads);
  return [
    { name: 'MHA', kvHeads: numHeads },
    ...(between === null ? [] : [{ name: 'GQA' as const, kvHeads: between }]),
    ...(numHeads > 1 ? [{ name: 'MQA' as const, kvHeads: 1 }] : []),
  ];
}

/** Numbers in one layer's key/value cache per token: H_kv·(d_k + d_v). */
const cachedNumbers = (kvHeads: number, { head, valueHead }: Dimensions): number =>
  kvHeads * (head.size + valueHead.size);

/** Formats 3,932,160 as 3.75 MiB. */
function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${formatCount(bytes / 1024 ** step)} ${units[step] ?? ''}`;
}

const bytesCell = (bytes: number): TemplateResult =>
  html`<td class="number"><data value=${bytes}>${formatBytes(bytes)}</data></td>`;

/** A titled table of amounts of memory, which scrolls sideways, with a note. */
const bytesTable = (id: string, title: string, head: unknown, rows: unknown, note: string): TemplateResult =>
  html`<div part=${id} class="side-by-side">
    <p class="title" id=${id}>${title}</p>
    <div class="sideways" role="group" aria-labelledby=${id} tabindex="0">
      <table aria-labelledby=${id}>
        ${head}
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    <p class="note">${withSubscripts(note)}</p>
  </div>`;

declare global {
  interface HTMLElementTagNameMap {
    'mha-shapes': MhaShapes;
  }
}
