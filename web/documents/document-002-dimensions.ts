/** Exercises 2, 3, 6 and 7 of document 002 ask for the dimensions of its matrices: read here from computed ones. */
import type { AttentionModule } from '../api/load.js';
import type { AttentionSteps } from '../api/multi-head-attention.js';
import { item } from '../api/shape.js';
import {
  distinct,
  paperInstances,
  type Run,
  runAll,
  sentenceInstances,
  tensorsOf,
} from './document-002-instances.js';
import type { Example, Localized, Row } from './types.js';

/** The exercises' answers, derived from the definitions: the pictures that they were printed in are lost. */
const answers = {
  X: 'n x d',
  W_Q_i: 'd x k',
  W_K_i: 'd x k',
  W_V_i: 'd x v',
  Q_i: 'n x k',
  K_i: 'n x k',
  V_i: 'n x v',
  'Q K^T': 'n x n',
  'softmax(QK^T/sqrt(k))': 'n x n',
  'Attention(Q,K,V)': 'n x v',
  head_i: 'n x v',
  'Concat(head_1..head_h)': 'n x (h v)',
  W_O: '(h v) x d',
  'Y=MultiHead(X)': 'n x d',
} as const;

type Matrix = keyof typeof answers;

const shapesOf = ({ x, drawn, steps }: Run): Record<Matrix, readonly number[]> => ({
  X: x.shape,
  W_Q_i: drawn.wQ.shape,
  W_K_i: drawn.wK.shape,
  W_V_i: drawn.wV.shape,
  Q_i: steps.q.shape,
  K_i: steps.k.shape,
  V_i: steps.v.shape,
  'Q K^T': steps.scores.shape,
  'softmax(QK^T/sqrt(k))': steps.weights.shape,
  'Attention(Q,K,V)': steps.context.shape,
  head_i: steps.context.shape,
  'Concat(head_1..head_h)': steps.concat.shape,
  W_O: drawn.wO.shape,
  'Y=MultiHead(X)': steps.output.shape,
});

/** Returns the values of the document's letters in one run. */
function sizesOf({ x, instance: { h, k, v } }: Run) {
  const [n, d] = x.shape as [number, number];
  return { n, d, h, k, v };
}

interface Measured {
  sizes: ReturnType<typeof sizesOf>;
  shapes: Record<Matrix, readonly number[]>;
}

const measure = (run: Run): Measured => ({ sizes: sizesOf(run), shapes: shapesOf(run) });

const measuredPaper = new WeakMap<AttentionModule, readonly Measured[]>();

/** Measures the runs at the paper's sizes, for four exercises: computed once, as it takes a while. */
function measurePaper(module: AttentionModule): readonly Measured[] {
  const measured = measuredPaper.get(module) ?? runAll(module, paperInstances).map(measure);
  measuredPaper.set(module, measured);
  return measured;
}

function dimensionsOf({ n, d, h, k, v }: Measured['sizes']): [letters: string, size: number][] {
  return Object.entries({ n, d, k, v, '(h v)': h * v });
}

/** Writes the document's answer in the numbers of a run: n x (h v) → 8 x 6. */
function inNumbers(answer: string, { sizes }: Measured): string {
  const numbers = new Map(dimensionsOf(sizes));
  return answer
    .split(' x ')
    .map((letters) => numbers.get(letters))
    .join(' x ');
}

/** Writes a shape in the document's letters, for a run whose dimensions all differ: 8 x 6 → n x (h v). */
function inLetters(shape: readonly number[], { sizes }: Measured): string {
  const letters = new Map(dimensionsOf(sizes).map(([name, size]) => [size, name]));
  return shape.map((size) => letters.get(size)).join(' x ');
}

/** Makes both tables: a row in letters, from the run `general`, then one per run. */
function tables(
  general: Measured,
  runs: readonly Measured[],
  matrices: readonly Matrix[],
): { computed: Row[]; printed: Row[] } {
  const symbols = { n: 'n', d: 'd', h: 'h', k: 'k', v: 'v' };
  const row = (sizes: Row, cell: (matrix: Matrix) => string): Row => ({
    ...sizes,
    ...Object.fromEntries(matrices.map((matrix) => [matrix, cell(matrix)])),
  });
  // The shape for one head, without the leading dimension that counts heads.
  const shapeOf = ({ shapes }: Measured, matrix: Matrix) => shapes[matrix].slice(-2);
  return {
    computed: [
      row(symbols, (matrix) => inLetters(shapeOf(general, matrix), general)),
      ...runs.map((run) => row(run.sizes, (matrix) => shapeOf(run, matrix).join(' x '))),
    ],
    printed: [
      row(symbols, (matrix) => answers[matrix]),
      ...runs.map((run) => row(run.sizes, (matrix) => inNumbers(answers[matrix], run))),
    ],
  };
}

interface Exercise {
  number: 2 | 3 | 6 | 7;
  lines: string;
  title: Localized;
  matrices: readonly Matrix[];
  /** The steps that the result has as tensors. */
  steps: readonly (keyof AttentionSteps)[];
  note: Localized;
}

const example = ({ number, lines, title, matrices, steps, note }: Exercise): Example => ({
  info: { id: `002-${number}`, source: `002_a83900d374b1ea09.txt, lines ${lines}`, title },
  run(module) {
    const sentence = runAll(module, sentenceInstances);
    const sizes = [
      ...sentence.filter(({ instance }) => !instance.masked).map(measure),
      ...measurePaper(module),
    ];
    const general = measure(item(sentence, sentenceInstances.indexOf(distinct)));
    const { computed, printed } = tables(general, sizes, matrices);
    return {
      tensors: tensorsOf(sentence, steps),
      computed,
      printed,
      note: {
        ko: `${note.ko} 문서의 풀이는 그림이라 남아 있지 않아서 정의에서 다시 얻었고, 표는 실제로 계산한 행렬의 모양이에요. 가중치는 난수이며 학습된 값이 아니에요.`,
        en: `${note.en} The document's solution was a picture and is lost: it is drawn from the definitions again, and the table shows the shapes of matrices that were really computed. The weights are random: nothing is trained.`,
      },
    };
  },
});

export const document002Dimensions = {
  exercise2: example({
    number: 2,
    lines: '104-148',
    title: { ko: '연습 2: Q, K, V의 모양', en: 'Exercise 2: shapes of Q, K, V' },
    matrices: ['W_Q_i', 'W_K_i', 'W_V_i', 'Q_i', 'K_i', 'V_i'],
    steps: ['q', 'k', 'v'],
    note: {
      ko: 'Q와 K는 n × k, V는 n × v예요. k와 v는 자유롭게 정할 수 있고 보통 d / h예요.',
      en: 'Q and K are n × k, V is n × v. k and v can be chosen freely, usually d / h.',
    },
  }),
  exercise3: example({
    number: 3,
    lines: '152-172 and 213-220',
    title: { ko: '연습 3: 어텐션의 모양', en: 'Exercise 3: shapes of attention' },
    matrices: ['Q K^T', 'softmax(QK^T/sqrt(k))', 'Attention(Q,K,V)'],
    steps: ['scores', 'weights', 'context'],
    note: {
      ko: '점수와 가중치는 n × n이고, 어텐션의 결과는 n × v예요.',
      en: 'Scores and weights are n × n; the result of attention is n × v.',
    },
  }),
  exercise6: example({
    number: 6,
    lines: '258-274 and 294-298',
    title: { ko: '연습 6: 여러 헤드의 모양', en: 'Exercise 6: shapes with several heads' },
    matrices: ['head_i', 'Concat(head_1..head_h)', 'W_O', 'Y=MultiHead(X)'],
    steps: ['context', 'concat', 'output'],
    note: {
      ko: '헤드는 n × v, 이어 붙이면 n × hv, W^O는 hv × d라서 결과는 다시 n × d예요.',
      en: 'A head is n × v, the heads concatenated are n × hv, and W^O is hv × d: the result is n × d again.',
    },
  }),
  exercise7: example({
    number: 7,
    lines: '276-282 and 302-308',
    title: { ko: '연습 7: 입력과 출력의 모양', en: 'Exercise 7: input and output' },
    matrices: ['X', 'Y=MultiHead(X)'],
    steps: ['output'],
    note: {
      ko: '입력 X와 출력 Y는 둘 다 n × d예요.',
      en: 'The input X and the output Y are both n × d.',
    },
  }),
};
