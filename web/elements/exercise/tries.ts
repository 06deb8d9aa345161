/** Where each exercise can be tried out: the figures that show it, and how they should stand. */
import type { ElementState } from '../mha-element.js';
import type { ExerciseNumber } from './questions.js';

export interface Try {
  /** Tag of the figure. */
  readonly element: string;
  readonly state: ElementState;
}

const EXAMPLE = '002-5';

/** The layer of exercise 1's sentence, whose dimensions all differ. */
const shapes = (stage: string): Try => ({
  element: 'mha-shapes',
  state: {
    'embed-dim': 7,
    'num-heads': 2,
    'head-dim': 4,
    'value-head-dim': 3,
    length: 8,
    stage,
  },
});

const steps = (step: string, token: string): Try => ({
  element: 'mha-steps',
  state: { document: EXAMPLE, step, token },
});

const explorer = (document: string, token: string): Try => ({
  element: 'mha-explorer',
  state: { document, token },
});

/** The first is the best; another serves where the page has that figure instead. */
export const triesOf: Readonly<Record<ExerciseNumber, readonly [Try, ...Try[]]>> = {
  1: [steps('x', 'attention'), shapes('input'), explorer(EXAMPLE, 'attention')],
  2: [shapes('split'), steps('q', 'attention'), explorer(EXAMPLE, 'attention')],
  3: [shapes('scores'), steps('scores', 'attention'), explorer(EXAMPLE, 'attention')],
  4: [steps('weights', 'attention'), shapes('weights'), explorer(EXAMPLE, 'attention')],
  5: [steps('weights', 'need'), shapes('weights'), explorer(EXAMPLE, 'need')],
  6: [shapes('concat'), steps('concat', 'attention'), explorer(EXAMPLE, 'attention')],
  7: [shapes('output'), steps('output', 'attention'), explorer(EXAMPLE, 'attention')],
  8: [steps('output', 'attention'), shapes('output'), explorer('004-sentence', 'it')],
};
