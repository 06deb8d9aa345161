/** Multi-head attention in WebAssembly: `load()` gives the module, everything else hangs on it. */
import { type ComputeModule, load as loadCompute, type LoadOptions } from './api/load.js';
import { bindDocuments, type Documents } from './documents/index.js';

export { Tensor } from './api/tensor.js';
export type { NestedNumbers, TensorData } from './api/tensor.js';
export type { BooleanMask, Mask, NestedArray, TensorLike } from './api/inputs.js';
export type { LoadOptions } from './api/load.js';
export type { KVCache, KVCacheClass } from './api/kv-cache.js';
export type {
  AttentionSteps,
  Flops,
  ForwardOptions,
  LayerResult,
  MultiHeadAttention,
  MultiHeadAttentionClass,
  MultiHeadAttentionOptions,
  RopeOptions,
  StepsOptions,
} from './api/multi-head-attention.js';
export type { GeneratorClass, NumpyGenerator, Random } from './api/random.js';
export type { SafetensorsReadOptions } from './api/safetensors.js';
export type {
  AttentionResult,
  ScaledDotProductAttentionOptions,
} from './api/scaled-dot-product-attention.js';
export type { ScoreOptions, Window } from './api/score-options.js';
export type { Documents } from './documents/index.js';
export type { SentenceOptions } from './documents/sentence.js';
export type { DocumentInfo, DocumentResult, Localized, Row } from './documents/types.js';

/** A loaded module: the layer, functions, masks, generators and files of weights, and the documents' examples. */
export type AttentionModule = ComputeModule & { readonly documents: Documents };

const complete = new WeakMap<ComputeModule, AttentionModule>();

/**
 * Loads the WebAssembly module. Only the build that is used is downloaded, and loading the same one again gives
 * the same instance.
 *
 * @throws (rejects) TypeError for the wrong kind of option or an unknown one
 * @throws (rejects) RangeError for a build that does not exist, that this engine cannot run, or that `wasm` is
 *   not, and for an empty `wasm`
 * @throws (rejects) Error when the binary cannot be read or compiled, or is not this library's; the message names
 *   the URL and the HTTP status
 */
export async function load(options?: LoadOptions): Promise<AttentionModule> {
  const compute = await loadCompute(options);
  let module = complete.get(compute);
  if (!module) {
    module = Object.freeze({ ...compute, documents: bindDocuments(compute) });
    complete.set(compute, module);
  }
  return module;
}
