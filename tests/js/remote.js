/** A service behind a message channel in place of a worker. */
import { MessageChannel } from 'node:worker_threads';
import { Connection, serve } from '../node_modules/multihead-attention/dist/worker/rpc.js';

/** @returns the caller's side; the buffers that the last answer has moved; both ends, to dispatch events */
export function remote(service) {
  const { port1, port2 } = new MessageChannel();
  const moved = [];
  const scope = {
    addEventListener: (...args) => port2.addEventListener(...args),
    postMessage(message, options) {
      port2.postMessage(message, options?.transfer ?? []);
      moved.splice(0, Infinity, ...(options?.transfer ?? []));
    },
  };
  port2.start();
  port1.start();
  serve(service, scope);
  const stop = () => {
    service.close();
    port1.close();
  };
  return {
    connection: new Connection(Object.assign(port1, { terminate: stop }), "the test's"),
    moved,
    stop,
    port1,
    port2,
  };
}
