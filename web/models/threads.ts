/** The multi-threaded binaries for models. */
import { createModelsWorker } from '#pool-worker';
import { instantiateThreaded } from '../api/thread-pool.js';
import type { Build } from '../wasm/attention.js';
import createModels from '../wasm/models-threads.js';
import type { ThreadedModelsBinding } from '../wasm/models.js';

/** Locates the package's own binary of a build. Bundlers and server tracers look for literal URLs. */
export function threadedBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/models-relaxed-threads.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/models-simd-threads.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/models-scalar-threads.wasm', import.meta.url);
  }
}

/** Instantiates a multi-threaded binary and starts its threads. */
export const instantiateModels = (
  module: WebAssembly.Module,
  threads: number,
): Promise<ThreadedModelsBinding> =>
  instantiateThreaded(module, threads, { createModule: createModels, createWorker: createModelsWorker });
