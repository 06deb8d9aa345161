/** Replaces `elements/training/load-running.ts` in `standalone.js`. */
import { fileBeside } from './beside.js';

export const loadRunning = fileBeside<typeof import('../elements/training/running.js')>(
  'standalone-training.js',
  'multiheadAttentionTraining',
);
