/** A worker thread that computes a result and then, on request, endlessly. */
import { parentPort, workerData } from 'node:worker_threads';
import { computed, start } from './binaries.js';

const { binary, wasm } = workerData;
const module = await start(binary, wasm);
parentPort.postMessage({ values: computed(module) });
parentPort.once('message', () => {
  parentPort.postMessage('going on');
  for (;;) computed(module);
});
