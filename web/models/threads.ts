/** The multi-threaded binaries for models. */
import { createModelsWorker } from '#pool-worker';
import { statedBinary } from '../api/locations.js';
import type { Build } from '../wasm/attention.js';
import createModels from '../wasm/models-threads.js';
import type { ThreadedModelsBinding } from '../wasm/models.js';
import { instantiateThreaded } from '../wasm/thread-pool.js';

/** The package's own binary of a build, see `Kind.urlOf`. */
export function urlOf(build: Build): URL {
  const stated = statedBinary(`models-${build}-threads.wasm`);
  if (stated) return stated;
  if (build === 'relaxed') return new URL('../wasm/models-relaxed-threads.wasm', import.meta.url);
  return new URL('../wasm/models-simd-threads.wasm', import.meta.url);
}

/** A loaded module tells its number of threads, so that memory can be shared. */
export const threadsFor = (wanted: number | 'auto'): number => (wanted === 'auto' ? 1 : wanted);

/** Instantiates a multi-threaded binary and starts its threads. */
export const instantiate = (module: WebAssembly.Module, threads: number): Promise<ThreadedModelsBinding> =>
  instantiateThreaded(module, threads, { createModule: createModels, createWorker: createModelsWorker });
