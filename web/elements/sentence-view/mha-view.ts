import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Conditions, PLAIN } from './conditions.js';
import { Figure, type FigureData } from './figure.js';
import { fetchFigure, inlineFigure } from './figure-file.js';
import { addSummaryHeads, applyFilter, type WeightFilter } from './weight-filter.js';
import { type NumberTable, numberTable } from '../base/data-table.js';
import { MhaElement } from '../base/mha-element.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, HEADS, LAYER, SEED, SHARE } from '../base/number-range.js';
import { inlineOrigin, needsModel, type Origin, originLabel, unknownLabel } from './weights-origin.js';
import { type Problem, problemText, type Reason, reasonOf, reasonOfModel } from '../base/problem.js';
import { loadingStringsFor } from '../base/strings.js';
import { type MhaSelectDetail, type Place, Selection } from './selection.js';
import {
  computeFigure,
  type ComputedFigure,
  type FigureRequest,
  problemOfRequest,
} from './computed-figure.js';
import { describe } from './description.js';
import { type Strings, stringsFor } from './strings.js';
import { viewFooter } from './view-footer.js';
import { isOffered, TrainedController } from './trained-controller.js';
import { waiting } from '../base/waiting.js';

/**
 * Base of the views of one sentence: source of the weights, filter, and a selection that views can share. Weights come
 * from `data`, else `src`, else `sentence`, else `document`; until these are loaded, from a
 * `<script type="application/json">` inside the element.
 *
 * @csspart waiting - placeholder until the figure can be drawn
 * @fires mha-select - the reader has changed the locked head, word or pair
 */
export abstract class MhaView extends MhaElement {
  /** Id of a document's example, as `documents.list()` gives it. */
  @property({ reflect: true, useDefault: true }) document: string | null = null;

  /** A sentence to compute weights for, split into words at white space. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** Number of heads, a divisor of 32, the documents' embedDim; by default the example's own number. */
  @property({ type: HEADS, reflect: true, useDefault: true }) heads: number | null = null;

  /** Seed of the random vectors and weights of `sentence`. */
  @property({ type: SEED, reflect: true, useDefault: true }) seed = 0;

  /**
   * Weights for `sentence` and `document`: `random` as in the documents, `constructed` by hand (previous, next, same and
   * first word), or those of a model's layer, `trained` or `untrained`.
   */
  @property({ reflect: true, useDefault: true }) weights = 'random';

  /** The layer of the model, from 0. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer = 0;

  /** URL of a trained model's file, as `mha-training` saves it; the package's own by default. */
  @property() model: string | null = null;

  /** The chosen head, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The locked word (query): the word itself (its first occurrence) or its index from 0. */
  @property({ reflect: true, useDefault: true }) token: string | null = null;

  /** The key of the locked pair, written like `token`. */
  @property({ reflect: true, useDefault: true }) target: string | null = null;

  /** Share of each row that is shown, heaviest weights first; 1 shows all. */
  @property({ type: SHARE, reflect: true, useDefault: true }) mass = 1;

  /** Keys that are hidden, separated by spaces: `self`, `special`, `padding`, `punctuation`. */
  @property({ reflect: true, useDefault: true }) exclude = '';

  /** Whether the shown weights of a row are divided by their sum. */
  @property({ type: Boolean, reflect: true, useDefault: true }) renormalise = false;

  /** Whether to add two heads: the mean and the largest weight of all others. */
  @property({ type: Boolean, reflect: true, useDefault: true }) summary = false;

  /** A JSON file `{ "tokens": […], "weights": [heads][n][n] }` to draw instead of an example. */
  @property() src: string | null = null;

  /** Words and weights to draw, set by a script. */
  @property({ attribute: false }) data: FigureData | null = null;

  /**
   * Views with the same selection stay in sync. `head`, `token` and `target` change a view's own selection; a selection
   * set from outside changes them.
   */
  @property({ attribute: false }) selection = new Selection();

  /** The drawn figure; an explorer sets it on the views that it contains. */
  @property({ attribute: false }) figure: Figure | null = null;

  @state() protected computed: ComputedFigure | null = null;
  @state() protected problem: Problem | null = null;

  protected readonly modules = new ModuleController(this, () => this.wantsModule);

  /** The trained model, if its weights are requested. */
  protected readonly trained = new TrainedController(this, () =>
    this.modules.isNear && this.computes && needsModel(this.weights) ? this.model : undefined,
  );

  /** The figure with summary heads, but before filtering; null if `figure` was set from outside. */
  protected unfiltered: Figure | null = null;

  /** The figure as computed, fetched or set as `data`, without summary heads. */
  #source: Figure | null = null;
  /** Origin of the inline script's weights, which are shown until the requested ones are computed. */
  #inlineOrigin: Origin | null = null;
  /** Controller of the running fetch of `src`; null without one. */
  #fetching: AbortController | null = null;
  readonly #ownSelection = this.selection;

  readonly #readSelection = () => {
    // Do not set an unchanged `head`: that would clear the message about a rejected number.
    if (this.head !== this.selection.head) this.head = this.selection.head;
    const { query, key } = this.selection.locked;
    const { figure } = this;
    if (figure) {
      this.token = query === null ? null : figure.address(query);
      this.target = key === null ? null : figure.address(key);
    }
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.selection.addEventListener('change', this.#readSelection);
    // Reconnected during a fetch: start it again.
    if (this.#fetching) void this.#fetch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.selection.removeEventListener('change', this.#readSelection);
    this.#fetching?.abort();
  }

  protected get strings(): Strings {
    return stringsFor(this.language);
  }

  /** Whether the element needs the WebAssembly module. */
  protected get wantsModule(): boolean {
    return this.computes;
  }

  /** Whether the weights are computed, not read from `data` or `src`. */
  protected get computes(): boolean {
    return this.data === null && this.src === null && (this.document !== null || this.sentence !== null);
  }

  /** Settings of the forward pass; subclasses add attributes for them. */
  protected get conditions(): Conditions {
    return PLAIN;
  }

  protected get request(): FigureRequest {
    const { document, sentence, heads, seed, weights, layer } = this;
    return { ...this.conditions, document, sentence, heads, kvHeads: null, seed, weights, layer };
  }

  protected get filter(): WeightFilter {
    const { mass, exclude, renormalise, summary } = this;
    return { mass, exclude, renormalise, summary };
  }

  /** The figure in the format of `src` and `data`; null while nothing is drawn. */
  toJSON(): ReturnType<Figure['toJSON']> | null {
    return this.figure?.toJSON() ?? null;
  }

  /** Whether the inline script has been read. */
  #inlined = false;
  // Inputs of the last computation and filtering, by which updates after pointing skip both.
  #lastRequest = '';
  #lastModule: unknown = null;
  #lastTrained: unknown = null;
  #lastFiltered: unknown[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('selection');
    if (previous) {
      previous.removeEventListener('change', this.#readSelection);
      this.selection.addEventListener('change', this.#readSelection);
    }
    this.#updateSource(changed);
    this.#applyFilter();
    if (this.selection === this.#ownSelection) this.#writeSelection(changed);
  }

  /** Reads, fetches or computes the weights again if their source has changed. */
  #updateSource(changed: PropertyValues<this>): void {
    // Wait until near the viewport: parsing many figures at once would delay the first paint.
    if (!this.#inlined && this.modules.isNear && this.data === null) {
      this.#inlined = true;
      this.#trySource(() => {
        const inline = inlineFigure(this);
        if (inline && this.computes)
          this.#inlineOrigin = inlineOrigin(this.weights, this.layer, inline.facts);
        return inline?.figure ?? this.#source;
      });
    }
    if (changed.has('data') && this.data) {
      const { data } = this;
      this.#stopFetching();
      this.#resetOrigin();
      this.#trySource(() => Figure.from(data));
      return;
    }
    // `data` or `src` was set or removed: continue with the next source of weights.
    const isOtherSource = changed.has('data') || changed.has('src');
    if (isOtherSource && this.data === null) void this.#fetch();
    if (!this.computes) return;
    const { module } = this.modules;
    const { request } = this;
    const requestText = JSON.stringify(request);
    const { model, error } = this.trained;
    // Until the model is loaded, the last figure stays with the label of its own origin.
    const trained = needsModel(this.weights) ? (model ?? error ?? 'loading') : null;
    const isLast =
      module === this.#lastModule && trained === this.#lastTrained && requestText === this.#lastRequest;
    if (!module || (isLast && !isOtherSource)) return;
    this.#lastRequest = requestText;
    this.#lastModule = module;
    this.#lastTrained = trained;
    this.problem = null;
    if (trained !== null && !model) {
      if (error !== null) {
        this.problem = problemWith(isOffered(this.model) ? 'badModel' : 'noModel', reasonOfModel(error));
      }
      return;
    }
    try {
      this.computed = computeFigure(module, request, model);
      this.#source = this.computed.figure;
    } catch (error) {
      this.problem = problemOfRequest(error, request, model);
    }
  }

  #resetOrigin(): void {
    this.computed = null;
    this.#inlineOrigin = null;
    this.problem = null;
  }

  /** Sets the source to what `read` returns. If that throws, the last figure stays and the reader gets a message. */
  #trySource(read: () => Figure | null): void {
    try {
      this.#source = read();
    } catch (error) {
      this.problem = problemWith('badData', reasonOf(error));
    }
  }

  #stopFetching(): void {
    this.#fetching?.abort();
    this.#fetching = null;
  }

  async #fetch(): Promise<void> {
    this.#stopFetching();
    if (this.src === null) return;
    const fetching = (this.#fetching = new AbortController());
    try {
      const figure = await fetchFigure(this.src, fetching.signal);
      if (fetching.signal.aborted) return;
      this.#resetOrigin();
      this.#source = figure;
    } catch (error) {
      if (!fetching.signal.aborted) this.problem = problemWith('badSource', reasonOf(error));
    }
    if (!fetching.signal.aborted) this.#fetching = null;
    this.requestUpdate();
  }

  /** Sets `figure` to the filtered source; a figure set from outside is not filtered. */
  #applyFilter(): void {
    if (!this.#source) return;
    const { filter } = this;
    const inputs = [this.#source, filter.summary, filter.mass, filter.exclude, filter.renormalise];
    const isLast = inputs.map((value, index) => value === this.#lastFiltered[index]);
    if (isLast.every(Boolean)) return;
    this.#lastFiltered = inputs;
    // Summary heads depend only on the first two inputs, the source and `summary`.
    if (!isLast[0] || !isLast[1] || !this.unfiltered) {
      this.unfiltered = filter.summary ? addSummaryHeads(this.#source) : this.#source;
    }
    this.figure = applyFilter(this.unfiltered, filter);
  }

  /** Updates the view's own selection from its attributes, and clears what a new figure does not have. */
  #writeSelection(changed: PropertyValues<this>): void {
    // Read the attributes first, because changing the selection overwrites them.
    const { figure, selection, head, token, target } = this;
    const isSelected = changed.has('head') || changed.has('token') || changed.has('target');
    if (!figure || !(changed.has('figure') || isSelected)) return;
    // Attributes that were set before the first figure existed apply to it now.
    const first = changed.has('figure') && !changed.get('figure');
    if (first || changed.has('head')) selection.chooseHead(head);
    if (!(selection.head in figure.headNames)) selection.chooseHead(0);
    if (first || changed.has('token') || changed.has('target')) {
      const query = token === null ? null : figure.find(token);
      const key = query === null || target === null ? null : figure.find(target);
      const { locked } = selection;
      if (query !== locked.query || key !== locked.key) selection.lock({ query, key });
    }
    const { query, key } = selection.locked;
    if (Math.max(query ?? 0, key ?? 0) >= figure.size) selection.clear();
    this.#readSelection();
  }

  /** Placeholder until the figure is drawn, or the problem that prevents it; `idle` is shown if nothing is loading. */
  protected pending(idle = ''): TemplateResult {
    const status = this.trained.isLoading ? loadingStringsFor(this.language).loading : idle;
    if (this.wantsModule && !this.problem) return waiting(this.modules, this.language, status);
    return html`<div part="waiting" class="waiting"><slot></slot>${this.problemAlert()}</div>`;
  }

  /**
   * Footer of a view outside an explorer.
   *
   * @param tables tables of numbers, made when the reader opens them
   * @param sentence describes a head's selection
   */
  protected footer(
    figure: Figure,
    legend: TemplateResult | typeof nothing,
    tables: () => readonly NumberTable[],
    sentence = (head: number, place: Place) => describe(figure, head, place, this.strings),
  ): TemplateResult {
    const { head, shownHead, shown, locked } = this.selection;
    return viewFooter({
      origin: this.origin,
      description: sentence(shownHead, shown),
      announcement: locked.query === null ? '' : sentence(head, locked),
      legend,
      problem: this.problemMessage,
      numbers: this.details('numbers', this.strings.dataTable, () => tables().map(numberTable)),
    });
  }

  /** Sentences about the weights' origin and words outside the vocabulary; null for weights from `data` or `src`. */
  protected get origin(): { label: string; unknown: string } | null {
    const origin = this.computed?.origin ?? this.#inlineOrigin;
    return (
      origin && { label: originLabel(origin, this.language), unknown: unknownLabel(origin, this.language) }
    );
  }

  protected problemAlert(): TemplateResult {
    return html`<p id="problem" class="problem" role="alert">${this.problemMessage}</p>`;
  }

  /** Says what could not be drawn, and why; '' without a problem. */
  protected get problemMessage(): string {
    const problem = this.problem ? problemText(this.problem, this.language) : '';
    return [this.outOfRangeMessage, problem].filter(Boolean).join(' ');
  }

  /** Changes the selection on the reader's behalf and fires `mha-select`. */
  protected select(change: (selection: Selection) => void): void {
    change(this.selection);
    const { head, locked } = this.selection;
    const detail: MhaSelectDetail = { head, ...locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  /** The rendered figure under the sentence that describes the selection. */
  override picture(): Picture | null {
    const { figure, selection, strings } = this;
    return figure && { title: describe(figure, selection.shownHead, selection.shown, strings) };
  }

  /** Escape clears the selection; without one the page handles the key. */
  protected readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.selection.shown.query ?? this.selection.locked.query) === null)
      return;
    event.preventDefault();
    this.select((selection) => selection.clear());
  };
}

/** Problem with data, a file or a model that is invalid as a whole. */
const problemWith = (what: 'badData' | 'badSource' | 'badModel' | 'noModel', reason: Reason): Problem => ({
  argument: what,
  message: (strings) => `${strings[what]} ${reason(strings)}`,
});

declare global {
  interface HTMLElementEventMap {
    'mha-select': CustomEvent<MhaSelectDetail>;
  }
}
