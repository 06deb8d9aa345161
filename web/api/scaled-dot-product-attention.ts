import type { AttentionBinding, AttentionResult as ResultBlocks } from '../wasm/attention.js';
import { enter } from './enter.js';
import { checkBoolean, checkFinite, checkOptions } from './errors.js';
import { type Mask, type TensorLike, toFloat32Block, toMaskBlock } from './inputs.js';
import { Tensor } from './tensor.js';

export interface AttentionResult {
  output: Tensor;
  /** Missing with `needWeights: false`. */
  weights?: Tensor;
}

export interface ScaledDotProductAttentionOptions {
  /** Boolean (true = may attend) or added to the scaled scores; broadcast to (…,H,L,S). */
  mask?: Mask | null;
  /** Query i sees keys 0 … i, aligned at the top left when L ≠ S. */
  isCausal?: boolean;
  /** Factor of the scores, 1/√d_k by default. */
  scale?: number | null;
  /** true by default; false computes without ever holding the weights for the caller. */
  needWeights?: boolean;
}

export function toResult({ output, weights }: ResultBlocks): AttentionResult {
  return {
    output: new Tensor(output.data, output.shape),
    ...(weights && { weights: new Tensor(weights.data, weights.shape) }),
  };
}

/**
 * softmax(Q·Kᵀ·scale + mask)·V per head (Vaswani et al. 2017, section 3.2.1; PyTorch's
 * `scaled_dot_product_attention`). A fully masked row gives zero weights and a zero output row.
 *
 * @param query (…,H,L,d_k)
 * @param key (…,H,S,d_k), leading dimensions as in `query`
 * @param value (…,H,S,d_v)
 * @returns output (…,H,L,d_v) and weights (…,H,L,S)
 * @throws TypeError for the wrong kind of argument or an unknown option
 * @throws RangeError for shapes that do not fit together
 */
export function scaledDotProductAttention(
  binding: AttentionBinding,
  query: TensorLike,
  key: TensorLike,
  value: TensorLike,
  options: ScaledDotProductAttentionOptions = {},
): AttentionResult {
  checkOptions('scaledDotProductAttention', options, ['mask', 'isCausal', 'scale', 'needWeights']);
  const { mask, isCausal = false, scale, needWeights = true } = options;
  const blocks = [
    toFloat32Block('query', query),
    toFloat32Block('key', key),
    toFloat32Block('value', value),
  ] as const;
  const checked = {
    mask: mask == null ? null : toMaskBlock('mask', mask),
    isCausal: checkBoolean('isCausal', isCausal),
    scale: scale == null ? null : checkFinite('scale', scale),
    needWeights: checkBoolean('needWeights', needWeights),
  };
  return toResult(enter(binding, () => binding.scaledDotProductAttention(...blocks, checked)));
}
