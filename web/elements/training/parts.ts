/** The sentences, texts and charts of the figure: loaded once one is drawn. */
export * from './charts.js';
export * from './sentences.js';
export { trainingStringsFor } from './strings.js';
