/** Defines every element. */
export { MhaArcs } from './arcs.js';
export { MhaExplorer } from './explorer.js';
export { MhaHeads } from './heads.js';
export { MhaMatrix } from './matrix.js';
export type { FigureData, WeightsLike } from '../figure.js';
export type { MhaSelectDetail } from '../selection.js';
