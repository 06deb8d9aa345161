/**
 * Multi-head attention in WebAssembly: {@link load} gives the module with everything else, see
 * {@link AttentionModule}.
 *
 * @module
 */
import { type ComputeModule, load as loadCompute, type LoadOptions } from './api/load.js';
import type { OrNull } from './api/options.js';
import { bindDocuments, type Documents } from './documents/index.js';

export { Tensor } from './api/tensor.js';
export type { NestedNumbers, TensorData } from './api/tensor.js';
export type { ArgumentError } from './api/errors.js';
export type { BooleanMask, Mask, NestedArray, ShapedData, TensorLike } from './api/inputs.js';
export type { LoadOptions } from './api/load.js';
export type { OrNull } from './api/options.js';
export type { Out } from './api/out.js';
export type { KVCache, KVCacheClass } from './api/kv-cache.js';
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
export type * as safetensors from './api/safetensors.js';
export type { SafetensorsReadOptions } from './api/safetensors.js';
export type {
  AttentionResult,
  ScaledDotProductAttentionOptions,
} from './api/scaled-dot-product-attention.js';
export type { ScoreOptions, Window } from './api/score-options.js';
export type { Documents } from './documents/index.js';
export type { SentenceOptions } from './documents/sentence.js';
export type { DocumentInfo, DocumentResult, Localized, Row } from './documents/types.js';
export type { Build } from './wasm/attention.js';
export type { BinaryOptions } from './wasm/binary-options.js';

/**
 * A loaded module: the layer, functions, masks, generators and files of weights, and the documents' examples.
 *
 * @interface
 * @group Start here
 */
export type AttentionModule = ComputeModule & {
  /** The tutorial documents' examples. */
  readonly documents: Documents;
};

const complete = new WeakMap<ComputeModule, AttentionModule>();

/**
 * Loads the WebAssembly module. Only the build that is used is downloaded, and loading the same one again on as
 * many threads gives the same instance.
 *
 * @param options by default the package's own binary in the fastest build that this engine runs
 * @throws (rejects) TypeError for the wrong kind of option or an unknown one
 * @throws (rejects) RangeError for a build that does not exist, that this engine cannot run, or that `wasm` is
 *   not, for an empty `wasm`, and for a multi-threaded one where memory cannot be shared
 * @throws (rejects) Error when the binary cannot be read or compiled, or is not this library's; the message names
 *   the URL and the HTTP status
 * @group Start here
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const module = await load({ build: 'simd' });
 * console.log(module.build, module.threads); // simd 1
 * console.log((await load({ build: 'simd' })).masks === module.masks); // true
 * ```
 */
export async function load(options?: OrNull<LoadOptions> | null): Promise<AttentionModule> {
  const compute = await loadCompute(options);
  let module = complete.get(compute);
  if (!module) {
    module = Object.freeze({ ...compute, documents: bindDocuments(compute) });
    complete.set(compute, module);
  }
  return module;
}
