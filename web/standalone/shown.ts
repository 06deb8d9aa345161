/** Replaces `elements/sentence-view/load-shown.ts` in `standalone.js`. */
import { loadFigures } from './load-figures.js';

export const loadShown = async (): Promise<typeof import('../elements/sentence-view/shown.js')> =>
  (await loadFigures()).shown;
