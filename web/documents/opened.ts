/** The layer and input of an example, for views that change something and recompute. */
import type { ForwardOptions } from '../api/layer-options.js';
import type { LayerResult, MultiHeadAttention } from '../api/multi-head-attention.js';
import type { Tensor } from '../api/tensor.js';
import { scoped } from './compute.js';

export interface HeadCounts {
  /** Number of query heads: a divisor of 32, the width of the vectors; 4 by default. */
  numHeads?: number;
  /** Number of heads of keys and values, a divisor of `numHeads` (the default): fewer is GQA, 1 is MQA. */
  numKvHeads?: number;
}

export interface Opened {
  tokens: string[];
  /** The layer's input, (L,E). */
  x: Tensor;
  /** The caller disposes `layer`, and `single` too. */
  layer: MultiHeadAttention;
  /** d_k: scores are divided by its square root. */
  headDim: number;
  /** A second layer that the example compares with: one head without projections. */
  single?: MultiHeadAttention;
  /** Whether the example can be computed with other `HeadCounts`. */
  anyHeads: boolean;
}

/** Runs one `forward` of the example's layer on its own input, and disposes the layer. */
export function forwardOnce({ layer, x }: Opened, options: ForwardOptions = {}): Required<LayerResult> {
  return scoped(layer, () => layer.forward(x, x, x, options) as Required<LayerResult>);
}
