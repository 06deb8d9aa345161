import { describe } from '../api/errors.js';
import { isolated } from './language.js';
import { Refusal } from './problem.js';

/** A tensor as anyone may hand it over: ours, ONNX Runtime's (`dims`), or nested arrays. */
export type WeightsLike =
  | { readonly data: ArrayLike<number>; readonly shape: readonly number[] }
  | { readonly data: ArrayLike<number>; readonly dims: readonly number[] }
  | readonly (readonly (readonly number[])[])[];

/** What a view draws: one word per row and column, one matrix per head. */
export interface FigureData {
  tokens: readonly string[];
  /** (H,L,L) or (B,H,L,L), of which the first item of the batch is drawn; finite and not negative. Where rows do not sum to 1, the figure says so. */
  weights: WeightsLike;
}

/** How a head is called: by its number from 0, as the document's single head, or as a summary of the others. */
export type HeadName = number | 'single' | 'mean' | 'max';

export interface RankedKey {
  key: number;
  weight: number;
}

export interface RankedPair extends RankedKey {
  query: number;
}

/** The smallest and the largest sum of a row, and the largest weight. */
export interface Extent {
  least: number;
  most: number;
  largest: number;
}

/** The weights of one sentence, read-only and addressed by head, query and key. */
export class Figure {
  readonly #strongest = new Map<string, readonly RankedPair[]>();
  readonly #extents = new Map<number, Extent>();

  constructor(
    readonly tokens: readonly string[],
    readonly headNames: readonly HeadName[],
    private readonly weights: ArrayLike<number>,
    /** Whether weights have been taken out of sight, so that what is left of a row says nothing about its sum. */
    readonly partial = false,
    /** One 1 per pair of words where the query may look at the key, (L,L); null where every one may. */
    readonly allowed: Uint8Array | null = null,
  ) {}

  /**
   * @throws Refusal where `data` is not of the documented form or its sizes do not agree
   */
  static from(data: FigureData, headNames?: readonly HeadName[]): Figure {
    const { tokens } = data;
    if (!Array.isArray(tokens) || !tokens.every((token) => typeof token === 'string')) {
      throw new Refusal((strings) => strings.badTokens);
    }
    const { values, shape } = flatten(data.weights);
    const [heads = 0, queries = 0, keys = 0] = shape.slice(-3);
    const n = tokens.length;
    if ((shape.length !== 3 && shape.length !== 4) || heads < 1 || queries !== n || keys !== n) {
      throw new Refusal((strings) => strings.badShape(n, shape));
    }
    const size = shape.reduce((product, length) => product * length, 1);
    if (values.length !== size) throw new Refusal((strings) => strings.badCount(size, values.length));
    for (let i = 0; i < size; ++i) {
      const value: unknown = values[i];
      if (typeof value === 'number' && value >= 0 && value < Infinity) continue;
      const place = {
        head: (Math.floor(i / (n * n)) % heads) + 1,
        query: (Math.floor(i / n) % n) + 1,
        key: (i % n) + 1,
      };
      throw new Refusal((strings) =>
        Number.isFinite(value)
          ? strings.negative(value as number, place)
          : strings.notFinite(valueText(value), place),
      );
    }
    return new Figure(tokens, headNames ?? Array.from({ length: heads }, (_, head) => head), values);
  }

  get size(): number {
    return this.tokens.length;
  }

  get heads(): number {
    return this.headNames.length;
  }

  at(head: number, query: number, key: number): number {
    return this.weights[(head * this.size + query) * this.size + key] ?? 0;
  }

  /** A weight by its place in row-major order (H,L,L). */
  valueAt(index: number): number {
    return this.weights[index] ?? 0;
  }

  /** What the rows of a head sum to, and its largest weight. */
  extent(head: number): Extent {
    const extent = this.#extents.get(head) ?? this.#measure(head);
    this.#extents.set(head, extent);
    return extent;
  }

  #measure(head: number): Extent {
    let [least, most, largest] = [Infinity, -Infinity, 0];
    for (let query = 0; query < this.size; query++) {
      let sum = 0;
      for (let key = 0; key < this.size; key++) {
        const weight = this.at(head, query, key);
        sum += weight;
        if (weight > largest) largest = weight;
      }
      least = Math.min(least, sum);
      most = Math.max(most, sum);
    }
    return { least, most, largest };
  }

  /** All weights in row-major order (H,L,L). */
  values(): Float32Array {
    return this.weights instanceof Float32Array ? this.weights : Float32Array.from(this.weights);
  }

  /** The figure as a file holds it, for `src` and `data`. */
  toJSON(): { tokens: readonly string[]; weights: number[][][] } {
    const places = this.tokens.map((_, index) => index);
    return {
      tokens: this.tokens,
      weights: this.headNames.map((_, head) =>
        places.map((query) => places.map((key) => this.at(head, query, key))),
      ),
    };
  }

  /** The same as text, a row of weights at a time: those of a long text are hundreds of megabytes. */
  *jsonParts(): Iterable<string> {
    yield `{"tokens":${JSON.stringify(this.tokens)},"weights":[`;
    for (let head = 0; head < this.heads; head++) {
      yield head > 0 ? ',[' : '[';
      for (let query = 0; query < this.size; query++) {
        const row = Array.from({ length: this.size }, (_, key) => this.at(head, query, key));
        yield (query > 0 ? ',' : '') + JSON.stringify(row);
      }
      yield ']';
    }
    yield ']}';
  }

  /** Whether a mask keeps the query from looking at the key. */
  isMasked(query: number, key: number): boolean {
    return this.allowed?.[query * this.size + key] === 0;
  }

  token(index: number): string {
    return this.tokens[index] ?? '';
  }

  /** A word to stand in a sentence of ours. */
  quoted(index: number): string {
    return isolated(this.token(index));
  }

  /** A word's first place in the sentence, or the place that a number names; null where there is none. */
  find(token: string): number | null {
    const wanted = token.toLowerCase();
    const index = this.tokens.findIndex((candidate) => candidate.toLowerCase() === wanted);
    if (index >= 0) return index;
    return /^\d+$/.test(token) && Number(token) < this.size ? Number(token) : null;
  }

  /** What `find` turns back into this index: the word where it is unambiguous, else its number. */
  address(index: number): string {
    return this.find(this.token(index)) === index ? this.token(index) : String(index);
  }

  /** All keys of one query, heaviest first. */
  ranking(head: number, query: number): RankedKey[] {
    return this.tokens
      .map((_, key) => ({ key, weight: this.at(head, query, key) }))
      .sort((a, b) => b.weight - a.weight);
  }

  /** The other word that a word looks at most; null where it is alone. */
  heaviest(head: number, query: number): RankedKey | null {
    let best: RankedKey | null = null;
    for (let key = 0; key < this.size; key++) {
      const weight = this.at(head, query, key);
      if (key !== query && (best === null || weight > best.weight)) best = { key, weight };
    }
    return best;
  }

  /** The heaviest pairs of two different words, one per spelling: equal words have equal rows. */
  strongestPairs(head: number, count: number): readonly RankedPair[] {
    const name = `${head} ${count}`;
    const found = this.#strongest.get(name) ?? this.#findStrongest(head, count);
    this.#strongest.set(name, found);
    return found;
  }

  /** One pass that holds on to no more than it needs: a long text has millions of pairs. */
  #findStrongest(head: number, count: number): RankedPair[] {
    const found: RankedPair[] = [];
    for (let query = 0; query < this.size; query++) {
      for (let key = 0; key < this.size; key++) {
        const weight = this.at(head, query, key);
        if (query === key || (found.length === count && weight <= (found.at(-1)?.weight ?? 0))) continue;
        const twin = found.findIndex(
          (pair) => this.token(pair.query) === this.token(query) && this.token(pair.key) === this.token(key),
        );
        if ((found[twin]?.weight ?? -1) >= weight) continue;
        if (twin >= 0) found.splice(twin, 1);
        const place = found.findIndex((pair) => pair.weight < weight);
        found.splice(place < 0 ? found.length : place, 0, { query, key, weight });
        if (found.length > count) found.pop();
      }
    }
    return found;
  }
}

/** What came in place of a finite number: `NaN`, `null`, `an Array`. */
const valueText = (value: unknown): string => (typeof value === 'number' ? String(value) : describe(value));

const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number';

function flatten(weights: WeightsLike): { values: ArrayLike<number>; shape: readonly number[] } {
  if (typeof weights !== 'object' || (weights as unknown) === null) {
    throw new Refusal((strings) => strings.badWeights);
  }
  if ('data' in weights) {
    const shape: unknown = 'shape' in weights ? weights.shape : weights.dims;
    if (isList(weights.data) && isList(shape)) return { values: weights.data, shape: Array.from(shape) };
    throw new Refusal((strings) => strings.badWeights);
  }
  const shape: number[] = [];
  let values: readonly unknown[] = [weights];
  // No deeper than a batch of heads: what hostile text nests is not followed.
  while (shape.length < 4 && Array.isArray(values[0])) {
    const { length } = values[0];
    if (!values.every((row) => Array.isArray(row) && row.length === length)) {
      throw new Refusal((strings) => strings.ragged);
    }
    shape.push(length);
    values = values.flat();
  }
  return { values: values as readonly number[], shape };
}
