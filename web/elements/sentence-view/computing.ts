/** What computes weights in the page: random layers, pretrained models and what is said of their downloads. */
export { modelStatus, modelStatusStyles } from '../model/model-status.js';
export { sharedModule } from '../base/shared-module.js';
export { ModelController, textTask } from '../../sources/model.js';
export { RandomSource } from '../../sources/random.js';
