import type { ExerciseProgress, MhaTryDetail } from './exercise/mha-exercise.js';
import type { MhaSelectDetail } from './sentence-view/selection.js';
import type { MhaTrainingProgressDetail, MhaTrainingSelectDetail } from './training/mha-training.js';

/** Names of event listeners in React 19 and Preact, such as `onmha-select`. */
type Listeners<Details> = {
  [Event in keyof Details & string as `on${Event}`]?:
    ((event: CustomEvent<Details[Event]>) => void) | undefined;
};

/** JSX attributes that every HTML element has. */
interface Common {
  children?: unknown;
  class?: string | undefined;
  className?: string | undefined;
  dir?: string | undefined;
  hidden?: boolean | undefined;
  id?: string | undefined;
  key?: string | number | undefined;
  lang?: string | undefined;
  ref?: unknown;
  role?: string | undefined;
  slot?: string | undefined;
  style?: unknown;
  tabIndex?: number | undefined;
  title?: string | undefined;
}

/** What a JSX attribute accepts besides the property's own type: text and, for a text property, numbers. */
type Text<V> =
  | (number extends V ? `${number}` : never)
  | (boolean extends V ? `${boolean}` | '' : never)
  | (string extends V ? number : never);

/** The type of a property's JSX attribute; null and undefined leave the attribute out, which gives the default. */
type Written<V> = [V] extends [string | number | boolean | null] ? V | Text<V> | null : V;

/** An element's JSX attributes; `Details` are the details of its events by name. */
type Props<E extends HTMLElement, Details> = {
  [Name in Exclude<keyof E, keyof HTMLElement>]?: Written<E[Name]> | undefined;
} & Listeners<Details> &
  Common;

/** The details of events by name, for elements whose events differ from `mha-select` of a sentence's weights. */
interface Details {
  'mha-exercise': { 'mha-try': MhaTryDetail; 'mha-progress': ExerciseProgress };
  'mha-shapes': object;
  'mha-training': { 'mha-select': MhaTrainingSelectDetail; 'mha-progress': MhaTrainingProgressDetail };
}

type DetailsOf<Tag> = Tag extends keyof Details ? Details[Tag] : { 'mha-select': MhaSelectDetail };

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
export type MhaIntrinsicElements = {
  [Tag in keyof HTMLElementTagNameMap as Extract<Tag, `mha-${string}`>]: Props<
    HTMLElementTagNameMap[Tag],
    DetailsOf<Tag>
  >;
};
