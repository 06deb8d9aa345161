import type { Uniform } from './sentence.js';

/**
 * Creates Tommy Ettinger's generator Mulberry32: the same seed gives the same numbers everywhere.
 *
 * @param seed an integer 0 … 2³² − 1
 * @example
 * ```js
 * import { mulberry32 } from 'multihead-attention/training';
 *
 * const uniform = mulberry32(42);
 * console.log(uniform()); // 0.6011037519201636
 * ```
 */
export function mulberry32(seed: number): Uniform {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
