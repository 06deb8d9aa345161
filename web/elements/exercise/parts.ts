/** The exercises with their texts: loaded once one is drawn. */
export { questionOf } from './questions.js';
export * from './strings.js';
