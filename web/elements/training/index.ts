import '../arcs/index.js';
import '../matrix/index.js';
import { define } from '../base/mha-element.js';
import { MhaTraining } from './mha-training.js';

define('mha-training', MhaTraining);

export { MhaTraining };
export type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from './mha-training.js';
