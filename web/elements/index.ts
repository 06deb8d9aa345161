/** Defines every element. */
export { MhaArcs } from './arcs/index.js';
export { exerciseProgress, MhaExercise } from './exercise/index.js';
export { MhaExplorer } from './explorer/index.js';
export { MhaHeads } from './heads/index.js';
export { MhaMatrix } from './matrix/index.js';
export { MhaPatches } from './patches/index.js';
export { MhaShapes } from './shapes/index.js';
export { MhaSteps } from './steps/index.js';
export { MhaTraining } from './training/index.js';
export type { FigureData, WeightsLike } from '../sources/figure.js';
export type { MhaIntrinsicElements } from './jsx.js';
export type { ExerciseProgress, MhaTryDetail } from './exercise/index.js';
export type { ElementState } from './base/mha-element.js';
export type { MhaSelectDetail } from './sentence-view/selection.js';
export type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from './training/index.js';
