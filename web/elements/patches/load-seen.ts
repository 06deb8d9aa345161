/** `../../standalone/seen.ts` replaces this in `standalone.js`, which loads it from another file. */
export const loadSeen = (): Promise<typeof import('./seen-picture.js')> => import('./seen-picture.js');
