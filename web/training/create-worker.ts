/** Bundlers recognize the worker's file by this exact form. */
export const createWorker = (): Worker =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mha-training' });
