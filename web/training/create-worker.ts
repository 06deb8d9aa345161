import { startOwnWorker } from '../worker/own-worker.js';

/** Bundlers recognize the worker's file by this exact form. */
const create = (): Worker =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mha-training' });

/** A worker that runs; null where none can. */
export const createWorker = (signal: AbortSignal): Promise<Worker | null> =>
  startOwnWorker(
    { name: 'mha-training', file: 'training/worker.js', create, beside: import.meta.url },
    signal,
  );
