/** `../../standalone/shown.ts` replaces this in `standalone.js`, which loads it from another file. */
export const loadShown = (): Promise<typeof import('./shown.js')> => import('./shown.js');
