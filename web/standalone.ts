/** The whole library as one file: importing it defines every element. Models are in a second file beside it. */
export * from './index.js';
export { bindDocuments } from './documents/examples.js';
export * from './elements/index.js';
export * from './standalone/models.js';
