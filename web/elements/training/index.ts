import '../matrix/index.js';
import { define } from '../base/define.js';
import { MhaTraining } from './mha-training.js';

define('mha-training', MhaTraining);

export { MhaTraining };
export type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from './mha-training.js';
