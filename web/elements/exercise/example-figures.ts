/** Figures in which each exercise can be tried, with their state. */
import type { ElementState } from '../base/mha-element.js';
import type { ExerciseNumber } from './questions.js';

/** Detail of `mha-try`: the figure to show. */
export interface MhaTryDetail {
  /** Tag of the figure. */
  element: string;
  /** The figure's state, by attribute. */
  state: ElementState;
}

const EXAMPLE = '002-5';

/** The layer of exercise 1's sentence; all of its dimensions differ. */
const shapes = (stage: string): MhaTryDetail => ({
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

/** @param column of the cell to open, in the token's row; from 0 */
const steps = (step: string, token: 'attention' | 'is', column: number): MhaTryDetail => ({
  element: 'mha-steps',
  state: { document: EXAMPLE, step, token, cell: `${token === 'is' ? 1 : 0},${column}` },
});

const explorer = (document: string, token: string): MhaTryDetail => ({
  element: 'mha-explorer',
  state: { document, token },
});

/** The first figure is the best; the others are for pages that have them instead. */
export const exampleFigures: Readonly<Record<ExerciseNumber, readonly [MhaTryDetail, ...MhaTryDetail[]]>> = {
  1: [steps('x', 'attention', 1), shapes('input'), explorer(EXAMPLE, 'attention')],
  2: [shapes('split'), steps('q', 'attention', 0), explorer(EXAMPLE, 'attention')],
  3: [shapes('scores'), steps('scores', 'attention', 0), explorer(EXAMPLE, 'attention')],
  4: [steps('weights', 'attention', 0), shapes('weights'), explorer(EXAMPLE, 'attention')],
  5: [steps('scores', 'is', 4), shapes('scores'), explorer(EXAMPLE, 'is')],
  6: [shapes('concat'), steps('concat', 'attention', 3), explorer(EXAMPLE, 'attention')],
  7: [shapes('output'), steps('output', 'attention', 3), explorer(EXAMPLE, 'attention')],
  8: [steps('output', 'attention', 3), shapes('output'), explorer('004-sentence', 'it')],
};
