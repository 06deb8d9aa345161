/** The attribute `mask`: which words each word may attend to. */
import { rangeError } from '../../api/errors.js';
import type { ForwardOptions } from '../../api/layer-options.js';
import { causal, padding, slidingWindow } from '../../api/masks.js';

/** Names of masks; `padding` and `window` are followed by a count, as in `padding:3`. */
export const MASK_NAMES = ['none', 'causal', 'padding', 'window', 'trap'] as const;

export type MaskName = (typeof MASK_NAMES)[number];

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
 * @throws RangeError, naming `mask`, for a value that is invalid for `size` tokens
 */
export function allowedPairs(mask: string, size: number): Uint8Array<ArrayBuffer> | null {
  switch (maskName(mask)) {
    case 'none':
      return null;
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

/** The options of `forward` for a mask, see `allowedPairs`. */
export function maskOptions(mask: string, size: number): ForwardOptions {
  const allowed = allowedPairs(mask, size);
  return allowed ? { attnMask: { data: allowed, shape: [size, size] } } : {};
}
