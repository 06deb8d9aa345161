/** A worker that trains; bundlers find its file through this form. */
export const createWorker = (): Worker =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mha-training' });
