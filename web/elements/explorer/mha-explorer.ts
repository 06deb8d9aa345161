import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { NUM_HEADS } from '../../documents/pipeline.js';
import type { AttentionModule } from '../../index.js';
import { checkHeads, checkSentence } from '../../documents/sentence.js';
import { comparisonStyles, printedComparison, printsWeights } from './printed-comparison.js';
import { type Conditions, isPlain, PLAIN } from '../sentence-view/conditions.js';
import { controlStyles } from '../base/controls.js';
import { dataTableStyles, numberTable } from '../base/data-table.js';
import { describe } from '../sentence-view/description.js';
import { legend, legendStyles } from '../sentence-view/legend.js';
import { ranking, rankingStyles } from '../sentence-view/ranking.js';
import {
  compareStyles,
  compareTools,
  comparedHeads,
  type HeadComparison,
  isCompared,
  similarities,
  type Similarity,
} from './head-comparison.js';
import { claimStyles } from './claims.js';
import { computeTools } from './compute-tools.js';
import { formStyles, sentenceForm } from './sentence-form.js';
import { hangulAdvice, modelFacts } from '../model/model-facts.js';
import { modelForm } from '../model/model-form.js';
import { openFieldsStyles } from '../model/open-fields.js';
import { modelStatusStyles } from '../model/model-status.js';
import { modelStringsFor } from '../model/strings.js';
import type { HeadSort } from '../heads/head-order.js';
import { exportTools } from './export-tools.js';
import { filterNote, filterTools } from './filter-tools.js';
import { maskStyles, maskTools } from './mask-tools.js';
import { ModelPanels, PANELS } from './model-panels.js';
import { predictionStyles } from './predictions.js';
import { redundancyStyles, redundancyView } from './redundancy.js';
import { RedundancyRun } from './redundancy-run.js';
import { type RolesOf, rolesOf, roleStyles, rolesTable } from './role-scores.js';
import { type ExplorerStrings, stringsFor } from './strings.js';
import { explorerStyles } from './styles.js';
import { weightsPicker, weightsStyles } from './weights-picker.js';
import type { CsvParts } from '../base/csv.js';
import type { Picture } from '../base/picture/figure-svg.js';
import type { Figure } from '../sentence-view/figure.js';
import type { Cell } from '../base/arrow-keys.js';
import { exclusionsOf, NO_FILTER } from '../sentence-view/weight-filter.js';
import { MhaView } from '../sentence-view/mha-view.js';
import { HEAD, HEADS, TEMPERATURE } from '../base/number-range.js';
import { scaleOf } from '../sentence-view/scale.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { type FigureRequest, problemOfRequest } from '../sentence-view/computed-figure.js';
import { loadingStringsFor } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { isPretrained } from '../model/pretrained-facts.js';
import { needsTrained } from '../sentence-view/weights-origin.js';
import { isHangulBroken } from '../sentence-view/text-reading.js';
import { isOffered } from '../sentence-view/trained-controller.js';
import { waitingStyles } from '../base/waiting.js';
import { headMatrix, weightTables } from '../sentence-view/weight-tables.js';
import { weightsCsv } from '../sentence-view/weights-csv.js';

/**
 * All views of one sentence: arcs, heads, one head's matrix, the numbers, tools to change, compare and export, and a
 * form for another sentence. Weights come from `data`, else `src`, else `sentence`, else `document`.
 *
 * The element's content is a placeholder until the figure can be drawn.
 *
 * @slot - shown until the figure can be drawn
 * @csspart figure - all but the tools and the form
 * @csspart arcs-view - the arcs
 * @csspart heads-view - the strip of heads
 * @csspart matrix-view - the matrix
 * @csspart versus - the compared head and the difference
 * @csspart ranking - the chosen word's keys by weight
 * @csspart legend - the scale of the weights
 * @csspart weights - the choice of weights: a pretrained model's, trained, constructed or random ones
 * @csspart model-facts - family, sizes and licence of an open model
 * @csspart model-form - fields to open another model
 * @csspart advice - says that the model does not know the sentence's language
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
 * @csspart form - the form for another sentence
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
    formStyles,
    explorerStyles,
    weightsStyles,
    redundancyStyles,
    modelStatusStyles,
    openFieldsStyles,
    predictionStyles,
    claimStyles,
  ];

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

  readonly #redundancy = new RedundancyRun(this);

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

  /** Pretrained models that were shown; the reader can go back to them. */
  readonly #opened = new Set<string>();

  #similarity: { figure: Figure; of: Similarity } | null = null;
  #scores: { figure: Figure; of: RolesOf } | null = null;
  /** Number of time slices in which similarities or role scores were computed; a change renders the new values. */
  #slices = 0;

  /** The form, the role scores and the comparison need the module, whatever the source of the weights. */
  protected override get wantsModule(): boolean {
    return true;
  }

  protected override get conditions(): Conditions {
    const { mask, flips, temperature, unscaled } = this;
    return { mask, flips, temperature, unscaled };
  }

  protected override get request(): FigureRequest {
    return { ...super.request, kvHeads: this.kvHeads };
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { figure } = this;
    if (changed.has('figure') && figure) this.#panels.chooseGrown(figure, this.selection);
  }

  override render(): TemplateResult {
    const { figure, strings } = this;
    const { module } = this.modules;
    return html`<div class="all" @keydown=${this.onEscape}>
      ${
        figure
          ? html`${this.#figure(figure)} ${this.problemAlert()}`
          : this.pending(this.computes ? '' : strings.empty)
      }
      ${figure && this.kind === 'model' && this.computes ? this.#modelPanels(figure) : nothing}
      ${figure ? this.#tools(figure) : nothing} ${this.computes ? this.#picker() : nothing}
      ${
        module
          ? sentenceForm({
              ...{ module, strings, language: this.language, sentence: this.sentence, seed: this.seed },
              document: this.sentence === null && !this.data && this.src === null ? this.document : null,
              heads: this.heads ?? NUM_HEADS,
              random: this.kind === 'random',
              follow: this.kind === 'model' ? (sentence) => this.#follow(sentence) : null,
              problem: this.problem?.argument ?? this.outOfRange[0]?.attribute,
              choose: (document) => {
                this.#panels.forget();
                this.#showSentence({ document, sentence: null, heads: null });
              },
              compute: (sentence, heads, seed) => {
                try {
                  checkHeads({ numHeads: heads });
                  checkSentence(sentence, seed);
                } catch (error) {
                  this.problem = problemOfRequest(error, { ...this.request, sentence, heads, seed }, null);
                  return;
                }
                this.problem = null;
                this.#showSentence({ document: null, sentence: sentence.trim(), heads, seed });
              },
            })
          : nothing
      }
    </div>`;
  }

  #figure(figure: Figure): TemplateResult {
    const { strings, selection, computed } = this;
    const head = selection.shownHead;
    const name = figure.headNames[head] ?? head;
    const note = computed ? html`<p part="note" class="note">${computed.note[this.language]}</p>` : html``;
    const printed = computed?.result != null && printsWeights(computed.result);
    const comparison = this.#comparison(figure);
    const compared = isCompared(comparison);
    const filtered = filterNote(this.#look(figure), this.#words);
    return html`
      <figure part="figure">
        <mha-arcs .embedded=${true} part="arcs-view" .figure=${figure} .selection=${selection}></mha-arcs>
        <figcaption>
          <p class="description">${describe(figure, head, selection.shown, strings)}</p>
          <p part="label" class="label">${this.origin?.label ?? this.#words.given}</p>
          <p class="unknown" ?hidden=${!this.origin?.unknown}>${this.origin?.unknown}</p>
          <p class="label looking" ?hidden=${filtered === ''}>${filtered}</p>
        </figcaption>
        ${
          figure.heads > 1 || (this.layers?.count ?? 1) > 1
            ? html`<mha-heads
                .embedded=${true}
                part="heads-view"
                .figure=${figure}
                .layers=${this.layers}
                .selection=${selection}
                .sort=${this.sort}
                .sorted=${this.#sorted}
              ></mha-heads>`
            : nothing
        }
        <div class=${compared ? 'body two' : 'body'}>
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
            ${ranking(figure, head, selection.shown, strings)}
            ${legend(strings, figure, scaleOf(figure), [head])}
            <p class="quiet">${strings.hint}</p>
            ${printed ? nothing : note}
          </div>
          ${comparedHeads(comparison)}
        </div>
        ${printed && computed.result ? printedComparison(computed.result, name, strings, note) : nothing}
        ${this.details('roles', this.#words.roles, () => this.#roles())}
        ${
          computed?.origin.kind === 'trained'
            ? this.details('redundancy', this.#words.redundancy, () => this.#redundant())
            : nothing
        }
        ${this.details('numbers', strings.dataTable, () => {
          const matrix = headMatrix(figure, head, strings);
          return weightTables(figure, [matrix], selection.locked.query, strings).map(numberTable);
        })}
        <p class="visually-hidden" role="status">
          ${selection.locked.query === null ? '' : describe(figure, selection.head, selection.locked, strings)}
        </p>
      </figure>
    `;
  }

  #picker(): TemplateResult {
    const { kind, model, layer, language, trained, pretrained } = this;
    const isModel = kind === 'model';
    if (isPretrained(model) && !needsTrained(kind)) this.#opened.add(model);
    const strings = this.#words;
    const layers = isModel ? this.layers?.count : trained.model?.facts.numLayers;
    const open = (address: string) => Object.assign(this, { model: address, weights: null });
    const { answer } = pretrained;
    return html`
      ${weightsPicker({
        ...{
          kind,
          model,
          opened: this.#opened,
          layer,
          layers: layers ?? null,
          loading: trained.isLoading,
          language,
          strings,
        },
        offersTrained: isOffered(this.trainedFile),
        set: (change) => Object.assign(this, change),
        openOther: () => {
          const details = this.renderRoot.querySelector<HTMLDetailsElement>('details.other-model');
          if (details) details.open = true;
          details?.querySelector('summary')?.focus();
        },
      })}
      ${isModel && this.figure ? this.modelStatus() : nothing}
      ${isModel ? html`${modelFacts(pretrained.session, language)}` : nothing}
      ${isModel && answer && isHangulBroken(answer) ? hangulAdvice(answer.result.origin.model.name, language, open) : nothing}
      ${this.details('other-model', modelStringsFor(language).openModel, () => modelForm(language, open))}
    `;
  }

  get #words(): ExplorerStrings {
    return stringsFor(this.language);
  }

  #roles(): TemplateResult {
    const { module } = this.modules;
    const { unfiltered, strings } = this;
    if (!module || !unfiltered)
      return html`<p class="quiet" role="status">${loadingStringsFor(this.language).loading}</p>`;
    return html`${guard([unfiltered, this.language, this.#slices], () => {
      try {
        return rolesTable(this.#rolesOf(module, unfiltered), unfiltered, strings, this.#words);
      } catch (error) {
        console.error(error);
        return html`<p class="quiet">${problemStringsFor(this.language).unexpected}</p>`;
      }
    })}`;
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

  #redundant(): TemplateResult {
    const { model } = this.trained;
    const { module } = this.modules;
    if (!model || !module)
      return html`<p class="quiet" role="status">${loadingStringsFor(this.language).loading}</p>`;
    const run = this.#redundancy;
    if (!run.isAbout(model)) run.forget();
    return redundancyView({
      ...{ run, steps: model.facts.steps, strings: this.#words },
      measure: () => {
        void run.measure(model, (weights) => module.metrics.similarity(weights));
      },
    });
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

  /** Reads the reader's own sentence with the model while it is typed. */
  #follow(sentence: string): void {
    this.#panels.forget();
    this.#showSentence({ document: null, sentence });
  }

  #look(figure: Figure) {
    return { ...this.filter, joinWords: this.joinWords && figure.part !== null };
  }

  #maskCellIn({ size }: Figure): Cell {
    const { row, column } = this.maskCell;
    return { row: Math.min(row, size - 1), column: Math.min(column, size - 1) };
  }

  #comparison(figure: Figure): HeadComparison {
    return {
      ...{ figure, selection: this.selection, other: this.compare, similarity: this.#similarityOf() },
      ...{ names: this.strings, strings: this.#words },
      set: (other) => {
        this.compare = other;
      },
    };
  }

  /** The function that computes similarities, cached per figure because every pointer move needs it. */
  #similarityOf(): Similarity {
    const { unfiltered } = this;
    const { module } = this.modules;
    if (!unfiltered || !module) return () => null;
    if (this.#similarity?.figure !== unfiltered) {
      const of = similarities(module, unfiltered, this.#startSlice);
      this.#similarity = { figure: unfiltered, of };
    }
    return this.#similarity.of;
  }

  #rolesOf(module: AttentionModule, figure: Figure): RolesOf {
    if (this.#scores?.figure !== figure)
      this.#scores = { figure, of: rolesOf(module, figure, this.#startSlice) };
    return this.#scores.of;
  }

  readonly #startSlice = (): void => {
    this.#slices++;
    this.requestUpdate();
  };

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
