/**
 * Reads a figure's JSON, `{ "tokens": […], "weights": [heads][n][n] }` or `{ "tokens": […], "attentions":
 * [layers][heads][n][n] }`, in small steps. `JSON.parse` would build the
 * whole structure before any limit could be checked, and freeze the page meanwhile.
 */
import { describe } from '../../api/errors.js';
import { JsonReader } from '../../api/json-reader.js';
import { LONGEST_WORD } from '../../documents/sentence.js';
import { Layers } from './layers.js';
import { ablatedHeads, ablatedText } from '../model/ablated-heads.js';
import { type PretrainedFacts, readPretrainedFacts } from '../model/pretrained-facts.js';
import { isAboutArgument, Refusal } from '../base/problem.js';

/** Largest numbers of layers, heads and words in a file. */
export const MOST_LAYERS = 128;
export const MOST_HEADS = 512;
export const MOST_WORDS = 2048;

/** Largest number of nested arrays in `weights`: batch, heads, queries and keys. */
const MOST_AXES = 4;
/** Deepest nesting in members of the file that are skipped. */
const MOST_NESTED = 64;
/** Longest name of a member of the file, and length of a character written as \uXXXX. */
const LONGEST_NAME = 64;
const LONGEST_ESCAPE = 6;
/** Longest member besides the weights that is read, and longest row that is parsed at once, in characters. */
const LONGEST_MEMBER = 2 ** 14;
const LONGEST_ROW = 2 ** 18;
/** Number of values skipped between two yields. */
const SKIPPED = 1024;

/** Matches numbers that Python's `json.dumps` writes but JSON does not allow. */
const NOT_IN_JSON = /-?\b(?:NaN|Infinity)\b/y;
const NESTED = /\[[ \t\n\r]*\[/y;

export interface FigureFile {
  readonly layers: Layers;
  /** The pretrained model that the weights are of; null if the file names none. */
  readonly model: PretrainedFacts | null;
  /** The text that the tokens are of; null if the file has none. */
  readonly sentence: string | null;
  /** Heads that were taken out, as in the attribute `ablated`; '' if the file names none. */
  readonly ablated: string;
}

/** Yields after each step, so that the caller can pause. @throws Refusal for any other content */
export function* readFigure(text: string): Generator<void, FigureFile> {
  const json = new JsonReader(text);
  try {
    return yield* readMembers(json);
  } catch (error) {
    if (error instanceof Refusal || !isAboutArgument(error)) throw error;
    const isPython = json.find(NOT_IN_JSON) !== null;
    throw new Refusal((strings) => (isPython ? strings.notInJson : strings.notJson));
  }
}

function* readMembers(json: JsonReader): Generator<void, FigureFile> {
  let tokens: string[] | null = null;
  let weights: Weights | null = null;
  let attentions: Weights | null = null;
  const others: Partial<Record<(typeof OTHERS)[number], unknown>> = {};
  if (json.peek() === '{') {
    json.take('{');
    let isLast = json.take('}');
    while (!isLast) {
      const name = readName(json);
      const isArray = json.peek() === '[';
      if (name === 'tokens' && isArray) tokens = readTokens(json);
      else if (name === 'weights' && isArray) yield* (weights = new Weights(json)).read();
      else if (name === 'attentions' && isArray) yield* (attentions = new Weights(json)).read();
      else {
        if (name === 'tokens') tokens = null;
        if (name === 'weights') weights = null;
        if (name === 'attentions') attentions = null;
        const start = json.position;
        yield* skip(json);
        const other = OTHERS.find((each) => each === name);
        if (other) others[other] = json.parsedFrom(start, other, LONGEST_MEMBER);
      }
      yield;
      isLast = !json.take(',');
      if (isLast) json.expect('}', 'file', 'an object');
    }
  } else {
    yield* skip(json);
  }
  json.end('file');
  const { model, sentence, words, ablated } = others;
  let layers: Layers | null = null;
  if (tokens && attentions) {
    layers = Layers.from({ tokens, attentions: attentions.layers, ...(areWords(words) && { words }) });
  } else if (tokens && weights) layers = Layers.from({ tokens, weights: weights.tensor });
  if (!layers) throw new Refusal((strings) => strings.noFields);
  return {
    layers,
    model: readPretrainedFacts(model),
    sentence: typeof sentence === 'string' ? sentence : null,
    ablated: typeof ablated === 'string' ? ablatedText(ablatedHeads(ablated)) : '',
  };
}

/** Members of a file besides its tokens and weights. */
const OTHERS = ['model', 'sentence', 'words', 'ablated'] as const;

const areWords = (words: unknown): words is number[] =>
  Array.isArray(words) && words.every((word) => Number.isInteger(word));

/** Reads a member's name and the colon; null if the name is too long to be one of a figure's. */
function readName(json: JsonReader): string | null {
  const name = json.shortString('file', LONGEST_NAME);
  json.expect(':', 'file', 'an object');
  return name;
}

function readTokens(json: JsonReader): string[] {
  const tokens: string[] = [];
  json.expect('[', 'tokens', 'an array');
  if (json.take(']')) return tokens;
  do {
    if (json.peek() !== '"' && json.peek() !== '') throw new Refusal((strings) => strings.badTokens);
    if (tokens.length === MOST_WORDS) throw new Refusal((strings) => strings.tooManyWords(MOST_WORDS));
    const start = json.position;
    const token = json.shortString('tokens', LONGEST_WORD * LONGEST_ESCAPE);
    const length = token?.length ?? json.position - start - 2;
    if (token === null || length > LONGEST_WORD) throw new Refusal((strings) => strings.longWord(length));
    tokens.push(token);
  } while (json.take(','));
  json.expect(']', 'tokens', 'an array');
  return tokens;
}

/** Skips one JSON value of any kind. */
function* skip(json: JsonReader): Generator<void, void> {
  const open: string[] = [];
  let skipped = 0;
  do {
    if (++skipped % SKIPPED === 0) yield;
    const mark = json.peek();
    if (mark === '"') json.shortString('file', 0);
    else if (mark === '[' || mark === '{') {
      if (open.length === MOST_NESTED) throw new Refusal((strings) => strings.tooDeep(MOST_NESTED));
      json.take(mark);
      const end = mark === '[' ? ']' : '}';
      if (!json.take(end)) {
        open.push(end);
        if (mark === '{') readName(json);
        continue;
      }
    } else json.plain('file');
    // The value has ended, so the arrays and objects around it may end too.
    while (open.length > 0 && !json.take(',')) {
      json.expect(open.at(-1) ?? '', 'file', 'closed');
      open.pop();
    }
    if (open.at(-1) === '}') readName(json);
  } while (open.length > 0);
}

/** Reads the nested arrays of numbers in `weights`. */
class Weights {
  readonly #json: JsonReader;
  #data = new Float64Array(1024);
  #count = 0;
  /** Length of each axis, the outermost first. */
  readonly #shape: number[] = [];
  /** Number of axes; 0 until the first row is read. */
  #axes = 0;
  /** Indices of the current row along the outer axes. */
  readonly #place: number[] = [];

  constructor(json: JsonReader) {
    this.#json = json;
  }

  get tensor(): { data: Float64Array; shape: readonly number[] } {
    return { data: this.#data.subarray(0, this.#count), shape: this.#shape };
  }

  /** The tensor as one per layer, its first axis. */
  get layers(): { data: Float64Array; shape: readonly number[] }[] {
    const { data, shape } = this.tensor;
    const [count = 0, ...rest] = shape;
    const size = data.length / count;
    return Array.from({ length: count }, (_, layer) => ({
      data: data.subarray(layer * size, (layer + 1) * size),
      shape: rest,
    }));
  }

  *read(axis = 0): Generator<void, void> {
    const json = this.#json;
    if (json.peek() !== '[') throw new Refusal((strings) => strings.ragged);
    if (this.#axes === 0 && (axis + 1 === MOST_AXES || json.find(NESTED) === null)) this.#axes = axis + 1;
    let length = 0;
    if (axis + 1 === this.#axes) {
      const row = this.#row();
      ({ length } = row);
      this.#append(row);
      yield;
    } else {
      json.expect('[', 'weights', 'nested arrays');
      if (!json.take(']')) {
        do {
          this.#checkLimits(axis, length);
          this.#place[axis] = length++;
          yield* this.read(axis + 1);
        } while (json.take(','));
        json.expect(']', 'weights', 'nested arrays');
      }
    }
    if (length !== (this.#shape[axis] ??= length)) throw new Refusal((strings) => strings.ragged);
  }

  #checkLimits(axis: number, length: number): void {
    const fromLast = this.#axes - axis;
    if (fromLast === 2 && length === MOST_WORDS) {
      throw new Refusal((strings) => strings.tooManyWords(MOST_WORDS));
    }
    if (fromLast === 3 && length === MOST_HEADS) {
      throw new Refusal((strings) => strings.tooManyHeads(MOST_HEADS));
    }
    if (fromLast === 4 && length === MOST_LAYERS) {
      throw new Refusal((strings) => strings.tooManyLayers(MOST_LAYERS));
    }
  }

  #row(): number[] {
    const row = this.#json.flatArray(LONGEST_ROW) ?? this.#slowRow();
    if (row.length > MOST_WORDS) throw new Refusal((strings) => strings.tooManyWords(MOST_WORDS));
    row.forEach((value, key) => {
      if (typeof value !== 'number') throw this.#notNumber(describe(value), key);
    });
    return row as number[];
  }

  /** Reads, number by number, a row that is too long to be parsed at once, or invalid. */
  #slowRow(): unknown[] {
    const json = this.#json;
    const row: unknown[] = [];
    json.expect('[', 'weights', 'an array');
    do {
      const mark = json.peek();
      if (mark === '[' || mark === '{') throw this.#notNumber(describe(mark === '[' ? [] : {}), row.length);
      const word = json.find(NOT_IN_JSON);
      if (word !== null) {
        const { reason } = this.#notNumber(word, row.length);
        throw new Refusal((strings) => `${reason(strings)} ${strings.notInJson}`);
      }
      row.push(mark === '"' ? (json.shortString('weights', LONGEST_MEMBER) ?? '…') : json.plain('weights'));
    } while (json.take(',') && row.length <= MOST_WORDS);
    if (row.length <= MOST_WORDS) json.expect(']', 'weights', 'an array');
    return row;
  }

  #notNumber(value: string, key: number): Refusal {
    const [query = 0, head = 0] = this.#place.slice(0, this.#axes - 1).reverse();
    return new Refusal((strings) =>
      strings.notFinite(value, { head: head + 1, query: query + 1, key: key + 1 }),
    );
  }

  #append(row: readonly number[]): void {
    const count = this.#count + row.length;
    if (count > this.#data.length) {
      const larger = new Float64Array(2 * count);
      larger.set(this.#data.subarray(0, this.#count));
      this.#data = larger;
    }
    this.#data.set(row, this.#count);
    this.#count = count;
  }
}
