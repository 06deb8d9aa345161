import type { AttentionBinding, Build, ThreadPool } from '../wasm/attention.js';
import type { BinaryOptions } from '../wasm/binary-options.js';
import { checkStartOptions, type Kind, starterOf } from '../wasm/start.js';
import type { TensorLike } from './inputs.js';
import { bindKVCache, type KVCacheClass } from './kv-cache.js';
import { statedBinary } from './locations.js';
import * as masks from './masks.js';
import { bindMetrics, type Metrics } from './metrics.js';
import { bindMultiHeadAttention, type MultiHeadAttentionClass } from './multi-head-attention.js';
import { type OrNull, readOptions } from './options.js';
import { bindRandom, type Random } from './random.js';
import { rotaryEmbedding } from './rotary-embedding.js';
import * as safetensors from './safetensors.js';
import {
  scaledDotProductAttention,
  type ScaledDotProductAttentionOptions,
  type ScaledDotProductAttentionResult,
  type WithWeights,
} from './scaled-dot-product-attention.js';
import { version } from './version.js';

/** `module.scaledDotProductAttention`. */
export interface ScaledDotProductAttention {
  (
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: WithWeights<ScaledDotProductAttentionOptions> | null,
  ): ScaledDotProductAttentionResult & Required<Pick<ScaledDotProductAttentionResult, 'weights'>>;
  (
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: OrNull<ScaledDotProductAttentionOptions> | null,
  ): ScaledDotProductAttentionResult;
}

/** Options of `load`. */
export interface LoadOptions extends BinaryOptions {
  /**
   * Number of threads, the calling one included: 1 by default, at most 64. `auto` is the number of processors, at most 8.
   * It changes no bit of a result.
   *
   * A browser lets threads share memory only on a page that is `crossOriginIsolated`: its server sends
   * `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`. Where
   * threads are not possible, one computes, and `module.threads` is 1. `standalone.js` always has one.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const module = await load({ threads: 2 });
   * console.log(module.threads); // 2
   * ```
   */
  threads?: number | 'auto';
}

/**
 * A loaded module: the layer, functions, masks, generators and files of weights.
 *
 * @group Start here
 */
export interface AttentionModule {
  /** The instruction set in use. */
  readonly build: Build;
  /** The number of threads in use. */
  readonly threads: number;
  /** The package's version. */
  readonly version: string;
  /**
   * The layer's class.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 12, numHeads: 6, numKvHeads: 2, rope: { base: 10000 } });
   * console.log(mha.stateDict().k_proj_weight.shape); // [ 4, 12 ]
   * ```
   */
  readonly MultiHeadAttention: MultiHeadAttentionClass;
  /**
   * The class of caches for `forward`.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
   * const cache = new KVCache();
   * const token = [[1, 0]];
   * mha.forward(token, token, token, { cache });
   * console.log(mha.forward(token, token, token, { cache }).weights.shape); // [ 1, 1, 2 ]
   * ```
   */
  readonly KVCache: KVCacheClass;
  /**
   * softmax(Q·Kᵀ·scale + mask)·V per head (Vaswani et al. 2017, section 3.2.1; PyTorch's
   * `scaled_dot_product_attention`). A fully masked row gives zero weights and a zero output row.
   *
   * @param query (…,H,L,d_k)
   * @param key (…,H,S,d_k), leading dimensions as in `query` (fewer heads with `enableGqa`)
   * @param value (…,H,S,d_v)
   * @returns output (…,H,L,d_v) and weights (…,H,L,S)
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for shapes that do not fit together
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { scaledDotProductAttention } = await load();
   * const query = [[[2, 0]]];
   * const key = [
   *   [
   *     [1, 0],
   *     [0, 1],
   *     [1, 1],
   *   ],
   * ];
   * const value = [[[10], [20], [30]]];
   * const { output, weights } = scaledDotProductAttention(query, key, value, { mask: [[true, true, false]], scale: 1 });
   * console.log(weights.at(0, 0, 0).toFixed(3), weights.at(0, 0, 2)); // 0.881 0
   * console.log(output.at(0, 0, 0).toFixed(2)); // 11.19
   * ```
   */
  readonly scaledDotProductAttention: ScaledDotProductAttention;
  /**
   * Rotary position embedding by the caller's tables: a copy of `x` with its pairs of components rotated, as ONNX's
   * `RotaryEmbedding`. The layer's own is its option `rope`.
   *
   * @param x (…,H,L,d); (…,L,H·d) with `numHeads`; or (L,d)
   * @param cos (positions,dim/2), or a row for each token, (B,L,dim/2); the first dim ≤ d components of a head are rotated
   * @param sin of the shape of `cos`
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for shapes that do not fit together, and a position that the tables do not have
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { rotaryEmbedding } = await load();
   * const x = [[1, 2]];
   * console.log(rotaryEmbedding(x, [[1], [0]], [[0], [1]], { positions: [1] }).toNested()); // [ [ -2, 1 ] ]
   * ```
   */
  readonly rotaryEmbedding: typeof rotaryEmbedding;
  /** Ready-made masks. */
  readonly masks: typeof masks;
  /** Attention patterns of heads and their similarity. */
  readonly metrics: Metrics;
  /** NumPy's two random generators. */
  readonly random: Random;
  /** Reads and writes safetensors files of weights. */
  readonly safetensors: typeof safetensors;
}

const attention: Kind<AttentionBinding & Partial<ThreadPool>> = {
  expected: "`wasm` must be this library's binary",
  urlOf(build) {
    const stated = statedBinary(`${build}.wasm`);
    if (stated) return stated;
    if (build === 'relaxed') return new URL('../wasm/relaxed.wasm', import.meta.url);
    return new URL('../wasm/simd.wasm', import.meta.url);
  },
  loader: async () => (await import('../wasm/attention.js')).default,
  threaded: () => import('#threads'),
};

const start = starterOf(attention, (binding): AttentionModule =>
  Object.freeze({
    build: binding.build,
    threads: binding.threadCount(),
    version,
    MultiHeadAttention: bindMultiHeadAttention(binding),
    KVCache: bindKVCache(binding),
    scaledDotProductAttention: scaledDotProductAttention.bind(null, binding) as ScaledDotProductAttention,
    rotaryEmbedding,
    masks,
    metrics: bindMetrics(binding),
    random: bindRandom(binding),
    safetensors,
  }),
);

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
  return start(checkStartOptions(readOptions('load', options ?? {}, ['build', 'threads', 'wasm'])));
}
