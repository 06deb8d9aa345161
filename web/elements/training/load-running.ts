/** `../../standalone/running.ts` replaces this in `standalone.js`. */
export const loadRunning = (): Promise<typeof import('./running.js')> => import('./running.js');
