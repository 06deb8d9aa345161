import { type AttentionModule, load } from '../../index.js';

let pending: Promise<AttentionModule> | undefined;

/**
 * The one module of all elements on a page. A failed attempt is forgotten, so that it can be tried again; readers are told
 * by the elements, authors in the console.
 */
export function sharedModule(): Promise<AttentionModule> {
  pending ??= load().catch((error: unknown) => {
    pending = undefined;
    console.error(error);
    throw error;
  });
  return pending;
}
