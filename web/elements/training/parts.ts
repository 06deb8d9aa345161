/** The sentences and texts of the figure: loaded once one is drawn. */
export * from './sentences.js';
export { trainingStringsFor } from './strings.js';
