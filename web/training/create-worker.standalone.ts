/** Replaces `create-worker.ts` in `standalone-training.js`: the bundler inlines the worker's script. */
import source from './worker.js?script';
import { inlinedWorker } from '../standalone/inlined-worker.js';
import { startWorker } from '../worker/rpc.js';

/** A worker that runs; null where none can. */
export const createWorker = (signal: AbortSignal): Promise<Worker | null> =>
  startWorker(() => inlinedWorker(source, 'mha-training'), signal);
