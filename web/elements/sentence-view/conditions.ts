import { rangeError } from '../../api/errors.js';
import type { ForwardOptions } from '../../api/layer-options.js';
import { causal, padding, slidingWindow } from '../../api/masks.js';
import type { Opened } from '../../documents/opened.js';

/** Names of masks; `padding` and `window` are followed by a count, as in `padding:3`. */
export const MASK_NAMES = ['none', 'causal', 'padding', 'window', 'trap'] as const;

export type MaskName = (typeof MASK_NAMES)[number];

/** Settings of the forward pass that the reader can change. */
export interface Conditions {
  /** One of `MASK_NAMES`, with a count if it has one. */
  mask: string;
  /** Pairs `query.key`, counted from 0, whose mask entry is inverted; separated by spaces. */
  flips: string;
  temperature: number;
  /** Whether the division of scores by √d_k is left out. */
  unscaled: boolean;
}

export const PLAIN: Conditions = { mask: 'none', flips: '', temperature: 1, unscaled: false };

export const isPlain = ({ mask, flips, temperature, unscaled }: Conditions): boolean =>
  mask === 'none' && flips === '' && temperature === 1 && !unscaled;

/** A mask's name without its count; null for an unknown name. */
export function maskName(mask: string): MaskName | null {
  const [name = ''] = mask.split(':');
  return MASK_NAMES.find((known) => known === name) ?? null;
}

/** The count after a mask's name: number of padding tokens, or reach of the window to either side. */
function countOf(mask: string, most: number): number {
  const count = /^[a-z]+:(\d+)$/.exec(mask)?.[1];
  if (count === undefined || Number(count) > most) {
    throw rangeError('mask', `have a count from 0 to ${most}, as in "padding:1", got "${mask}"`);
  }
  return Number(count);
}

/**
 * Which keys (columns) each query (row) may attend to, one 0 or 1 per pair; null without a mask.
 *
 * @param mask `none`, `causal`, `padding:n` (the last n tokens are padding), `window:n` (n tokens to either side), or
 *   `trap`: document 000's causal mask, in which 0 allows, used where 0 forbids
 * @param flips pairs `query.key` whose entry is inverted
 * @throws RangeError, naming `mask` or `flips`, for values that are invalid for `size` tokens
 */
export function allowedPairs(mask: string, flips: string, size: number): Uint8Array<ArrayBuffer> | null {
  if (mask === 'none' && flips.trim() === '') return null;
  const allowed = namedMask(mask, size);
  for (const pair of flips.split(/\s+/).filter(Boolean)) {
    const [query = NaN, key = NaN] = /^\d+\.\d+$/.test(pair) ? pair.split('.').map(Number) : [];
    if (!(query < size && key < size)) {
      throw rangeError('flips', `be pairs "query.key" below ${size}, got "${pair}"`);
    }
    const index = query * size + key;
    allowed[index] = 1 - (allowed[index] ?? 0);
  }
  return allowed;
}

function namedMask(mask: string, size: number): Uint8Array<ArrayBuffer> {
  switch (maskName(mask)) {
    case 'none':
      return new Uint8Array(size * size).fill(1);
    case 'causal':
      return Uint8Array.from(causal(size).data);
    case 'trap':
      return Uint8Array.from(causal(size).data, (allows) => 1 - allows);
    case 'window':
      return Uint8Array.from(slidingWindow(size, countOf(mask, size - 1)).data);
    case 'padding': {
      const real = padding([size - countOf(mask, size - 1)], size).data;
      return Uint8Array.from({ length: size * size }, (_, index) => real[index % size] ?? 0);
    }
    case null:
      throw rangeError('mask', `be one of ${MASK_NAMES.join(', ')}, got "${mask}"`);
  }
}

/** Converts the conditions to options of `forward`. */
export function forwardOptions(
  { mask, flips, temperature, unscaled }: Conditions,
  { tokens, headDim }: Opened,
): ForwardOptions {
  const size = tokens.length;
  const allowed = allowedPairs(mask, flips, size);
  return {
    scale: 1 / ((unscaled ? 1 : Math.sqrt(headDim)) * temperature),
    ...(allowed && { attnMask: { data: allowed, shape: [size, size] } }),
  };
}
