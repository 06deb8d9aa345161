import './matrix.js';
import { define } from '../define.js';
import { MhaTraining } from '../mha-training.js';

define('mha-training', MhaTraining);

export { MhaTraining };
export type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from '../mha-training.js';
