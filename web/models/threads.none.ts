/** Replaces `threads.ts` in `standalone-models.js`: `load()` of `standalone.js` has no threads, so that nothing calls this. */
import type * as threads from './threads.js';

const missing = (): never => {
  throw new Error('this file has no multi-threaded binaries');
};

export const threadedBinary: typeof threads.threadedBinary = missing;
export const instantiateModels: typeof threads.instantiateModels = missing;
