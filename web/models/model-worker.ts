/**
 * Computes one model in a worker of its own. Nothing that it imports may have a name that only a bundler or an import map
 * can find, or be imported dynamically: Vite before version 8 makes one script of a worker.
 */
import { Executor } from './executor.js';
import { openFile } from './open-file.web.js';
import type { Call, Reply } from './protocol.js';

const executor = new Executor(openFile, (reply, own = []) => {
  postMessage(reply, { transfer: own });
});

addEventListener('message', ({ data }: MessageEvent<Call>) => {
  executor.send(data);
});
postMessage({ id: -1, ready: true } satisfies Reply);
