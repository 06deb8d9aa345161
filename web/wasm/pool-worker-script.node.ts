/** Script of a pool worker in Node: the Emscripten loader, with the globals of a browser worker. */
import { parentPort, workerData } from 'node:worker_threads';

const scope = globalThis as unknown as { onmessage: (event: { data: unknown }) => void };
Object.assign(scope, {
  self: scope,
  name: 'em-pthread',
  location: { href: import.meta.url },
  importScripts: () => undefined,
  postMessage: (message: unknown) => {
    parentPort?.postMessage(message);
  },
});
await (workerData === 'models' ? import('./models-threads.js') : import('./attention-threads.js'));
parentPort?.on('message', (data) => {
  scope.onmessage({ data });
});
