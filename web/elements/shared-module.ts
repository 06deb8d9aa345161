import { type AttentionModule, load } from '../index.js';

let pending: Promise<AttentionModule> | undefined;

/** The one module of all elements on a page. A failed attempt is forgotten, so that it can be tried again. */
export function sharedModule(): Promise<AttentionModule> {
  pending ??= load().catch((error: unknown) => {
    pending = undefined;
    throw error;
  });
  return pending;
}
