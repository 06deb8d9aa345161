import type { Reply } from './protocol.js';

/** Resolves to the worker once its script runs, to null where it cannot. */
export const startWorker = (create: () => Worker): Promise<Worker | null> =>
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
