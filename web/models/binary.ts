import { carriesTallTiles, runnableBuild, type WantedBuild } from '../api/builds.js';
import { compiled, failed, forget, once } from '../api/compile.js';
import { instantiate } from '../api/instantiate.js';
import type { Build, ThreadPool } from '../wasm/attention.js';
import createModels, { type ModelsBinding } from '../wasm/models.js';

/**
 * The package's binary of a build. Bundlers find the files through literal URLs, and so do tracers of servers
 * (`@vercel/nft`), but not in an arrow function without a body.
 */
function ownBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/models-relaxed.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/models-simd.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/models-scalar.wasm', import.meta.url);
  }
}

/** The binary that runs here, compiled and not started: it can be handed to a worker. */
export const modelsBinary = async (build: WantedBuild = 'auto'): Promise<WebAssembly.Module> =>
  compiled(ownBinary(await runnableBuild(build)));

type Started = ModelsBinding & Partial<ThreadPool>;

/** By build and number of threads. */
const started = new Map<string, Promise<Started>>();

async function startSingle(build: WantedBuild): Promise<Started> {
  const module = await modelsBinary(build);
  return instantiate(createModels, module).catch((cause: unknown) => {
    // Out of memory: no fault of the binary.
    if (cause instanceof RangeError) throw cause;
    forget(module);
    throw failed("the package's binary for models does not start", cause);
  });
}

async function startThreads(build: Build, threads: number): Promise<Started> {
  const { instantiateModels, threadedBinary } = await import('./threads.js');
  return instantiateModels(await compiled(threadedBinary(build)), threads);
}

/** The binary that computes models, started once per build and number of threads. */
export async function modelsBinding(build: WantedBuild = 'auto', threads = 1): Promise<ModelsBinding> {
  const key = `${build}-${threads}`;
  const starting = once(started, key, async () => {
    // The page's policy may forbid workers, or the server may lack the file: one thread computes the same.
    const several =
      threads > 1 ? await startThreads(await runnableBuild(build), threads).catch(() => null) : null;
    const binding = several ?? (await startSingle(build));
    if (carriesTallTiles) binding.useTallTiles();
    return binding;
  });
  const binding = await starting;
  if (!binding.threadsAreLost?.()) return binding;
  if (started.get(key) === starting) started.delete(key);
  return modelsBinding(build, threads);
}
