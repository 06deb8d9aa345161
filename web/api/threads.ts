import { canShareMemory, createWorker, processors } from '#pool-worker';
import createAttention from '../wasm/attention-threads.js';
import type { Build, ThreadedBinding } from '../wasm/attention.js';
import { instantiateThreaded } from './thread-pool.js';

/**
 * Locates the package's own binary of a build. URLs are literals, because bundlers and server tracers (`@vercel/nft`)
 * look for these; the tracers miss them in an arrow function without a body.
 */
export function threadedBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/relaxed-threads.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/simd-threads.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/scalar-threads.wasm', import.meta.url);
  }
}

/**
 * The most threads for `auto`. More processors are mostly hyper-threads and slow cores; with a few hundred tokens every
 * loop ends by waiting for the slowest. Every worker costs some megabytes.
 */
const MOST_OF_AUTO = 8;
/** The most threads that can be requested: more workers exhaust memory. */
const MOST = 64;

/** The number of threads for the option `threads`; 0 where memory cannot be shared. */
export function threadsFor(asked: number | 'auto'): number {
  if (!canShareMemory()) return 0;
  return asked === 'auto' ? Math.min(processors(), MOST_OF_AUTO) : Math.min(asked, MOST);
}

/** Instantiates a multi-threaded binary of attention and starts its threads. */
export const instantiateAttention = (module: WebAssembly.Module, threads: number): Promise<ThreadedBinding> =>
  instantiateThreaded(module, threads, { createModule: createAttention, createWorker });
