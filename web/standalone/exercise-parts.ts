/** Replaces `elements/exercise/load-parts.ts` in `standalone.js`. */
import type { Parts } from '../elements/exercise/load-parts.js';
import { loadFigures } from './load-figures.js';

export const bundledParts = null;

export const loadParts = async (): Promise<Parts> => (await loadFigures()).exercise;
