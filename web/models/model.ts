import { checkBoolean, checkInteger, rangeError, typeError, wrongKind } from '../api/errors.js';
import { HandleOwner } from '../api/handle.js';
import { type OrNull, readOptions } from '../api/options.js';
import { toFloat32Block } from '../api/inputs.js';
import { item } from '../api/shape.js';
import { Tensor, toTensor } from '../api/tensor.js';
import type { StepsOptions } from '../api/layer-options.js';
import type { AttentionModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { CacheHandle, ModelHandle, ModelsBinding } from '../wasm/models.js';
import type { Architecture, Vision } from './architecture.js';
import type { Config } from './config-fields.js';
import type { ModelCard } from './card.js';
import { embed, type EmbeddedInput, gridOf, type PatchGrid } from './embeddings.js';
import {
  type AnswerOptions,
  headEffects,
  type HeadEffects,
  type Inspected,
  type InspectedInput,
  type LensLayer,
  logitLens,
  type LogitLensOptions,
  patch,
  type Patched,
} from './effects.js';
import { type BatchTokens, type Encoding, textRules, type Tokens } from './encoding.js';
import { Choices, type LikelyToken, type WritingRules } from './choices.js';
import {
  type Beginning,
  generate,
  type Generated,
  type GenerateOptions,
  ModelCache,
  nextTokens,
  type NextTokensOptions,
} from './generate.js';
import { FetchedRows, type RowSource } from './rows.js';
import {
  checkComputed,
  checkCount,
  type HeadMaskOptions,
  type ModelInput,
  type PixelInput,
  readHeadMask,
  readWhole,
  type TextBatch,
  type TextOrPair,
  textsOf,
  type TokenInput,
} from './inputs.js';
import { type Picture, type PictureBatch, type PictureInput, pixelsOf } from './pictures.js';
import type { Preprocessing } from './preprocessing.js';
import type { TextTokenizer } from './tokenizer.js';
import { NO_INSPECTION, rowsAt, type Stacks } from './stacks.js';
import { forwardTextAndPicture, type TextAndPictureNumbers } from './text-and-picture.js';
import {
  decode,
  encode,
  forwardTwoTexts,
  repeated,
  type TextStacks,
  type TwoTextNumbers,
} from './two-texts.js';

/** Options of `forward`. */
export interface ModelForwardOptions extends HeadMaskOptions {
  /** Which layers' attentions are given: all (the default), none, or these, from 0. */
  attentions?: boolean | readonly number[];
  /** Whether the embeddings and what leaves each layer are given. */
  hiddenStates?: boolean;
  /** Whether the attentions are also given weighted by what they pass on. */
  valueWeighted?: boolean;
  /** Keys and values of earlier calls: for causal models. */
  cache?: ModelCache;
  /** Whether a text that is too long is cut, as in transformers: of a pair the longer text first. */
  truncation?: boolean;
}

/**
 * What `forward` gives: of a text also its tokens, as `tokenize` gives them. `attentions` of an encoder–decoder are those of
 * its encoder, of CLIP those of the text, or without one of the picture.
 */
export interface ModelOutput extends Partial<Tokens>, Numbers {}

/** What `forward` gives of a text or a pair. Words of a second text are counted on from those of the first. */
export interface TextOutput extends Tokens, Numbers {
  /** Of an encoder–decoder: the tokens of the text that it writes, as its vocabulary spells them. */
  readonly decoderTokens?: readonly string[];
}

/** What `forward` gives of `{ texts }`. */
export interface BatchOutput extends BatchTokens, Numbers {}

/** What a model computes: of two texts, or of texts and pictures, more than of one text. */
interface Numbers
  extends
    Partial<Omit<TwoTextNumbers, 'lastHiddenState' | 'logits'>>,
    Partial<Omit<TextAndPictureNumbers, 'lastHiddenState'>> {
  /** Of images: the patches among the tokens. */
  readonly patches?: PatchGrid;
  /** A layer each (B,H,L,S), before `headMask`; with `attentions: number[]` only those layers. */
  readonly attentions: readonly Tensor[];
  /**
   * With `valueWeighted`, a layer each (B,H,L,S): a·‖v·W‖, how long the vector is that a head adds to one token from another,
   * v being the value and W the head's part of the output projection.
   */
  readonly valueWeighted?: readonly Tensor[];
  /** Embeddings first, then what leaves each layer (B,L,E), as in transformers. */
  readonly hiddenStates?: readonly Tensor[];
  /** (B,L,E) */
  readonly lastHiddenState: Tensor;
  /** (B,L,V) of language models, (B,labels) of classifiers; missing where the file has no head. */
  readonly logits?: Tensor;
}

/** Pictures as a model sees them. */
export interface PreprocessedPictures extends PictureBatch {
  /** How each is cut into patches, which cover the crop from its upper left corner. */
  readonly patches: PatchGrid;
}

/** A likely word for a mask. */
export type MaskGuess = LikelyToken;

/** How the weights of linear maps are kept: auto in the file's 16 or 8 bits where it has these, int8 with a factor per output feature. */
export type ModelDtype = 'auto' | 'float32' | 'int8';

/** @internal What a model is made of. */
export interface ModelParts {
  /** Its weights in the binary's memory, which the model frees. */
  readonly handle: ModelHandle;
  /** The embedding tables of the file. */
  readonly tables: ReadonlyMap<string, RowSource>;
  readonly parameterCount: number;
  readonly architecture: Architecture;
  readonly config: Config;
  /** What `load()` gave, for `attentionLayer`; null in a worker. */
  readonly module: AttentionModule | null;
  /** Of models that take images. */
  readonly preprocessing: Preprocessing | null;
  readonly rules: WritingRules;
  /** Of models that take texts; null where the folder has none. */
  readonly tokenizer: TextTokenizer | null;
  readonly readCard: () => Promise<ModelCard | null>;
}

/** @internal An input as the model takes it. */
interface ReadInput {
  readonly plain: TokenInput | PixelInput;
  readonly tokens: Tokens | BatchTokens | null;
}

/** What a run computes; the head mask as `readHeadMask` gives it. */
interface RunOptions extends Omit<ModelForwardOptions, 'headMask'> {
  readonly headMask: number[];
}

/** What `forward` gives of any input. */
type AnyOutput = ModelOutput | BatchOutput;

/** Of a stack without cross-attention, in which nothing is inspected. */
const NO_MEMORY: [null, null, number[], null] = [null, null, [], null];

/** @internal @throws TypeError */
export const readForwardOptions = (options?: OrNull<ModelForwardOptions> | null) =>
  readOptions('forward', options ?? {}, [
    'attentions',
    'hiddenStates',
    'valueWeighted',
    'cache',
    'headMask',
    'truncation',
  ]);

/** Options of `forward`, read. */
type ForwardOptions = ReturnType<typeof readForwardOptions>;

/** What goes into a run. */
interface Run extends EmbeddedInput {
  readonly headMask: number[];
}

/** @internal The layers that read a text. */
export interface Reader {
  readonly numLayers: number;
  readonly numHeads: number;
  readonly causal: boolean;
}

/** @internal The layers that see a picture. */
export interface Viewer {
  readonly numLayers: number;
  readonly numHeads: number;
  /** In pixels. */
  readonly patchSize: number;
}

/** @internal What a layer's attention takes for an input. */
export interface AttentionCall {
  readonly input: Tensor;
  readonly options: StepsOptions;
  readonly headDim: number;
  /** Base of the rotary embedding; null without one. */
  readonly rope: number | null;
}

/** @internal A layer's attention: the options and the weights of a `MultiHeadAttention`. */
export interface AttentionParts {
  readonly options: ConstructorParameters<AttentionModule['MultiHeadAttention']>[0];
  readonly state: Readonly<Record<string, Tensor>>;
}

/** @internal */
export function layerOf({ MultiHeadAttention }: AttentionModule, parts: AttentionParts): MultiHeadAttention {
  const layer = new MultiHeadAttention(parts.options);
  layer.loadStateDict(parts.state);
  return layer;
}

/**
 * A pretrained transformer. It holds memory outside JavaScript until `dispose()`.
 *
 * @see loadModel
 */
export class Model extends HandleOwner<ModelHandle> {
  /** The family whose description fits, such as `bert`; `model_type` of config.json may be a relative of it. */
  readonly family: string;
  /** config.json as it was read. */
  readonly config: Config;
  /** Layers of attention. */
  readonly numLayers: number;
  /** Heads of each layer. */
  readonly numHeads: number;
  /** Whether every token sees only those before it. */
  readonly causal: boolean;
  readonly #parameterCount: number;
  readonly #architecture: Architecture;
  readonly #tokenizer: TextTokenizer | null;
  readonly #tables: ReadonlyMap<string, RowSource>;
  readonly #binding: ModelsBinding;
  #card: Promise<ModelCard | null> | null = null;
  readonly #readCard: () => Promise<ModelCard | null>;
  readonly #module: AttentionModule | null;
  readonly #preprocessing: Preprocessing | null;
  readonly #rules: WritingRules;
  readonly #caches = new WeakSet<ModelCache>();
  /** The last `forward` without a cache. */
  #last: Run | null = null;

  /** @internal */
  constructor(binding: ModelsBinding, parts: ModelParts) {
    const { architecture, config, module, preprocessing, rules } = parts;
    super(binding, () => parts.handle);
    this.#tables = parts.tables;
    this.#tokenizer = parts.tokenizer;
    this.#readCard = parts.readCard;
    this.#parameterCount = parts.parameterCount;
    this.#binding = binding;
    this.#architecture = architecture;
    this.#module = module;
    this.#preprocessing = preprocessing;
    this.#rules = rules;
    this.family = architecture.family;
    this.config = config;
    this.numLayers = architecture.config.layers.length;
    this.numHeads = architecture.config.heads;
    this.causal = architecture.config.causal;
  }

  /** Numbers in the file that the model uses. */
  get parameterCount(): number {
    return this.#parameterCount;
  }

  /** @internal Fetches the rows that these tokens need, where the token table was left on the server. */
  async prepare(ids: Iterable<number>): Promise<void> {
    const { input } = this.#architecture;
    const rows = input.kind === 'text' ? this.#tables.get(input.token) : undefined;
    if (rows instanceof FetchedRows) await rows.prepare(ids);
  }

  /**
   * What the model's card says: license, languages. Where config.json has a `license`, it is read from there; else, when
   * it is first asked for, from the first 16 kB of the folder's README.md. Of models that are known by a name it is known.
   * null where there is none, or it cannot be read.
   */
  get card(): Promise<ModelCard | null> {
    return (this.#card ??= this.#readCard());
  }

  /** @internal */
  get rules(): WritingRules {
    return this.#rules;
  }

  /** An empty cache for `forward`. */
  newCache(): ModelCache {
    const cache = new ModelCache(this.#binding);
    this.#caches.add(cache);
    return cache;
  }

  /**
   * A text as the model reads it.
   *
   * @throws Error where the model came without a tokenizer
   */
  tokenize(...texts: [text: string]): Tokens {
    const [text] = texts;
    if ((texts as unknown[]).length > 1)
      throw typeError('tokenize', 'get one text; forward([text, pair]) reads two');
    if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
    const [{ tokens }] = this.#encode([texts]);
    return tokens;
  }

  #encode(texts: readonly (readonly string[])[], most = Infinity): readonly [Encoding, ...Encoding[]] {
    if (!this.#tokenizer)
      throw new Error(
        'this model came without a tokenizer (tokenizer.json or vocab.txt): give token ids instead of a text',
      );
    const rules = textRules(this.#tokenizer.settings, this.config);
    return this.#tokenizer.encode(texts, most < Infinity ? Math.min(rules.most, most) : most, rules);
  }

  /** @internal What is computed of an input, and the tokens of texts. @param past tokens that the cache holds */
  read(input: ModelInput | TextBatch, truncation = false, past = 0): ReadInput {
    checkBoolean('truncation', truncation);
    const texts = textsOf(input);
    if (!texts) {
      if (truncation) throw rangeError('truncation', 'be left out: only texts are cut');
      return { plain: this.#withPixels(input as TokenInput), tokens: null };
    }
    const all = this.#encode(texts, truncation ? this.maxLength - past : Infinity);
    const [{ tokens, mask }] = all;
    const isBatch = 'texts' in Object(input);
    checkCount(past + mask.length, this.maxLength, isBatch ? 'texts' : 'input');
    const { input: spec } = this.#architecture;
    const plain = {
      inputIds: all.map((each) => each.tokens.ids),
      attentionMask: all.some((each) => each.mask.includes(0)) ? all.map((each) => each.mask) : null,
      tokenTypeIds: spec.kind === 'text' && spec.type !== undefined ? all.map(({ types }) => types) : null,
    };
    const lists = Object.keys(tokens).map((name) => [
      name,
      all.map((each) => each.tokens[name as keyof Tokens]),
    ]);
    return { plain, tokens: isBatch ? (Object.fromEntries(lists) as BatchTokens) : tokens };
  }

  /**
   * Pictures as the model sees them: resized, cut and normalised as `preprocessor_config.json` says, with the numbers
   * of transformers' processors that use Pillow. `forward({ image })` does this by itself.
   *
   * @param image an `ImageData`, or several
   * @throws TypeError, RangeError for pictures that do not fit, and for models that take none
   */
  preprocess(image: Picture | readonly Picture[]): PreprocessedPictures {
    const { input: own, vision } = this.#architecture;
    const input = vision?.input ?? own;
    if (!this.#preprocessing || input.kind !== 'image') {
      throw rangeError('image', `be left out: ${this.family} takes texts`);
    }
    if (input.channels !== 3) {
      throw rangeError(
        'image',
        `be left out: the model takes images of ${input.channels} channels, not of 3`,
      );
    }
    const batch = pixelsOf(image, this.#preprocessing);
    return { ...batch, patches: gridOf(input, batch.pixelValues.shape) };
  }

  /** @internal Whether it takes texts and pictures. */
  get comparesPictures(): boolean {
    return this.#architecture.vision !== undefined;
  }

  /** @internal How many token ids it knows. */
  get vocabularySize(): number {
    const { input, tables } = this.#architecture;
    return (input.kind === 'text' ? tables.get(input.token)?.[0] : undefined) ?? 0;
  }

  /** @internal Whether it takes texts, and not images. */
  get readsText(): boolean {
    return this.#architecture.input.kind === 'text';
  }

  /** Tokens that a text may have. */
  get maxLength(): number {
    const { input } = this.#architecture;
    return input.kind === 'text' ? input.maxLength : 0;
  }

  /** @internal '' without a tokenizer. */
  tokenOf(id: number): string {
    return this.#tokenizer?.tokenOf(id) ?? '';
  }

  /** @internal '' without a tokenizer. */
  shownOf(token: string): string {
    return this.#tokenizer?.shownOf(token) ?? '';
  }

  /** @internal */
  textOf(ids: readonly number[]): string {
    return this.#tokenizer?.decode(ids) ?? '';
  }

  /** @internal Whether it gives logits of a next or masked token. */
  get hasLanguageHead(): boolean {
    return this.#architecture.maps.some(({ name }) => name === 'head') && !this.#architecture.squeeze;
  }

  /** @internal How the vocabulary spells a masked word; null for models without one. */
  get mask(): string | null {
    const id = this.#tokenizer?.maskId;
    return id === undefined ? null : this.tokenOf(id);
  }

  /** @internal The layers that read a text: those of the encoder, where there is one. */
  get reader(): Reader {
    const { config, writing } = this.#architecture;
    const { layers, heads, causal } = writing?.encoder.config ?? config;
    return { numLayers: layers.length, numHeads: heads, causal };
  }

  /** @internal The layers that see a picture. */
  get viewer(): Viewer {
    const { config, input, vision } = this.#architecture;
    const { layers, heads } = vision?.config ?? config;
    const own = vision?.input ?? input;
    return { numLayers: layers.length, numHeads: heads, patchSize: own.kind === 'image' ? own.patchSize : 0 };
  }

  /** @internal The token with which an encoder–decoder, which reads one text and writes another, begins; null for others. */
  get startId(): number | null {
    return this.#architecture.writing?.start ?? null;
  }

  /** @internal Begins a text: a causal model goes on with these ids, an encoder–decoder reads them first. */
  begin(ids: readonly number[], headMask: number[], beams: number): Beginning {
    const logitsOf = (last: Tensor) =>
      this.mapRows(
        'head',
        rowsAt(last, () => (last.shape[1] ?? 1) - 1),
        last.shape[0] ?? 1,
      );
    const stacks = this.#stacks;
    if (!stacks) {
      const logits: Beginning['logits'] = (rows, cache) => {
        const options = { attentions: false, headMask, ...(cache && { cache }) };
        return logitsOf(this.#run({ inputIds: rows.map((row) => [...row]) }, options, false).lastHiddenState);
      };
      return { prompt: ids, logits };
    }
    this.#refuse({ headMask: headMask.length > 0 });
    const memory = repeated(encode(stacks, { inputIds: [[...ids]] }).memory, beams);
    const logits: Beginning['logits'] = (rows, cache) => {
      const past = cache?.length ?? 0;
      const run = (handle: CacheHandle | null) =>
        decode(
          stacks,
          rows.map((row) => [...row]),
          past === 0 ? memory : null,
          { cache: handle, past },
        ).last;
      return logitsOf(cache ? cache.handle(run) : run(null));
    };
    return { prompt: [stacks.architecture.writing.start], logits };
  }

  /** @internal Where each of the written tokens looked in the text that was read. */
  crossAttentions(ids: readonly number[], written: readonly number[]): readonly Tensor[] {
    if (!this.#stacks || written.length === 0) return [];
    const { memory } = encode(this.#stacks, { inputIds: [[...ids]] });
    const options = { wants: () => true, hiddenStates: false };
    return decode(this.#stacks, [[...written]], memory, {}, options).crossAttentions;
  }

  /** The two stacks of an encoder–decoder. */
  get #stacks(): TextStacks | null {
    const { writing } = this.#architecture;
    return writing ? { ...this.#bothStacks, architecture: { ...this.#architecture, writing } } : null;
  }

  get #bothStacks(): Stacks {
    return {
      mapRows: this.mapRows.bind(this),
      tableRows: this.tableRows.bind(this),
      forward: (...call) => this.use((model) => model.forward(...call)),
      mapParts: (map, data, width, columns) =>
        this.use((model) => model.mapParts(map, { data, shape: [data.length / width, width] }, [...columns])),
    };
  }

  /** @internal What effects need. */
  get inspected(): Inspected['inspected'] {
    const tokenizer = this.#tokenizer;
    return {
      architecture: this.#architecture,
      stacks: this.#bothStacks,
      texts: this.#stacks,
      maskId: tokenizer?.maskId,
      idOf: (token) => tokenizer?.idOf(token),
    };
  }

  /**
   * What each head and each other part of the model adds to an answer: to the logit of one token minus that of another, at a
   * place of the text. All parts add up to it. Norms of the stream, and activations and soft caps of the language head, count
   * with the factors that they have in this run, so that each part passes them by itself.
   *
   * @throws TypeError, RangeError for a model without a head for tokens, and wrong options
   */
  headEffects(input: InspectedInput, options?: OrNull<AnswerOptions> | null): HeadEffects {
    return headEffects(this, input, options);
  }

  /**
   * What the model would say at a place of the text if a layer were its last: the language head, behind the final norm,
   * applied to the embeddings and to what leaves each layer. The last is what the model says.
   *
   * @throws TypeError, RangeError for a model without a head for tokens, and wrong options
   */
  logitLens(input: InspectedInput, options?: OrNull<LogitLensOptions> | null): LensLayer[] {
    return logitLens(this, input, options);
  }

  /**
   * Which head an answer depends on: another text of as many tokens is computed once for each head, with what that head
   * gives at all tokens taken from the text, and once for each layer, with that of all its heads.
   *
   * @throws TypeError, RangeError for a model without a head for tokens or with two stacks, texts of different lengths, and
   *   wrong options
   */
  patch(input: InspectedInput, other: InspectedInput, options?: OrNull<AnswerOptions> | null): Patched {
    const steps = patch(this, input, other, options);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /**
   * Continues a text with the likeliest tokens, or drawn ones, keeping keys and values of earlier tokens. An
   * encoder–decoder reads the text and writes another, such as its translation.
   *
   * @throws (rejects) TypeError, RangeError for wrong options and models that are not causal; the signal's reason
   */
  generate(input: string | readonly number[], options?: OrNull<GenerateOptions> | null): Promise<Generated> {
    return generate(this, input, options);
  }

  /**
   * The `k` likeliest next tokens behind a text, likeliest first, without writing one. For masks there is `fillMask`.
   *
   * @throws TypeError, RangeError for wrong options and models that are not causal
   */
  nextTokens(input: string | readonly number[], options?: OrNull<NextTokensOptions> | null): LikelyToken[] {
    return nextTokens(this, input, options);
  }

  /**
   * The `k` likeliest words for each mask of a text: `[MASK]` or `<mask>`, as the model's vocabulary spells it.
   *
   * @throws RangeError for a text without a mask, and for a model without a head for it; TypeError, RangeError for
   *   wrong options
   */
  fillMask(text: string, k?: number, options?: OrNull<HeadMaskOptions> | null): MaskGuess[][] {
    return this.guess(() => this.tokenize(text).ids, k, options);
  }

  /** @internal As `fillMask`, for the tokens of a text, which are asked for when the options are right. */
  guess(tokenize: () => Tokens['ids'], k = 5, options?: OrNull<HeadMaskOptions> | null): MaskGuess[][] {
    checkInteger('k', k);
    const headMask = this.readHeadMask(readOptions('fillMask', options ?? {}, ['headMask']).headMask);
    const mask = this.#tokenizer?.maskId;
    if (this.startId !== null)
      throw rangeError('model', `fill masks in the text, got ${this.family}, which writes another`);
    const ids = tokenize();
    const places = [...ids.keys()].filter((place) => ids[place] === mask);
    if (places.length === 0) throw rangeError('text', 'hold a mask, such as [MASK] or <mask>');
    if (!this.hasLanguageHead) {
      throw rangeError('model', `have a head for masked words, got ${this.family} without one`);
    }
    const { lastHiddenState } = this.#run({ inputIds: [ids] }, { attentions: false, headMask }, false);
    const { width } = this.#architecture.config;
    return places.map((place) => {
      const row = lastHiddenState.data.subarray(place * width, (place + 1) * width);
      const choices = new Choices(this.mapRows('head', row, 1));
      return choices.likeliest(k).map((id) => choices.at(id, this));
    });
  }

  /**
   * A layer's attention as a `MultiHeadAttention`; the caller disposes of it. It gives the model's attention with
   * `steps(model.attentionInput(layer), model.attentionOptions(layer))`.
   *
   * @throws RangeError for a layer that does not exist; Error for layers that `MultiHeadAttention` does not compute: of
   *   encoder–decoders, with norms of queries and keys (Qwen3, Gemma 3, OLMo 2), with relative positions (MPNet, DeBERTa)
   *   or with rotary angles that are scaled or turn a part of each head (GPT-NeoX)
   */
  attentionLayer(layer: number): MultiHeadAttention {
    if (!this.#module) throw new Error('a model in a worker has no MultiHeadAttention');
    return layerOf(this.#module, this.attentionParts(layer));
  }

  /**
   * @internal The size of a layer's heads, and the base of its rotary embedding; null without one.
   *
   * @throws as `attentionLayer`
   */
  attentionShape(layer: number): { headDim: number; rope: number | null } {
    const { headDim, headNorm, layers, relative } = this.#architecture.config;
    checkInteger('layer', layer, 0, this.numLayers - 1);
    if (this.startId !== null)
      throw new Error(`${this.family} has two stacks of layers, of which none is taken out`);
    if (relative)
      throw new Error(
        `a layer of ${this.family} adds to scores by distance, which MultiHeadAttention does not`,
      );
    if (headNorm)
      throw new Error(
        `a layer of ${this.family} normalises queries and keys, which MultiHeadAttention does not`,
      );
    const { rotary } = item(layers, layer);
    const rope = rotary === null ? null : (this.#architecture.ropeBases?.[rotary] ?? null);
    if (rotary !== null && rope === null)
      throw new Error(
        'the rotary angles of this model are scaled, or turn a part of each head, which MultiHeadAttention does not do',
      );
    return { headDim, rope };
  }

  /** @internal What a layer's attention is made of. */
  attentionParts(layer: number): AttentionParts {
    const { headDim, rope } = this.attentionShape(layer);
    const { width, heads, kvHeads, layers } = this.#architecture.config;
    const { block } = item(layers, layer);
    const part = (name: string) => toTensor(this.use((model) => model.read(`layers.${block}.${name}`)));
    const biases = ['query', 'key', 'value'].map((name) => part(`${name}.bias`).data);
    const inBias = new Float32Array(biases.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const bias of biases) {
      inBias.set(bias, offset);
      offset += bias.length;
    }
    const state = {
      q_proj_weight: part('query.weight'),
      k_proj_weight: part('key.weight'),
      v_proj_weight: part('value.weight'),
      'out_proj.weight': part('output.weight'),
      'out_proj.bias': part('output.bias'),
      in_proj_bias: new Tensor(inBias, [inBias.length]),
    };
    return {
      options: {
        embedDim: width,
        numHeads: heads,
        numKvHeads: kvHeads,
        headDim,
        outDim: width,
        ...(rope !== null && { rope: { base: rope } }),
      },
      state,
    };
  }

  /**
   * What a layer's attention took in the last `forward`: (B,L,E). It is computed anew when it is asked for.
   *
   * @throws Error before any `forward`
   */
  attentionInput(layer: number): Tensor {
    return this.#inputOf(this.#lastRun, layer);
  }

  /**
   * What a layer applies to its scores in the last `forward`: scale, causal mask, window, soft cap, padding.
   *
   * @throws Error before any `forward`, and after one with `positionIds` of rotary embeddings
   */
  attentionOptions(layer: number): StepsOptions {
    return this.#optionsOf(this.#lastRun, layer);
  }

  /**
   * @internal What a layer's attention takes for an input, in one run. It is no `forward`: `attentionInput` stays as it is.
   *
   * @throws as `forward` and `attentionLayer`
   */
  attentionCall(input: ModelInput, layer: number, options: OrNull<HeadMaskOptions>): AttentionCall {
    const headMask = this.readHeadMask(options.headMask);
    const shape = this.attentionShape(layer);
    const run = { ...embed(this.#architecture, this.read(input).plain, 0, this), headMask };
    return { ...shape, options: this.#optionsOf(run, layer), input: this.#inputOf(run, layer) };
  }

  get #lastRun(): Run {
    if (!this.#last) throw new Error('call forward() first');
    return this.#last;
  }

  #inputOf({ rows, shape, mask, headMask, positions = [] }: Run, layer: number): Tensor {
    checkInteger('layer', layer, 0, this.numLayers - 1);
    const result = this.use((model) =>
      model.forward(0, { data: rows, shape }, mask, [], headMask, positions, false, true, null, ...NO_MEMORY),
    );
    const input = toTensor(item(result.layerInputs, layer));
    checkComputed('attentionInput', input.data);
    return input;
  }

  #optionsOf({ mask, positions }: Run, layer: number): StepsOptions {
    checkInteger('layer', layer, 0, this.numLayers - 1);
    const { softcap, layers } = this.#architecture.config;
    const { scale, window, rotary } = item(layers, layer);
    if (positions && rotary !== null)
      throw new Error('the last forward() had positionIds, which MultiHeadAttention does not take');
    return {
      isCausal: this.causal,
      scale,
      softcap,
      ...(window !== null && { window }),
      ...(mask && { keyPaddingMask: mask }),
    };
  }

  /**
   * @throws TypeError, RangeError for inputs that do not fit; nothing is computed then. RangeError where what is computed
   *   is not finite
   */
  forward(input: TextOrPair, options?: OrNull<ModelForwardOptions> | null): TextOutput;
  forward(input: TextBatch, options?: OrNull<ModelForwardOptions> | null): BatchOutput;
  forward(input: ModelInput, options?: OrNull<ModelForwardOptions> | null): ModelOutput;
  forward(input: ModelInput | TextBatch, options?: OrNull<ModelForwardOptions> | null): AnyOutput {
    const read = readForwardOptions(options);
    if (this.#stacks) return this.#forwardTwoTexts(this.#stacks, input, read);
    if (this.#architecture.vision) return this.#forwardTextAndPicture(this.#architecture.vision, input, read);
    return this.#run(input, { ...read, headMask: this.readHeadMask(read.headMask) }, true);
  }

  /** @internal The factors of all heads, layer by layer. @throws TypeError, RangeError */
  readHeadMask(value: unknown): number[] {
    return readHeadMask(value, this.numLayers, this.numHeads);
  }

  /** What an encoder–decoder computes; of a text alone, what its decoder starts with. */
  #forwardTwoTexts(stacks: TextStacks, input: ModelInput | TextBatch, options: ForwardOptions): AnyOutput {
    const { attentions = true, hiddenStates = false, valueWeighted, cache, headMask, truncation } = options;
    checkBoolean('hiddenStates', hiddenStates);
    if (cache !== undefined)
      throw rangeError('cache', `be left out: generate() of ${this.family} has its own`);
    this.#refuse({ headMask, valueWeighted });
    const { layers } = stacks.architecture.writing.encoder.config;
    const wanted = this.#wantedLayers(attentions, Math.max(this.numLayers, layers.length));
    const wants = (layer: number) => wanted.includes(layer);
    const { plain, tokens } = this.read(input, truncation);
    const ids = plain as TokenInput;
    const { start } = stacks.architecture.writing;
    const { shape, length } = Object(ids.inputIds) as { shape?: readonly number[]; length?: number };
    const given = (Object(input) as TokenInput).decoderInputIds;
    const second = given ?? Array.from({ length: shape?.[0] ?? length ?? 1 }, () => [start]);
    const output = forwardTwoTexts(stacks, { ...ids, decoderInputIds: second }, { wants, hiddenStates });
    const isOne = tokens !== null && !('texts' in Object(input));
    const written = isOne ? readWhole('decoderInputIds', second, Infinity).values : [];
    return {
      ...tokens,
      ...(isOne && { decoderTokens: Array.from(written, (id) => this.tokenOf(id)) }),
      attentions: output.encoderAttentions,
      ...output,
    };
  }

  /** @throws RangeError for options that are given */
  #refuse(options: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined && value !== false) throw rangeError(name, `be left out for ${this.family}`);
    }
  }

  /** What CLIP computes of texts, pictures or both. */
  #forwardTextAndPicture(
    vision: Vision,
    input: ModelInput | TextBatch,
    { attentions = true, hiddenStates = false, truncation, ...others }: ForwardOptions,
  ): AnyOutput {
    checkBoolean('hiddenStates', hiddenStates);
    this.#refuse(others);
    const wanted = this.#wantedLayers(attentions, Math.max(this.numLayers, vision.config.layers.length));
    const { image, pixelValues, ...texts } = Object(input) as Partial<PictureInput & PixelInput & TextBatch>;
    const isPicture = image !== undefined || pixelValues !== undefined;
    const pixels = image === undefined ? { pixelValues } : this.preprocess(image);
    const { plain, tokens } =
      isPicture && Object.keys(texts).length === 0
        ? { plain: {}, tokens: null }
        : this.read((isPicture ? texts : input) as ModelInput, truncation);
    const output = forwardTextAndPicture(
      this.#bothStacks,
      { ...this.#architecture, vision },
      { ...plain, ...(isPicture && { pixelValues: pixels.pixelValues }) },
      { wants: (layer) => wanted.includes(layer), hiddenStates },
    );
    const patches = isPicture
      ? gridOf(vision.input, toFloat32Block('pixelValues', pixels.pixelValues).shape)
      : null;
    const { textAttentions, visionAttentions = [] } = output;
    return {
      ...tokens,
      ...(patches && { patches }),
      attentions: textAttentions ?? visionAttentions,
      ...output,
    };
  }

  /** @param isForward whether logits are given, and `attentionInput` and `attentionOptions` are of this run */
  #run(input: ModelInput | TextBatch, options: RunOptions, isForward: boolean): AnyOutput {
    const { attentions = true, hiddenStates = false, valueWeighted = false } = options;
    const { cache, headMask, truncation } = options;
    const wanted = this.#wantedLayers(attentions);
    checkBoolean('hiddenStates', hiddenStates);
    checkBoolean('valueWeighted', valueWeighted);
    if (cache !== undefined && !this.causal)
      throw rangeError('cache', `be left out: ${this.family} is not causal`);
    if (cache !== undefined && !this.#caches.has(cache))
      throw wrongKind('cache', 'what newCache() of this model gave', cache);
    const past = cache?.length ?? 0;
    const { plain, tokens } = this.read(input, truncation, past);
    if ((Object(input) as TokenInput).decoderInputIds != null)
      throw rangeError('decoderInputIds', `be left out: ${this.family} writes no other text`);
    const embedded = embed(this.#architecture, plain, past, this);
    if (isForward && !cache) this.#last = { ...embedded, headMask };
    const { rows, shape, mask, positions = [] } = embedded;
    const [batch, length] = shape;
    const run = (handle: CacheHandle | null) =>
      this.use((model) =>
        model.forward(
          0,
          { data: rows, shape },
          mask,
          this.#architecture.config.layers.map((_, layer) => Number(wanted.includes(layer))),
          headMask,
          positions,
          hiddenStates,
          false,
          handle,
          null,
          null,
          [],
          valueWeighted ? { ...NO_INSPECTION, valueWeighted } : null,
        ),
      );
    const result = cache ? cache.handle(run) : run(null);
    const last = this.#architecture.hasFinalNorm
      ? this.mapRows('final', result.last.data, batch * length)
      : result.last.data;
    const lastHiddenState = new Tensor(last, [batch, length, last.length / (batch * length)]);
    const states = result.hiddenStates.map(toTensor);
    if (this.#architecture.lastIsNormed && hiddenStates) states[states.length - 1] = lastHiddenState;
    const logits = isForward ? this.#logits(last, batch, length) : null;
    checkComputed('lastHiddenState', last);
    if (logits) checkComputed('logits', logits.data);
    return {
      ...tokens,
      ...(embedded.patches && { patches: embedded.patches }),
      attentions: wanted.map((layer) => toTensor(result.attentions[layer] as never)),
      ...(valueWeighted && {
        valueWeighted: wanted.map((layer) => toTensor(result.valueWeighted[layer] as never)),
      }),
      ...(hiddenStates && { hiddenStates: states }),
      lastHiddenState,
      ...(logits && { logits }),
    };
  }

  /** Pictures as pixels; other inputs are checked later. */
  #withPixels(input: TokenInput | PixelInput | PictureInput): TokenInput | PixelInput {
    return 'image' in Object(input)
      ? this.preprocess((input as PictureInput).image)
      : (input as TokenInput | PixelInput);
  }

  #wantedLayers(attentions: unknown, count = this.numLayers): number[] {
    const all = Array.from({ length: count }, (_, layer) => layer);
    if (attentions === true) return all;
    if (attentions === false) return [];
    if (!Array.isArray(attentions))
      throw wrongKind('attentions', 'true, false or an array of layers', attentions);
    return attentions.map((layer: unknown, i) => {
      if (!all.includes(layer as number)) {
        throw rangeError(`attentions[${i}]`, `be a layer from 0 to ${count - 1}, got ${String(layer)}`);
      }
      return layer as number;
    });
  }

  /** @internal Applies a map of rows of the binary. */
  mapRows(name: string, data: Float32Array, rows: number): Float32Array<ArrayBuffer> {
    return this.use((model) => model.mapRows(name, { data: data, shape: [rows, data.length / rows] }));
  }

  /** @internal */
  tableRows(table: string, indices: readonly number[]): Float32Array {
    const { tied, input } = this.#architecture;
    if (tied !== undefined && input.kind === 'text' && table === input.token) {
      return this.use((model) => model.weightRows(tied, [...indices]));
    }
    const rows = this.#tables.get(table);
    if (!rows) throw new Error(`the table ${table} was not read`);
    return rows.rows(indices);
  }

  /** The mean of the heads' outputs. */
  #logits(last: Float32Array, batch: number, length: number): Tensor | null {
    const { heads, config, squeeze } = this.#architecture;
    if (heads.length === 0) return null;
    const { width } = config;
    const outputs = heads.map(({ map, row }) => {
      if (row === undefined) return this.mapRows(map, last, batch * length);
      const states = new Tensor(last, [batch, length, width]);
      return this.mapRows(
        map,
        rowsAt(states, () => row),
        batch,
      );
    });
    const [first = new Float32Array(), ...others] = outputs;
    const mean =
      others.length === 0
        ? first
        : first.map((_, i) => outputs.reduce((sum, output) => sum + (output[i] ?? 0), 0) / outputs.length);
    const rows = heads[0]?.row === undefined ? [batch, length] : [batch];
    return new Tensor(mean, squeeze ? rows : [...rows, mean.length / rows.reduce((a, b) => a * b, 1)]);
  }
}
