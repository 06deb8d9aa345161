import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { NUM_HEADS } from '../../documents/pipeline.js';
import { comparisonStyles, documentNote } from './printed-comparison.js';
import { type Conditions, isPlain, PLAIN } from '../sentence-view/conditions.js';
import { controlStyles } from '../base/controls.js';
import { dataTableStyles, numberTable } from '../base/data-table.js';
import { describe } from '../sentence-view/description.js';
import { legend, legendStyles, shortLegend } from '../sentence-view/legend.js';
import { ranking, rankingStyles } from '../sentence-view/ranking.js';
import {
  compareStyles,
  compareTools,
  comparedHeads,
  type HeadComparison,
  isCompared,
} from './head-comparison.js';
import { claimStyles } from './claims.js';
import { computeTools } from './compute-tools.js';
import { ownSentence, ownSentenceStyles } from './own-sentence.js';
import { SmallModel } from './small-model.js';
import { hangulAdvice, modelFacts } from '../model/model-facts.js';
import { modelForm } from '../model/model-form.js';
import { openFieldsStyles } from '../model/open-fields.js';
import { modelStatusStyles } from '../model/model-status.js';
import { modelStringsFor } from '../model/strings.js';
import type { HeadSort } from '../heads/head-order.js';
import { exportTools } from './export-tools.js';
import { filterNote, filterTools } from './filter-tools.js';
import { HeadScores } from './head-scores.js';
import { maskStyles, maskTools } from './mask-tools.js';
import { redundancyStyles } from './redundancy.js';
import { roleStyles } from './role-scores.js';
import { ModelPanels, PANELS } from './model-panels.js';
import { predictionStyles } from './predictions.js';
import { type ExplorerStrings, stringsFor } from './strings.js';
import { showsView, wrongNames } from './shown-parts.js';
import { explorerStyles } from './styles.js';
import { toolbar, toolbarStyles } from './toolbar.js';
import type { CsvParts } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Layers } from '../sentence-view/layers.js';
import type { Cell } from '../base/arrow-keys.js';
import { exclusionsOf, NO_FILTER } from '../sentence-view/weight-filter.js';
import { MhaView } from '../sentence-view/mha-view.js';
import { HEAD, HEADS, TEMPERATURE } from '../base/number-range.js';
import { scaleOf } from '../sentence-view/scale.js';
import { problemStringsFor } from '../base/problem-strings.js';
import type { FigureRequest } from '../sentence-view/computed-figure.js';
import { theme } from '../base/theme.js';
import { isPretrained } from '../model/pretrained-facts.js';
import { isHangulBroken } from '../sentence-view/text-reading.js';
import { isOffered } from '../sentence-view/trained-controller.js';
import { waitingStyles } from '../base/waiting.js';
import { headMatrix, weightTables } from '../sentence-view/weight-tables.js';
import { weightsCsv } from '../sentence-view/weights-csv.js';

/**
 * A figure of one sentence: arcs, heads and caption; behind “More” the matrix, all layers, the numbers, and tools to change,
 * compare and export. Weights come from `data`, else `src`, else `sentence`, else `document`.
 *
 * The element's content is a placeholder until the figure can be drawn.
 *
 * @slot - shown until the figure can be drawn
 * @csspart figure - all but the tools and the form
 * @csspart arcs-view - the arcs
 * @csspart heads-view - the strip of heads
 * @csspart layers-view - the heads of all layers of a model
 * @csspart matrix-view - the matrix
 * @csspart versus - the compared head and the difference
 * @csspart ranking - the chosen word's keys by weight
 * @csspart legend - the scale of the weights
 * @csspart caption - the author's caption
 * @csspart toolbar - the choice of weights, layer, head and sentence
 * @csspart more - the disclosure of everything else
 * @csspart model-facts - family, sizes and licence of an open model
 * @csspart model-form - fields to open another model
 * @csspart advice - says that the model does not know the sentence's language or words
 * @csspart known-words - words that the small trained model knows, in place of unknown ones
 * @csspart other-model - the form's disclosure
 * @csspart label - kind of the weights
 * @csspart note - explains the kind of weights
 * @csspart comparison - computed and printed numbers side by side
 * @csspart steps - every number of a pretrained model's head
 * @csspart steps-view - the steps
 * @csspart claims - published roles of heads beside what is computed of this model
 * @csspart predictions - what a pretrained model predicts, with and without heads
 * @csspart roles - the table of role scores
 * @csspart redundancy - similarity of a trained model's heads, and its accuracy without each
 * @csspart numbers - the table of numbers
 * @csspart tools - the tools to change, compare and export
 * @csspart form - the field for the reader's own sentence
 * @cssprop --mha-ramp-0 - colour of weight 0
 * @cssprop --mha-ramp-40 - colour of weight 0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-ramp-100 - colour of weight 1
 * @cssprop --mha-minus-40 - colour of the difference −0.4; a luminance of 0.18 keeps the numbers readable
 * @cssprop --mha-minus-100 - colour of the difference −1
 * @cssprop --mha-query - query colour
 * @cssprop --mha-key - key colour
 * @cssprop --mha-arc - colour of the arcs
 * @cssprop --mha-paper - the page's background, behind row names that stay while the matrix scrolls
 * @cssprop --mha-number-font - font of the numbers
 * @cssprop --mha-token-size - the largest size of the sentence
 * @cssprop --mha-miniature-size - the largest side of a head's miniature
 * @fires mha-select - the reader has chosen a head, a word or a pair
 * @tag mha-explorer
 */
export class MhaExplorer extends MhaView {
  static override styles = [
    theme,
    waitingStyles,
    legendStyles,
    rankingStyles,
    dataTableStyles,
    comparisonStyles,
    controlStyles,
    compareStyles,
    maskStyles,
    roleStyles,
    ownSentenceStyles,
    explorerStyles,
    toolbarStyles,
    redundancyStyles,
    modelStatusStyles,
    openFieldsStyles,
    predictionStyles,
    claimStyles,
  ];

  /**
   * What is in the open, separated by spaces: `arcs`, `heads` (of the layer), `layers` (the heads of all layers), `matrix`. The
   * rest is behind “More”.
   */
  @property({ reflect: true, useDefault: true }) views = 'arcs heads';

  /** `none`; `basic`: all behind “More”; `full`: weights, layer, head and sentence above the figure, and “More”. */
  @property({ reflect: true, useDefault: true }) controls = 'basic';

  /** The author's caption, above the sentence that describes the figure. */
  @property({ reflect: true, useDefault: true }) caption = '';

  /** Sentences that the reader can choose from, separated by `|`; by default those of the documents. */
  @property({ reflect: true, useDefault: true }) sentences = '';

  /** `on` shows what the documents say: notes on their weights, and their printed numbers beside the computed ones. */
  @property({ reflect: true, useDefault: true }) note = 'off';

  /** Number of key/value heads, a divisor of the number of heads: fewer is GQA, 1 is MQA; as many by default. */
  @property({ type: HEADS, reflect: true, useDefault: true, attribute: 'kv-heads' })
  kvHeads: number | null = null;

  /** `none`, `causal`, `padding:n` (the last n words), `window:n` (n words to either side) or document 000's `trap`. */
  @property({ reflect: true, useDefault: true }) mask = 'none';

  /** Pairs `query.key`, counted from 0, whose mask entry is inverted; separated by spaces. */
  @property({ reflect: true, useDefault: true }) flips = '';

  /** Temperature, above 0, by which the scores are divided before the softmax. */
  @property({ type: TEMPERATURE, reflect: true, useDefault: true }) temperature = 1;

  /** Whether the division of scores by √d_k is left out. */
  @property({ type: Boolean, reflect: true, useDefault: true }) unscaled = false;

  /**
   * How a causal model's next token is drawn: temperature (0–2), topK (0 for all tokens) and seed, separated by spaces, as in
   * `0.8 40 7`. Empty for the likeliest token.
   */
  @property({ reflect: true, useDefault: true }) sampling = '';

  /** Order of a model's heads, as in `mha-heads`. */
  @property({ reflect: true, useDefault: true }) sort: HeadSort = 'layer';

  /** Head, from 0, that is compared with the chosen one; null for none. */
  @property({ type: HEAD, reflect: true, useDefault: true }) compare: number | null = null;

  @state() private maskCell: Cell = { row: 0, column: 0 };
  @state() private exportStatus = '';

  readonly #scores = new HeadScores(this, {
    scored: () => {
      const { unfiltered: figure } = this;
      const { module } = this.modules;
      return figure && module && { figure, module };
    },
    texts: () => ({ language: this.language, strings: this.strings, words: this.#words }),
  });

  readonly #panels = new ModelPanels(this, {
    request: () => (this.modules.isNear ? this.textRequest : null),
    module: () => this.modules.module,
    reading: () => this.pretrained,
    isOpen: (panel) => this.isOpen(panel),
    showText: (sentence) => {
      this.#showSentence({ document: null, sentence });
    },
    ablate: (ablated) => {
      this.ablated = ablated;
    },
    sampling: () => this.sampling,
    sample: (sampling) => {
      this.sampling = sampling;
    },
  });

  readonly #small = new SmallModel(this, {
    kind: () => this.kind,
    text: () => this.text,
    computed: () => (this.problem ? null : this.computed),
    model: () => this.trained.model,
    selection: () => this.selection,
    showText: (sentence) => {
      this.#showSentence({ document: null, sentence });
    },
  });

  /** Pretrained models that were shown; the reader can go back to them. */
  readonly #opened = new Set<string>();

  /** Role scores and similarities need the module, whatever the source of the weights. */
  protected override get wantsModule(): boolean {
    return super.wantsModule || this.isOpen('more') || this.compare !== null;
  }

  protected override get conditions(): Conditions {
    const { mask, flips, temperature, unscaled } = this;
    return { mask, flips, temperature, unscaled };
  }

  protected override get request(): FigureRequest {
    const { sentence, ...request } = super.request;
    return { ...request, sentence: sentence?.normalize('NFC') ?? null, kvHeads: this.kvHeads };
  }

  protected override get problemMessage(): string {
    const wrong = wrongNames(this, problemStringsFor(this.language));
    return [super.problemMessage, ...wrong].filter(Boolean).join(' ');
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { figure } = this;
    if (changed.has('figure') && figure) this.#panels.chooseGrown(figure, this.selection);
  }

  override render(): TemplateResult {
    const { figure, strings, controls } = this;
    const isOpen = this.#hasOpenControls;
    return html`<div class="all" @keydown=${this.onEscape}>
      ${isOpen ? this.#toolbar() : nothing}
      ${
        figure
          ? html`${this.#figure(figure)} ${this.problemAlert()}`
          : this.pending(this.computes ? '' : strings.empty)
      }
      ${isOpen ? this.#ownSentence() : nothing} ${this.#modelNotes()}
      ${controls === 'none' ? nothing : this.details('more', this.#words.more, () => this.#more(figure))}
    </div>`;
  }

  #figure(figure: Figure): TemplateResult {
    const { strings, selection, caption } = this;
    const head = selection.shownHead;
    const filtered = filterNote(this.#look(figure), this.#words);
    return html`
      <figure part="figure">
        ${
          showsView(this.views, 'arcs')
            ? html`<mha-arcs
                .embedded=${true}
                part="arcs-view"
                .figure=${figure}
                .selection=${selection}
              ></mha-arcs>`
            : nothing
        }
        <figcaption>
          ${caption === '' ? nothing : html`<p part="caption" class="caption">${caption}</p>`}
          <p class="description">${describe(figure, head, selection.shown, strings)}</p>
          <p part="label" class="label">${this.origin?.label ?? this.#words.given}</p>
          <p class="label" ?hidden=${!this.origin?.limits}>${this.origin?.limits}</p>
          <p class="unknown" ?hidden=${!this.origin?.unknown}>${this.origin?.unknown}</p>
          <p class="label looking" ?hidden=${filtered === ''}>${filtered}</p>
        </figcaption>
        ${showsView(this.views, 'heads') && figure.heads > 1 ? this.#heads(figure, null) : nothing}
        ${showsView(this.views, 'layers') && this.#hasLayers ? this.#heads(figure, this.layers) : nothing}
        ${showsView(this.views, 'matrix') ? this.#matrix(figure) : shortLegend(strings, figure, scaleOf(figure), head)}
        <p class="visually-hidden" role="status">
          ${selection.locked.query === null ? '' : describe(figure, selection.head, selection.locked, strings)}
        </p>
      </figure>
    `;
  }

  /** What is behind “More”: first what changes the figure, then other views, then panels. */
  #more(figure: Figure | null): TemplateResult {
    const { strings, selection, computed } = this;
    const isModel = this.kind === 'model' && this.computes;
    return html`<div class="inside">
      ${!this.#hasOpenControls ? html`${this.#toolbar()} ${this.#ownSentence()}` : nothing}
      ${figure ? this.#tools(figure) : nothing}
      ${figure && !showsView(this.views, 'matrix') ? this.#matrix(figure) : nothing}
      ${figure && !showsView(this.views, 'layers') && this.#hasLayers ? this.#heads(figure, this.layers) : nothing}
      ${
        figure && computed && this.note === 'on'
          ? documentNote(computed, figure.headNames[selection.shownHead] ?? 0, this.language, strings)
          : nothing
      }
      ${figure ? this.details('roles', this.#words.roles, () => this.#scores.roles()) : nothing}
      ${
        computed?.origin.kind === 'trained'
          ? this.details('redundancy', this.#words.redundancy, () =>
              this.#scores.redundancy(this.trained.model),
            )
          : nothing
      }
      ${figure && isModel ? this.#modelPanels(figure) : nothing}
      ${
        figure
          ? this.details('numbers', strings.dataTable, () => {
              const matrix = headMatrix(figure, selection.shownHead, strings);
              return weightTables(figure, [matrix], selection.locked.query, strings).map(numberTable);
            })
          : nothing
      }
      ${
        this.computes
          ? this.details('other-model', modelStringsFor(this.language).openModel, () =>
              modelForm(this.language, this.#openModel),
            )
          : nothing
      }
    </div>`;
  }

  /** Whether the toolbar is above the figure: with `full`, and where there is nothing to draw until a sentence is chosen. */
  get #hasOpenControls(): boolean {
    const isEmpty = !this.figure && !this.computes && this.data === null && this.src === null;
    return this.controls === 'full' || (isEmpty && this.controls !== 'none');
  }

  get #hasLayers(): boolean {
    return (this.layers?.count ?? 1) > 1;
  }

  /** The heads of the shown layer, or with `layers` of all. */
  #heads(figure: Figure, layers: Layers | null): TemplateResult {
    return html`<mha-heads
      .embedded=${true}
      part=${layers ? 'layers-view' : 'heads-view'}
      .figure=${figure}
      .layers=${layers}
      .selection=${this.selection}
      .sort=${this.sort}
      .sorted=${this.#sorted}
    ></mha-heads>`;
  }

  #matrix(figure: Figure): TemplateResult {
    const { strings, selection } = this;
    const head = selection.shownHead;
    const comparison = this.#comparison(figure);
    const compared = isCompared(comparison);
    return html`<div class=${compared ? 'body two' : 'body'}>
      <div>
        ${compared ? html`<p class="head-name">${figure.nameOf(head, strings)}</p>` : nothing}
        <mha-matrix
          .embedded=${true}
          part="matrix-view"
          .figure=${figure}
          .selection=${selection}
        ></mha-matrix>
      </div>
      <div class="side">
        ${ranking(figure, head, selection.shown, strings)} ${legend(strings, figure, scaleOf(figure), [head])}
        <p class="quiet">${strings.hint}</p>
      </div>
      ${comparedHeads(comparison)}
    </div>`;
  }

  #toolbar(): TemplateResult {
    const { kind, model, layer, language, trained, selection, figure, document, sentence } = this;
    if (isPretrained(model) && kind === 'model') this.#opened.add(model);
    const layers = kind === 'model' ? this.layers?.count : trained.model?.facts.numLayers;
    return toolbar({
      ...{ kind, model, layer, language, document, sentence },
      computes: this.computes,
      untrained: this.weights === 'untrained',
      opened: this.#opened,
      layers: layers ?? null,
      head: selection.head,
      headNames: figure ? figure.headNames.map((_, index) => figure.nameOf(index, this.strings)) : [],
      sentences: this.sentences.split('|').flatMap((text) => text.trim() || []),
      namesDocuments: this.note === 'on',
      offersTrained: isOffered(this.trainedFile),
      loading: trained.isLoading,
      strings: this.#words,
      set: (change) => Object.assign(this, this.#small.chosen(change)),
      chooseHead: (head) => {
        this.select((one) => one.chooseHead(head));
      },
      chooseSentence: (choice) => {
        if (choice.document === null && choice.sentence === null) {
          this.renderRoot.querySelector<HTMLInputElement>('[name=sentence]')?.select();
        } else {
          this.#panels.forget();
          this.#showSentence({ ...choice, heads: null });
        }
      },
      openOther: () => void this.#showOtherModel(),
    });
  }

  #ownSentence(): TemplateResult {
    const isModel = this.kind === 'model';
    return ownSentence({
      text: this.text,
      problem: this.problem?.argument ?? this.outOfRange[0]?.attribute,
      hint: isModel && !this.pretrained.session ? this.#words.loadsModel : '',
      strings: this.#words,
      offers: this.#small.knownWords(this.#words),
      follow: (text) => {
        if (isModel) this.#panels.forget();
        this.#showSentence({ document: null, sentence: text });
      },
    });
  }

  /** How far a model's download is, what the model is, and that it does not know the sentence's language or words. */
  #modelNotes(): TemplateResult | typeof nothing {
    const { pretrained, language } = this;
    if (!this.computes) return nothing;
    if (this.kind !== 'model') return this.#small.advice(this.#words, this.#openModel);
    const { answer } = pretrained;
    return html`
      ${this.figure ? this.modelStatus() : nothing} ${modelFacts(pretrained.session, language)}
      ${answer && isHangulBroken(answer) ? hangulAdvice(modelStringsFor(language).brokenHangul(answer.result.origin.model.name), this.#openModel) : nothing}
    `;
  }

  readonly #openModel = (address: string): void => {
    Object.assign(this, { model: address, weights: null });
  };

  /** Opens “More”, and in it the fields to open another model. */
  async #showOtherModel(): Promise<void> {
    for (const name of ['more', 'other-model']) {
      const details = this.renderRoot.querySelector<HTMLDetailsElement>(`details.${name}`);
      if (details) details.open = true;
      // The content of a disclosure is rendered after the event that tells of its opening.
      await new Promise(requestAnimationFrame);
      await this.updateComplete;
    }
    this.renderRoot.querySelector<HTMLElement>('details.other-model > summary')?.focus();
  }

  get #words(): ExplorerStrings {
    return stringsFor(this.language);
  }

  /** What else a pretrained model can show. */
  #modelPanels(figure: Figure): TemplateResult {
    const { selection, language, joinWords, exclude } = this;
    const hasAllTokens = !joinWords && !exclusionsOf(exclude).includes('special');
    const view = { figure, selection, language, hasAllTokens };
    const panels = this.#panels;
    return html`${PANELS.map((panel) =>
      this.details(panel, panels.title(panel, view), () => panels.content(panel, view)),
    )}`;
  }

  #tools(figure: Figure): TemplateResult {
    const strings = this.#words;
    const set = (change: Partial<MhaExplorer>) => Object.assign(this, change);
    const isComputed =
      this.kind !== 'model' && (this.computed !== null || (this.computes && this.problem !== null));
    const { mask, flips } = this;
    return this.details(
      'tools',
      strings.tools,
      () => html`
        <div class="toolbox">
          ${filterTools({ ...this.#look(figure), figure: this.unfiltered ?? figure, strings, set })}
          ${
            isComputed
              ? html`
                  ${computeTools({
                    heads:
                      this.heads ??
                      this.computed?.figure.headNames.filter(Number.isInteger).length ??
                      NUM_HEADS,
                    ...{ kvHeads: this.kvHeads, temperature: this.temperature, unscaled: this.unscaled },
                    anyHeads: this.computed?.anyHeads ?? true,
                    random: this.kind === 'random',
                    seed: this.kind === 'random' && this.sentence !== null ? this.seed : null,
                    ...{ strings, set },
                  })}
                  ${maskTools({
                    ...{ tokens: figure.tokens, mask, flips, strings, set, at: this.#maskCellIn(figure) },
                    moveTo: (cell) => {
                      this.maskCell = cell;
                      void this.updateComplete.then(() => {
                        this.renderRoot
                          .querySelector<HTMLElement>(`[data-mask="${cell.row}.${cell.column}"]`)
                          ?.focus();
                      });
                    },
                  })}
                `
              : nothing
          }
          ${figure.heads > 1 ? compareTools(this.#comparison(figure)) : nothing}
          ${exportTools(this, strings, this.exportStatus, (status) => {
            this.exportStatus = status;
          })}
        </div>
        ${
          this.#isChanged
            ? html`<button type="button" class="control" data-reset @click=${this.#reset}>
                ${strings.reset}
              </button>`
            : nothing
        }
      `,
    );
  }

  readonly #sorted = (sort: HeadSort): void => {
    this.sort = sort;
  };

  #look(figure: Figure) {
    return { ...this.filter, joinWords: this.joinWords && figure.part !== null };
  }

  #maskCellIn({ size }: Figure): Cell {
    const { row, column } = this.maskCell;
    return { row: Math.min(row, size - 1), column: Math.min(column, size - 1) };
  }

  #comparison(figure: Figure): HeadComparison {
    return {
      ...{ figure, selection: this.selection, other: this.compare, similarity: this.#scores.similarity },
      ...{ names: this.strings, strings: this.#words },
      set: (other) => {
        this.compare = other;
      },
    };
  }

  get #isChanged(): boolean {
    const { compare, kvHeads, heads, summary, mass, exclude, renormalise } = this;
    const isFiltered =
      mass < 1 || exclude !== '' || renormalise || summary || compare !== null || this.joinWords;
    return (
      isFiltered || this.ablated !== '' || kvHeads !== null || heads !== null || !isPlain(this.conditions)
    );
  }

  readonly #reset = (): void => {
    Object.assign(this, {
      ...{ ...NO_FILTER, ...PLAIN, heads: null, kvHeads: null, compare: null, joinWords: false, ablated: '' },
    });
  };

  /** Shows another sentence and resets the attributes that depend on the last one. */
  #showSentence(change: Partial<MhaExplorer>): void {
    Object.assign(this, { data: null, src: null, kvHeads: null, flips: '', mask: 'none', ...change });
  }

  override picture(): Picture | null {
    const { figure, strings, selection } = this;
    if (!figure) return null;
    const title = [
      describe(figure, selection.shownHead, selection.shown, strings),
      this.origin?.label ?? this.#words.given,
      this.origin?.unknown ?? '',
      filterNote(this.#look(figure), this.#words),
    ];
    return {
      title: title.filter((sentence) => sentence !== '').join(' '),
      parts:
        'mha-arcs, figcaption, mha-heads, .body > div:first-child, .ranking, .legend, .alike, .versus > div',
    };
  }

  override csv(): CsvParts | null {
    const { figure } = this;
    return figure && weightsCsv(this.layers?.all() ?? [figure]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-explorer': MhaExplorer;
  }
}
