import type { ThreadedBinding, ThreadedModuleOptions } from './attention.js';

/** The loader of the multi-threaded binaries. */
export default function createAttention(options: ThreadedModuleOptions): Promise<ThreadedBinding>;
