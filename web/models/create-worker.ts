import { startWorker } from '../worker/rpc.js';

/** Bundlers recognize the worker's file by this exact form. Without a bundler's help its name must be the package's only one. */
const ownWorker = (): Worker =>
  new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module', name: 'mha-model' });

/**
 * For a package on another origin, such as a CDN: a browser starts no worker from there, but a worker of this origin may
 * import its files. Bundlers must not take the address for that of an asset.
 */
function importingWorker(): Worker {
  const address = import.meta.url.replace(/[^/]*$/u, 'model-worker.js');
  const script = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  const worker = new Worker(url, { type: 'module', name: 'mha-model' });
  worker.addEventListener('message', () => {
    URL.revokeObjectURL(url);
  });
  return worker;
}

/** A worker that runs; null where none can: a policy of the page forbids it, the environment has no workers, or the signal ends it. */
export async function createWorker(signal: AbortSignal): Promise<Worker | null> {
  if (typeof Worker === 'undefined') return null;
  return (await startWorker(ownWorker, signal)) ?? startWorker(importingWorker, signal);
}
