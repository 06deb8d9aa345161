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

/** The figure as the lens shows it; the same one where the lens is clear. */
export function through(figure: Figure, lens: Lens): Figure {
  if (isClear(lens)) return figure;
  const { size, heads } = figure;
  const exclusions = exclusionsOf(lens.exclude);
  const mass = Math.max(0, lens.mass);
  const seen = new Float32Array(heads * size * size);
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < size; query++) {
      const kept = figure
        .ranking(head, query)
        .filter(({ key }) => !exclusions.some((name) => excludes[name](figure.token(key), query, key)));
      const limit = mass * kept.reduce((sum, { weight }) => sum + weight, 0);
      let shown = 0;
      const rest = kept.filter(({ weight }) => {
        // Sums of float32 numbers miss their total by a last digit.
        const isShown = shown < limit - 1e-7;
        if (isShown) shown += weight;
        return isShown;
      });
      const divisor = lens.renormalise && shown > 0 ? shown : 1;
      for (const { key, weight } of rest) seen[(head * size + query) * size + key] = weight / divisor;
    }
  }
  return new Figure(figure.tokens, figure.headNames, seen, !lens.renormalise, figure.allowed);
}
