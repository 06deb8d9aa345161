import { html, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Conditions, PLAIN } from './conditions.js';
import { Figure, type FigureData } from './figure.js';
import { fetchFigure, inlineFigure } from './figure-file.js';
import { type Lens, through } from './lens.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import { HEAD, HEADS, LAYER, SEED, SHARE } from '../base/number-range.js';
import { firstOrigin, needsModel, type Origin, originLabel, unknownLabel } from './origin.js';
import { type Problem, problemText, type Reason, reasonOf, reasonOfModel } from '../base/problem.js';
import { type MhaSelectDetail, Selection } from './selection.js';
import { type Answer, answer, type Asked, problemOfAsked } from './source.js';
import { loadingStringsFor } from '../base/strings.js';
import { type Strings, stringsFor } from './strings.js';
import { withSummaries } from './summaries.js';
import { isOffered, TrainedController } from './trained-controller.js';
import { waiting } from '../base/waiting.js';

/**
 * What the views of one sentence have in common: where the weights come from, how they are looked at, and a
 * selection that may be shared. Weights come from `data`, else `src`, else `sentence`, else `document`; until they
 * are there, from a `<script type="application/json">` inside the element.
 *
 * @csspart waiting - what stands in the figure's place until it can be drawn
 * @fires mha-select - what is locked has changed through the reader
 */
export abstract class MhaView extends MhaElement {
  /** Id of one of the documents' examples, as `documents.list()` gives them. */
  @property({ reflect: true, useDefault: true }) document: string | null = null;

  /** A sentence of one's own: words are split at white space. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** How many heads look: a divisor of 32, the width of the documents' vectors; the example's own number by default. */
  @property({ type: HEADS, reflect: true, useDefault: true }) heads: number | null = null;

  /** Seed of the random vectors and weights of one's own sentence. */
  @property({ type: SEED, reflect: true, useDefault: true }) seed = 0;

  /**
   * Of `sentence` and `document`: `random` as the documents have them, `constructed` by hand (previous, next, same and
   * first word), or one layer of a model, `trained` or before that, `untrained`.
   */
  @property({ reflect: true, useDefault: true }) weights = 'random';

  /** The layer of the model, from 0. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer = 0;

  /** A file of a trained model, as `mha-training` saves it; the package's own by default. */
  @property() model: string | null = null;

  /** The chosen head, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The locked word: the word itself (its first occurrence) or its place from 0. */
  @property({ reflect: true, useDefault: true }) token: string | null = null;

  /** Where one pair is locked, the word that `token` looks at, written as `token` is. */
  @property({ reflect: true, useDefault: true }) target: string | null = null;

  /** Of each row, only the heaviest weights that make up this share are shown; 1 shows all. */
  @property({ type: SHARE, reflect: true, useDefault: true }) mass = 1;

  /** Keys that are not shown, with spaces between: `self`, `special`, `padding`, `punctuation`. */
  @property({ reflect: true, useDefault: true }) exclude = '';

  /** What is shown of a row is divided by its sum. */
  @property({ type: Boolean, reflect: true, useDefault: true }) renormalise = false;

  /** Two more heads: the mean and the largest weight of all others. */
  @property({ type: Boolean, reflect: true, useDefault: true }) summary = false;

  /** A JSON file `{ "tokens": […], "weights": [heads][n][n] }` to draw instead of an example. */
  @property() src: string | null = null;

  /** Words and weights to draw. */
  @property({ attribute: false }) data: FigureData | null = null;

  /**
   * Views with the same selection move together. A view leads its own selection by `head`, `token` and `target`;
   * handed over from outside, the selection leads the view.
   */
  @property({ attribute: false }) selection = new Selection();

  /** What is drawn. Composing elements hand over a ready one. */
  @property({ attribute: false }) figure: Figure | null = null;

  @state() protected answer: Answer | null = null;
  @state() protected problem: Problem | null = null;

  protected readonly modules = new ModuleController(this, () => this.wantsModule);

  /** The trained model, where its weights are asked for. */
  protected readonly trained = new TrainedController(this, () =>
    this.modules.isNear && this.computes && needsModel(this.weights) ? this.model : undefined,
  );

  /** Everything there is to see, before the lens; null where the figure was handed over. */
  protected whole: Figure | null = null;

  #given: Figure | null = null;
  /** Where the element's own JSON comes from, which stands in for what is to be computed. */
  #first: Origin | null = null;
  /** What fetches `src`, until it is there. */
  #fetching: AbortController | null = null;
  readonly #own = this.selection;

  readonly #follow = () => {
    // Taking the same one again would unsay that another was refused.
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
    this.selection.addEventListener('change', this.#follow);
    // Taken to another place while its file was on the way.
    if (this.#fetching) void this.#fetch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.selection.removeEventListener('change', this.#follow);
    this.#fetching?.abort();
  }

  protected get strings(): Strings {
    return stringsFor(this.language);
  }

  /** Whether the module is to be loaded. */
  protected get wantsModule(): boolean {
    return this.computes;
  }

  /** Whether the weights are to be computed. */
  protected get computes(): boolean {
    return this.data === null && this.src === null && (this.document !== null || this.sentence !== null);
  }

  /** What is changed about an example before it is computed. */
  protected get conditions(): Conditions {
    return PLAIN;
  }

  protected get asked(): Asked {
    const { document, sentence, heads, seed, weights, layer } = this;
    return { ...this.conditions, document, sentence, heads, kvHeads: null, seed, weights, layer };
  }

  protected get lens(): Lens {
    const { mass, exclude, renormalise, summary } = this;
    return { mass, exclude, renormalise, summary };
  }

  /** The figure as `src` and `data` take it. */
  toJSON(): ReturnType<Figure['toJSON']> | null {
    return this.figure?.toJSON() ?? null;
  }

  /** Whether the element's own JSON was looked at. */
  #inlined = false;
  // What was computed and drawn last, so that a pointer's move does neither.
  #lastAsked = '';
  #lastModule: unknown = null;
  #lastTrained: unknown = null;
  #lastShown: unknown[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('selection');
    if (previous) {
      previous.removeEventListener('change', this.#follow);
      this.selection.addEventListener('change', this.#follow);
    }
    this.#source(changed);
    this.#look();
    if (this.selection === this.#own) this.#lead(changed);
  }

  /** Finds the weights anew where something about them is asked differently. */
  #source(changed: PropertyValues<this>): void {
    // Not before it is near: many figures at once would keep the first from being seen.
    if (!this.#inlined && this.modules.isNear && this.data === null) {
      this.#inlined = true;
      this.#draw(() => {
        const inline = inlineFigure(this);
        if (inline && this.computes) this.#first = firstOrigin(this.weights, this.layer, inline.facts);
        return inline?.figure ?? null;
      });
    }
    if (changed.has('data') && this.data) {
      const { data } = this;
      this.#stopFetching();
      this.answer = null;
      this.#first = null;
      this.problem = null;
      this.#draw(() => Figure.from(data));
      return;
    }
    // What was handed in is gone, or was never there: the next source of weights has its turn.
    const turned = changed.has('data') || changed.has('src');
    if (turned && this.data === null) void this.#fetch();
    if (!this.computes) return;
    const { module } = this.modules;
    const asked = JSON.stringify(this.asked);
    const { model, error } = this.trained;
    // What is drawn stays, under its own label, until the model is there.
    const trained = needsModel(this.weights) ? (model ?? error ?? 'loading') : null;
    const isLast = module === this.#lastModule && trained === this.#lastTrained && asked === this.#lastAsked;
    if (!module || (isLast && !turned)) return;
    this.#lastAsked = asked;
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
      this.answer = answer(module, this.asked, model);
      this.#show(this.answer.figure);
    } catch (error) {
      this.problem = problemOfAsked(error, this.asked, model);
    }
  }

  /** Draws what was handed in. If it is refused, the last figure stays, and the reader is told. */
  #draw(read: () => Figure | null): void {
    try {
      this.#show(read());
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
      this.answer = null;
      this.#first = null;
      this.problem = null;
      this.#show(figure);
    } catch (error) {
      if (!fetching.signal.aborted) this.problem = problemWith('badSource', reasonOf(error));
    }
    if (!fetching.signal.aborted) this.#fetching = null;
    this.requestUpdate();
  }

  #show(figure: Figure | null): void {
    if (figure) this.#given = figure;
  }

  /** Draws what there is as the lens shows it. A figure that was handed over is drawn as it is. */
  #look(): void {
    if (!this.#given) return;
    const { lens } = this;
    const shown = [this.#given, lens.summary, lens.mass, lens.exclude, lens.renormalise];
    const isLast = shown.map((value, index) => value === this.#lastShown[index]);
    if (isLast.every(Boolean)) return;
    this.#lastShown = shown;
    // Another look at the same heads needs no other summaries of them.
    if (!isLast[0] || !isLast[1] || !this.whole) {
      this.whole = lens.summary ? withSummaries(this.#given) : this.#given;
    }
    this.figure = through(this.whole, lens);
  }

  /** Brings an own selection in line with the attributes, and with a figure of fewer heads or words. */
  #lead(changed: PropertyValues<this>): void {
    // Read before the selection changes: it writes them back.
    const { figure, selection, head, token, target } = this;
    const asked = changed.has('head') || changed.has('token') || changed.has('target');
    if (!figure || !(changed.has('figure') || asked)) return;
    // Attributes that came before the figure are still waiting.
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
    this.#follow();
  }

  /** What stands in the figure's place until it can be drawn, or why it cannot; `idle` where nothing is asked for. */
  protected pending(idle = ''): TemplateResult {
    const status = this.trained.isLoading ? loadingStringsFor(this.language).loading : idle;
    if (this.wantsModule && !this.problem) return waiting(this.modules, this.language, status);
    return html`<div part="waiting" class="waiting"><slot></slot>${this.problemLine()}</div>`;
  }

  /** Where the drawn weights come from, and which words a model does not know; null where they were handed in. */
  protected get origin(): { label: string; unknown: string } | null {
    const origin = this.answer?.origin ?? this.#first;
    return (
      origin && { label: originLabel(origin, this.language), unknown: unknownLabel(origin, this.language) }
    );
  }

  /** What could not be drawn, and why. */
  protected problemLine(): TemplateResult {
    return html`<p id="problem" class="problem" role="alert">${this.problemSaid}</p>`;
  }

  /** The same in words; empty where there is no problem. */
  protected get problemSaid(): string {
    const problem = this.problem ? problemText(this.problem, this.language) : '';
    return [this.outsideSaid, problem].filter(Boolean).join(' ');
  }

  /** Changes what is locked on the reader's behalf and tells the page. */
  protected select(change: (selection: Selection) => void): void {
    change(this.selection);
    const { head, locked } = this.selection;
    const detail: MhaSelectDetail = { head, ...locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  /** Escape lets go of the locked word; keys that mean nothing here stay with the page. */
  protected readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (this.selection.shown.query ?? this.selection.locked.query) === null)
      return;
    event.preventDefault();
    this.select((selection) => {
      selection.clear();
    });
  };
}

/** Something that was handed in as a whole, and why it is refused. */
const problemWith = (what: 'badData' | 'badSource' | 'badModel' | 'noModel', reason: Reason): Problem => ({
  argument: what,
  say: (strings) => `${strings[what]} ${reason(strings)}`,
});

declare global {
  interface HTMLElementEventMap {
    'mha-select': CustomEvent<MhaSelectDetail>;
  }
}
