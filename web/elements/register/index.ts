/** Defines every element. */
export { MhaArcs } from './arcs.js';
export { exerciseProgress, MhaExercise } from './exercise.js';
export { MhaExplorer } from './explorer.js';
export { MhaHeadCounts } from './head-counts.js';
export { MhaHeads } from './heads.js';
export { MhaMatrix } from './matrix.js';
export { MhaPatches } from './patches.js';
export { MhaShapes } from './shapes.js';
export { MhaSteps } from './steps.js';
export { MhaTraining } from './training.js';
export type { FigureData, WeightsLike } from '../figure.js';
export type { MhaIntrinsicElements } from '../jsx.js';
export type { ExerciseProgress, MhaTryDetail } from './exercise.js';
export type { ElementState } from '../mha-element.js';
export type { MhaSelectDetail } from '../selection.js';
export type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from './training.js';
