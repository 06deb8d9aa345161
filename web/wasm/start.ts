/** Chooses, compiles and starts a binary: what `load`, `loadTraining` and `loadModel` share. */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { checkInteger, checkName, rangeError, tagOf, wrongKind } from '../api/errors.js';
import type { Build, EngineBinding, ModuleOptions, ThreadPool } from './attention.js';
import type { BinaryOptions } from './binary-options.js';
import { compiled, forget, once, snapshot, type Source, withCause } from './compile.js';
import { instantiate, WorkerFailure } from './instantiate.js';

export interface StartOptions extends BinaryOptions {
  threads?: number | 'auto';
}

/** What a kind of binary needs to have several threads. Loaded only when they are wanted. */
export interface Threaded<Binding> {
  /** The number of threads for the option `threads`; 0 where memory cannot be shared. */
  threadsFor(wanted: number | 'auto'): number;
  urlOf(build: Build): URL;
  instantiate(module: WebAssembly.Module, threads: number): Promise<Binding>;
}

/** A kind of binary. */
export interface Kind<Binding> {
  /** The message for a module that is not of this kind. */
  readonly expected: string;
  /**
   * The package's own file of a build. URLs are literals, because bundlers and server tracers (`@vercel/nft`) look for
   * these; the tracers miss them in an arrow function without a body.
   */
  urlOf(build: Build): URL;
  /** Emscripten's loader. Reading it may fail, as that of a binary. */
  readonly loader: () => Promise<(options: ModuleOptions) => Promise<Binding>>;
  readonly threaded?: () => Promise<Threaded<Binding>>;
}

/** Checks options and gives them without what changes later. */
export function checkStartOptions({
  build = 'auto',
  threads = 1,
  wasm,
}: StartOptions): Required<Omit<StartOptions, 'wasm'>> & { readonly wasm: Source | undefined } {
  checkName('build', build, ['auto', 'simd', 'relaxed']);
  if (threads !== 'auto') checkInteger('threads', threads);
  const kinds = ['String', 'URL', 'Response', 'ArrayBuffer', 'WebAssembly.Module'];
  if (wasm !== undefined && !kinds.includes(tagOf(wasm)) && !ArrayBuffer.isView(wasm)) {
    throw wrongKind('wasm', 'a URL, a Response, bytes or a WebAssembly.Module', wasm);
  }
  if (wasm === '') throw rangeError('wasm', 'be a URL or a path, got an empty string');
  return { build, threads, wasm: wasm && snapshot(wasm) };
}

async function runnableBuild(build: 'auto' | Build): Promise<Build> {
  if (!(await simd())) {
    throw new Error(
      'this engine has no WebAssembly SIMD, which browsers have since Chrome 91, Firefox 89 and Safari 16.4',
    );
  }
  const runsRelaxed = await relaxedSimd();
  if (build === 'relaxed' && !runsRelaxed) {
    throw rangeError('build', 'be one that this engine runs (simd), got "relaxed"');
  }
  return build === 'auto' ? (runsRelaxed ? 'relaxed' : 'simd') : build;
}

/** The package's binary that runs here, compiled and not started: it can be posted to a worker. */
export const ownBinary = async (
  kind: Pick<Kind<unknown>, 'urlOf'>,
  build: 'auto' | Build = 'auto',
): Promise<WebAssembly.Module> => compiled(kind.urlOf(await runnableBuild(build)));

/** Only multi-threaded binaries import their memory. */
const isThreaded = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

interface Started<T> {
  readonly result: T;
  /** Whether one of the threads has ended. */
  readonly isLost: () => boolean;
}

/** Returns the function that starts a kind of binary, once per binary and number of threads, and gives what `wrap` makes of it. */
export function starterOf<Binding extends EngineBinding & Partial<ThreadPool>, T extends { build: Build }>(
  kind: Kind<Binding>,
  wrap: (binding: Binding) => T,
): (options: ReturnType<typeof checkStartOptions>) => Promise<T> {
  const readLoader = () =>
    kind.loader().catch((cause: unknown) => {
      throw withCause('the loader of the WebAssembly file could not be read', cause);
    });

  const startedByBinary = new WeakMap<WebAssembly.Module, Map<number, Promise<Started<T>>>>();

  async function start(module: WebAssembly.Module, threads: number): Promise<Started<T>> {
    // A file without exports is truncated: the multi-threaded loader would throw where nobody can catch it.
    if (WebAssembly.Module.exports(module).length === 0) {
      forget(module);
      throw new Error(`${kind.expected}, got a module that exports nothing`);
    }
    const threaded = isThreaded(module) ? await kind.threaded?.() : undefined;
    const starting = threaded
      ? threaded.instantiate(module, threads)
      : instantiate(await readLoader(), module);
    const binding = await starting.catch((cause: unknown) => {
      // Memory or threads have run out: the binary is not at fault.
      if (cause instanceof RangeError || cause instanceof WorkerFailure) throw cause;
      forget(module);
      throw withCause(`${kind.expected}, got a module that does not start`, cause);
    });
    return { result: wrap(binding), isLost: () => binding.threadsAreLost?.() ?? false };
  }

  /** Starts again after a thread was lost. */
  async function share(module: WebAssembly.Module, threads: number): Promise<T> {
    const started = startedByBinary.get(module) ?? new Map<number, Promise<Started<T>>>();
    startedByBinary.set(module, started);
    const starting = once(started, threads, () => start(module, threads));
    const { result, isLost } = await starting;
    if (!isLost()) return result;
    if (started.get(threads) === starting) started.delete(threads);
    return share(module, threads);
  }

  /** Starts the package's own binary: the multi-threaded one if more threads are wanted and possible. */
  async function startOwn(build: Build, wanted: number | 'auto'): Promise<T> {
    try {
      const threaded = wanted === 1 ? undefined : await kind.threaded?.();
      const count = threaded?.threadsFor(wanted) ?? 1;
      if (threaded && count > 1) return await share(await compiled(threaded.urlOf(build)), count);
    } catch {
      // The page's policy may forbid workers, or the server may lack a file: one thread computes the same.
    }
    return share(await compiled(kind.urlOf(build)), 1);
  }

  async function startGiven(wasm: Source, wanted: number | 'auto'): Promise<T> {
    const module = await compiled(wasm);
    if (!isThreaded(module) || !kind.threaded) return share(module, 1);
    const count = (await kind.threaded()).threadsFor(wanted);
    if (count === 0) {
      throw rangeError(
        'wasm',
        'be a single-threaded binary where threads cannot share memory, got a multi-threaded one',
      );
    }
    return share(module, count).catch(() => share(module, 1));
  }

  return async ({ build, threads, wasm }) => {
    // Downloaded beside the binary, not after it; a failure is reported where the loader is needed.
    if (threads === 1) kind.loader().catch(() => undefined);
    const runnable = await runnableBuild(build);
    const result = await (wasm === undefined ? startOwn(runnable, threads) : startGiven(wasm, threads));
    if (build !== 'auto' && result.build !== build) {
      throw wasm === undefined
        ? rangeError('build', `be one that this file has (${result.build}), got "${build}"`)
        : rangeError('wasm', `be the ${build} build as asked for, got the ${result.build} build`);
    }
    return result;
  };
}
