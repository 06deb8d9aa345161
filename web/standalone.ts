/** The whole library as one file: importing it defines every element. */
export * from './index.js';
export * from './elements/index.js';
