import createAttention, {
  type AttentionBinding,
  type Build,
  type ThreadedBinding,
} from '../wasm/attention.js';
import { carriesTallTiles, checkBuild, checkSource, checkStarted, runnableBuild } from './builds.js';
import { compiled, failed, fixed, forget, once, type Source } from './compile.js';
import { checkInteger, rangeError } from './errors.js';
import type { TensorLike } from './inputs.js';
import { bindKVCache, type KVCacheClass } from './kv-cache.js';
import * as masks from './masks.js';
import { bindMetrics, type Metrics } from './metrics.js';
import { bindMultiHeadAttention, type MultiHeadAttentionClass } from './multi-head-attention.js';
import { type OrNull, readOptions } from './options.js';
import type { Platform, Wasm } from './platform.js';
import { bindRandom, type Random } from './random.js';
import * as safetensors from './safetensors.js';
import {
  type AttentionResult,
  scaledDotProductAttention,
  type ScaledDotProductAttentionOptions,
} from './scaled-dot-product-attention.js';
import { version } from './version.js';
import { instantiate, WorkerFailure } from './instantiate.js';

/** Options of `load`. */
export interface LoadOptions {
  /** `auto` (the default) is the fastest build that this engine validates: relaxed, simd, scalar. */
  build?: 'auto' | Build;
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
  /**
   * The binary to use instead of the package's own file in `../wasm`. A single-threaded one always has one thread; a
   * multi-threaded one (`…-threads.wasm`) needs shared memory. Bytes are copied at the call; the same array with
   * unchanged bytes gives the same instance.
   */
  wasm?:
    | string
    | Platform<'URL'>
    | Platform<'Response'>
    | ArrayBuffer
    | ArrayBufferView<ArrayBuffer>
    | Wasm<'Module'>;
}

/** The part of a loaded module that computes, without the documents' examples. */
export interface ComputeModule {
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
  readonly scaledDotProductAttention: (
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: OrNull<ScaledDotProductAttentionOptions> | null,
  ) => AttentionResult;
  /** Ready-made masks. */
  readonly masks: typeof masks;
  /** Attention patterns of heads and their similarity. */
  readonly metrics: Metrics;
  /** NumPy's two random generators. */
  readonly random: Random;
  /** Reads and writes safetensors files of weights. */
  readonly safetensors: typeof safetensors;
}

/**
 * Locates the package's own binary of a build. URLs are literals, because bundlers and server tracers (`@vercel/nft`)
 * look for these; the tracers miss them in an arrow function without a body.
 */
function ownBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/relaxed.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/simd.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/scalar.wasm', import.meta.url);
  }
}

function checkLoadOptions(
  options: OrNull<LoadOptions> | null | undefined,
): Required<Pick<LoadOptions, 'build' | 'threads'>> & LoadOptions {
  const {
    build = 'auto',
    threads = 1,
    wasm,
  } = readOptions('load', options ?? {}, ['build', 'threads', 'wasm']);
  checkBuild(build);
  if (threads !== 'auto') checkInteger('threads', threads);
  checkSource(wasm);
  return { build, threads, ...(wasm !== undefined && { wasm: fixed(wasm) }) };
}

/** Only multi-threaded binaries import their memory. */
const isThreaded = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

interface Started {
  readonly compute: ComputeModule;
  /** Whether one of the module's threads has ended. */
  readonly isLost: () => boolean;
}

async function start(module: WebAssembly.Module, threads: number): Promise<Started> {
  // A file without exports is truncated: the multi-threaded loader would throw where nobody can catch it.
  if (WebAssembly.Module.exports(module).length === 0) {
    forget(module);
    throw new Error("`wasm` must be this library's binary, got a module that exports nothing");
  }
  const starting: Promise<AttentionBinding & Partial<ThreadedBinding>> = isThreaded(module)
    ? import('#threads').then(({ instantiateAttention }) => instantiateAttention(module, threads))
    : instantiate(createAttention, module);
  const binding = await starting.catch((cause: unknown) => {
    // Memory or threads have run out: the binary is not at fault.
    if (cause instanceof RangeError || cause instanceof WorkerFailure) throw cause;
    forget(module);
    throw failed("`wasm` must be this library's binary, got a module that does not start", cause);
  });
  if (carriesTallTiles) binding.useTallTiles();
  const compute = Object.freeze({
    build: binding.build,
    threads: binding.threadCount(),
    version,
    MultiHeadAttention: bindMultiHeadAttention(binding),
    KVCache: bindKVCache(binding),
    scaledDotProductAttention: scaledDotProductAttention.bind(null, binding),
    masks,
    metrics: bindMetrics(binding),
    random: bindRandom(binding),
    safetensors,
  });
  return { compute, isLost: () => binding.threadsAreLost?.() ?? false };
}

const startedByBinary = new WeakMap<WebAssembly.Module, Map<number, Promise<Started>>>();

/** Keeps one instance per binary and number of threads; starts a new one after a thread was lost. */
async function share(module: WebAssembly.Module, threads: number): Promise<ComputeModule> {
  const started = startedByBinary.get(module) ?? new Map<number, Promise<Started>>();
  startedByBinary.set(module, started);
  const starting = once(started, threads, () => start(module, threads));
  const { compute, isLost } = await starting;
  if (!isLost()) return compute;
  if (started.get(threads) === starting) started.delete(threads);
  return share(module, threads);
}

type Threads = NonNullable<LoadOptions['threads']>;

/** Starts the package's own binary: the multi-threaded one if more threads are requested and possible. */
async function startOwn(build: Build, threads: Threads): Promise<ComputeModule> {
  if (threads !== 1) {
    const { threadedBinary, threadsFor } = await import('#threads');
    const count = threadsFor(threads);
    // The page's policy may forbid workers, or the server may lack the file: one thread computes the same.
    const module =
      count > 1 &&
      (await compiled(threadedBinary(build))
        .then((m) => share(m, count))
        .catch(() => null));
    if (module) return module;
  }
  return share(await compiled(ownBinary(build)), 1);
}

async function startGiven(wasm: Source, threads: Threads): Promise<ComputeModule> {
  const module = await compiled(wasm);
  if (!isThreaded(module)) return share(module, 1);
  const { threadsFor } = await import('#threads');
  const count = threadsFor(threads);
  if (count === 0) {
    throw rangeError(
      'wasm',
      'be a single-threaded binary where threads cannot share memory, got a multi-threaded one',
    );
  }
  return share(module, count).catch(() => share(module, 1));
}

/** Loads the computing part of the package; `load()` in `web/index.ts` adds the rest and is documented there. */
export async function load(options?: OrNull<LoadOptions> | null): Promise<ComputeModule> {
  const { build, threads, wasm } = checkLoadOptions(options);
  const runnable = await runnableBuild(build);
  const module = await (wasm === undefined ? startOwn(runnable, threads) : startGiven(wasm, threads));
  checkStarted(build, module.build);
  return module;
}
