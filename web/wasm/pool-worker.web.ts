import { statedWorker } from '../api/locations.js';
import type { PoolWorker } from './attention.js';
import { WorkerFailure } from './instantiate.js';

/**
 * Browsers share memory only on cross-origin isolated pages. WebKitGTK reports isolation without SharedArrayBuffer; its
 * workers would never start.
 */
export const canShareMemory = (): boolean =>
  globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';

export const processors = (): number => navigator.hardwareConcurrency;

type OnError = (error: WorkerFailure) => void;

function watched(worker: Worker, onError: OnError): PoolWorker {
  worker.addEventListener('error', (event) => {
    // Without this, the loader's own handler would report an uncaught error to the page.
    event.stopImmediatePropagation();
    onError(new WorkerFailure(event.message));
  });
  return worker;
}

/** A worker at the place that the page states. */
function statedPoolWorker(file: string): Worker | null {
  const stated = statedWorker(file);
  return stated && new Worker(stated, { type: 'module', name: 'em-pthread' });
}

/** A worker that runs the loader of the multi-threaded binaries. Bundlers recognize its file by this exact form. */
export const createWorker = (onError: OnError): PoolWorker =>
  watched(
    statedPoolWorker('wasm/attention-threads.js') ??
      new Worker(new URL('../wasm/attention-threads.js', import.meta.url), {
        type: 'module',
        name: 'em-pthread',
      }),
    onError,
  );

/** The same for the binaries of pretrained models. */
export const createModelsWorker = (onError: OnError): PoolWorker =>
  watched(
    statedPoolWorker('wasm/models-threads.js') ??
      new Worker(new URL('../wasm/models-threads.js', import.meta.url), {
        type: 'module',
        name: 'em-pthread',
      }),
    onError,
  );
