/** Replaces `elements/explorer/load-panels.ts` in `standalone.js`. */
import { loadFigures } from './load-figures.js';

export const loadPanels = async (): Promise<typeof import('../elements/explorer/panels/index.js')> =>
  (await loadFigures()).panels;
