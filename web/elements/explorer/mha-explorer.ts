import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { examplesWithSentence } from '../../documents/examples.js';
import { bytesOf, isInPackage, knownModels, languagesOf } from '../../models/known-models.js';
import { NUM_HEADS } from '../../sources/random-words.js';
import { SHOWN_FIRST } from '../../training/language/shown-first.js';
import { HEAD } from '../base/attribute-values.js';
import { controlStyles } from '../base/control-styles.js';
import { checkbox, select, valueOf } from '../base/controls.js';
import type { CsvParts } from '../base/csv.js';
import { dataTableStyles, numberTable } from '../base/data-table.js';
import { type Language, languageOfText } from '../base/language.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { problemOfModel } from '../base/problem.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { loadingStringsFor } from '../base/strings.js';
import { theme } from '../base/theme.js';
import { waitingStyles } from '../base/waiting.js';
import type { HeadSort } from '../heads/head-order.js';
import { stringsFor as headsStringsFor } from '../heads/strings.js';
import { hangulAdvice, modelFacts } from '../model/model-status.js';
import { modelForm, openFieldsStyles } from '../model/model-form.js';
import { isPretrained } from '../../sources/addresses.js';
import { modelStringsFor } from '../model/strings.js';
import { type FigureRequest, MASK_NAMES } from '../../sources/random.js';
import { describe, MhaView } from '../sentence-view/mha-view.js';
import type { AttentionGroup, Figure, HeadPlace, Layers } from '../../sources/figure.js';
import { legend, legendStyles, scaleOf, shortLegend } from '../sentence-view/legend.js';
import { maskField } from '../sentence-view/mask-field.js';
import { barListStyles } from '../base/bar-list.js';
import { ranking } from './ranking.js';
import { isNowhere, type Place, Selection } from '../sentence-view/selection.js';
import { isHangulBroken, nameOf } from '../../sources/model.js';
import { exclusionsOf, NO_FILTER } from '../sentence-view/weight-filter.js';
import { headMatrix, weightsCsv, weightTables } from '../sentence-view/weight-tables.js';
import { comparedHeads, HeadScores, scoreStyles } from './head-scores.js';
import { loadPanels } from './load-panels.js';
import type { PanelChange, PanelView } from './panels/model-panel.js';
import { type ExplorerStrings, stringsFor } from './strings.js';
import { compareTools, computeTools, exportTools, filterNote, filterTools, toolStyles } from './tools.js';

const explorerStyles = css`
  :host {
    container-type: inline-size;
    line-height: 1.6;
  }
  .hidden {
    visibility: hidden;
  }
  .all,
  .inside,
  figure {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  figure {
    gap: 0.6rem;
  }
  .inside {
    gap: 1.25rem;
    padding-block: 1rem;
    border-block: 1px solid var(--_line);
  }
  .caption {
    font-weight: 600;
  }
  p {
    margin: 0;
  }
  .problem:empty {
    display: none;
  }
  figcaption {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
    display: grid;
    gap: 0.15rem;
  }
  .note,
  .quiet {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .label {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .looking {
    color: var(--_arc);
  }
  [hidden] {
    display: none;
  }
  [part~='arcs-view'],
  [part~='heads-view'],
  [part~='layers-view'],
  [part~='matrix-view'] {
    transition: opacity 200ms 150ms;
  }
  [aria-busy='true'] > :is([part~='arcs-view'], [part~='heads-view'], [part~='layers-view'], .body) {
    opacity: 0.45;
  }
  @media (prefers-reduced-motion: reduce) {
    [part$='-view'] {
      transition: none;
    }
  }
  .body {
    display: grid;
    gap: 1.5rem 2.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .side {
    display: grid;
    gap: 1.5rem;
    align-content: start;
  }
  @container (min-width: 37rem) and (max-width: 51.99rem) {
    .body:not(.two) .side {
      align-items: start;
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container (min-width: 52rem) {
    .body:not(.two) {
      grid-template-columns: minmax(0, 1fr) 17rem;
    }
  }
  details {
    min-width: 0;
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.6rem;
    align-items: center;
    justify-content: center;
    font-size: 0.875rem;
  }
  .toolbar select {
    padding-block: 0.2rem;
    min-height: 2rem;
    width: auto;
    /* As wide as the chosen option, where browsers can; else as the longest. */
    field-sizing: content;
  }
  .unknown {
    font-size: 0.875rem;
    color: var(--_query);
  }
  .unknown[part='advice'] {
    max-width: 40rem;
    justify-self: center;
  }
  [part='model-facts'] {
    text-align: center;
  }
  .own {
    width: 100%;
    max-width: 40rem;
    justify-self: center;
    font-size: 0.875rem;
  }
  .own input {
    width: 100%;
    box-sizing: border-box;
  }
  @media print {
    .toolbar,
    .own {
      display: none;
    }
  }
`;

/** Views that the attribute `views` may name; the others are behind “More”. */
const VIEWS = [
  'arcs',
  'heads',
  'layers',
  'matrix',
  'predictions',
  'effects',
  'lens',
  'removal',
  'patch',
] as const;

/** Those that are panels of a pretrained model. */
const PANELS: readonly string[] = VIEWS.slice(4);

const CONTROLS = ['none', 'basic', 'full'] as const;
const NOTES = ['on', 'off'] as const;

/** What the tools change, as it is before. */
const PLAIN = { ...NO_FILTER, mask: 'none', heads: null, compare: null, ablated: '', answer: '', other: '' };

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** A list to choose one of several by number; nothing for a single one. */
const numberList = (
  name: string,
  label: string,
  count: number,
  chosen: number,
  nameOfItem: (index: number) => string,
  choose: (index: number) => void,
): TemplateResult | typeof nothing =>
  count < 2
    ? nothing
    : select(
        name,
        label,
        Array.from({ length: count }, (_, index) => [index, nameOfItem(index)]),
        chosen,
        (index) => choose(Number(index)),
      );

/** As tokenizers write it, with a mark of its beginning or without. */
const PRONOUN = /^[▁Ġ]?(he|she|it|they|him|her|them|그|그녀|그것)(은|는|이|가|를|을)?$/iu;

/** The package's own model, which reads the sentences of its language alone. */
const SMALL = 'sentences';

/** Longest text of an option: a longer one would be cut off on a narrow screen. */
const LONGEST = 30;
const short = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/\s*\S*$/, '')} …` : text;

/** A sentence to choose, of a document or by itself. */
interface Choice {
  readonly document: string | null;
  readonly sentence: string | null;
  readonly text: string;
  readonly lang: Language | undefined;
}

const choiceOf = (text: string): Choice => ({
  ...{ document: null, sentence: text, text, lang: languageOfText(text) },
});

/**
 * A figure of one sentence: arcs, heads and caption; behind “More” the matrix, all layers, the numbers, and tools to change,
 * compare and export. Weights come from `data`, else `src`, else `sentence`, else `document`.
 *
 * The element's content is a placeholder until the figure can be drawn.
 *
 * @slot - shown until the figure can be drawn
 * @csspart figure - all but the tools and the form
 * @csspart arcs-view - the arcs
 * @csspart other-view - the arcs of the second sentence
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
 * @csspart other-model - the form's disclosure
 * @csspart label - kind of the weights
 * @csspart note - explains the kind of weights
 * @csspart steps - every number of a pretrained model's head
 * @csspart steps-view - the steps
 * @csspart predictions - what a pretrained model predicts, with and without heads
 * @csspart effects - what each head adds to the answer
 * @csspart lens - what a pretrained model would say at each layer
 * @csspart removal - what changes without each head
 * @csspart patch - what a head's output from another sentence changes
 * @csspart roles - the table of role scores
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
 * @cssprop [--mha-motion=240ms] - how long arcs and numbers move to new weights; 0ms for at once
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
    barListStyles,
    dataTableStyles,
    controlStyles,
    scoreStyles,
    explorerStyles,
    toolStyles,
    openFieldsStyles,
  ];

  /**
   * What is in the open, separated by spaces: `arcs`, `heads` (of the layer), `layers` (the heads of all layers), `matrix`; of
   * a pretrained model also `predictions`, `effects` (what each head adds to the answer), `lens` (what it would say at each
   * layer), `removal` (what changes without each head) and `patch` (one head's output from the sentence `other`). The rest is
   * behind “More”.
   */
  @property({ reflect: true, useDefault: true }) views = 'arcs heads';

  /** `none`; `basic`: all behind “More”; `full`: sentence, weights, layer and head below the figure, and “More”. */
  @property({ reflect: true, useDefault: true }) controls: 'none' | 'basic' | 'full' = 'basic';

  /** The author's caption, above the sentence that describes the figure. */
  @property({ reflect: true, useDefault: true }) caption = '';

  /** Sentences that the reader can choose from, separated by `|`; by default those of the documents. */
  @property({ reflect: true, useDefault: true }) sentences = '';

  /** `on` shows what the documents say of their weights. */
  @property({ reflect: true, useDefault: true }) note: 'on' | 'off' = 'off';

  /** `none`, `causal`, `padding:n` (the last n words), `window:n` (n words to either side) or document 000's `trap`. */
  @property({ reflect: true, useDefault: true }) mask = 'none';

  /**
   * How a causal model's next token is drawn: temperature (0–2), topK (0 for all tokens) and seed, separated by spaces, as in
   * `0.8 40 7`. Empty for the likeliest token.
   */
  @property({ reflect: true, useDefault: true }) sampling = '';

  /**
   * The answer of a pretrained model and the word that it is compared with, separated by a space: words, tokens as the
   * vocabulary spells them, or ids such as `#42`. Empty for the two likeliest words.
   */
  @property({ reflect: true, useDefault: true }) answer = '';

  /**
   * A second sentence, whose arcs are drawn below those of the first with the same selection, and from which `patch` takes the
   * outputs of heads. For `patch` it must have as many tokens.
   */
  @property({ reflect: true, useDefault: true }) other = '';

  /** Order of a model's heads, as in `mha-heads`. */
  @property({ reflect: true, useDefault: true }) sort: HeadSort = 'layer';

  /** Head, from 0, that is compared with the chosen one; null for none. */
  @property({ type: HEAD, reflect: true, useDefault: true }) compare: number | null = null;

  @state() private exportStatus = '';
  /** Why the panels of a model cannot be shown. */
  @state() private panelProblem = '';

  /** Whether the views of the first figure are drawn. */
  @state() private isDrawn = false;

  /** Scores of the figure before filtering; null until it is there. */
  #lastScores: HeadScores | null = null;
  /** Number of time slices in which scores were computed; a change renders the new ones. */
  #slices = 0;

  /** Of the steps, where they have other words than the figure. */
  readonly #stepsSelection = new Selection();
  /** What was shown before the reader typed, and what was typed last. */
  #before: { text: string; state: Partial<MhaExplorer>; locked: Place } | null = null;
  #typed: string | null = null;
  /** What is to be chosen in the figure that is drawn next. */
  #restored: Place | null = null;
  /** Whether the fields to open another model are below the list. */
  @state() private isChoosingModel = false;
  /** The text with the new token, until it is drawn and its last token chosen. */
  #grownText: string | null = null;

  /** Pretrained models that were shown; the reader can go back to them. */
  readonly #opened = new Set<string>();
  /** The model that the reader chose last: it may have fewer layers than the one before. */
  #chosen: string | null = null;

  /** Role scores and similarities need the module, whatever the source of the weights. */
  protected override get wantsModule(): boolean {
    return super.wantsModule || this.isOpen('more') || this.compare !== null;
  }

  protected override get request(): FigureRequest {
    const { sentence, ...request } = super.request;
    return { ...request, sentence: sentence?.normalize('NFC') ?? null, mask: this.mask };
  }

  protected override get problemMessage(): string {
    const strings = problemStringsFor(this.language);
    const attributes: [string, string[], readonly string[]][] = [
      ['views', wordsOf(this.views), VIEWS],
      ['controls', [this.controls], CONTROLS],
      ['note', [this.note], NOTES],
    ];
    const wrong = attributes.flatMap(([attribute, values, known]) =>
      values
        .filter((value) => !known.includes(value))
        .map((value) => strings.badName(attribute, value, known)),
    );
    return [super.problemMessage, ...wrong].filter(Boolean).join(' ');
  }

  /** Chooses a new token once it is drawn, so that each head's row of it is shown. */
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (changed.has('figure') && this.figure && !this.isDrawn) this.#reveal();
    if (this.problem?.argument === 'layer' && this.model === this.#chosen) this.layer = 0;
    const { figure } = this;
    if (this.#restored && figure && !this.isOld) {
      this.selection.lock(this.#restored);
      this.#restored = null;
    }
    if (!changed.has('figure') || !figure || this.#grownText === null || !this.#isRead) return;
    if (this.textRequest?.text === this.#grownText) {
      this.selection.lock({ query: figure.size - 1, key: null });
    }
    this.#grownText = null;
  }

  /** Whether a pretrained model's figure is of the present text. */
  get #isRead(): boolean {
    return this.isInline || this.pretrained.answer?.request.text === this.textRequest?.text;
  }

  #shows(view: (typeof VIEWS)[number]): boolean {
    return wordsOf(this.views).includes(view);
  }

  /** Resolves when the views inside are drawn, too. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await Promise.all(this.#views.map((view) => view.updateComplete));
    return isComplete;
  }

  get #views(): MhaView[] {
    return [...this.renderRoot.querySelectorAll<MhaView>('mha-arcs, mha-heads, mha-matrix')];
  }

  /** Shows the figure once each view in it is drawn: the later ones would push away what is below them. */
  readonly #reveal = (): void => {
    this.isDrawn = this.#views.every((view) => view.hasUpdated);
    // Views of a removed explorer are not drawn.
    if (!this.isDrawn && this.isConnected) requestAnimationFrame(this.#reveal);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.figure && !this.isDrawn) requestAnimationFrame(this.#reveal);
  }

  override render(): TemplateResult {
    const { figure, controls } = this;
    // Browsers lay out what has fields, to fill them in, however far it is.
    const isOpen = this.#hasOpenControls && (figure !== null || this.modules.isNear);
    // A field that is hidden would lose the focus.
    const isHidden = figure !== null && !this.isDrawn && !this.isChoosingModel;
    return html`<div class=${classMap({ all: true, hidden: isHidden })} @keydown=${this.onEscape}>
      ${this.#hangulAdvice()}
      ${
        figure
          ? html`${this.#figure(figure)} ${this.problemAlert()}`
          : this.pending(this.computes ? '' : this.#words.empty)
      }
      ${isOpen ? html`${this.#ownSentence()} ${this.#toolbar()}` : nothing}
      ${figure && wordsOf(this.views).some((name) => PANELS.includes(name)) ? this.#panels(figure, false) : nothing}
      ${this.#isComing ? nothing : this.#modelNotes()}
      ${
        controls === 'none' || this.#isComing
          ? nothing
          : this.details('more', this.#words.more, () => this.#more(figure))
      }
    </div>`;
  }

  /** Whether a model is about to give the first figure, which would push away what is shown below it. */
  get #isComing(): boolean {
    const { session } = this.pretrained;
    const isRead = session !== null && (session.isLoading || session.model !== null);
    return this.figure === null && this.computes && isRead && !this.problem;
  }

  #figure(figure: Figure): TemplateResult {
    const { strings, selection, caption } = this;
    const head = selection.shownHead;
    const filtered = this.#filterNote(figure);
    const { isOld } = this;
    return html`
      <figure part="figure" aria-busy=${String(isOld)}>
        ${
          this.#shows('arcs')
            ? html`<mha-arcs
                .embedded=${true}
                part="arcs-view"
                .show=${this.drawnShow}
                .figure=${figure}
                .selection=${selection}
              ></mha-arcs>`
            : nothing
        }
        <figcaption>
          ${caption === '' ? nothing : html`<p part="caption" class="caption">${caption}</p>`}
          <p class="description">
            ${isOld ? this.oldNote : `${describe(figure, head, selection.shown, strings)} ${this.passedNote}`}
          </p>
          <p part="label" class="label">${this.origin?.label ?? this.#words.given}</p>
          <p class="label" ?hidden=${!this.origin?.limits}>${this.origin?.limits}</p>
          <p class="unknown" ?hidden=${!this.origin?.unknown}>${this.origin?.unknown}</p>
          <p class="label looking" ?hidden=${filtered === ''}>${filtered}</p>
        </figcaption>
        ${this.#shows('arcs') ? this.#otherArcs() : nothing}
        ${this.#shows('heads') && figure.heads > 1 ? this.#heads(figure, null) : nothing}
        ${this.#shows('layers') && this.#hasLayers ? this.#heads(figure, this.layers) : nothing}
        ${this.#shows('matrix') ? this.#matrix(figure) : shortLegend(strings, this.language, figure, scaleOf(figure), head)}
        <p class="visually-hidden" role="status">
          ${isOld ? this.oldNote : isNowhere(selection.locked) ? '' : describe(figure, selection.head, selection.locked, strings)}
        </p>
      </figure>
    `;
  }

  /** The arcs of the second sentence, which the same model reads. */
  #otherArcs(): TemplateResult | typeof nothing {
    const other = this.other.trim();
    if (other === '' || this.kind !== 'model' || !this.computes || this.allLayers?.groups) return nothing;
    return html`<mha-arcs
      part="other-view"
      .model=${this.model}
      .untrained=${this.untrained}
      .load=${this.load}
      .sentence=${other}
      .ablated=${this.ablated}
      .joinWords=${this.joinWords}
      .show=${this.show}
      .selection=${this.selection}
    ></mha-arcs>`;
  }

  /** What is behind “More”: first what changes the figure, then other views, then panels. */
  #more(figure: Figure | null): TemplateResult {
    const { strings, selection, computed } = this;
    const isModel = this.kind === 'model' && this.computes;
    return html`<div class="inside">
      ${!this.#hasOpenControls ? html`${this.#toolbar()} ${this.#ownSentence()}` : nothing}
      ${figure ? this.#tools(figure) : nothing}
      ${figure && !this.#shows('matrix') ? this.#matrix(figure) : nothing}
      ${figure && !this.#shows('layers') && this.#hasLayers ? this.#heads(figure, this.layers) : nothing}
      ${
        figure && computed && this.note === 'on'
          ? html`<p part="note" class="note">${computed.note[this.language]}</p>`
          : nothing
      }
      ${figure && !figure.isOfTwo && this.drawnShow === 'weights' ? this.details('roles', this.#words.roles, () => this.#roles()) : nothing}
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

  /** Whether the toolbar is in the open: with `full`, and where there is nothing to draw until a sentence is chosen. */
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
      .show=${this.drawnShow}
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
    const other = this.compare;
    const compared = other !== null && other !== head && other in figure.headNames;
    return html`<div class=${compared ? 'body two' : 'body'}>
      <div>
        ${compared ? html`<p class="head-name">${figure.nameOf(head, strings)}</p>` : nothing}
        <mha-matrix
          .embedded=${true}
          part="matrix-view"
          .show=${this.drawnShow}
          .figure=${figure}
          .selection=${selection}
        ></mha-matrix>
      </div>
      <div class="side">
        ${ranking(figure, head, selection.shown, { ...this.#words.ranking, ...strings.ranking })}
        ${legend(strings, figure, scaleOf(figure), [head])}
        <p class="quiet">${this.#words.hint}</p>
      </div>
      ${compared ? comparedHeads(figure, selection, other, this.#similarity, strings, this.#words) : nothing}
    </div>`;
  }

  /** Lists to choose the weights (of a pretrained model, or random), layer, head, sentence. */
  #toolbar(): TemplateResult {
    const { computes, kind, layer, selection, figure } = this;
    const words = this.#words;
    const layers = kind === 'model' ? (this.layers?.count ?? 0) : 0;
    const nameOfHead = (head: number) => figure?.nameOf(head, this.strings) ?? '';
    return html`
      <div class="toolbar" part="toolbar" role="group" aria-label=${words.toolbar}>
        ${computes ? this.#weightsList() : nothing}
        ${
          computes && kind === 'model'
            ? checkbox('untrained', words.untrained, this.untrained, (on) => (this.untrained = on))
            : nothing
        }
        ${this.#attentionList()} ${this.#showList()}
        ${numberList('layer', words.layer, layers, layer, words.layerName, (chosen) => (this.layer = chosen))}
        ${numberList('head', words.head, figure?.heads ?? 0, selection.head, nameOfHead, (head) => {
          this.select((one) => one.chooseHead(head));
        })}
        ${this.#sentenceList()}
      </div>
      ${computes && this.isChoosingModel ? this.#otherModel() : nothing}
    `;
  }

  /** The groups of an encoder–decoder's heads. */
  #attentionList(): TemplateResult | typeof nothing {
    const { attention } = this.#words;
    const { allLayers } = this;
    if (!allLayers?.groups) return nothing;
    return select(
      'attention',
      attention.label,
      allLayers.groupNames.map((name) => [name, attention[name]]),
      this.attention ?? 'cross',
      (chosen) => {
        const name = chosen as AttentionGroup;
        this.attention = name;
        // One stack may have fewer layers than the other.
        this.layer = Math.min(this.layer, allLayers.group(name).count - 1);
      },
    );
  }

  /** What of the heads is drawn; where it can be something else than weights. */
  #showList(): TemplateResult | typeof nothing {
    const { allLayers, kind, computes, show } = this;
    const { show: names } = this.#words;
    const isModel = kind === 'model' && computes;
    if (!allLayers || allLayers.groups || (!isModel && !allLayers.passed && allLayers.count === 1))
      return nothing;
    const passes = isModel || allLayers.passed !== null;
    const known = (['weights', 'value-weighted', 'rollout'] as const).filter(
      (name) => name !== 'value-weighted' || passes,
    );
    return select(
      'show',
      names.label,
      known.map((name) => [name, names[name]]),
      show,
      (chosen) => (this.show = chosen as MhaExplorer['show']),
    );
  }

  #weightsList(): TemplateResult {
    const { kind, model } = this;
    const words = this.#words;
    if (isPretrained(model) && kind === 'model') this.#opened.add(model);
    const available = knownModels().flatMap(({ name, isAvailable }) => (isAvailable ? [name] : []));
    const prefix = 'model:';
    const shown = kind === 'model' ? `${prefix}${model ?? ''}` : kind;
    const option = (value: string, text: string) =>
      html`<option value=${value} .selected=${value === shown}>${text}</option>`;
    return html`<select
      name="weights"
      aria-label=${words.weights}
      @change=${(event: Event) => {
        const value = valueOf(event);
        if (value === 'other') {
          // The list shows what is drawn until another model is open.
          (event.currentTarget as HTMLSelectElement).value = shown;
          void this.#chooseModel(true);
        } else if (value.startsWith(prefix)) this.#openModel(value.slice(prefix.length));
        else this.weights = isPretrained(model) ? 'random' : null;
      }}
    >
      <optgroup label=${words.pretrained}>
        ${[...new Set([...this.#opened, ...available])].map((name) => option(prefix + name, words.ownModels[name] ?? nameOf(name)))}
        ${option('other', modelStringsFor(this.language).ownModel)}
      </optgroup>
      <optgroup label=${words.notPretrained}>${option('random', words.random)}</optgroup>
    </select>`;
  }

  #sentenceList(): TemplateResult {
    const { document, sentence, language } = this;
    const words = this.#words;
    const own = this.sentences.split('|').flatMap((text) => text.trim() || []);
    const documents = examplesWithSentence.map(({ id, sentence: text = '', lang, title }): Choice => ({
      ...{ document: id, sentence: null },
      ...(this.note === 'on'
        ? { text: `${id.slice(0, 3)} · ${title[language]}`, lang: undefined }
        : { text, lang }),
    }));
    const isSmall = this.kind === 'model' && this.model === SMALL;
    const others = SHOWN_FIRST[language === 'ko' ? 'en' : 'ko'];
    const trained =
      isSmall && own.length === 0
        ? [...SHOWN_FIRST[language], ...others].map(({ text }) => choiceOf(text))
        : [];
    const choices = [...trained, ...(own.length > 0 ? own.map(choiceOf) : documents)];
    const shown = choices.findIndex((choice) =>
      choice.document === null
        ? choice.sentence === sentence
        : sentence === null && choice.document === document,
    );
    const options = choices.map(
      ({ text, lang }, index) =>
        html`<option value=${index} lang=${lang ?? nothing} .selected=${index === shown}>
          ${short(text)}
        </option>`,
    );
    return html`<select
      name="example"
      aria-label=${words.sentence}
      @change=${(event: Event) => {
        const choice = choices[Number(valueOf(event))];
        if (!choice) this.renderRoot.querySelector<HTMLInputElement>('[name=sentence]')?.select();
        else this.#showSentence({ document: choice.document, sentence: choice.sentence, heads: null });
      }}
    >
      ${
        trained.length === 0
          ? options
          : html`<optgroup label=${words.trainedSentences}>${options.slice(0, trained.length)}</optgroup>
              <optgroup label=${words.documentSentences}>${options.slice(trained.length)}</optgroup>`
      }
      <option value="own" .selected=${shown === -1}>${words.ownSentence}</option>
    </select>`;
  }

  /** A field for the reader's own sentence, which is computed while it is typed. */
  #ownSentence(): TemplateResult {
    const { text, language } = this;
    const strings = modelStringsFor(language);
    const model = this.kind === 'model' ? (this.model ?? '') : '';
    const loads = model !== '' && !isInPackage(model) && !this.pretrained.session;
    const languages = languagesOf(model);
    const isForeign = languages !== null && !languages.includes(language);
    const wrong = this.problem?.argument ?? this.outOfRange[0]?.attribute;
    return html`
      <label class="field own" part="form">
        <span>
          ${this.#words.ownSentenceLabel}
          <span class="quiet"
            >${isForeign ? strings.reads(languages) : ''}
            ${loads ? strings.loadsModel(nameOf(model), bytesOf(model)) : ''}</span
          >
        </span>
        <input
          name="sentence"
          autocomplete="off"
          spellcheck="false"
          lang=${languageOfText(text) ?? nothing}
          .value=${live(text)}
          @input=${(event: Event) => {
            this.#type(valueOf(event));
          }}
          aria-invalid=${String(wrong === 'text')}
          aria-describedby="problem"
        />
      </label>
    `;
  }

  /** Shows what is typed; the text that was there before typing brings back what it was of. */
  #type(text: string): void {
    let before = this.sentence === this.#typed ? this.#before : null;
    if (before === null) {
      const { document, sentence, data, src, mask, selection } = this;
      const state = { document, sentence, data, src, mask };
      before = { text: this.text, state, locked: selection.locked };
    }
    this.#before = before;
    this.#typed = text;
    if (text === before.text) {
      this.#before = null;
      this.#restored = before.locked;
      Object.assign(this, before.state);
    } else {
      this.#restored = null;
      this.#showSentence({ document: null, sentence: text });
    }
  }

  /** How far a model's download is, and what the model is. */
  #modelNotes(): TemplateResult | typeof nothing {
    if (!this.computes || this.kind !== 'model') return nothing;
    return html`${this.figure ? this.modelStatus() : nothing}
    ${modelFacts(this.pretrained.session, this.language)}`;
  }

  /** Says above the weights that they mean nothing, where the model has not learned to read the sentence. */
  #hangulAdvice(): TemplateResult | typeof nothing {
    const { answer } = this.pretrained;
    if (!this.computes || this.kind !== 'model' || !answer || !isHangulBroken(answer)) return nothing;
    const { brokenHangul } = modelStringsFor(this.language);
    return hangulAdvice(brokenHangul(answer.result.origin.model.name), this.#openModel);
  }

  /** The last pronoun, else the last word, of a sentence that is being typed, where the chosen word is not in it. */
  protected override lostWord(): number | null {
    const { figure, sentence } = this;
    if (!figure || this.#typed === null || sentence !== this.#typed) return null;
    const isWord = (token: string, index: number) => !figure.isSpecial(index) && /[\p{L}\p{N}]/u.test(token);
    const pronoun = figure.tokens.findLastIndex((token) => PRONOUN.test(token));
    const last = pronoun < 0 ? figure.tokens.findLastIndex(isWord) : pronoun;
    return last < 0 ? null : last;
  }

  readonly #openModel = (address: string): void => {
    this.#chosen = address;
    Object.assign(this, { model: address, weights: null });
  };

  /** The fields to open another model, below the list that was used. */
  #otherModel(): TemplateResult {
    const close = () => void this.#chooseModel(false);
    return html`<div
      class="choose-model"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      ${modelForm(this.language, (address) => {
        close();
        this.#openModel(address);
      })}
      <button type="button" class="control" @click=${close}>${modelStringsFor(this.language).cancel}</button>
    </div>`;
  }

  /** Opens or closes these fields; the focus goes with them. */
  async #chooseModel(isChoosing: boolean): Promise<void> {
    this.isChoosingModel = isChoosing;
    await this.updateComplete;
    const field = isChoosing ? '.choose-model [name=address]' : '[name=weights]';
    this.renderRoot.querySelector<HTMLElement>(field)?.focus();
  }

  get #words(): ExplorerStrings {
    return stringsFor(this.language);
  }

  /** What else a pretrained model can show: a head's steps, and what it predicts. */
  #modelPanels(figure: Figure): TemplateResult {
    const { selection } = this;
    const name = figure.nameOf(selection.head, this.strings);
    const hasSteps = !this.allLayers?.groups;
    return html`${hasSteps ? this.details('steps', this.#words.steps(name), () => this.#steps()) : nothing}
    ${this.#panels(figure, true)}`;
  }

  /** Whether the figure's words are the model's tokens, one each. */
  get #hasAllTokens(): boolean {
    return !this.joinWords && !exclusionsOf(this.exclude).includes('special');
  }

  #steps(): TemplateResult {
    void import('../steps/index.js');
    const { selection } = this;
    const { address = null, text = null, ablated = '' } = this.textRequest ?? {};
    return html`<mha-steps
      part="steps-view"
      .model=${address}
      .load=${this.load}
      .sentence=${text}
      .ablated=${ablated}
      .layer=${selection.layer}
      .head=${selection.head}
      .selection=${this.#hasAllTokens ? selection : this.#stepsSelection}
    ></mha-steps>`;
  }

  /** Says what is missing where a file beside the script cannot be loaded. */
  async #loadPanels(): Promise<void> {
    try {
      const { definePanels, panelStyles } = await loadPanels();
      definePanels();
      this.addStyles(panelStyles);
      this.panelProblem = '';
    } catch (error) {
      this.panelProblem = problemOfModel(error, true).message(problemStringsFor(this.language));
    }
  }

  /** The panels that `views` names, or the rest. */
  #panels(figure: Figure, isRest: boolean): TemplateResult | typeof nothing {
    if (this.kind !== 'model' || !this.computes) return nothing;
    void this.#loadPanels();
    if (this.panelProblem !== '') return html`<p class="problem" role="alert">${this.panelProblem}</p>`;
    const { pretrained, selection, load, sampling, answer, other, language, allLayers } = this;
    const { layer, head, locked } = selection;
    const { session } = pretrained;
    const model = session?.model ?? null;
    const group = allLayers?.groups ? (this.attention ?? 'cross') : null;
    const written = group && this.#isRead ? (pretrained.answer?.result.written ?? null) : null;
    const isPlace = group ? group !== 'encoder' : model?.causal;
    const chosen = isPlace && this.#isRead && this.#hasAllTokens ? locked.query : null;
    const position = written ? (chosen ?? 0) : chosen;
    const words = written ? allLayers?.figure(layer) : figure;
    const view: PanelView = {
      ...{ model, position, written, group, load, sampling, answer, other, language },
      request: group && !written ? null : this.textRequest,
      word: position === null ? null : (words?.tokens[position] ?? null),
      figureState: pretrained.error !== null ? 'refused' : this.#isRead ? 'drawn' : 'pending',
      hasStatus: session !== null,
      head: typeof figure.headNames[head] === 'number' ? { layer, head } : null,
    };
    return html`<mha-explorer-panels
      .view=${view}
      .open=${wordsOf(this.views)}
      .isRest=${isRest}
      @text=${({ detail }: CustomEvent<{ text: string; isGrown: boolean }>) => {
        this.#grownText = detail.isGrown ? detail.text : null;
        this.#showSentence({ document: null, sentence: detail.text });
      }}
      @head=${({ detail }: CustomEvent<HeadPlace>) => {
        this.select((one) => one.chooseHead(detail.head, detail.layer));
      }}
      @set=${({ detail }: CustomEvent<PanelChange>) => {
        Object.assign(this, detail);
        // The other group's rows have other words: its row of the same number gives the same answer.
        if (detail.attention && chosen !== null) this.#restored = { query: chosen, key: null };
      }}
    ></mha-explorer-panels>`;
  }

  get #scores(): HeadScores | null {
    const { unfiltered: figure } = this;
    const { module } = this.modules;
    if (!figure || !module) return null;
    if (this.#lastScores?.figure !== figure) {
      this.#lastScores = new HeadScores(figure, module.metrics, () => {
        this.#slices++;
        this.requestUpdate();
      });
    }
    return this.#lastScores;
  }

  readonly #similarity = (a: number, b: number): number | null => this.#scores?.similarity(a, b) ?? null;

  #roles(): TemplateResult {
    const { language } = this;
    const scores = this.#scores;
    if (!scores) return html`<p class="quiet" role="status">${loadingStringsFor(language).loading}</p>`;
    return html`${guard([scores, language, this.#slices], () => {
      try {
        return scores.rolesTable(headsStringsFor(language), this.#words);
      } catch (error) {
        console.error(error);
        return html`<p class="quiet">${problemStringsFor(language).unexpected}</p>`;
      }
    })}`;
  }

  /** Tools to change, compare and save the figure. */
  #tools(figure: Figure): TemplateResult {
    const words = this.#words;
    const { computed, kind } = this;
    const isComputed = kind !== 'model' && (computed !== null || (this.computes && this.problem !== null));
    const own = computed?.figure.headNames.filter(Number.isInteger).length ?? NUM_HEADS;
    const heads = (computed?.anyHeads ?? true) ? (this.heads ?? own) : null;
    const isRandom = kind === 'random';
    return this.details(
      'tools',
      words.tools,
      () => html`
        <div class="toolbox">
          ${filterTools(this, this.unfiltered ?? figure, words)}
          ${
            isComputed
              ? html`${computeTools(this, heads, isRandom && this.sentence !== null, isRandom, words)}
                ${maskField(this, MASK_NAMES, figure.size, this.language, 2)}`
              : nothing
          }
          ${
            figure.heads > 1
              ? compareTools(this, figure, this.selection.head, this.#similarity, this.strings, words)
              : nothing
          }
          ${exportTools(this, words, this.exportStatus, (status) => {
            this.exportStatus = status;
          })}
        </div>
        ${
          this.#isChanged
            ? html`<button type="button" class="control" data-reset @click=${this.#reset}>
                ${words.reset}
              </button>`
            : nothing
        }
      `,
    );
  }

  readonly #sorted = (sort: HeadSort): void => {
    this.sort = sort;
  };

  /** What is not drawn, in a sentence; '' if all is. */
  #filterNote({ part, keyWords }: Figure): string {
    const hasWords = (part?.words ?? keyWords) !== null;
    return filterNote({ ...this.filter, joinWords: this.joinWords && hasWords }, this.#words);
  }

  get #isChanged(): boolean {
    return Object.entries(PLAIN).some(([name, value]) => this[name as keyof typeof PLAIN] !== value);
  }

  readonly #reset = (): void => {
    Object.assign(this, PLAIN);
  };

  /** Shows another sentence and resets the mask, which may not fit it. */
  #showSentence(change: Partial<MhaExplorer>): void {
    Object.assign(this, { data: null, src: null, mask: 'none', ...change });
  }

  override picture(): Picture | null {
    const { figure, strings, selection } = this;
    if (!figure) return null;
    this.renderRoot.querySelector('mha-arcs')?.settle();
    const title = [
      describe(figure, selection.shownHead, selection.shown, strings),
      this.origin?.label ?? this.#words.given,
      this.origin?.unknown ?? '',
      this.#filterNote(figure),
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
