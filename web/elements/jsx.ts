import type { MhaArcs } from './mha-arcs.js';
import type { MhaExercise } from './mha-exercise.js';
import type { MhaExplorer } from './mha-explorer.js';
import type { MhaHeadCounts } from './mha-head-counts.js';
import type { MhaHeads } from './mha-heads.js';
import type { MhaMatrix } from './mha-matrix.js';
import type { MhaPatches } from './mha-patches.js';
import type { MhaShapes } from './mha-shapes.js';
import type { MhaSteps } from './mha-steps.js';
import type { MhaTraining } from './mha-training.js';

/** An element in JSX: its own properties, and what every element of a page may have. */
type Props<E extends HTMLElement> = Partial<Omit<E, keyof HTMLElement>> & {
  children?: unknown;
  class?: string;
  className?: string;
  id?: string;
  key?: string | number;
  lang?: string;
  ref?: unknown;
  slot?: string;
  style?: unknown;
};

/**
 * The elements for JSX of any library. For React:
 *
 * ```ts
 * import type { MhaIntrinsicElements } from 'multihead-attention/elements';
 * declare module 'react' {
 *   namespace JSX {
 *     interface IntrinsicElements extends MhaIntrinsicElements {}
 *   }
 * }
 * ```
 */
export interface MhaIntrinsicElements {
  'mha-arcs': Props<MhaArcs>;
  'mha-exercise': Props<MhaExercise>;
  'mha-explorer': Props<MhaExplorer>;
  'mha-head-counts': Props<MhaHeadCounts>;
  'mha-heads': Props<MhaHeads>;
  'mha-matrix': Props<MhaMatrix>;
  'mha-patches': Props<MhaPatches>;
  'mha-shapes': Props<MhaShapes>;
  'mha-steps': Props<MhaSteps>;
  'mha-training': Props<MhaTraining>;
}
