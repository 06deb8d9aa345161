/** `../../standalone/explorer-panels.ts` replaces this in `standalone.js`, which loads them from another file. */
export const loadPanels = (): Promise<typeof import('./panels/index.js')> => import('./panels/index.js');
