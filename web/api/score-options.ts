/** Options of both the layer and `scaledDotProductAttention`. */
import type { ScoreOptions as CheckedScoreOptions } from '../wasm/attention.js';
import { checkBoolean, checkFinite, checkFloat32, checkInteger, rangeError } from './errors.js';
import type { Given } from './options.js';

/** Keys that a query may attend to around its own position: the same number on both sides, or [left, right]. */
export type Window = number | readonly [left: number, right: number];

/** Options that are applied to the scores in this order: scale, soft cap, ALiBi and masks, softmax. */
export interface ScoreOptions {
  /** Query i attends to keys 0 … i, aligned at the top left when L ≠ S; false by default. */
  isCausal?: boolean;
  /** Query i attends to keys i − left … i + right; every key by default. */
  window?: Window | null;
  /** Scaled scores s become softcap·tanh(s / softcap); 0, the default, leaves them. */
  softcap?: number;
  /** Factor of the scores, 1/√headDim by default. */
  scale?: number | null;
  /**
   * true by default. false computes only the output, which is faster; above 512 keys memory then grows with L + S instead
   * of L·S.
   */
  needWeights?: boolean;
}

export const SCORE_OPTIONS = ['isCausal', 'window', 'softcap', 'scale', 'needWeights'] as const;

export function checkWindow(window: unknown): [left: number, right: number] {
  const sides: readonly unknown[] = Array.isArray(window) ? window : [window, window];
  if (sides.length !== 2) {
    throw rangeError('window', `be one integer or [left, right], got an array of length ${sides.length}`);
  }
  return [checkInteger('window', sides[0], 0), checkInteger('window', sides[1], 0)];
}

export function checkProbability(argument: string, value: unknown): number {
  const probability = checkFinite(argument, value);
  if (probability < 0 || probability > 1) {
    throw rangeError(argument, `be from 0 to 1, got ${probability}`);
  }
  return probability;
}

export function toScoreOptions(options: Given<ScoreOptions>): CheckedScoreOptions {
  const { isCausal = false, window, softcap = 0, scale, needWeights = true } = options;
  if (checkFloat32('softcap', softcap) < 0) {
    throw rangeError('softcap', `be at least 0, got ${softcap}`);
  }
  return {
    isCausal: checkBoolean('isCausal', isCausal),
    window: window === undefined ? null : checkWindow(window),
    softcap,
    scale: scale === undefined ? null : checkFloat32('scale', scale),
    needWeights: checkBoolean('needWeights', needWeights),
  };
}
