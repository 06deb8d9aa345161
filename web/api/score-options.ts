/** Options of both the layer and `scaledDotProductAttention`. */
import type { Float32Block, ScoreOptions as CheckedScoreOptions } from '../wasm/attention.js';
import {
  checkBoolean,
  checkFinite,
  checkFloat32,
  checkInteger,
  checkName,
  formatShape,
  MAX_SIZE,
  rangeError,
  wrongKind,
} from './errors.js';
import { type Integers, toIntegers } from './inputs.js';
import type { Given } from './options.js';
import { item } from './shape.js';

/**
 * Keys that a query may attend to around its own position: the same number on both sides, or [left, right]. `Infinity` does
 * not limit a side.
 */
export type Window = number | readonly [left: number, right: number];

/** Options that are applied to the scores in this order: scale, soft cap, ALiBi and masks, softmax. */
export interface ScoreOptions {
  /**
   * Query i attends to keys 0 … i, aligned at the top left when L ≠ S; false by default. A prompt that fills a `cache`, several
   * tokens without an `attnMask`, is causal by default.
   */
  isCausal?: boolean;
  /** Query i attends to keys i − left … i + right; every key by default. */
  window?: Window | null;
  /**
   * The position of query 0 among the keys, for `isCausal`, `window` and ALiBi: query i stands at queryOffset + i. One integer,
   * or one per batch item, (B,); negative ones are allowed. By default 0, or the number of earlier keys, if there are some.
   * S − L aligns the queries with the last keys, as PyTorch's `causal_lower_right`.
   */
  queryOffset?: Integers | null;
  /**
   * How many of the S keys are real, the others being padding that no query attends to: one integer from 0 to S, or one per
   * batch item, (B,). Changes no position: with `isCausal` and queries that are the last ones, also give `queryOffset`.
   */
  keyLengths?: Integers | null;
  /** Scaled scores s become softcap·tanh(s / softcap); 0, the default, leaves them. */
  softcap?: number;
  /** Factor of the scores, 1/√headDim by default. */
  scale?: number | null;
  /**
   * true by default. false computes only the output, which is faster; above 512 keys memory then grows with L + S instead
   * of L·S.
   */
  needWeights?: boolean;
  /**
   * Also returns `scores`: true, the raw scores q·k; `scaled`, those after scale and soft cap; `masked`, after ALiBi and masks
   * too, −Infinity where a key may not be attended to. false by default.
   */
  returnScores?: boolean | 'scaled' | 'masked';
}

export const STEPS_SCORE_OPTIONS = [
  'isCausal',
  'window',
  'queryOffset',
  'keyLengths',
  'softcap',
  'scale',
] as const;
export const SCORE_OPTIONS = [...STEPS_SCORE_OPTIONS, 'needWeights', 'returnScores'] as const;

export function checkWindow(window: unknown): [left: number, right: number] {
  const sides: readonly unknown[] = Array.isArray(window) ? window : [window, window];
  if (sides.length !== 2) {
    throw rangeError('window', `be one integer or [left, right], got an array of length ${sides.length}`);
  }
  const reach = (side: unknown) => (side === Infinity ? MAX_SIZE : checkInteger('window', side, 0));
  return [reach(sides[0]), reach(sides[1])];
}

export function checkProbability(argument: string, value: unknown): number {
  const probability = checkFinite(argument, value);
  if (probability < 0 || probability > 1) {
    throw rangeError(argument, `be from 0 to 1, got ${probability}`);
  }
  return probability;
}

/** The batch items' positions and lengths for C++, when the sizes are known: `first` is the default of `queryOffset`. */
export type Placements = (batch: number, keys: number, first: number) => Float32Block | null;

/** Reads `queryOffset` and `keyLengths`; `isShifted`: the default of `queryOffset` may not be 0. */
export function toPlacements(
  { queryOffset, keyLengths }: Given<ScoreOptions>,
  isShifted = false,
): Placements {
  const reader = (argument: string, given: unknown, min: number) => {
    if (given === undefined) return (otherwise: number) => () => otherwise;
    const { values, shape } = toIntegers(argument, given, min);
    return (_: number, batch: number, max: number) => {
      if (values.length !== 1 && !(values.length === batch && shape.length === 1)) {
        throw rangeError(
          argument,
          `be one integer or have shape ${formatShape([batch])}, got shape ${formatShape(shape)}`,
        );
      }
      for (const value of values) checkInteger(argument, value, min, max);
      return (b: number) => item(values, values.length === 1 ? 0 : b);
    };
  };
  const offsets = reader('queryOffset', queryOffset, -MAX_SIZE);
  const lengths = reader('keyLengths', keyLengths, 0);
  if (queryOffset === undefined && keyLengths === undefined && !isShifted) return () => null;
  return (batch, keys, first) => {
    const [offset, length] = [offsets(first, batch, MAX_SIZE), lengths(keys, batch, keys)];
    const data = Float32Array.from({ length: 2 * batch }, (_, n) => (n % 2 === 0 ? offset : length)(n >> 1));
    return { data, shape: [batch, 2] };
  };
}

/** The number of the scores in C++. */
function toStage(returned: unknown): number {
  if (typeof returned === 'boolean') return Number(returned);
  if (typeof returned !== 'string')
    throw wrongKind('returnScores', 'true, false, "scaled" or "masked"', returned);
  return checkName('returnScores', returned, ['scaled', 'masked']) === 'scaled' ? 2 : 3;
}

export function toScoreOptions(options: Given<ScoreOptions>, causalByDefault = false): CheckedScoreOptions {
  const {
    isCausal = causalByDefault,
    window,
    softcap = 0,
    scale,
    needWeights = true,
    returnScores = false,
  } = options;
  if (checkFloat32('softcap', softcap) < 0) {
    throw rangeError('softcap', `be at least 0, got ${softcap}`);
  }
  return {
    isCausal: checkBoolean('isCausal', isCausal),
    window: window === undefined ? null : checkWindow(window),
    softcap,
    scale: scale === undefined ? null : checkFloat32('scale', scale),
    needWeights: checkBoolean('needWeights', needWeights),
    returnScores: toStage(returnScores),
  };
}
