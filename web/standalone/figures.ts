/** `standalone-figures.js`: what only exercises and the figure of training draw. */
export * as exercise from '../elements/exercise/parts.js';
export * as training from '../elements/training/parts.js';
