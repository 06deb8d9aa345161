/** `../../standalone/training-parts.ts` replaces this in `standalone.js`. */
export const loadParts = (): Promise<typeof import('./parts.js')> => import('./parts.js');
