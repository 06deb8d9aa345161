/** The whole library as one file: importing it defines every element. What few pages need is in files beside it. */
export * from './index.js';
export { bindDocuments } from './documents/examples.js';
export * from './elements/index.js';
export * from './standalone/models.js';
