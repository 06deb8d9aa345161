/** Layers and inputs that several examples have. */
import { scoped } from '../api/handle.js';
import type { ForwardOptions } from '../api/layer-options.js';
import type { AttentionModule } from '../api/load.js';
import type { LayerResult, MultiHeadAttention } from '../api/multi-head-attention.js';
import { Tensor } from '../api/tensor.js';
import { layerWith, type Opened, WIDTH, zeros } from '../sources/random-words.js';

/** Draws `RandomState(seed).normal(0, 1, shape)` in float32: the input of examples whose document gives none. */
export function standardNormal(module: AttentionModule, seed: number, shape: readonly number[]): Tensor {
  return scoped(
    module.random.RandomState(seed),
    (generator) => new Tensor(new Float32Array(generator.normal(0, 1, shape).data), shape),
  );
}

/** Returns the identity matrix (n,n). */
export function identity(n: number): Tensor {
  const matrix = zeros(n, n);
  for (let i = 0; i < n; ++i) matrix.data[i * (n + 1)] = 1;
  return matrix;
}

/** Returns one head without projections, Q = K = V = X: the four matrices are the identity. */
export function plainLayer(module: AttentionModule): MultiHeadAttention {
  const unit = identity(WIDTH);
  return layerWith(module, { embedDim: WIDTH, numHeads: 1 }, [unit, unit, unit, unit]);
}

/** Runs one `forward` of the example's layer on its own input, and disposes the layer. */
export function forwardOnce({ layer, x }: Opened, options: ForwardOptions = {}): Required<LayerResult> {
  return scoped(layer, () => layer.forward(x, x, x, options) as Required<LayerResult>);
}
