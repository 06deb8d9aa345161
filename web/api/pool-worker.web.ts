import type { PoolWorker } from '../wasm/attention.js';
import { WorkerFailure } from './instantiate.js';

/**
 * Browsers share memory only on cross-origin isolated pages. WebKitGTK reports isolation without SharedArrayBuffer; its
 * workers would never start.
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
    // Without this, the loader's own handler would report an uncaught error to the page.
    event.stopImmediatePropagation();
    onError(new WorkerFailure(event.message));
  });
  return worker;
}
