/** Replaces `create-worker.ts` in `standalone.js`: the bundler inlines the worker's script. */
import source from './worker.js?script';

export function createWorker(): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return new Worker(url, { type: 'module', name: 'mha-training' });
  } finally {
    // By then the worker has fetched the URL.
    URL.revokeObjectURL(url);
  }
}
