import type { PoolWorker } from '../wasm/attention.js';
import { WorkerFailure } from './instantiate.js';

/**
 * Browsers share memory between threads only on pages that are cut off from other sites' windows and files. WebKitGTK
 * calls pages so and yet shares none: its workers would be waited for in vain.
 */
export const canShareMemory = (): boolean =>
  globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';

export const processors = (): number => navigator.hardwareConcurrency;

/** A worker that runs the loader of the multi-threaded binaries. */
export function createWorker(onError: (error: WorkerFailure) => void): PoolWorker {
  const worker = new Worker(new URL('../wasm/attention-threads.js', import.meta.url), {
    type: 'module',
    name: 'em-pthread',
  });
  worker.addEventListener('error', (event) => {
    // The loader's own handler would report it to the page as an uncaught error.
    event.stopImmediatePropagation();
    onError(new WorkerFailure(event.message));
  });
  return worker;
}
