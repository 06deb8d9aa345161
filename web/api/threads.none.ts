/** In the place of `threads.ts` in `standalone.js`, which holds the single-threaded binaries alone. */
import type * as threads from './threads.js';

export const threadsFor: typeof threads.threadsFor = () => 0;
