/** Measures tensor shapes, parameters and operations by running a layer. */
import { scoped } from '../../documents/compute.js';
import { type AttentionModule, type Flops, Tensor } from '../../index.js';
import type { Costs } from './costs.js';
import type { Dimensions, Sizes } from './sizes.js';
import type { StageId } from './stages.js';

/** Layers beyond these limits are calculated by formula, because running them would take too long. */
export const MOST_PARAMETERS = 5_000_000;
const MOST_WEIGHTS = 2 ** 20;
const MOST_MULTIPLY_ADDS = 2 ** 30;

export const isMeasurable = ({ parameterCount, weights, multiplyAdds }: Costs): boolean =>
  parameterCount < MOST_PARAMETERS && weights.value <= MOST_WEIGHTS && multiplyAdds <= MOST_MULTIPLY_ADDS;

export interface Measured {
  /** Shapes of each stage's tensors, in the order of `stagesOf`. */
  readonly shapes: Readonly<Record<StageId, readonly (readonly number[])[]>>;
  readonly parameterCount: number;
  readonly flops: Flops;
}

/** Runs a layer on zeros, because shapes do not depend on values. */
export function measure(module: AttentionModule, sizes: Sizes, dimensions: Dimensions): Measured {
  const { embedDim, numHeads, keys, withoutBias } = sizes;
  const { batch, queries, kvHeads, head, valueHead } = dimensions;
  const zeros = (length: number) =>
    new Tensor(new Float32Array(batch.size * length * embedDim), [batch.size, length, embedDim]);
  const layer = new module.MultiHeadAttention({
    embedDim,
    numHeads,
    numKvHeads: kvHeads.size,
    headDim: head.size,
    valueHeadDim: valueHead.size,
    bias: !withoutBias,
  });
  return scoped(layer, () => {
    const x = zeros(queries.size);
    const y = keys === null ? x : zeros(keys);
    const { q, k, v, scores, weights, context, concat, output } = layer.steps(x, y);
    // Shape before the split into heads, where the heads' numbers are side by side.
    const joined = ({ size }: Tensor, length: number) => [batch.size, length, size / (batch.size * length)];
    return {
      shapes: {
        input: keys === null ? [x.shape] : [x.shape, y.shape],
        projections: [
          joined(q, queries.size),
          joined(k, dimensions.keys.size),
          joined(v, dimensions.keys.size),
        ],
        split: [q.shape, k.shape, v.shape],
        scores: [scores.shape],
        weights: [weights.shape],
        context: [context.shape],
        concat: [concat.shape],
        output: [output.shape],
      },
      parameterCount: layer.parameterCount,
      flops: layer.flops(queries.size, dimensions.keys.size, batch.size),
    };
  });
}
