import type { Figure, HeadName, Layers } from '../../sources/figure.js';

/** Kinds of keys that a reader can hide. */
export const EXCLUSIONS = ['self', 'special', 'padding', 'punctuation'] as const;

export type Exclusion = (typeof EXCLUSIONS)[number];

/** Settings that choose which weights are drawn. */
export interface WeightFilter {
  /** Share of each row's sum that its drawn weights, the heaviest, must reach; 1 draws all. */
  mass: number;
  /** Names of `EXCLUSIONS`, separated by spaces. */
  exclude: string;
  /** Whether the drawn weights of a row are divided by their sum. */
  renormalise: boolean;
  /** Whether to add two heads: the mean and the largest weight of all others. */
  summary: boolean;
  /** Whether sub-word tokens are joined into words. */
  joinWords: boolean;
}

export const NO_FILTER: WeightFilter = {
  mass: 1,
  exclude: '',
  renormalise: false,
  summary: false,
  joinWords: false,
};

const special = /^(\[(cls|sep|mask|unk|bos|eos)\]|<\/?s>|<(bos|eos|cls|sep|mask|unk)>|<\|[^|]*\|>)$/i;
const pad = /^(\[pad\]|<pad>|∅)$/i;
const punctuation = /^[\p{P}\p{S}]+$/u;

/** Whether an exclusion other than `self` hides a key. */
export function isExcluded(figure: Figure, name: Exclude<Exclusion, 'self'>, key: number): boolean {
  const token = figure.keyTokens[key] ?? '';
  switch (name) {
    case 'special':
      return figure.keyWords ? figure.isSpecial(key, figure.keyWords) : special.test(token);
    case 'padding':
      return pad.test(token);
    case 'punctuation':
      return punctuation.test(token) && !pad.test(token);
  }
}

/** The known names in the attribute `exclude`. */
export const exclusionsOf = (exclude: string): Exclusion[] =>
  EXCLUSIONS.filter((name) => exclude.split(/\s+/).includes(name));

/** Whether the filter draws all weights, unchanged. */
export const isUnfiltered = ({ mass, exclude }: WeightFilter): boolean =>
  mass >= 1 && exclusionsOf(exclude).length === 0;

/** Tolerance for rounding errors in sums of float32 weights. */
const ERROR = 1e-7;

/** Bit shifts of a radix select, byte by byte: non-negative float32 numbers are ordered like their bits. */
const SHIFTS = [24, 16, 8, 0];

/**
 * Cuts a row to its heaviest weights that together reach `limit`; of equal ones, the first stay. Sorting every row of
 * a long text would freeze the page, so this finds the lightest weight to keep by radix selection.
 */
function makeCut(size: number): (row: Float32Array, limit: number) => void {
  const weights = new Float32Array(size);
  const bits = new Uint32Array(weights.buffer);
  const sums = new Float64Array(256);
  return (row, limit) => {
    const enough = limit - ERROR;
    let shown = 0;
    let least = 0;
    let count = size;
    weights.set(row);
    for (const shift of SHIFTS) {
      sums.fill(0);
      for (let index = 0; index < count; index++) {
        const byte = ((bits[index] ?? 0) >>> shift) & 255;
        sums[byte] = (sums[byte] ?? 0) + (weights[index] ?? 0);
      }
      let byte = 255;
      while (byte > 0 && shown + (sums[byte] ?? 0) < enough) shown += sums[byte--] ?? 0;
      least |= byte << shift;
      let left = 0;
      for (let index = 0; index < count; index++) {
        const candidate = bits[index] ?? 0;
        if (((candidate >>> shift) & 255) === byte) bits[left++] = candidate;
      }
      count = left;
    }
    bits[0] = least;
    const lightest = weights[0] ?? 0;
    for (let key = 0; key < size; key++) {
      const weight = row[key] ?? 0;
      if (weight > lightest) continue;
      if (weight === lightest && shown < enough) shown += weight;
      else row[key] = 0;
    }
  };
}

/** Applies the filter; returns the same object if that changes nothing. */
export function applyFilter(figure: Figure, filter: WeightFilter): Figure {
  if (isUnfiltered(filter)) return figure;
  const { size, keys, heads } = figure;
  const exclusions = exclusionsOf(filter.exclude);
  const hidesSelf = exclusions.includes('self') && !figure.isOfTwo;
  // All exclusions but `self` depend on the key alone, so they are computed once per key.
  const hidden = figure.keyTokens.map((_, key) =>
    exclusions.some((name) => name !== 'self' && isExcluded(figure, name, key)),
  );
  const values = figure.values();
  const kept = new Float32Array(heads * size * keys);
  const row = new Float32Array(keys);
  const cut = makeCut(keys);
  for (let start = 0; start < kept.length; start += keys) {
    const query = (start / keys) % size;
    let sum = 0;
    for (let key = 0; key < keys; key++) {
      const isHidden = hidden[key] === true || (hidesSelf && key === query);
      const weight = isHidden ? 0 : (values[start + key] ?? 0);
      row[key] = weight;
      sum += weight;
    }
    if (sum <= ERROR) continue;
    if (filter.mass < 1) cut(row, filter.mass * sum);
    let shown = 1;
    if (filter.renormalise) {
      shown = 0;
      for (let key = 0; key < keys; key++) shown += row[key] ?? 0;
    }
    for (let key = 0; key < keys; key++) kept[start + key] = (row[key] ?? 0) / (shown || 1);
  }
  return figure.with(kept, figure.headNames, !filter.renormalise);
}

/** Adds two heads: per pair the mean and the largest weight of all numbered heads. */
export function addSummaryHeads(figure: Figure): Figure {
  const numbered = figure.headNames.flatMap((name, head) => (typeof name === 'number' ? [head] : []));
  if (numbered.length < 2) return figure;
  const cells = figure.size * figure.keys;
  const values = new Float32Array((figure.heads + 2) * cells);
  values.set(figure.values());
  // Add up in memory order, head by head, because a long text has millions of cells.
  const sums = new Float64Array(cells);
  const largest = values.subarray((figure.heads + 1) * cells);
  for (const head of numbered) {
    for (let cell = 0; cell < cells; cell++) {
      const weight = values[head * cells + cell] ?? 0;
      sums[cell] = (sums[cell] ?? 0) + weight;
      if (weight > (largest[cell] ?? 0)) largest[cell] = weight;
    }
  }
  const means = values.subarray(figure.heads * cells);
  for (let cell = 0; cell < cells; cell++) means[cell] = (sums[cell] ?? 0) / numbered.length;
  const names: HeadName[] = [...figure.headNames, 'mean', 'max'];
  return figure.with(values, names);
}

// Sub-word tokens as words, and figures without special tokens.

/** A word's tokens as one text. `##` marks tokens that continue a word. */
const wordOf = (tokens: readonly string[]): string =>
  tokens.map((token) => token.replace(/^##/, '')).join('');

/** The tokens of each word together. */
interface WordGroups {
  readonly tokens: readonly string[];
  readonly words: readonly number[] | null;
  /** The group of each token, and how many it has. */
  readonly groupOf: Uint32Array;
  readonly counts: readonly number[];
}

function groupsOf(tokens: readonly string[], words: ArrayLike<number> | null): WordGroups {
  const groups: { first: number; count: number; word: number }[] = [];
  const groupOf = Uint32Array.from(tokens, (_, token) => {
    const word = words?.[token] ?? -1;
    const last = groups.at(-1);
    if (last && word >= 0 && last.word === word) last.count++;
    else groups.push({ first: token, count: 1, word });
    return groups.length - 1;
  });
  return {
    tokens: groups.map(({ first, count }) => wordOf(tokens.slice(first, first + count))),
    words: words && groups.map(({ word }) => word),
    groupOf,
    counts: groups.map(({ count }) => count),
  };
}

/**
 * Joins sub-word tokens into words: weights to a word's tokens are summed, those from them are averaged, so that rows
 * still sum to 1. Special tokens stay as they are.
 *
 * @see Clark et al. 2019, "What Does BERT Look At?", section 4.1
 */
function joinWords(figure: Figure): Figure {
  const { part, isOfTwo, keyWords, size, keys } = figure;
  if (!part || (!part.words && !keyWords)) return figure;
  const rows = groupsOf(figure.tokens, part.words);
  const columns = isOfTwo ? groupsOf(figure.keyTokens, keyWords) : rows;
  const [height, width] = [rows.tokens.length, columns.tokens.length];
  if (height === size && width === keys) return figure;
  const joined = new Float64Array(figure.heads * height * width);
  const row = new Float64Array(keys);
  for (let head = 0; head < figure.heads; head++) {
    for (let query = 0; query < size; query++) {
      const group = rows.groupOf[query] ?? 0;
      const start = (head * height + group) * width;
      const count = rows.counts[group] ?? 1;
      figure.readRow(head, query, row);
      for (let key = 0; key < keys; key++) {
        const place = start + (columns.groupOf[key] ?? 0);
        joined[place] = (joined[place] ?? 0) + (row[key] ?? 0) / count;
      }
    }
  }
  const own = { layer: part.layer, words: rows.words, keyWords: columns.words };
  return figure.withWords(rows.tokens, columns.tokens, Float32Array.from(joined), own);
}

/** Leaves out the rows and columns of special tokens. */
function withoutSpecial(figure: Figure): Figure {
  const { part, isOfTwo, keyWords } = figure;
  if (!part) return figure;
  const keptOf = (tokens: readonly string[], words: ArrayLike<number> | null) =>
    tokens.flatMap((_, index) => (figure.isSpecial(index, words) ? [] : [index]));
  const rows = keptOf(figure.tokens, part.words);
  const columns = isOfTwo ? keptOf(figure.keyTokens, keyWords) : rows;
  const isWhole = rows.length === figure.size && columns.length === figure.keys;
  if (isWhole || rows.length * columns.length === 0) return figure;
  const values = new Float32Array(figure.heads * rows.length * columns.length);
  let place = 0;
  for (let head = 0; head < figure.heads; head++) {
    for (const query of rows) {
      for (const key of columns) values[place++] = figure.at(head, query, key);
    }
  }
  const wordsAt = (kept: readonly number[], words: ArrayLike<number> | null) =>
    words ? kept.map((index) => words[index] ?? -1) : null;
  const own = { ...part, words: wordsAt(rows, part.words), keyWords: wordsAt(columns, keyWords) };
  const tokensAt = (kept: readonly number[], tokens: readonly string[]) =>
    kept.map((index) => tokens[index] ?? '');
  return figure.withWords(tokensAt(rows, figure.tokens), tokensAt(columns, figure.keyTokens), values, own);
}

/** A source's layers with joined words and summary heads, and then filtered. */
export class DrawnLayers {
  readonly unfiltered: Layers;
  readonly filtered: Layers;

  /** @param previous gives what has not changed, because a long text takes a second */
  private constructor(
    private readonly source: Layers,
    private readonly filter: WeightFilter,
    previous: DrawnLayers | null,
  ) {
    this.unfiltered =
      previous?.hasSame(source, filter, ['joinWords', 'summary']) === true
        ? previous.unfiltered
        : source.map((figure) => {
            const joined = filter.joinWords ? joinWords(figure) : figure;
            return filter.summary ? addSummaryHeads(joined) : joined;
          });
    const dropsSpecial = exclusionsOf(filter.exclude).includes('special');
    this.filtered = this.unfiltered.map((figure) => {
      const kept = applyFilter(figure, filter);
      return dropsSpecial ? withoutSpecial(kept) : kept;
    });
  }

  /** The layers of a source; `previous` itself where nothing has changed. */
  static of(source: Layers, filter: WeightFilter, previous: DrawnLayers | null): DrawnLayers {
    const names = Object.keys(filter) as (keyof WeightFilter)[];
    return previous?.hasSame(source, filter, names) === true
      ? previous
      : new DrawnLayers(source, filter, previous);
  }

  private hasSame(source: Layers, filter: WeightFilter, names: readonly (keyof WeightFilter)[]): boolean {
    return source === this.source && names.every((name) => filter[name] === this.filter[name]);
  }
}
