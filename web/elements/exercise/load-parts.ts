/** `../../standalone/exercise-parts.ts` replaces this in `standalone.js`, which loads them from another file. */
import * as parts from './parts.js';

export type Parts = typeof parts;

/** Null until `loadParts` has loaded them. */
export const bundledParts: Parts | null = parts;

export const loadParts = (): Promise<Parts> => Promise.resolve(parts);
