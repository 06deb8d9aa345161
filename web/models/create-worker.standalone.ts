/** Replaces `create-worker.ts` in `standalone-models.js`: the bundler inlines the worker's script. */
import source from './model-worker.js?script';
import { startWorker } from '../worker/rpc.js';

function inlinedWorker(): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    // A classic worker, because pages opened as files may not start modules.
    return new Worker(url, { name: 'mha-model' });
  } finally {
    // By then the worker has fetched the URL.
    URL.revokeObjectURL(url);
  }
}

/** A worker that runs; null where none can. */
export const createWorker = (signal: AbortSignal): Promise<Worker | null> =>
  startWorker(inlinedWorker, signal);
