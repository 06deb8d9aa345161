import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { idsWithSentence, sentenceOf } from '../../documents/sentences.js';
import { cardNameOf } from '../../models/known-models.js';
import { isPretrained, serverOfFolder, untrainedAddress } from '../../sources/addresses.js';
import { ATTENTIONS, type Figure, type FigureData, type FigureJson, Layers } from '../../sources/figure.js';
import { fileOrigin, FileSource, inlineFigures, sourceOf } from '../../sources/file.js';
import type { ModelController, ModelTask } from '../../sources/model.js';
import type { FigureRequest, RandomSource } from '../../sources/random.js';
import {
  type ComputedFigure,
  isComputed,
  isSameText,
  LOADS,
  type TextRequest,
  type TextResult,
  type Weights,
  type WeightSource,
} from '../../sources/source.js';
import { HEAD, HEADS, LAYER, SEED, SHARE } from '../base/attribute-values.js';
import type { Servers } from '../base/consent.js';
import { type NumberTable, numberTable } from '../base/data-table.js';
import { MhaElement } from '../base/mha-element.js';
import { ModuleController } from '../base/module-controller.js';
import type { Picture } from '../base/picture/figure-svg.js';
import { type Problem, problemOfModel, problemStrings, Refusal } from '../base/problem.js';
import { formatWeight } from '../base/strings.js';
import { waiting } from '../base/waiting.js';
import { type Computing, loadComputing } from './load-computing.js';
import { loadShown } from './load-shown.js';
import { isNowhere, type MhaSelectDetail, type Place, Selection } from './selection.js';
import { type Strings, stringsFor } from './strings.js';
import { DrawnLayers, type WeightFilter } from './weight-filter.js';
import { type OriginLabels, originLabels } from './weights-origin.js';

/** What views read of a pretrained model. */
type Pretrained = Pick<
  ModelController<TextRequest, TextResult>,
  'session' | 'answer' | 'error' | 'isComputing'
>;

/** What draws something else than weights, once a figure has asked for it. */
let shown: typeof import('./shown.js') | null = null;

const NOTHING_LOADED: Pretrained = { session: null, answer: null, error: null, isComputing: false };

const NOT_COMPUTED: WeightSource = { weights: null, problem: null };

/**
 * Base of the views of one sentence: source of the weights, filter, and a selection that views can share. Weights come
 * from `data`, else `src`, else `sentence`, else `document`; until these are loaded, from a
 * `<script type="application/json">` inside the element.
 *
 * @csspart waiting - placeholder until the figure can be drawn
 * @csspart consent - asks whether a model may be loaded from the server that a link names
 * @csspart model-status - how far a pretrained model's download is
 * @fires mha-select - the reader has changed the locked head, word or pair
 */
export abstract class MhaView extends MhaElement {
  /** Id of a document's example, as `documents.list()` gives it. */
  @property({ reflect: true, useDefault: true }) document: string | null = null;

  /** A sentence to compute weights for: split into words at white space, or read by the model's own tokenizer. */
  @property({ reflect: true, useDefault: true }) sentence: string | null = null;

  /** Number of heads, a divisor of 32, the documents' embedDim; by default the example's own number. */
  @property({ type: HEADS, reflect: true, useDefault: true }) heads: number | null = null;

  /** Seed of the random vectors and weights of `sentence`. */
  @property({ type: SEED, reflect: true, useDefault: true }) seed = 0;

  /**
   * Weights for `sentence` and `document`: those of the `model`, or `random` as in the documents. By default `model` if the
   * attribute of this name is set, else `random`.
   */
  @property({ reflect: true, useDefault: true }) weights: 'model' | 'random' | null = null;

  /** Whether the model is shown as it is before training, with random first values. */
  @property({ type: Boolean, reflect: true, useDefault: true }) untrained = false;

  /** The layer of the model, from 0. */
  @property({ type: LAYER, reflect: true, useDefault: true }) layer = 0;

  /**
   * A pretrained model: the URL of its folder, a hub name `owner/name`, `minilm`, or `sentences` or
   * `translation`, the package's own small models.
   */
  @property({ reflect: true, useDefault: true }) model: string | null = null;

  /**
   * When the model is loaded: once the figure is near the viewport (`view`, the default), or at a `click`, until which the
   * weights of the script inside the element are shown. A small touch screen and a browser that saves data always ask for the
   * click.
   */
  @property() load: 'view' | 'click' | null = null;

  /**
   * Which heads of an encoder–decoder are shown, such as a translation model: `cross` (the default), where the words that are
   * written look in the text that is read; `encoder`, where those that are read look at each other; `decoder`, where those
   * that are written do. Other models have one group of heads.
   */
  @property({ reflect: true, useDefault: true }) attention: 'encoder' | 'decoder' | 'cross' | null = null;

  /**
   * What is drawn of the heads: their `weights`; `value-weighted`, from where what a head passes on comes, which needs a model or
   * `data` with `valueWeighted`; or `rollout`, what each word is made of behind a layer, if weights alone mixed them.
   */
  @property({ reflect: true, useDefault: true }) show: 'weights' | 'value-weighted' | 'rollout' = 'weights';

  /** Whether sub-word tokens are joined into words: weights to a word's tokens summed, those from them averaged. */
  @property({ type: Boolean, reflect: true, useDefault: true, attribute: 'join-words' }) joinWords = false;

  /** Heads of a pretrained model that are taken out: `layer.head` from 0, separated by spaces. */
  @property({ reflect: true, useDefault: true }) ablated = '';

  /** The chosen head, from 0. */
  @property({ type: HEAD, reflect: true, useDefault: true }) head = 0;

  /** The locked word (query): the word itself (its first occurrence) or its index from 0. */
  @property({ reflect: true, useDefault: true }) token: string | null = null;

  /** The key of the locked pair, written like `token`. In a figure of two texts a key may be locked alone. */
  @property({ reflect: true, useDefault: true }) target: string | null = null;

  /** Share of each row that is shown, heaviest weights first; 1 shows all. */
  @property({ type: SHARE, reflect: true, useDefault: true }) mass = 1;

  /** Keys that are hidden, separated by spaces: `self`, `special`, `padding`, `punctuation`. */
  @property({ reflect: true, useDefault: true }) exclude = '';

  /** Whether the shown weights of a row are divided by their sum. */
  @property({ type: Boolean, reflect: true, useDefault: true }) renormalise = false;

  /** Whether to add two heads: the mean and the largest weight of all others. */
  @property({ type: Boolean, reflect: true, useDefault: true }) summary = false;

  /**
   * A JSON file `{ "tokens": […], "weights": [heads][n][n] }` to draw instead of an example, of two texts with `queryTokens`
   * and `keyTokens` in place of `tokens`.
   */
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

  /** All layers of the drawn model, filtered like `figure`; set with it. */
  @property({ attribute: false }) layers: Layers | null = null;

  /** Why what is asked for is not drawn; null without a problem. */
  protected problem: Problem | null = null;

  /** What computes weights that are not given; null until it is loaded. */
  #computing: Computing | null = null;
  readonly #loadComputing = async () => {
    this.#computing = await loadComputing();
    this.addStyles([this.#computing.modelStatusStyles]);
    return this.#computing;
  };

  protected readonly modules = new ModuleController(
    this,
    async () => (await this.#loadComputing()).sharedModule(),
    () => this.wantsModule,
  );
  readonly #models = new ModuleController(this, this.#loadComputing, () => this.#computedText !== null);

  #pretrained: ModelController<TextRequest, TextResult> | null = null;
  #random: RandomSource | null = null;
  readonly #file = new FileSource(this, () => (this.data === null ? this.src : null));
  /** What `data` gives; null without `data`. */
  #given: WeightSource | null = null;
  /** What the inline scripts give to be drawn first; null until they are read. */
  #inline: WeightSource | null = null;
  /** The requests that inline scripts answer, for which no model is needed. */
  #inlineAnswers: readonly { readonly request: TextRequest; readonly result: TextResult }[] = [];
  /** The text that the author wrote beside the inline scripts. */
  #inlineText = '';

  /** A layer that was asked for and that the model does not have, until another layer or model is. */
  #refusedLayer: number | null = null;
  /** A head that was asked for and that the drawn figure does not have. */
  #refusedHead: number | null = null;

  /** Whether `token` and `target` name words of a text that the model has not read or written yet. */
  #isAwaited = false;

  /** What the model had computed at the last update. */
  #lastAnswer: Pretrained['answer'] = null;

  /** The drawn weights; they stay until the next are read or computed. */
  #weights: Weights | null = null;
  /** What is drawn of their layers, with joined words and summary heads, and filtered. */
  #drawn: DrawnLayers | null = null;
  /** Why something else than weights cannot be drawn. */
  #showFailure: Problem | null = null;
  /** The same of the weights, where something else is drawn. */
  #plain: DrawnLayers | null = null;

  /** How the pretrained model computes the request. */
  protected taskOf({ textTask }: Computing): ModelTask<TextRequest, TextResult> {
    return textTask;
  }

  /** Whether weights alone are enough to draw, so that an inline script may give them. */
  protected readonly drawsWeights: boolean = true;

  /** The pretrained model, if its weights are requested and not given by the inline script. */
  protected get pretrained(): Pretrained {
    return this.#pretrained ?? NOTHING_LOADED;
  }

  /** The figure with joined words and summary heads, but before filtering; null if `figure` was set from outside. */
  protected unfiltered: Figure | null = null;

  readonly #ownSelection = this.selection;

  readonly #readSelection = () => {
    // Do not set an unchanged `head`: that would clear the message about a rejected number.
    if (this.head !== this.selection.head) this.head = this.selection.head;
    if (this.layer !== this.selection.layer) this.layer = this.selection.layer;
    const { query, key } = this.selection.locked;
    const { figure } = this;
    if (figure && !this.#isAwaited) {
      this.token = query === null ? null : figure.address(query);
      this.target = key === null ? null : figure.keyAddress(key);
    }
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.selection.addEventListener('change', this.#readSelection);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.selection.removeEventListener('change', this.#readSelection);
  }

  protected override get servers(): Servers {
    return { model: serverOfFolder };
  }

  protected get strings(): Strings {
    return this.withShares(stringsFor(this.language));
  }

  /** These texts, of shares where they are drawn in place of weights. */
  protected withShares<Own extends Strings>(strings: Own): Own {
    const show = this.drawnShow;
    return shown && show !== 'weights' ? shown.sharesStrings(strings, this.language, show) : strings;
  }

  /** What the drawn figure is of: weights until something else is there. */
  protected get drawnShow(): MhaView['show'] {
    // A figure that was set from outside is what is asked for.
    return this.#weights && !this.#plain ? 'weights' : this.show;
  }

  /** Whether the element needs the WebAssembly module. */
  protected get wantsModule(): boolean {
    return this.computes && this.kind !== 'model';
  }

  /** Kind of the weights; one of `WEIGHTS` unless the author misspelt it. */
  protected get kind(): string {
    return this.weights ?? (isPretrained(this.model) ? 'model' : 'random');
  }

  /** The requested sentence; '' if there is none. */
  protected get text(): string {
    return this.sentence ?? sentenceOf(this.document ?? '') ?? '';
  }

  /** What a pretrained model is asked for; null if other weights are shown. */
  protected get textRequest(): TextRequest | null {
    const { model, layer, ablated } = this;
    if (!this.computes || this.kind !== 'model' || !isPretrained(model)) return null;
    const text = this.text.trim().normalize('NFC');
    if (text === '') return null;
    const address = this.untrained ? untrainedAddress(model) : model;
    const valueWeighted = this.show === 'value-weighted';
    return { address, text, layer, ablated: ablated.trim(), valueWeighted };
  }

  /** What a pretrained model is to compute; null for a figure that is not near, and for one that an inline script gives. */
  get #computedText(): TextRequest | null {
    const request = this.modules.isNear ? this.textRequest : null;
    return request && this.#inlineAnswer(request) ? null : request;
  }

  /** What an inline script has of a request. */
  #inlineAnswer(request: TextRequest): TextResult | null {
    return this.#inlineAnswers.find((inline) => isSameText(request, inline.request))?.result ?? null;
  }

  /** Whether the model has computed a request. */
  #isAnswered(request: TextRequest | null): boolean {
    const { answer } = this.pretrained;
    return request !== null && answer !== null && isSameText(request, answer.request);
  }

  /** Whether an inline script has the figure of the present text. */
  protected get isInline(): boolean {
    const request = this.textRequest;
    return request !== null && this.#inlineAnswer(request) !== null;
  }

  /** Whether the drawn figure is what the author shows until a click loads the model. */
  get #isPoster(): boolean {
    const isWaiting = this.pretrained.session?.isWaiting ?? false;
    return isWaiting && this.#weights === this.#inline?.weights && this.text === this.#inlineText;
  }

  /** Whether the drawn figure is of another request to a model than the present one. */
  protected get isOld(): boolean {
    const { textRequest: request, figure } = this;
    if (figure === null || request === null || this.isInline) return false;
    return !this.#isAnswered(request) && !this.#isPoster;
  }

  /** What is said while the drawn figure is old. */
  protected get oldNote(): string {
    const { pretrained, textRequest, strings } = this;
    const origin = this.#weights?.origin;
    const isOther = origin?.kind !== 'model' || origin.sentence !== textRequest?.text;
    const { session } = pretrained;
    const isComing = session !== null && (session.isLoading || session.model !== null) && !this.problem;
    const what = isOther ? strings.oldSentence : strings.oldWeights;
    return isComing ? `${strings.computingSentence(textRequest?.text ?? '')} ${what}` : what;
  }

  /** Reads the inline scripts. @returns the weights of the one that is asked for, else of the first */
  #readInline(): Weights | null {
    const inlines = inlineFigures(this);
    const request = this.textRequest;
    this.#inlineText = this.text;
    if (this.drawsWeights) {
      this.#inlineAnswers = inlines.flatMap((inline) => {
        const origin = fileOrigin(inline);
        const text = (origin?.sentence ?? request?.text)?.trim().normalize('NFC');
        if (!origin || text === undefined) return [];
        const { name, source, untrained } = origin.model;
        // The attribute may name another model than this script is of, by a link or for another script.
        const isOfModel = isPretrained(this.model) && [null, name].includes(cardNameOf(this.model));
        const model = isOfModel ? this.model : source;
        if (model === null) return [];
        const address = untrained ? untrainedAddress(model) : model;
        return [
          {
            request: { address, text, layer: this.layer, ablated: origin.ablated },
            result: { layers: inline.layers, origin },
          },
        ];
      });
    }
    const answer = request && this.#inlineAnswer(request);
    const [first] = inlines;
    if (answer || !first) return answer;
    const isRandom = this.computes && this.kind === 'random';
    return { layers: first.layers, origin: fileOrigin(first) ?? (isRandom ? { kind: 'random' } : null) };
  }

  /** Whether the weights are computed, not read from `data` or `src`. */
  protected get computes(): boolean {
    return this.data === null && this.src === null && (this.document !== null || this.sentence !== null);
  }

  protected get request(): FigureRequest {
    const { document, sentence, heads, seed, kind: weights } = this;
    return { document, sentence, heads, seed, weights, mask: 'none' };
  }

  /** The computed figure, if it is the drawn one. */
  protected get computed(): ComputedFigure | null {
    return isComputed(this.#weights) ? this.#weights : null;
  }

  protected get filter(): WeightFilter {
    const { mass, exclude, renormalise, summary, joinWords } = this;
    return { mass, exclude, renormalise, summary, joinWords };
  }

  /** The figure in the format of `src` and `data`; null while nothing is drawn. */
  toJSON(): FigureJson | null {
    return this.#exported?.file(this.#facts) ?? null;
  }

  /** @internal `toJSON()` as text in parts. */
  jsonParts(): Iterable<string> {
    return this.#exported?.jsonParts(this.#facts) ?? ['null'];
  }

  /** The drawn layers; a figure that was set from outside is one. */
  get #exported(): Layers | null {
    return this.layers ?? (this.figure && Layers.of(this.figure));
  }

  /** Sentence and model of the drawn figure, as far as a pretrained model is drawn. */
  get #facts(): object {
    const origin = this.#weights?.origin;
    if (origin?.kind !== 'model') return {};
    const { sentence, model, ablated } = origin;
    const show = this.drawnShow;
    return {
      ...(sentence !== null && { sentence }),
      ...(ablated !== '' && { ablated }),
      ...(show !== 'weights' && { show }),
      model,
    };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('selection');
    if (previous) {
      previous.removeEventListener('change', this.#readSelection);
      this.selection.addEventListener('change', this.#readSelection);
    }
    this.#startComputing();
    this.#updateWeights(changed);
    if (this.#weights) {
      const layers = this.#weights.layers.group(this.attention);
      const shares = this.#sharesOf(layers);
      this.#drawn = DrawnLayers.of(shares ?? layers, this.filter, this.#drawn);
      this.#plain = shares && DrawnLayers.of(layers, this.filter, this.#plain);
    }
    this.#showLayer();
    if (this.selection === this.#ownSelection) this.#writeSelection(changed);
    // The attributes of the first figure may have chosen another layer.
    this.#showLayer();
  }

  #startComputing(): void {
    const computing = this.#computing;
    if (!computing || this.#pretrained) return;
    this.#random = new computing.RandomSource();
    this.#pretrained = new computing.ModelController(
      this,
      this.taskOf(computing),
      () => this.#computedText,
      () => this.load,
    );
  }

  /** Takes what the requested source has; the last figure stays until then. */
  #updateWeights(changed: PropertyValues<this>): void {
    const { data } = this;
    if (changed.has('layer') || changed.has('model')) this.#refusedLayer = null;
    // Wait until near the viewport: parsing many figures at once would delay the first paint.
    if (!this.#inline && this.modules.isNear && data === null) {
      this.#inline = sourceOf(() => this.#readInline());
      this.#weights = this.#inline.weights ?? this.#weights;
    }
    if (changed.has('data')) {
      this.#given = data && sourceOf(() => ({ layers: Layers.from(data), origin: null }));
    }
    const source = this.#source();
    this.#weights = source?.weights ?? this.#weights;
    const drawsInline = !source?.weights && this.kind !== 'model';
    const ofInline = drawsInline ? this.#inline?.problem : undefined;
    const { attention } = this;
    const groups = this.allLayers?.groupNames ?? ATTENTIONS;
    const ofGroup: Problem | null =
      attention === null || groups.includes(attention)
        ? null
        : { argument: 'attention', message: ({ badName }) => badName('attention', attention, groups) };
    this.problem = source?.problem ?? ofInline ?? ofGroup ?? this.#ofShow ?? this.#refusal;
  }

  /** What is drawn in place of weights; null for weights, and where it is not known. */
  #sharesOf(layers: Layers): Layers | null {
    if (this.show === 'weights') return null;
    if (!shown && !this.#showFailure) void this.#loadShown();
    return shown?.shownLayers(layers, this.show) ?? null;
  }

  async #loadShown(): Promise<void> {
    try {
      shown = await loadShown();
    } catch (error) {
      this.#showFailure = problemOfModel(error, true);
    }
    this.requestUpdate();
  }

  /** Why what the attribute `show` asks for is not drawn. */
  get #ofShow(): Problem | null {
    if (this.show === 'weights' || !shown) return this.#showFailure;
    const isWaiting = this.pretrained.session?.isWaiting ?? false;
    const model = !this.computes || this.kind !== 'model' ? 'none' : isWaiting ? 'waiting' : 'computing';
    return shown.problemOf(this.show, this.#weights?.layers.group(this.attention), model, this.language);
  }

  /** Of what is passed on: how that differs from the weights, for the word that is shown. '' for weights. */
  protected get passedNote(): string {
    const { selection, figure, language } = this;
    if (this.drawnShow !== 'value-weighted' || !shown) return '';
    return shown.passedNote(this.#plain?.filtered, figure, selection, language);
  }

  /** Says that a file of the library computes nothing. */
  get #refusal(): Problem | null {
    const { failure } = this.wantsModule ? this.modules : this.#models;
    return failure instanceof Refusal ? { argument: 'weights', message: failure.reason } : null;
  }

  #source(): WeightSource | null {
    if (this.#given) return this.#given;
    if (this.src !== null) return this.#file;
    if (!this.computes) return null;
    if (this.kind === 'model') return this.#model();
    const { module } = this.modules;
    if (module) this.#random?.update(module, this.request);
    return this.#random ?? NOT_COMPUTED;
  }

  /** What the pretrained model has computed, and why it has not computed what is asked for. */
  #model(): WeightSource {
    const { answer, error, session } = this.pretrained;
    const { textRequest: request, document, layer } = this;
    // An answer is drawn when it comes and when it is asked for; between them the last figure stays.
    const isDue = answer !== this.#lastAnswer || this.#isAnswered(request);
    this.#lastAnswer = answer;
    const weights = (request && this.#inlineAnswer(request)) ?? (isDue ? answer?.result : null) ?? null;
    const count = (weights ?? this.#weights)?.layers.group(this.attention).count ?? Infinity;
    if (layer >= count) this.#refusedLayer = layer;
    const refused = this.#refusedLayer;
    const failure = this.#models.failure ?? session?.error ?? error;
    let problem: Problem | null = null;
    if (this.load !== null && !LOADS.includes(this.load)) {
      const { load } = this;
      problem = { argument: 'load', message: ({ badName }) => badName('load', load, LOADS) };
    } else if (!isPretrained(this.model)) {
      problem = { argument: 'model', message: ({ noAddress }) => noAddress };
    } else if (this.sentence === null && document !== null && sentenceOf(document) === undefined) {
      problem = { argument: 'id', message: ({ badDocument }) => badDocument(document, idsWithSentence) };
    } else if (failure !== null) problem = problemOfModel(failure, failure !== error);
    else if (refused !== null) {
      problem = { argument: 'layer', message: ({ badLayer }) => badLayer(refused, count) };
    } else if (this.sentence?.trim() === '') {
      problem = { argument: 'text', message: ({ emptyText }) => emptyText };
    }
    return { weights, problem };
  }

  /** Sets what is drawn of the weights; a figure that was set from outside stays as it is. */
  #showLayer(): void {
    if (!this.#drawn) return;
    const { unfiltered, filtered } = this.#drawn;
    const layer = filtered.count === 1 ? 0 : this.selection.shownLayer;
    this.unfiltered = unfiltered.figure(layer);
    this.layers = filtered;
    this.figure = filtered.figure(layer);
  }

  /** Updates the view's own selection from its attributes, and clears what a new figure does not have. */
  #writeSelection(changed: PropertyValues<this>): void {
    // Read the attributes first, because changing the selection overwrites them.
    const { figure, selection, head, token, target } = this;
    const count = this.#drawn?.filtered.count ?? 1;
    const layer = count > 1 && this.layer >= count ? 0 : this.layer;
    const attributes: readonly (keyof MhaView)[] = ['head', 'layer', 'token', 'target'];
    const isSelected = attributes.some((name) => changed.has(name));
    if (!figure || !(changed.has('figure') || isSelected)) return;
    // Attributes that were set before the first figure existed apply to it now.
    const first = changed.has('figure') && !changed.get('figure');
    const wasAwaited = this.#isAwaited;
    // A text that is being written does not have all of its words yet.
    const isUnwritten = this.pretrained.isComputing && token !== null && figure.find(token) === null;
    const hasNames = first || wasAwaited || isUnwritten || changed.has('token') || changed.has('target');
    this.#isAwaited = hasNames && (this.isOld || isUnwritten);
    const isNamed = hasNames && !this.#isAwaited;
    if (first || changed.has('head') || changed.has('layer')) selection.chooseHead(head, layer);
    if (first || changed.has('head')) this.#refusedHead = head in figure.headNames ? null : head;
    else if (changed.has('figure')) this.#refusedHead = null;
    if (!(selection.head in figure.headNames)) selection.chooseHead(0);
    if (isNamed) {
      const query = token === null ? null : figure.find(token);
      const isAlone = token === null && figure.isOfTwo;
      const key = target === null || (query === null && !isAlone) ? null : figure.findKey(target);
      const { locked } = selection;
      if (query !== locked.query || key !== locked.key) selection.lock({ query, key });
    }
    const { query, key } = selection.locked;
    const before = changed.get('figure');
    if (before && (query ?? key) !== null && !isNamed) {
      // The chosen words stay chosen where another sentence or model has them elsewhere.
      const same = query === null ? null : figure.sameWord(before, query);
      const isLost = query !== null && same === null;
      const sameKey = key === null || isLost ? null : figure.sameWord(before, key, 'keyTokens');
      const moved = { query: isLost ? this.lostWord() : same, key: sameKey };
      if (moved.query === null && !figure.isOfTwo) moved.key = null;
      if (moved.query !== query || moved.key !== key) selection.lock(moved);
    } else if ((query ?? 0) >= figure.size || (key ?? 0) >= figure.keys) selection.clear();
    this.#readSelection();
  }

  /** The word to choose where a new sentence does not have the chosen one; null for none. */
  protected lostWord(): number | null {
    return null;
  }

  /** Placeholder until the figure is drawn, or the problem that prevents it; `idle` is shown if nothing is loading. */
  protected pending(idle = ''): TemplateResult {
    const isModel = this.kind === 'model' && this.computes;
    if (isModel && this.#models.failure !== null && !this.#refusal)
      return waiting(this.#models, this.language);
    if (this.wantsModule && !this.problem) return waiting(this.modules, this.language, idle);
    return html`<div part="waiting" class="waiting">
      <slot></slot>${idle === '' ? nothing : html`<p role="status">${idle}</p>`} ${this.modelStatus()}
      ${this.problemAlert()}
    </div>`;
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
      description: [sentence(shownHead, shown), this.passedNote].filter(Boolean).join(' '),
      announcement: isNowhere(locked) ? '' : sentence(head, locked),
      legend,
      problem: this.problemMessage,
      status: this.modelStatus(),
      numbers: this.details('numbers', this.strings.dataTable, () => tables().map(numberTable)),
    });
  }

  /** The layers of the drawn weights before filtering, of an encoder–decoder with those of its groups. */
  protected get allLayers(): Layers | null {
    return this.#weights?.layers ?? null;
  }

  /** Sentences about the weights' origin; null for weights from `data` or `src`. */
  protected get origin(): OriginLabels | null {
    const origin = this.#weights?.origin;
    if (!origin) return null;
    const group = this.allLayers?.groups ? (this.attention ?? 'cross') : null;
    const place = { layer: this.selection.shownLayer, layers: this.layers?.count ?? 1, group };
    return originLabels(origin, place, this.language);
  }

  /** How far the model's download is, with a button to stop it. */
  protected modelStatus(): TemplateResult | typeof nothing {
    return this.#computing?.modelStatus(this.pretrained.session, this.language) ?? nothing;
  }

  protected problemAlert(): TemplateResult {
    return html`<p id="problem" class="problem" role="alert">${this.problemMessage}</p>`;
  }

  get #headMessage(): string {
    const [head, figure] = [this.#refusedHead, this.figure];
    if (head === null || !figure) return '';
    return problemStrings(this.language, this)?.badHead(head, figure.headNames.length) ?? '';
  }

  /** Says what could not be drawn, and why; '' without a problem. */
  protected get problemMessage(): string {
    const strings = this.problem && problemStrings(this.language, this);
    const problem = strings && this.problem?.message(strings);
    return [this.outOfRangeMessage, this.#headMessage, problem].filter(Boolean).join(' ');
  }

  /** Changes the selection on the reader's behalf and fires `mha-select`. */
  protected select(change: (selection: Selection) => void): void {
    change(this.selection);
    const { head, layer, locked } = this.selection;
    const hasLayers = (this.layers?.count ?? 1) > 1;
    const detail: MhaSelectDetail = { head, ...(hasLayers && { layer }), ...locked };
    this.dispatchEvent(new CustomEvent('mha-select', { detail, bubbles: true, composed: true }));
  }

  /** The rendered figure under the sentence that describes the selection. */
  override picture(): Picture | null {
    const { figure, selection, strings } = this;
    return figure && { title: describe(figure, selection.shownHead, selection.shown, strings) };
  }

  /** Escape clears the selection; without one the page handles the key. */
  protected readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || [this.selection.shown, this.selection.locked].every(isNowhere)) return;
    event.preventDefault();
    this.select((selection) => selection.clear());
  };
}

declare global {
  interface HTMLElementEventMap {
    'mha-select': CustomEvent<MhaSelectDetail>;
  }
}

/** The figure in one sentence: the pair's weight, the query's heaviest key, or the head's strongest pair. */
export function describe(figure: Figure, head: number, place: Place, strings: Strings): string {
  const name = figure.nameOf(head, strings);
  const { query, key } = place;
  if (query === null && key !== null) {
    const [looker] = figure.lookers(head, key);
    if (!looker) return '';
    const word = figure.quotedKey(key);
    return looker.weight === 0
      ? strings.describeKeyNone(name, word)
      : strings.describeKey(name, word, figure.quoted(looker.query), formatWeight(looker.weight));
  }
  if (query === null) {
    const [pair] = figure.strongestPairs(head);
    if (!pair) return '';
    const say = figure.isOfTwo ? strings.describeHeadOfTwo : strings.describeHead;
    return say(name, figure.quoted(pair.query), figure.quotedKey(pair.key), formatWeight(pair.weight));
  }
  const ranking = figure.ranking(head, query);
  const word = figure.quoted(query);
  if (ranking[0]?.weight === 0) return strings.describeNone(name, word);
  if (key !== null) {
    const rank = ranking.findIndex((entry) => entry.key === key) + 1;
    const weight = formatWeight(figure.at(head, query, key));
    return strings.describePair(name, word, figure.quotedKey(key), weight, rank, figure.keys);
  }
  const own = figure.isOfTwo ? 0 : figure.at(head, query, query);
  const best = ranking.find((entry) => figure.isOfTwo || entry.key !== query);
  if (!best) return strings.describeAlone(name, word, formatWeight(own));
  const other = figure.quotedKey(best.key);
  const weight = formatWeight(best.weight);
  return own > best.weight
    ? strings.describeSelf(name, word, other, weight, formatWeight(own))
    : strings.describeWord(name, word, other, weight);
}

export const footerStyles = css`
  .alone {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-top: 0.75rem;
    line-height: 1.6;
  }
  .alone p {
    margin: 0;
  }
  .alone > p {
    text-align: center;
  }
  .alone .description {
    text-wrap: balance;
    font-size: 0.9375rem;
  }
  .alone .label {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .alone .legend {
    width: 100%;
    margin-inline: auto;
  }
`;

interface FooterContent {
  /** Null for weights from `data` or `src`. */
  origin: OriginLabels | null;
  /** The figure in one sentence. */
  description: string;
  /** Sentence about the locked word or pair, announced to screen readers. */
  announcement: string;
  legend: TemplateResult | typeof nothing;
  /** Says why the last request is not drawn; '' if it is drawn. */
  problem: string;
  /** How far the download of a model is. */
  status: TemplateResult | typeof nothing;
  numbers: TemplateResult;
}

/** Renders description, origin, legend and table of numbers below a view outside an explorer. */
const viewFooter = (content: FooterContent): TemplateResult => {
  const { origin, description, announcement, legend, problem, status, numbers } = content;
  return html`
    <div class="alone">
      <p part="description" class="description">${description}</p>
      ${origin ? html`<p part="label" class="label">${origin.label}. ${origin.limits} ${origin.unknown}</p>` : nothing}
      ${status} ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`} ${legend}
      ${numbers}
      <p class="visually-hidden" role="status">${announcement}</p>
    </div>
  `;
};
