/** Replaces `elements/patches/load-seen.ts` in `standalone.js`. */
import { loadFigures } from './load-figures.js';

export const loadSeen = async (): Promise<typeof import('../elements/patches/seen-picture.js')> =>
  (await loadFigures()).seen;
