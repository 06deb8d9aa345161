/** Replaces `elements/training/load-parts.ts` in `standalone.js`. */
import { loadFigures } from './load-figures.js';

export const loadParts = async (): Promise<typeof import('../elements/training/parts.js')> =>
  (await loadFigures()).training;
