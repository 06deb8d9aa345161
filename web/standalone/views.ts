/** `multihead-attention/views`: arcs, heads and matrix of given weights as one file. Importing it defines these elements. */
export { MhaArcs } from '../elements/arcs/index.js';
export { MhaHeads } from '../elements/heads/index.js';
export { MhaMatrix } from '../elements/matrix/index.js';
export type { MhaSelectDetail } from '../elements/sentence-view/selection.js';
export type { FigureData, FigureJson, WeightsLike } from '../sources/figure.js';
