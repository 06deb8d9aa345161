/** Elements in which a reader can try each exercise, with the state to set on them. */
import type { ElementState } from '../base/mha-element.js';
import type { ExerciseNumber } from './questions.js';

/** Detail of the event `mha-try`: the element in which the reader wants to try the exercise. */
export interface MhaTryDetail {
  /** Tag of the element, such as `mha-steps`. */
  element: string;
  /** State to set on that element. */
  state: ElementState;
}

const EXAMPLE = '002-5';

/** Shows the layer of exercise 1 in <mha-shapes>; all of its dimensions differ. */
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

/** @param column column of the cell to open in the token's row, from 0 */
const steps = (step: string, token: 'attention' | 'is', column: number): MhaTryDetail => ({
  element: 'mha-steps',
  state: { document: EXAMPLE, step, token, cell: `${token === 'is' ? 1 : 0},${column}` },
});

const explorer = (document: string, token: string): MhaTryDetail => ({
  element: 'mha-explorer',
  state: { document, token },
});

/** Examples per exercise, the best one first; the others are for pages that contain only those elements. */
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
