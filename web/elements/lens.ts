import { Figure } from './figure.js';

/** Which keys a reader has taken out of sight. */
export const EXCLUSIONS = ['self', 'special', 'padding', 'punctuation'] as const;

export type Exclusion = (typeof EXCLUSIONS)[number];

/** How the weights are looked at. It changes what is drawn and never what was computed. */
export interface Lens {
  /** Per row, the heaviest weights that make up this share of it; 1 shows all. */
  mass: number;
  /** Names of `EXCLUSIONS`, with spaces between. */
  exclude: string;
  /** true: what is left of a row is divided by its sum. */
  renormalise: boolean;
  /** Two more heads stand beside the others: their mean and their largest weights. */
  summary: boolean;
}

/** Everything as it was computed. */
export const CLEAR: Lens = { mass: 1, exclude: '', renormalise: false, summary: false };

const special = /^(\[(cls|sep|mask|unk|bos|eos)\]|<\/?s>|<(bos|eos|cls|sep|mask|unk)>|<\|[^|]*\|>)$/i;
const pad = /^(\[pad\]|<pad>|∅)$/i;
const punctuation = /^[\p{P}\p{S}]+$/u;

/** Whether an exclusion means this pair. */
export const excludes: Record<Exclusion, (token: string, query: number, key: number) => boolean> = {
  self: (_, query, key) => query === key,
  special: (token) => special.test(token),
  padding: (token) => pad.test(token),
  punctuation: (token) => punctuation.test(token) && !pad.test(token),
};

/** The names that have a meaning, of those in the attribute. */
export const exclusionsOf = (exclude: string): Exclusion[] =>
  EXCLUSIONS.filter((name) => exclude.split(/\s+/).includes(name));

/** Whether the lens shows everything as it is. */
export const isClear = ({ mass, exclude }: Lens): boolean => mass >= 1 && exclusionsOf(exclude).length === 0;

/** Sums of float32 numbers miss their total by a last digit. */
const ERROR = 1e-7;

/** Parts of the way from 0 to a row's largest weight. */
const BUCKETS = 256;

/**
 * Leaves of a row only the heaviest weights that make up `limit`, of equal ones the first. Sorting every row of a long
 * text would stop the page: only those in the bucket where the limit is reached are sorted.
 */
function cut(row: Float64Array, limit: number): void {
  let largest = 0;
  for (const weight of row) largest = Math.max(largest, weight);
  if (largest === 0) return;
  const step = (BUCKETS - 1) / largest;
  const sums = new Float64Array(BUCKETS);
  for (const weight of row) {
    const bucket = Math.floor(weight * step);
    sums[bucket] = (sums[bucket] ?? 0) + weight;
  }
  const enough = limit - ERROR;
  let shown = 0;
  let bucket = BUCKETS - 1;
  while (bucket > 0 && shown + (sums[bucket] ?? 0) < enough) shown += sums[bucket--] ?? 0;
  const inBucket: number[] = [];
  for (const weight of row) {
    if (Math.floor(weight * step) === bucket) inBucket.push(weight);
  }
  const candidates = Float64Array.from(inBucket).sort();
  let place = candidates.length;
  while (place > 0 && shown < enough) shown += candidates[--place] ?? 0;
  // The lightest that is shown, and how many of its weight are.
  const least = candidates[place] ?? Infinity;
  let ties = candidates.subarray(place).filter((weight) => weight === least).length;
  for (let key = 0; key < row.length; key++) {
    const weight = row[key] ?? 0;
    if (weight > least || Math.floor(weight * step) > bucket) continue;
    if (weight === least && ties > 0) ties--;
    else row[key] = 0;
  }
}

/** The figure as the lens shows it; the same one where the lens is clear. */
export function through(figure: Figure, lens: Lens): Figure {
  if (isClear(lens)) return figure;
  const { size, heads } = figure;
  const exclusions = exclusionsOf(lens.exclude);
  const hidesSelf = exclusions.includes('self');
  // All but `self` are about the key alone.
  const hidden = figure.tokens.map((token) =>
    exclusions.some((name) => name !== 'self' && excludes[name](token, 0, 0)),
  );
  const values = figure.values();
  const seen = new Float32Array(heads * size * size);
  const row = new Float64Array(size);
  for (let start = 0; start < seen.length; start += size) {
    const query = (start / size) % size;
    let sum = 0;
    for (let key = 0; key < size; key++) {
      const isHidden = hidden[key] === true || (hidesSelf && key === query);
      const weight = isHidden ? 0 : (values[start + key] ?? 0);
      row[key] = weight;
      sum += weight;
    }
    if (sum <= ERROR) continue;
    if (lens.mass < 1) cut(row, lens.mass * sum);
    let shown = 1;
    if (lens.renormalise) {
      shown = 0;
      for (let key = 0; key < size; key++) shown += row[key] ?? 0;
    }
    for (let key = 0; key < size; key++) seen[start + key] = (row[key] ?? 0) / (shown || 1);
  }
  return new Figure(figure.tokens, figure.headNames, seen, !lens.renormalise, figure.allowed);
}
