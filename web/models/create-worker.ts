import { startOwnWorker } from '../worker/own-worker.js';

/** Bundlers recognize the worker's file by this exact form. Without a bundler's help its name must be the package's only one. */
const create = (): Worker =>
  new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module', name: 'mha-model' });

/** A worker that runs; null where none can. */
export const createWorker = (signal: AbortSignal): Promise<Worker | null> =>
  startOwnWorker(
    { name: 'mha-model', file: 'models/model-worker.js', create, beside: import.meta.url },
    signal,
  );
