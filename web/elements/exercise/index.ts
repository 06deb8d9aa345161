import { define } from '../base/mha-element.js';
import { MhaExercise } from './mha-exercise.js';

define('mha-exercise', MhaExercise);

export { MhaExercise };
export { exerciseProgress, type ExerciseProgress } from './progress.js';
export type { MhaTryDetail } from './example-figures.js';
