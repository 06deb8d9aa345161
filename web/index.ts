/**
 * Multi-head attention in WebAssembly: {@link load} gives the module with everything else, see
 * {@link AttentionModule}.
 *
 * @module
 */
export { configure } from './api/configure.js';
export type { Settings } from './api/configure.js';
export { load } from './api/load.js';
export { Tensor } from './api/tensor.js';
export type { NestedNumbers, TensorData } from './api/tensor.js';
export type { ArgumentError } from './api/errors.js';
export type {
  BooleanMask,
  Integers,
  Mask,
  NestedArray,
  PaddingMask,
  ShapedData,
  TensorLike,
} from './api/inputs.js';
export type { AttentionModule, LoadOptions, ScaledDotProductAttention } from './api/load.js';
export type { OrNull } from './api/options.js';
export type { Out } from './api/out.js';
export type { CachedTensors, KVCache, KVCacheClass } from './api/kv-cache.js';
export type { HeadRoles, HeadRolesOptions, Metrics } from './api/metrics.js';
export type {
  AttentionSteps,
  Flops,
  LayerGradients,
  LayerResult,
  MultiHeadAttention,
  MultiHeadAttentionClass,
} from './api/multi-head-attention.js';
export type {
  ForwardOptions,
  MultiHeadAttentionOptions,
  RopeOptions,
  StepsOptions,
} from './api/layer-options.js';
export type * as masks from './api/masks.js';
export type { GeneratorClass, NumpyGenerator, Random } from './api/random.js';
export type { RotaryEmbeddingOptions } from './api/rotary-embedding.js';
export type * as safetensors from './api/safetensors.js';
export type { SafetensorsReadOptions } from './api/safetensors.js';
export type {
  AttentionResult,
  ScaledDotProductAttentionOptions,
  ScaledDotProductAttentionResult,
  WithWeights,
} from './api/scaled-dot-product-attention.js';
export type { ScoreOptions, Window } from './api/score-options.js';
export type { Build } from './wasm/attention.js';
export type { BinaryOptions } from './wasm/binary-options.js';
