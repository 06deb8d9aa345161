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

/** Float32 numbers that are not negative have the order of their bits: these are looked at byte by byte. */
const BYTES = [24, 16, 8, 0];

/**
 * For rows of `size` weights: leaves of a row only the heaviest that make up `limit`, of equal ones the first.
 * Sorting every row of a long text would stop the page: what decides is the lightest that is shown.
 */
function cutter(size: number): (row: Float32Array, limit: number) => void {
  const weights = new Float32Array(size);
  const bits = new Uint32Array(weights.buffer);
  const sums = new Float64Array(256);
  return (row, limit) => {
    const enough = limit - ERROR;
    let shown = 0;
    let least = 0;
    let count = size;
    weights.set(row);
    for (const shift of BYTES) {
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
  const row = new Float32Array(size);
  const cut = cutter(size);
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
