/** Replaces `elements/exercise/load-parts.ts` in `standalone.js`. */
import { loadFigures } from './load-figures.js';

export const loadParts = async (): Promise<typeof import('../elements/exercise/parts.js')> =>
  (await loadFigures()).exercise;
