import type { Reply } from './protocol.js';

/** Bundlers recognize the worker's file by this exact form. */
const ownWorker = (): Worker =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mha-model' });

/**
 * For a package on another origin, such as a CDN: a browser starts no worker from there, but a worker of this origin may
 * import its files. Bundlers must not take the address for that of an asset.
 */
function importingWorker(): Worker {
  const address = import.meta.url.replace(/[^/]*$/u, 'worker.js');
  const script = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  const worker = new Worker(url, { type: 'module', name: 'mha-model' });
  worker.addEventListener('message', () => {
    URL.revokeObjectURL(url);
  });
  return worker;
}

/** Resolves to the worker once its script runs, to null where it cannot. */
const started = (create: () => Worker): Promise<Worker | null> =>
  new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = create();
    } catch {
      resolve(null);
      return;
    }
    const fail = (event: Event) => {
      // Keeps the error out of the console: there is another way.
      event.preventDefault();
      worker.terminate();
      resolve(null);
    };
    worker.addEventListener('error', fail);
    const begin = ({ data }: MessageEvent<Reply>) => {
      if (data.ready !== true) return;
      worker.removeEventListener('error', fail);
      worker.removeEventListener('message', begin);
      resolve(worker);
    };
    worker.addEventListener('message', begin);
  });

/** A worker that runs; null where none can: a policy of the page forbids it, or the environment has no workers. */
export async function createWorker(): Promise<Worker | null> {
  if (typeof Worker === 'undefined') return null;
  return (await started(ownWorker)) ?? started(importingWorker);
}
