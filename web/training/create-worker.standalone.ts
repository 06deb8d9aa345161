/** Replaces `create-worker.ts` in `standalone-training.js`: the bundler inlines the worker's script. */
import source from './worker.js?script';
import { inlinedWorker } from '../standalone/inlined-worker.js';

export const createWorker = (): Worker => inlinedWorker(source, 'mha-training');
