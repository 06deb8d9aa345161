import { describe } from '../api/errors.js';
import { fromHalf, isHalf, widen } from '../api/half.js';
import { item } from '../api/shape.js';
import { kindOf } from '../api/typed-array.js';
import { isolated } from '../elements/base/language.js';
import { Refusal } from '../elements/base/problem.js';

/** Name of a head: its number from 0, a document's single head, or a summary of all heads, or of all heads so far. */
export type HeadName = number | 'single' | 'mean' | 'max' | 'rollout';

/** Texts for heads, as the views' `strings` have them. */
interface HeadTexts {
  readonly head: (name: HeadName, layer: number | null) => string;
}

/** A head of a model, counted from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** A tensor of this library or ONNX Runtime (which has `dims`; `type` is read where it is `float16`), or nested arrays. */
export type WeightsLike =
  | { readonly data: ArrayLike<number>; readonly shape: readonly number[] }
  | { readonly data: ArrayLike<number>; readonly dims: readonly number[] }
  | readonly (readonly (readonly number[])[])[];

/** The words of one text, which attends to itself. */
interface OneText {
  tokens: readonly string[];
}

/** The words of two texts: those of the first attend to those of the second. */
interface TwoTexts {
  queryTokens: readonly string[];
  keyTokens: readonly string[];
}

/** Weights of one layer: one word per row and column, one matrix per head. */
interface OneLayer {
  /** (H,L,L), of two texts (H,L,S), or (B,H,L,L), of which the first item of the batch is drawn; finite and not negative. Rows need not sum to 1; the figure shows their sums. */
  weights: WeightsLike;
}

/** Weights of a model's layers, as `forward` of `multihead-attention/models` gives them. */
interface AllLayers {
  /** The tokens as a reader should see them. */
  shown?: readonly string[];
  /** The word of each token, −1 for special ones. */
  words?: ArrayLike<number>;
  /** Per layer (H,L,L) or (B,H,L,L), as `weights`. */
  attentions: readonly WeightsLike[];
  /** The same of what is passed on, as `forward` with `valueWeighted` gives it. */
  valueWeighted?: readonly WeightsLike[];
}

/** What `forward` of an encoder–decoder gives of a text that it reads and one that it writes. */
interface ReadAndWritten extends Pick<AllLayers, 'shown' | 'words'>, OneText {
  /** The second text, as the decoder takes it. */
  decoderTokens: readonly string[];
  /** Per layer (H,T,S) or (B,H,T,S): where each token of the second text looks in the first. */
  crossAttentions: readonly WeightsLike[];
  /** (H,S,S): where the first text looks in itself. */
  encoderAttentions?: readonly WeightsLike[];
  /** (H,T,T): where the second text looks in itself. */
  decoderAttentions?: readonly WeightsLike[];
}

/** Words and weights that a view draws. */
export type FigureData = ((OneText | TwoTexts) & (OneLayer | AllLayers)) | ReadAndWritten;

/** Groups of an encoder–decoder's heads: in which text the words look, and in which they are. */
export const ATTENTIONS = ['encoder', 'decoder', 'cross'] as const;

export type AttentionGroup = (typeof ATTENTIONS)[number];

export interface RankedPair {
  query: number;
  key: number;
  weight: number;
}

/** A longer word is refused, in characters: figures print pairs of words, which would otherwise fill the page. */
export const LONGEST_WORD = 256;

interface Extent {
  /** The smallest row sum. */
  least: number;
  /** The largest row sum. */
  most: number;
  /** The largest weight. */
  largest: number;
}

/** Statistics of a head, computed in one pass over its weights. */
interface Survey extends Extent {
  /** The largest weight that each query has on another word. */
  readonly peaks: Float64Array;
}

/** What a pretrained model tells of a figure. */
interface ModelPart {
  /** The layer, from 0. */
  readonly layer: number;
  /** The word of each token, −1 for special ones; null if that is not known. */
  readonly words: ArrayLike<number> | null;
  /** Of two texts the same of each key. */
  readonly keyWords?: ArrayLike<number> | null;
}

/** Number of pairs that `strongestPairs` returns. */
const STRONGEST = 5;

/** A token without the mark of a word's beginning. A mark alone is a token too. */
const unmarked = (token: string): string => token.replace(/^[Ġ▁](?=.)/u, '');

/** A token without its tokenizer's marks, in small letters. */
const plain = (token: string): string =>
  unmarked(token)
    .replace(/^(?:##| )(?=.)/u, '')
    .toLowerCase();

/** The weights of a text, or of one text on another, read-only and addressed by head, query and key. */
export class Figure {
  readonly #strongest = new Map<number, readonly RankedPair[]>();
  readonly #surveys = new Map<number, Survey>();

  constructor(
    readonly tokens: readonly string[],
    readonly headNames: readonly HeadName[],
    private readonly weights: ArrayLike<number>,
    /** Whether a filter hides weights, so that sums of the remaining rows are not meaningful. */
    readonly partial = false,
    /** The mask (L,L): 1 where the query may attend to the key, else 0; null without a mask. */
    readonly allowed: Uint8Array | null = null,
    /** Where in a model with several layers these weights are; null for a figure of one layer. */
    readonly part: ModelPart | null = null,
    /** Tokens that stand for text outside the model's vocabulary. */
    private readonly unknown: readonly string[] = [],
    /** The words that are attended to; of one text they are its own. */
    readonly keyTokens: readonly string[] = tokens,
  ) {}

  /**
   * @throws Refusal where `data` is not of the documented form or its sizes do not agree
   */
  static from(data: (OneText | TwoTexts) & OneLayer, part: ModelPart | null = null): Figure {
    const isOfTwo = 'queryTokens' in data || 'keyTokens' in data;
    const tokens = isOfTwo ? data.queryTokens : data.tokens;
    const keyTokens = isOfTwo ? data.keyTokens : tokens;
    const texts: Record<string, unknown> = isOfTwo ? { queryTokens: tokens, keyTokens } : { tokens };
    for (const [name, words] of Object.entries(texts)) {
      if (!Array.isArray(words) || !words.every((token) => typeof token === 'string')) {
        throw new Refusal((strings) => strings.badTokens(name));
      }
    }
    const { values, shape } = flatten(data.weights);
    const [heads = 0, queries = 0, keys = 0] = shape.slice(-3);
    const [rows, columns] = [tokens.length, keyTokens.length];
    if ((shape.length !== 3 && shape.length !== 4) || heads < 1 || queries !== rows || keys !== columns) {
      throw new Refusal((strings) =>
        isOfTwo ? strings.badShapeOfTwo(rows, columns, shape) : strings.badShape(rows, shape),
      );
    }
    const size = shape.reduce((product, length) => product * length, 1);
    if (values.length !== size) throw new Refusal((strings) => strings.badCount(size, values.length));
    for (let i = 0; i < size; ++i) {
      const value: unknown = values[i];
      if (typeof value === 'number' && value >= 0 && value < Infinity) continue;
      const place = {
        head: (Math.floor(i / (rows * columns)) % heads) + 1,
        query: (Math.floor(i / columns) % rows) + 1,
        key: (i % columns) + 1,
      };
      throw new Refusal((strings) =>
        Number.isFinite(value)
          ? strings.negative(value as number, place)
          : strings.notFinite(valueText(value), place),
      );
    }
    const headNames = Array.from({ length: heads }, (_, head) => head);
    const shown = tokens.map(unmarked);
    // A text that attends to itself as to another is not one text: another array tells them apart.
    const own = isOfTwo ? keyTokens.map(unmarked) : shown;
    return new Figure(shown, headNames, values, false, null, part, [], own);
  }

  /** The same words and heads with other weights. */
  with(weights: ArrayLike<number>, headNames = this.headNames, partial = this.partial): Figure {
    const { tokens, allowed, part, unknown, keyTokens } = this;
    return new Figure(tokens, headNames, weights, partial, allowed, part, unknown, keyTokens);
  }

  /** The same heads with joined or fewer words. */
  withWords(
    tokens: readonly string[],
    keyTokens: readonly string[],
    weights: ArrayLike<number>,
    part: ModelPart,
  ): Figure {
    const keys = this.isOfTwo ? keyTokens : tokens;
    return new Figure(tokens, this.headNames, weights, this.partial, null, part, [], keys);
  }

  /** Name of a head as the reader sees it, with its layer where a model has several. */
  nameOf(head: number, strings: HeadTexts): string {
    return strings.head(this.headNames[head] ?? head, this.part?.layer ?? null);
  }

  /** Whether a token is of no word, such as [CLS]. */
  isSpecial(index: number, words = this.part?.words): boolean {
    return (words?.[index] ?? 0) < 0;
  }

  /** The word of each key, as `part.words`. */
  get keyWords(): ArrayLike<number> | null {
    return (this.isOfTwo ? this.part?.keyWords : this.part?.words) ?? null;
  }

  /** Whether the model does not know a word. */
  isUnknown(index: number, tokens = this.tokens): boolean {
    return this.unknown.includes(tokens[index] ?? '');
  }

  /** A word's accessible name; `unknownWord` says that the model does not know it. */
  spoken(index: number, unknownWord: string, tokens = this.tokens): string {
    const token = tokens[index] ?? '';
    return this.isUnknown(index, tokens) ? `${token}, ${unknownWord}` : token;
  }

  /** Number of queries, and of one text also of keys. */
  get size(): number {
    return this.tokens.length;
  }

  /** Number of keys. */
  get keys(): number {
    return this.keyTokens.length;
  }

  /** Whether one text attends to another: then no query is a key itself. */
  get isOfTwo(): boolean {
    return this.keyTokens !== this.tokens;
  }

  get heads(): number {
    return this.headNames.length;
  }

  at(head: number, query: number, key: number): number {
    return this.weights[(head * this.size + query) * this.keys + key] ?? 0;
  }

  /** A weight by its place in row-major order (H,L,S). */
  valueAt(index: number): number {
    return this.weights[index] ?? 0;
  }

  /** Writes a query's weights into `row`. */
  readRow(head: number, query: number, row: Float64Array): void {
    const start = (head * this.size + query) * this.keys;
    if (this.weights instanceof Float32Array) row.set(this.weights.subarray(start, start + this.keys));
    else for (let key = 0; key < row.length; key++) row[key] = this.weights[start + key] ?? 0;
  }

  extent(head: number): Extent {
    return this.#survey(head);
  }

  #survey(head: number): Survey {
    const survey = this.#surveys.get(head) ?? this.#measure(head);
    this.#surveys.set(head, survey);
    return survey;
  }

  #measure(head: number): Survey {
    const { size, keys, isOfTwo } = this;
    const row = new Float64Array(keys);
    const peaks = new Float64Array(size);
    let [least, most, largest] = [Infinity, -Infinity, 0];
    for (let query = 0; query < size; query++) {
      this.readRow(head, query, row);
      let sum = 0;
      let peak = 0;
      for (let key = 0; key < keys; key++) {
        const weight = row[key] ?? 0;
        sum += weight;
        if (weight > peak && (isOfTwo || key !== query)) peak = weight;
      }
      peaks[query] = peak;
      least = Math.min(least, sum);
      most = Math.max(most, sum);
      largest = Math.max(largest, peak, row[query] ?? 0);
    }
    return { least, most, largest, peaks };
  }

  /** All weights in row-major order (H,L,S). */
  values(): Float32Array {
    return this.weights instanceof Float32Array ? this.weights : Float32Array.from(this.weights);
  }

  /** The weights (H,L,S) as JSON, row by row, because a long text gives hundreds of megabytes. */
  *jsonParts(): Iterable<string> {
    yield '[';
    for (let head = 0; head < this.heads; head++) {
      yield head > 0 ? ',[' : '[';
      for (let query = 0; query < this.size; query++) {
        const row = Array.from({ length: this.keys }, (_, key) => this.at(head, query, key));
        yield (query > 0 ? ',' : '') + JSON.stringify(row);
      }
      yield ']';
    }
    yield ']';
  }

  /** Whether the mask forbids the query to attend to the key. */
  isMasked(query: number, key: number): boolean {
    return this.allowed?.[query * this.size + key] === 0;
  }

  token(index: number): string {
    return this.tokens[index] ?? '';
  }

  /** A word, isolated for use in a sentence so that its direction does not change the sentence's. */
  quoted(index: number): string {
    return isolated(this.token(index));
  }

  /** A key's word, isolated as by `quoted`. */
  quotedKey(index: number): string {
    return isolated(this.keyTokens[index] ?? '');
  }

  /** Index of a query's word (its first occurrence), or an index as text; null if there is none. */
  find(token: string, tokens = this.tokens): number | null {
    const wanted = unmarked(token).toLowerCase();
    const index = tokens.findIndex((candidate) => candidate.toLowerCase() === wanted);
    if (index >= 0) return index;
    return /^\d+$/.test(token) && Number(token) < tokens.length ? Number(token) : null;
  }

  /** Index of a key's word, as `find`. */
  findKey(token: string): number | null {
    return this.find(token, this.keyTokens);
  }

  /**
   * Index of another figure's word: the same occurrence, else the last one there is. Tokenizers mark parts and beginnings of
   * words each in their own way, and some write all letters small.
   */
  sameWord(other: Figure, index: number, of: 'tokens' | 'keyTokens' = 'tokens'): number | null {
    const wanted = plain(other[of][index] ?? '');
    const isWanted = (token: string) => plain(token) === wanted;
    const earlier = other[of].slice(0, index).filter(isWanted).length;
    const places = this[of].flatMap((token, place) => (isWanted(token) ? [place] : []));
    return places[Math.min(earlier, places.length - 1)] ?? null;
  }

  /** The inverse of `find`: the word if `find` returns its index, else the index as text. */
  address(index: number, tokens = this.tokens): string {
    const token = tokens[index] ?? '';
    return this.find(token, tokens) === index ? token : String(index);
  }

  /** The inverse of `findKey`. */
  keyAddress(index: number): string {
    return this.address(index, this.keyTokens);
  }

  /** All keys of one query, heaviest first. */
  ranking(head: number, query: number): RankedPair[] {
    return this.keyTokens
      .map((_, key) => ({ query, key, weight: this.at(head, query, key) }))
      .sort((a, b) => b.weight - a.weight);
  }

  /** All queries of a key, that with the largest weight on it first. */
  lookers(head: number, key: number): RankedPair[] {
    return this.tokens
      .map((_, query) => ({ query, key, weight: this.at(head, query, key) }))
      .sort((a, b) => b.weight - a.weight);
  }

  /** The five heaviest pairs, of one text those of two different words; equal words have equal rows, so pairs spelt alike count once. */
  strongestPairs(head: number): readonly RankedPair[] {
    const found = this.#strongest.get(head) ?? this.#findStrongest(head);
    this.#strongest.set(head, found);
    return found;
  }

  /** Of equal weights, the first pairs win. Rows with the largest peaks come first; in a long text most are skipped. */
  #findStrongest(head: number): RankedPair[] {
    const { size, keys, isOfTwo } = this;
    const { peaks } = this.#survey(head);
    const { words, keyWords, pairs } = this.#spellings();
    const count = Math.min(STRONGEST, pairs);
    const found: RankedPair[] = [];
    const row = new Float64Array(keys);
    const queries = Uint32Array.from({ length: size }, (_, query) => query);
    queries.sort((a, b) => (peaks[b] ?? 0) - (peaks[a] ?? 0) || a - b);
    // Weight and place of the weakest pair in `found`, once it has `count` pairs.
    let [least, leastPlace] = [-1, 0];
    for (const query of queries) {
      if ((peaks[query] ?? 0) < least) break;
      this.readRow(head, query, row);
      for (let key = 0; key < keys; key++) {
        const weight = row[key] ?? 0;
        const place = query * keys + key;
        if (weight < least || (weight === least && place >= leastPlace)) continue;
        if (key === query && !isOfTwo) continue;
        let index = found.length;
        let twin = -1;
        for (let other = found.length - 1; other >= 0; other--) {
          const pair = found[other];
          if (!pair) continue;
          if (weight > pair.weight || (weight === pair.weight && place < pair.query * keys + pair.key))
            index = other;
          if (words[pair.query] === words[query] && keyWords[pair.key] === keyWords[key]) twin = other;
        }
        if (twin >= 0 && twin < index) continue;
        if (twin >= 0) found.splice(twin, 1);
        found.splice(index, 0, { query, key, weight });
        if (found.length > count) found.pop();
        const last = found[count - 1];
        if (last) [least, leastPlace] = [last.weight, last.query * keys + last.key];
      }
    }
    return found;
  }

  /** Numbers the spellings: `words` has each query's number, `pairs` counts the pairs that differ in spelling. */
  #spellings(): { words: Uint32Array; keyWords: Uint32Array; pairs: number } {
    const { words, numbers, repeated } = spellingsOf(this.tokens);
    if (this.isOfTwo) {
      const keys = spellingsOf(this.keyTokens);
      return { words, keyWords: keys.words, pairs: numbers * keys.numbers };
    }
    return { words, keyWords: words, pairs: numbers * (numbers - 1) + repeated };
  }
}

/**
 * The key other than the query itself that has the largest weight; null for a single word.
 *
 * @param wordsOnly whether special tokens are passed over
 */
export function heaviest(figure: Figure, head: number, query: number, wordsOnly = false): RankedPair | null {
  let best: RankedPair | null = null;
  for (let key = 0; key < figure.keys; key++) {
    const isItself = key === query && !figure.isOfTwo;
    if (isItself || (wordsOnly && figure.isSpecial(key, figure.keyWords))) continue;
    const weight = figure.at(head, query, key);
    if (best === null || weight > best.weight) best = { query, key, weight };
  }
  return best;
}

/** Each word's number by its spelling, how many spellings there are, and how many of them several words have. */
function spellingsOf(tokens: readonly string[]): { words: Uint32Array; numbers: number; repeated: number } {
  const numbers = new Map<string, number>();
  const repeated = new Set<string>();
  const words = Uint32Array.from(tokens, (token) => {
    const number = numbers.get(token) ?? numbers.size;
    if (numbers.has(token)) repeated.add(token);
    numbers.set(token, number);
    return number;
  });
  return { words, numbers: numbers.size, repeated: repeated.size };
}

/** Describes a value that is not a finite number, for a message: `NaN`, `null`, `an Array`. */
const valueText = (value: unknown): string => (typeof value === 'number' ? String(value) : describe(value));

const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number';

function flatten(weights: WeightsLike): { values: ArrayLike<number>; shape: readonly number[] } {
  if (typeof weights !== 'object' || (weights as unknown) === null) {
    throw new Refusal((strings) => strings.badWeights);
  }
  if ('data' in weights) {
    const shape: unknown = 'shape' in weights ? weights.shape : weights.dims;
    const { type } = weights as { type?: unknown };
    const { data } = weights;
    if (kindOf(data) === 'Uint16Array' && !isHalf(type, 'Uint16Array')) {
      throw new Refusal((strings) => strings.bits(typeof type === 'string' ? type : null));
    }
    const values = isHalf(type, kindOf(data)) ? widen(data as Uint16Array, fromHalf) : data;
    if (isList(values) && isList(shape)) return { values, shape: Array.from(shape) };
    throw new Refusal((strings) => strings.badWeights);
  }
  const shape: number[] = [];
  let values: readonly unknown[] = [weights];
  // At most 4 axes (batch, heads, queries, keys): hostile data may be nested without end.
  while (shape.length < 4 && Array.isArray(values[0])) {
    const { length } = values[0];
    const wrong = values.findIndex((row) => !Array.isArray(row) || row.length !== length);
    if (wrong >= 0) {
      throw new Refusal((strings) => strings.ragged(length, values[wrong], wrong, shape));
    }
    shape.push(length);
    values = values.flat();
  }
  return { values: values as readonly number[], shape };
}

/** A figure in the format of files for `src`, which `data` accepts too. */
export interface FigureJson {
  /** Of one text. */
  readonly tokens?: readonly string[];
  /** Of two texts, with the next. */
  readonly queryTokens?: readonly string[];
  readonly keyTokens?: readonly string[];
  /** Of a figure of one layer (H,L,S). */
  readonly weights?: number[][][];
  /** Of a model's layers, with the word of each token. */
  readonly attentions?: number[][][][];
  readonly words?: readonly number[];
}

/** The figures of a model's layers, each made when it is first drawn. A figure without a model is a single layer. */
export class Layers {
  readonly #figures = new Map<number, Figure>();

  constructor(
    readonly count: number,
    private readonly make: (layer: number) => Figure,
    /** Layers that can be drawn; of a long text some are left out, to save memory. */
    readonly has: (layer: number) => boolean = (layer) => layer >= 0 && layer < count,
    /** Of an encoder–decoder the layers of each group; these are those of `cross`. */
    readonly groups: Readonly<Partial<Record<AttentionGroup, Layers>>> | null = null,
    /** The same layers with the lengths of what is passed on in place of weights; null where they are not known. */
    readonly passed: Layers | null = null,
  ) {}

  /** The groups that can be shown; where there are none, their names mean nothing. */
  get groupNames(): readonly AttentionGroup[] {
    return ATTENTIONS.filter((name) => name === 'cross' || !this.groups || this.groups[name]);
  }

  /** The layers of an encoder–decoder's group; of other models there is one. */
  group(name: AttentionGroup | null): Layers {
    const named = this.groupNames.find((known) => known === name);
    return (named && this.groups?.[named]) ?? this;
  }

  static of(figure: Figure): Layers {
    return new Layers(1, () => figure);
  }

  /**
   * @throws Refusal where `data` is not of the documented form or its sizes do not agree
   */
  static from(data: FigureData): Layers {
    if ('crossAttentions' in data) return Layers.#ofTwo(data);
    if (!('attentions' in data)) return Layers.of(Figure.from(data));
    const words = data.words ?? null;
    const attentions: unknown = data.attentions;
    const isOfTwo = 'queryTokens' in data || 'keyTokens' in data;
    const texts = isOfTwo ? data : { tokens: data.shown ?? data.tokens };
    if (!Array.isArray(attentions) || attentions.length === 0) {
      throw new Refusal((strings) => strings.badAttentions);
    }
    if (words !== null) {
      const count = isOfTwo ? 0 : data.tokens.length;
      if (words.length !== count) throw new Refusal((strings) => strings.badWordsOf(count, words.length));
    }
    const layersOf = (all: readonly WeightsLike[], passed: Layers | null) => {
      const figures = all.map((weights, layer) => Figure.from({ ...texts, weights }, { layer, words }));
      return new Layers(figures.length, (layer) => item(figures, layer), undefined, null, passed);
    };
    const passed: unknown = data.valueWeighted ?? null;
    if (passed === null) return layersOf(data.attentions, null);
    if (!Array.isArray(passed) || passed.length !== data.attentions.length) {
      throw new Refusal((strings) => strings.badAttentions);
    }
    return layersOf(data.attentions, layersOf(passed as WeightsLike[], null));
  }

  static #ofTwo(data: ReadAndWritten): Layers {
    const { words, shown, tokens, decoderTokens, crossAttentions } = data;
    const { encoderAttentions: encoder, decoderAttentions: decoder } = data;
    const read = shown ?? tokens;
    const cross = Layers.from({ queryTokens: decoderTokens, keyTokens: read, attentions: crossAttentions });
    return new Layers(cross.count, (layer) => cross.figure(layer), cross.has, {
      ...(encoder && {
        encoder: Layers.from({ tokens: read, ...(words && { words }), attentions: encoder }),
      }),
      ...(decoder && { decoder: Layers.from({ tokens: decoderTokens, attentions: decoder }) }),
    });
  }

  /** The figure of a layer; of the nearest one that can be drawn where that is not. */
  figure(layer: number): Figure {
    const nearest = this.#nearest(layer);
    const figure = this.#figures.get(nearest) ?? this.make(nearest);
    this.#figures.set(nearest, figure);
    return figure;
  }

  /** The figures of all layers that can be drawn. */
  all(): Figure[] {
    const layers = Array.from({ length: this.count }, (_, layer) => layer);
    return layers.filter(this.has).map((layer) => this.figure(layer));
  }

  /** The figures in the format of files for `src`. */
  file(facts?: object): FigureJson {
    return JSON.parse([...this.jsonParts(facts)].join('')) as FigureJson;
  }

  /** `file()` as text in parts, because a long text gives hundreds of megabytes; `facts` are further members. */
  *jsonParts(facts: object = {}): Iterable<string> {
    const figures = this.all();
    const { tokens, keyTokens, isOfTwo, part } = item(figures, 0);
    const members = Object.entries({
      ...facts,
      ...(isOfTwo ? { queryTokens: tokens, keyTokens } : { tokens }),
      ...(part?.words && !isOfTwo && { words: Array.from(part.words) }),
    });
    yield `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()},`;
    // Of a text that is too long for all layers, the one that was computed.
    if (figures.length === 1) {
      yield '"weights":';
      yield* item(figures, 0).jsonParts();
    } else {
      yield '"attentions":[';
      for (const [index, figure] of figures.entries()) {
        if (index > 0) yield ',';
        yield* figure.jsonParts();
      }
      yield ']';
    }
    yield '}';
  }

  /** The same layers with every figure changed. */
  map(change: (figure: Figure) => Figure): Layers {
    return new Layers(this.count, (layer) => change(this.figure(layer)), this.has);
  }

  #nearest(layer: number): number {
    if (this.has(layer)) return layer;
    for (let distance = 1; distance < this.count; distance++) {
      if (this.has(layer - distance)) return layer - distance;
      if (this.has(layer + distance)) return layer + distance;
    }
    return 0;
  }
}
