/** Where each exercise can be tried out: the figures that show it, and how they should stand. */
import type { ElementState } from '../base/mha-element.js';
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

/** @param column of the number to look into, in the token's row; from 0 */
const steps = (step: string, token: 'attention' | 'is', column: number): Try => ({
  element: 'mha-steps',
  state: { document: EXAMPLE, step, token, cell: `${token === 'is' ? 1 : 0},${column}` },
});

const explorer = (document: string, token: string): Try => ({
  element: 'mha-explorer',
  state: { document, token },
});

/** The first is the best; another serves where the page has that figure instead. */
export const triesOf: Readonly<Record<ExerciseNumber, readonly [Try, ...Try[]]>> = {
  1: [steps('x', 'attention', 1), shapes('input'), explorer(EXAMPLE, 'attention')],
  2: [shapes('split'), steps('q', 'attention', 0), explorer(EXAMPLE, 'attention')],
  3: [shapes('scores'), steps('scores', 'attention', 0), explorer(EXAMPLE, 'attention')],
  4: [steps('weights', 'attention', 0), shapes('weights'), explorer(EXAMPLE, 'attention')],
  5: [steps('scores', 'is', 4), shapes('scores'), explorer(EXAMPLE, 'is')],
  6: [shapes('concat'), steps('concat', 'attention', 3), explorer(EXAMPLE, 'attention')],
  7: [shapes('output'), steps('output', 'attention', 3), explorer(EXAMPLE, 'attention')],
  8: [steps('output', 'attention', 3), shapes('output'), explorer('004-sentence', 'it')],
};
