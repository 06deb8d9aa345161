import { type AttentionModule, load } from '../../index.js';

let pending: Promise<AttentionModule> | undefined;

/** Loads the WebAssembly module, once per page. After a failure the next call tries again. */
export function sharedModule(): Promise<AttentionModule> {
  pending ??= load().catch((error: unknown) => {
    pending = undefined;
    console.error(error);
    throw error;
  });
  return pending;
}
