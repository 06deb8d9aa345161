/**
 * `standalone-figures.js`: what few figures draw: exercises, the figure of training, pictures that a model sees, the panels of a
 * pretrained model, what is shown in place of weights.
 */
export * as exercise from '../elements/exercise/parts.js';
export * as panels from '../elements/explorer/panels/index.js';
export * as seen from '../elements/patches/seen-picture.js';
export * as shown from '../elements/sentence-view/shown.js';
export * as training from '../elements/training/parts.js';
