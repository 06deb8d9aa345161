/** What computes weights in the page: random layers, pretrained models and what is said of their downloads. */
export { modelStatus } from '../elements/model/model-status.js';
export { sharedModule } from '../elements/base/shared-module.js';
export { ModelController, textTask } from './model.js';
export { RandomSource } from './random.js';
