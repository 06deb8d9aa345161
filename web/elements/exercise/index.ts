import { define } from '../base/mha-element.js';
import { MhaExercise } from './mha-exercise.js';

define('mha-exercise', MhaExercise);

export { exerciseProgress, type ExerciseProgress, MhaExercise, type MhaTryDetail } from './mha-exercise.js';
