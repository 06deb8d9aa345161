/** The multi-threaded binaries of attention. */
import { canShareMemory, createWorker, processors } from '#pool-worker';
import createAttention from '../wasm/attention-threads.js';
import type { Build, ThreadedBinding } from '../wasm/attention.js';
import { instantiateThreaded } from '../wasm/thread-pool.js';
import { statedBinary } from './locations.js';

/** The package's own binary of a build, see `Kind.urlOf`. */
export function urlOf(build: Build): URL {
  const stated = statedBinary(`${build}-threads.wasm`);
  if (stated) return stated;
  if (build === 'relaxed') return new URL('../wasm/relaxed-threads.wasm', import.meta.url);
  return new URL('../wasm/simd-threads.wasm', import.meta.url);
}

/**
 * The most threads for `auto`. More processors are mostly hyper-threads and slow cores; with a few hundred tokens every
 * loop ends by waiting for the slowest. Every worker costs some megabytes.
 */
const MOST_OF_AUTO = 8;
/** The most threads that can be requested: more workers exhaust memory. */
const MOST = 64;

/** The number of threads for the option `threads`; 0 where memory cannot be shared. */
export function threadsFor(wanted: number | 'auto'): number {
  if (!canShareMemory()) return 0;
  return wanted === 'auto' ? Math.min(processors(), MOST_OF_AUTO) : Math.min(wanted, MOST);
}

/** Instantiates a multi-threaded binary of attention and starts its threads. */
export const instantiate = (module: WebAssembly.Module, threads: number): Promise<ThreadedBinding> =>
  instantiateThreaded(module, threads, { createModule: createAttention, createWorker });
