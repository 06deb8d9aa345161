/** What a worker of the pool runs in Node: the loader, in what looks to it like a worker of a browser. */
import { parentPort } from 'node:worker_threads';

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
await import('../wasm/attention-threads.js');
parentPort?.on('message', (data) => {
  scope.onmessage({ data });
});
