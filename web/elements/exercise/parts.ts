/** The exercises with their texts, and what judges answers. */
export { judge } from './judge.js';
export { questionOf } from './questions.js';
export * from './strings.js';
