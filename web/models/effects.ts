/** What heads do: what each part of a model adds to an answer, what it would say earlier, and what depends on a head. */
import { checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import type { CacheHandle, Inspection } from '../wasm/models.js';
import type { Architecture } from './architecture.js';
import { Choices, type LikelyToken } from './choices.js';
import { embed, type EmbeddedInput } from './embeddings.js';
import type { Tokens } from './encoding.js';
import type { ModelCache } from './generate.js';
import { checkCount, type TokenInput } from './inputs.js';
import type { Memory, StackOptions, StackOutput, Stacks } from './stacks.js';
import { rowsAt, runStack } from './stacks.js';
import { encode, repeated, type TextStacks } from './two-texts.js';

/** What is asked about: a place of a text, and which two answers are compared there. */
export interface AnswerOptions {
  /**
   * The token behind whose state the answer is read, from 0, or from the end where it is negative. Of a causal model and of an
   * encoder–decoder the last; of a model that fills masks its only mask.
   */
  position?: number;
  /** The answer: its id, a text that is one token or its spelling in the vocabulary; else the likeliest. */
  token?: number | string;
  /** The answer that it is compared with; else the likeliest other one. */
  against?: number | string;
}

/** The difference of two logits, as a sum. */
export interface HeadEffects {
  /** Id of the answer. */
  readonly token: number;
  /** Id of the answer that it is compared with. */
  readonly against: number;
  /** Logit of `token` minus that of `against`: the sum of all below, to rounding. */
  readonly value: number;
  /** (layers,H): what each head adds. */
  readonly heads: Tensor;
  /** (layers,H): the same of cross-attention, of an encoder–decoder. */
  readonly crossHeads?: Tensor;
  /** (layers,): what each feed-forward network adds, with its biases. */
  readonly mlps: Tensor;
  /** What the embedding of the token at `position` adds. */
  readonly embeddings: number;
  /** What the biases of attentions, norms and of the language head add. */
  readonly biases: number;
}

/** Options of `logitLens`. */
export interface LogitLensOptions extends Pick<AnswerOptions, 'position'> {
  /** How many of the likeliest tokens are given, 5 unless it is said. */
  k?: number;
  /** Whether all logits are given. */
  logits?: boolean;
}

/** What a model would say if a layer were its last. */
export interface LensLayer {
  /** 0: the embeddings; n: behind layer n, counted from 1. */
  readonly layer: number;
  /** Likeliest first. */
  readonly tokens: readonly LikelyToken[];
  /** (V,) */
  readonly logits?: Tensor;
}

/** How an answer changes when a text gets parts of another. */
export interface Patched {
  /** Id of the answer. */
  readonly token: number;
  /** Id of the answer that it is compared with. */
  readonly against: number;
  /** Logit of `token` minus that of `against` for the text. */
  readonly clean: number;
  /** The same for the other text. */
  readonly other: number;
  /** (layers,H): the same for the other text, with what this head gives taken from the text. */
  readonly heads: Tensor;
  /** (layers,): with all heads of a layer taken from the text. */
  readonly layers: Tensor;
}

/** What effects need of a model. */
export interface Inspected {
  readonly family: string;
  readonly causal: boolean;
  readonly hasLanguageHead: boolean;
  readonly vocabularySize: number;
  readonly maxLength: number;
  tokenize(text: string): Pick<Tokens, 'ids' | 'words' | 'unknown'>;
  tokenOf(id: number): string;
  shownOf(token: string): string;
  newCache(): ModelCache;
  /** Its parts. */
  readonly inspected: {
    readonly architecture: Architecture;
    readonly stacks: Stacks;
    /** Of an encoder–decoder. */
    readonly texts: TextStacks | null;
    readonly maskId: number | undefined;
    idOf(token: string): number | undefined;
  };
}

/** A text that an encoder–decoder reads, and what it has written. */
export interface WrittenText {
  /** A text, or its token ids. */
  readonly text: string | readonly number[] | Int32Array;
  /** As `TokenInput.decoderInputIds`, of one text; without them the token with which the decoder starts. */
  readonly decoderInputIds?: readonly number[] | Int32Array;
}

/** A text, or its token ids; of an encoder–decoder also what it has written. */
export type InspectedInput = string | readonly number[] | Int32Array | WrittenText;

const NOTHING: StackOptions = { wants: () => false, hiddenStates: false };

/** @throws TypeError, RangeError */
function idsOf(model: Inspected, name: string, input: unknown): number[] {
  const isIds = Array.isArray(input) || ArrayBuffer.isView(input);
  if (typeof input !== 'string' && !isIds) throw wrongKind(name, 'a text or token ids', input);
  const ids = typeof input === 'string' ? [...model.tokenize(input).ids] : Array.from(input as Int32Array);
  checkCount(ids.length, model.maxLength);
  return ids;
}

/** So many copies of (1,L,E). */
function repeatedRows({ data, shape: [, length = 1, width = 1] }: Tensor, count: number): EmbeddedInput {
  const rows = new Float32Array(count * data.length);
  for (let b = 0; b < count; b++) rows.set(data, b * data.length);
  return { rows, shape: [count, length, width], mask: null };
}

/** A text in a model that answers behind one of its tokens. */
class Reading {
  /** Of the text in which it answers. */
  readonly ids: readonly number[];
  readonly #model: Inspected;
  readonly #embedded: EmbeddedInput;
  readonly #memory: Memory | null;
  readonly #cache: ModelCache | null;

  /**
   * @param cache of a text that goes before
   * @throws TypeError, RangeError for a model without a head for tokens, and inputs that do not fit
   */
  constructor(model: Inspected, name: string, input: unknown, cache: ModelCache | null = null) {
    const { architecture, stacks, texts } = model.inspected;
    if (!model.hasLanguageHead)
      throw rangeError('model', `have a head for tokens, got ${model.family} without one`);
    const isPair = typeof input === 'object' && input !== null && 'text' in input;
    const { text = input, decoderInputIds } = (isPair ? input : {}) as {
      text?: unknown;
      decoderInputIds?: unknown;
    };
    const read = idsOf(model, name, text);
    if (decoderInputIds !== undefined && !texts)
      throw rangeError('decoderInputIds', `be left out: ${model.family} writes no other text`);
    const written = texts && (decoderInputIds ?? [texts.architecture.writing.start]);
    this.#model = model;
    this.ids = written ? idsOf(model, 'decoderInputIds', written) : read;
    this.#memory = texts && encode(texts, { inputIds: [read] }).memory;
    this.#cache = cache;
    const tokens: TokenInput = { inputIds: [[...this.ids]] };
    this.#embedded = embed(architecture, tokens, cache?.length ?? 0, stacks);
  }

  /** @throws RangeError */
  placeOf(position: unknown): number {
    const { length } = this.ids;
    const { causal, inspected } = this.#model;
    if (position !== undefined) {
      const given = checkInteger('position', position, -length, length - 1);
      return given < 0 ? length + given : given;
    }
    if (causal || inspected.texts) return length - 1;
    const place = this.ids.indexOf(inspected.maskId ?? -1);
    if (place < 0 || this.ids.includes(inspected.maskId ?? -1, place + 1)) {
      throw rangeError('position', 'be given where a text has not exactly one mask');
    }
    return place;
  }

  /** Of a text with a cache, the cache is as before. */
  run(options: StackOptions, inspection: Partial<Inspection> = {}): StackOutput {
    const past = this.#cache?.length;
    const output = this.#run(this.#embedded, options, inspection, this.#cache);
    if (past !== undefined) this.#cache?.truncate(past);
    return output;
  }

  /** Keeps as many copies of the text in a cache. */
  keep(cache: ModelCache, count: number): void {
    const { rows, shape } = this.#embedded;
    this.#run(repeatedRows(new Tensor(rows, shape), count), NOTHING, {}, cache);
  }

  /**
   * What leaves the stack at a place, (B,E). It begins with a layer that gets what enters it, (1,L,E), once for each item of the
   * context, (B,L,H·d), that its heads give, behind those of a cache, which stays as it is.
   */
  runFrom(
    firstLayer: number,
    states: Tensor,
    { data, shape }: Tensor,
    place: number,
    cache: ModelCache | null,
  ): Float32Array {
    const rows = repeatedRows(states, item(shape, 0));
    const changes = { context: { data, shape: [...shape] }, firstLayer, onlyRow: place };
    return this.#run(rows, NOTHING, changes, cache).last.data;
  }

  #run(
    embedded: EmbeddedInput,
    options: StackOptions,
    inspection: Partial<Inspection>,
    cache: ModelCache | null,
  ): StackOutput {
    const { architecture, stacks } = this.#model.inspected;
    const stack = { index: 0, layers: architecture.config.layers };
    const [batch] = embedded.shape;
    const memory = this.#memory && repeated(this.#memory, batch);
    const run = (handle: CacheHandle | null) =>
      runStack(stacks, stack, embedded, options, { memory, cache: handle, inspection });
    return cache ? cache.handle(run) : run(null);
  }

  /** The logits of rows (n,E), which leave the last layer. */
  logits(rows: Float32Array, count = 1): Float32Array {
    const { architecture, stacks } = this.#model.inspected;
    const normed = architecture.hasFinalNorm ? stacks.mapRows('final', rows, count) : rows;
    return stacks.mapRows(headOf(architecture), normed, count);
  }

  /** By row (n,E) which leaves the last layer, the logit of one token minus that of another. */
  difference(rows: Float32Array, count: number, token: number, against: number): Float32Array {
    const { architecture, stacks } = this.#model.inspected;
    const normed = architecture.hasFinalNorm ? stacks.mapRows('final', rows, count) : rows;
    const width = normed.length / count;
    return Float32Array.from({ length: count }, (_, i) => {
      const row = normed.subarray(i * width, (i + 1) * width);
      // A row is the only part of itself.
      const logits = stacks.mapParts(headOf(architecture), row, width, [token, against]);
      return item(logits, 0) - item(logits, 1);
    });
  }

  /** The ids of two answers: those that are asked for, else the likeliest ones. */
  answers({ token, against }: OrNull<AnswerOptions>, logits: Float32Array): [number, number] {
    const likeliest = new Choices(logits).likeliest(2);
    const first = token == null ? undefined : this.#idOf('token', token);
    const second = against == null ? undefined : this.#idOf('against', against);
    const other = (one: number | undefined) => item(likeliest, likeliest[0] === one ? 1 : 0);
    const answer = first ?? other(second);
    const rival = second ?? other(answer);
    if (answer === rival) throw rangeError('against', `be another token than \`token\`, got ${rival} twice`);
    return [answer, rival];
  }

  #idOf(name: string, value: unknown): number {
    const { vocabularySize, inspected } = this.#model;
    if (typeof value !== 'string') return checkInteger(name, value, 0, vocabularySize - 1);
    const { ids, words, unknown } = this.#model.tokenize(value);
    const own = ids.filter((_, i) => words[i] !== -1);
    // A word first: where words are spelled with a mark, as `▁cat`, `cat` is the spelling of an end of words.
    const id = own.length === 1 && unknown.length === 0 ? own[0] : inspected.idOf(value);
    if (id === undefined) {
      throw rangeError(name, `be one token of the vocabulary, got ${JSON.stringify(value)} of ${own.length}`);
    }
    return id;
  }
}

const headOf = ({ heads }: Architecture): string => item(heads, 0).map;

/** @see Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021), on the direct path to the logits */
export function headEffects(
  model: Inspected,
  input: InspectedInput,
  options?: OrNull<AnswerOptions> | null,
): HeadEffects {
  const read = readOptions('headEffects', options ?? {}, ['position', 'token', 'against']);
  const reading = new Reading(model, 'input', input);
  const place = reading.placeOf(read.position);
  const { last, parts: added } = reading.run(NOTHING, { traced: place });
  const logits = reading.logits(rowsAt(last, () => place));
  const [token, against] = reading.answers(read, logits);
  const { architecture, stacks } = model.inspected;
  const { heads, layers, width, memoryWidth } = architecture.config;
  const normed = architecture.hasFinalNorm ? stacks.mapParts('final', added, width, []) : added;
  const pairs = stacks.mapParts(headOf(architecture), normed, width, [token, against]);
  const differences = Float32Array.from(
    { length: pairs.length / 2 },
    (_, part) => item(pairs, 2 * part) - item(pairs, 2 * part + 1),
  );
  const groups = memoryWidth === null ? 1 : 2;
  const each = groups * heads + 1;
  /** What `count` parts of each layer add, from `first` on. */
  const ofLayers = (first: number, count: number) =>
    Float32Array.from({ length: layers.length * count }, (_, i) =>
      item(differences, 1 + Math.floor(i / count) * each + first + (i % count)),
    );
  const sizes = [layers.length, heads];
  return {
    token,
    against,
    value: item(logits, token) - item(logits, against),
    heads: new Tensor(ofLayers(0, heads), sizes),
    ...(groups === 2 && { crossHeads: new Tensor(ofLayers(heads, heads), sizes) }),
    mlps: new Tensor(ofLayers(groups * heads, 1), [layers.length]),
    embeddings: item(differences, 0),
    biases: item(differences, differences.length - 1),
  };
}

/** @see nostalgebraist, "interpreting GPT: the logit lens" (2020) */
export function logitLens(
  model: Inspected,
  input: InspectedInput,
  options?: OrNull<LogitLensOptions> | null,
): LensLayer[] {
  const read = readOptions('logitLens', options ?? {}, ['position', 'k', 'logits']);
  const { k = 5, logits: wantsLogits = false } = read;
  checkInteger('k', k);
  if (typeof wantsLogits !== 'boolean') throw wrongKind('logits', 'true or false', wantsLogits);
  const reading = new Reading(model, 'input', input);
  const place = reading.placeOf(read.position);
  const { hiddenStates } = reading.run({ ...NOTHING, hiddenStates: true });
  return hiddenStates.map((states, layer) => {
    const logits = reading.logits(rowsAt(states, () => place));
    const choices = new Choices(logits);
    return {
      layer,
      tokens: choices.likeliest(k).map((id) => choices.at(id, model)),
      ...(wantsLogits && { logits: new Tensor(Float32Array.from(logits), [logits.length]) }),
    };
  });
}

/** Contexts (1,L,H·d) of a text, once for each head with that of another text, and once with all of the other. */
function withHeads({ data, shape }: Tensor, other: Tensor, heads: number): Tensor {
  const [, length = 1, width = 1] = shape;
  const result = new Float32Array((heads + 1) * data.length);
  const dim = width / heads;
  for (let head = 0; head < heads; head++) {
    const start = head * data.length;
    result.set(data, start);
    for (let place = head * dim; place < data.length; place += width)
      result.set(other.data.subarray(place, place + dim), start + place);
  }
  result.set(other.data, heads * data.length);
  return new Tensor(result, [heads + 1, length, width]);
}

/**
 * @yields how many of the layers are done
 * @see Meng et al., "Locating and Editing Factual Associations in GPT" (2022), section 2; Wang et al., "Interpretability in
 *   the Wild" (2023)
 */
export function* patch(
  model: Inspected,
  input: InspectedInput,
  other: InspectedInput,
  options?: OrNull<AnswerOptions> | null,
): Generator<number, Patched> {
  const read = readOptions('patch', options ?? {}, ['position', 'token', 'against']);
  if (model.inspected.texts)
    throw rangeError('model', `have one stack of layers, got ${model.family}, which has two`);
  const [clean, changed] = [new Reading(model, 'input', input), new Reading(model, 'other', other)];
  const { length } = clean.ids;
  if (changed.ids.length !== length) {
    throw rangeError('other', `have as many tokens as \`input\`, ${length}, got ${changed.ids.length}`);
  }
  const place = clean.placeOf(read.position);
  const { config } = model.inspected.architecture;
  const { length: count } = config.layers;
  // One item for each head, and one for all.
  const items = config.heads + 1;
  // Of a causal model nothing changes before the texts differ, and nothing after the answer counts.
  const end = model.causal ? place + 1 : length;
  const differs = clean.ids.findIndex((id, i) => id !== changed.ids[i]);
  const start = !model.causal ? 0 : differs < 0 ? place : Math.min(differs, place);
  const [one, each] = start === 0 ? [null, null] : [model.newCache(), model.newCache()];
  try {
    if (one) {
      const before = new Reading(model, 'input', clean.ids.slice(0, start));
      before.keep(one, 1);
      before.keep(each, items);
    }
    const [own, others] = [clean, changed].map(
      ({ ids }) => new Reading(model, 'input', ids.slice(start, end), one),
    ) as [Reading, Reading];
    const lastOf = ({ last }: StackOutput) => rowsAt(last, () => place - start);
    const run = own.run(NOTHING, { contexts: true });
    const [token, against] = own.answers(read, own.logits(lastOf(run)));
    const differences = (rows: Float32Array, texts: number) => others.difference(rows, texts, token, against);
    const runOfOthers = others.run({ ...NOTHING, hiddenStates: true }, { contexts: true });
    const heads = new Float32Array(count * config.heads);
    const layers = new Float32Array(count);
    for (let layer = 0; layer < count; layer++) {
      const context = withHeads(item(runOfOthers.contexts, layer), item(run.contexts, layer), config.heads);
      const states = item(runOfOthers.hiddenStates, layer);
      const found = differences(others.runFrom(layer, states, context, place - start, each), items);
      heads.set(found.subarray(0, config.heads), layer * config.heads);
      layers[layer] = item(found, config.heads);
      yield layer + 1;
    }
    return {
      token,
      against,
      clean: item(differences(lastOf(run), 1), 0),
      other: item(differences(lastOf(runOfOthers), 1), 0),
      heads: new Tensor(heads, [count, config.heads]),
      layers: new Tensor(layers, [count]),
    };
  } finally {
    one?.dispose();
    each?.dispose();
  }
}
