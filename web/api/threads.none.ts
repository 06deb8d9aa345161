/** Replaces `threads.ts` in `standalone.js`, which has only the single-threaded binaries. */
import type * as threads from './threads.js';

export const threadsFor: typeof threads.threadsFor = () => 0;
