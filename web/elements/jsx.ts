import type { MhaArcs } from './arcs/mha-arcs.js';
import type { ExerciseProgress } from './exercise/progress.js';
import type { MhaTryDetail } from './exercise/example-figures.js';
import type { MhaExercise } from './exercise/mha-exercise.js';
import type { MhaExplorer } from './explorer/mha-explorer.js';
import type { MhaHeadCounts } from './head-counts/mha-head-counts.js';
import type { MhaHeads } from './heads/mha-heads.js';
import type { MhaMatrix } from './matrix/mha-matrix.js';
import type { MhaPatches } from './patches/mha-patches.js';
import type { MhaShapes } from './shapes/mha-shapes.js';
import type { MhaSteps } from './steps/mha-steps.js';
import type {
  MhaTraining,
  MhaTrainingProgressDetail,
  MhaTrainingSelectDetail,
} from './training/mha-training.js';
import type { MhaSelectDetail } from './sentence-view/selection.js';

/** Names of event listeners in React 19 and Preact, such as `onmha-select`. */
type Listeners<Details> = {
  [Event in keyof Details & string as `on${Event}`]?: (event: CustomEvent<Details[Event]>) => void;
};

/** JSX attributes that every HTML element has. */
interface Common {
  children?: unknown;
  class?: string;
  className?: string;
  dir?: string;
  hidden?: boolean;
  id?: string;
  key?: string | number;
  lang?: string;
  ref?: unknown;
  role?: string;
  slot?: string;
  style?: unknown;
  tabIndex?: number;
  title?: string;
}

/** What a JSX attribute accepts besides the property's own type: text and, for a text property, numbers. */
type Text<V> =
  | (number extends V ? `${number}` : never)
  | (boolean extends V ? `${boolean}` | '' : never)
  | (string extends V ? number : never);

/** The type of a property's JSX attribute; undefined gives the default. */
type Written<V> = [V] extends [string | number | boolean | null] ? V | Text<V> | undefined : V;

/** An element's JSX attributes; `Details` are the details of its events by name. */
type Props<E extends HTMLElement, Details = object> = {
  [Name in Exclude<keyof E, keyof HTMLElement>]?: Written<E[Name]>;
} & Listeners<Details> &
  Common;

interface Selects {
  'mha-select': MhaSelectDetail;
}

/**
 * Types of the elements for any library with JSX. For React:
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
  'mha-arcs': Props<MhaArcs, Selects>;
  'mha-exercise': Props<MhaExercise, { 'mha-try': MhaTryDetail; 'mha-progress': ExerciseProgress }>;
  'mha-explorer': Props<MhaExplorer, Selects>;
  'mha-head-counts': Props<MhaHeadCounts>;
  'mha-heads': Props<MhaHeads, Selects>;
  'mha-matrix': Props<MhaMatrix, Selects>;
  'mha-patches': Props<MhaPatches, Selects>;
  'mha-shapes': Props<MhaShapes>;
  'mha-steps': Props<MhaSteps, Selects>;
  'mha-training': Props<
    MhaTraining,
    { 'mha-select': MhaTrainingSelectDetail; 'mha-progress': MhaTrainingProgressDetail }
  >;
}
