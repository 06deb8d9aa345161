import type { AttentionBinding, AttentionResult as ResultBlocks } from '../wasm/attention.js';
import { enter } from './handle.js';
import { checkBoolean, checkInteger } from './errors.js';
import { type Mask, type TensorLike, toFloat32Block, toMaskBlock } from './inputs.js';
import { type OrNull, readOptions } from './options.js';
import { checkProbability, SCORE_OPTIONS, type ScoreOptions, toScoreOptions } from './score-options.js';
import { type Tensor, toTensor } from './tensor.js';

/** Results of attention. */
export interface AttentionResult {
  /** (B,L,outDim) from the layer, (…,H,L,d_v) from the function. */
  output: Tensor;
  /** (B,H,L,S) or (…,H,L,S), after dropout; missing with `needWeights: false`. */
  weights?: Tensor;
}

/** Options of a call whose result is known to have weights. */
export type WithWeights<Options> = OrNull<Options> & {
  /** The weights are given if it is omitted. */
  needWeights?: true | null;
};

export interface ScaledDotProductAttentionOptions extends ScoreOptions {
  /** Boolean (true = may attend) or added to the scaled scores; broadcast to (…,H,L,S). */
  mask?: Mask | null;
  /** (H,): the scores of head h lose slope·|i − j|. */
  alibiSlopes?: TensorLike | null;
  /**
   * Probability 0 … 1 that a weight becomes 0; the others are divided by 1 − dropout. 0 by default. It always
   * applies, as PyTorch's `dropout_p` does.
   */
  dropout?: number;
  /** Seed of dropout, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
  /** true: key and value may have fewer heads, a divisor of those of query. */
  enableGqa?: boolean;
}

const OPTIONS = [...SCORE_OPTIONS, 'mask', 'alibiSlopes', 'dropout', 'seed', 'enableGqa'];

function toResult({ output, weights }: ResultBlocks): AttentionResult {
  return { output: toTensor(output), ...(weights && { weights: toTensor(weights) }) };
}

/** The function is documented in `load.ts`. */
export function scaledDotProductAttention(
  binding: AttentionBinding,
  query: TensorLike,
  key: TensorLike,
  value: TensorLike,
  options?: OrNull<ScaledDotProductAttentionOptions> | null,
): AttentionResult {
  const given = readOptions('scaledDotProductAttention', options ?? {}, OPTIONS);
  const { mask, alibiSlopes, dropout = 0, seed = 0, enableGqa = false } = given;
  const blocks = [
    toFloat32Block('query', query),
    toFloat32Block('key', key),
    toFloat32Block('value', value),
  ] as const;
  const checked = {
    ...toScoreOptions(given),
    mask: mask === undefined ? null : toMaskBlock('mask', mask),
    alibiSlopes: alibiSlopes === undefined ? null : toFloat32Block('alibiSlopes', alibiSlopes),
    dropout: checkProbability('dropout', dropout),
    seed: checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER),
    enableGqa: checkBoolean('enableGqa', enableGqa),
  };
  return toResult(enter(binding, () => binding.scaledDotProductAttention(...blocks, checked)));
}
