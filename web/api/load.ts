import { readWasm } from '#wasm-bytes';
import { relaxedSimd, simd } from 'wasm-feature-detect';
import createAttention, { type AttentionBinding, type Build } from '../wasm/attention.js';
import { checkInteger, checkName, checkOptions, tagOf, wrongKind } from './errors.js';
import type { TensorLike } from './inputs.js';
import { bindKVCache, type KVCacheClass } from './kv-cache.js';
import * as masks from './masks.js';
import { bindMetrics, type Metrics } from './metrics.js';
import { bindMultiHeadAttention, type MultiHeadAttentionClass } from './multi-head-attention.js';
import { bindRandom, type Random } from './random.js';
import * as safetensors from './safetensors.js';
import {
  type AttentionResult,
  scaledDotProductAttention,
  type ScaledDotProductAttentionOptions,
} from './scaled-dot-product-attention.js';
import { version } from './version.js';

/** What is loaded, and from where. */
export interface LoadOptions {
  /** `auto` (the default) is the fastest build that this engine validates: relaxed, simd, scalar. */
  build?: 'auto' | Build;
  /** Accepted and checked; this version computes in one thread. */
  threads?: number | 'auto';
  /** Where the binary comes from, instead of the package's own file beside this module. */
  wasm?: string | URL | Response | BufferSource | WebAssembly.Module;
}

/** The computing part of a loaded module. */
export interface ComputeModule {
  /** The instruction set in use. */
  readonly build: Build;
  /** Always 1 in this version. */
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
  readonly scaledDotProductAttention: (
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: ScaledDotProductAttentionOptions,
  ) => AttentionResult;
  /** Ready-made masks. */
  readonly masks: typeof masks;
  /** What heads attend to and how alike they are. */
  readonly metrics: Metrics;
  /** NumPy's generators. */
  readonly random: Random;
  /** Files of weights. */
  readonly safetensors: typeof safetensors;
}

type Source = NonNullable<LoadOptions['wasm']>;

/** Literal URLs, one per build: bundlers find the files through them. */
const ASSETS: Readonly<Record<Build, () => URL>> = {
  relaxed: () => new URL('../wasm/relaxed.wasm', import.meta.url),
  simd: () => new URL('../wasm/simd.wasm', import.meta.url),
  scalar: () => new URL('../wasm/scalar.wasm', import.meta.url),
};

function checkLoadOptions(options: LoadOptions): Required<Pick<LoadOptions, 'build'>> & LoadOptions {
  checkOptions('load', options, ['build', 'threads', 'wasm']);
  const { build = 'auto', threads = 1, wasm } = options;
  checkName('build', build, ['auto', 'scalar', 'simd', 'relaxed']);
  if (threads !== 'auto') checkInteger('threads', threads);
  const kinds = ['String', 'URL', 'Response', 'ArrayBuffer', 'WebAssembly.Module'];
  if (wasm !== undefined && !kinds.includes(tagOf(wasm)) && !ArrayBuffer.isView(wasm)) {
    throw wrongKind('wasm', 'a URL, a Response, bytes or a WebAssembly.Module', wasm);
  }
  if (wasm === '') throw new RangeError('`wasm` must be a URL or a path, got an empty string');
  return { build, ...(wasm !== undefined && { wasm }) };
}

/** The builds that this engine validates, fastest first. */
async function runnableBuilds(): Promise<[Build, ...Build[]]> {
  if (await relaxedSimd()) return ['relaxed', 'simd', 'scalar'];
  return (await simd()) ? ['simd', 'scalar'] : ['scalar'];
}

/** `message: cause`, keeping the cause. */
function failed(message: string, cause: unknown): Error {
  return new Error(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** Tags instead of `instanceof`: objects may come from another realm. */
const isLocation = (source: Source): source is string | URL => ['String', 'URL'].includes(tagOf(source));
const isResponse = (source: Source): source is Response => tagOf(source) === 'Response';

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (isLocation(source)) {
    const found = await readWasm(source).catch((cause: unknown) => {
      throw failed(`the WebAssembly file ${String(source)} could not be read`, cause);
    });
    return compile(found);
  }
  if (tagOf(source) === 'WebAssembly.Module') return source;
  if (!isResponse(source)) return WebAssembly.compile(source as BufferSource);
  if (!source.ok) {
    const status = `HTTP ${source.status} ${source.statusText}`;
    throw new Error(`the WebAssembly file ${source.url} could not be read: ${status}`);
  }
  // Streaming needs exactly this type; servers that do not know .wasm send another.
  return source.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(source)
    : WebAssembly.compile(await source.arrayBuffer());
}

/** Instantiates here rather than in the generated loader, whose promise would never settle on a failure. */
function instantiate(module: WebAssembly.Module): Promise<AttentionBinding> {
  return new Promise((resolve, reject) => {
    createAttention({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => {
            done(instance, module);
          })
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

async function start(source: Source): Promise<ComputeModule> {
  const module = await compile(source).catch((cause: unknown) => {
    throw cause instanceof WebAssembly.CompileError
      ? failed('`wasm` must be a WebAssembly binary that this engine can compile', cause)
      : cause;
  });
  const binding = await instantiate(module).catch((cause: unknown) => {
    // The engine has no memory left for it: that says nothing about the binary.
    if (cause instanceof RangeError) throw cause;
    throw failed("`wasm` must be this library's binary, got a module that does not start", cause);
  });
  return Object.freeze({
    build: binding.build,
    threads: 1,
    version,
    MultiHeadAttention: bindMultiHeadAttention(binding),
    KVCache: bindKVCache(binding),
    scaledDotProductAttention: scaledDotProductAttention.bind(null, binding),
    masks,
    metrics: bindMetrics(binding),
    random: bindRandom(binding),
    safetensors,
  });
}

const startedByUrl = new Map<string, Promise<ComputeModule>>();
const startedByObject = new WeakMap<object, Promise<ComputeModule>>();

/** Starts each source once; a failure is forgotten, so that the next call tries again. */
function share(source: Source): Promise<ComputeModule> {
  const [started, key] = isLocation(source) ? [startedByUrl, String(source)] : [startedByObject, source];
  const cache = started as Map<unknown, Promise<ComputeModule>>;
  let module = cache.get(key);
  if (!module) {
    module = start(source);
    cache.set(key, module);
    module.catch(() => cache.delete(key));
  }
  return module;
}

/** The computing part of the package's `load()`, whose documentation is in `web/index.ts`. */
export async function load(options: LoadOptions = {}): Promise<ComputeModule> {
  const { build, wasm } = checkLoadOptions(options);
  const runnable = await runnableBuilds();
  if (build !== 'auto' && !runnable.includes(build)) {
    throw new RangeError(
      `\`build\` must be one that this engine runs (${runnable.join(', ')}), got "${build}"`,
    );
  }
  const module = await share(wasm ?? ASSETS[build === 'auto' ? runnable[0] : build]());
  if (build !== 'auto' && module.build !== build) {
    throw new RangeError(`\`wasm\` must be the ${build} build as asked for, got the ${module.build} build`);
  }
  return module;
}
