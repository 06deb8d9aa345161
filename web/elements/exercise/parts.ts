/** The exercises with their texts. */
export { questionOf } from './questions.js';
export * from './strings.js';
