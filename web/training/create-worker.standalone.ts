/** In the place of `create-worker.ts` in `standalone.js`: the bundler puts the worker's script into the file itself. */
import source from './worker.js?script';

export function createWorker(): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return new Worker(url, { type: 'module', name: 'mha-training' });
  } finally {
    // A worker keeps what it was made from.
    URL.revokeObjectURL(url);
  }
}
