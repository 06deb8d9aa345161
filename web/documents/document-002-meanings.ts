/** Exercises 4 and 5 of document 002 ask what its matrices mean: checked here on computed ones. */
import { item } from '../api/shape.js';
import type { Tensor } from '../api/tensor.js';
import { LENGTH, sentence, tokens, words } from './document-002-1.js';
import {
  distinct,
  loadLayer,
  type Run,
  runAll,
  sentenceInstances,
  tensorsOf,
} from './document-002-instances.js';
import type { Example, Row } from './types.js';

const source = (lines: string) => `002_a83900d374b1ea09.txt, lines ${lines}`;

/** Returns the rows of a tensor along its last axis. */
function rowsOf({ data, shape }: Tensor): number[][] {
  const columns = item(shape, shape.length - 1);
  return Array.from({ length: data.length / columns }, (_, row) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns)),
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** Whether a row sums to 1: float32 keeps about seven digits, and a row has eight numbers. */
const isOne = (value: number) => Math.abs(value - 1) < 1e-6;

/** The terms of exercise 4, in the order of its solution. */
const terms = ['(scaled) attention scores', 'attention weights', '(scaled) dot-product attention'] as const;

/** Names a matrix from its numbers and columns alone. */
function termOf(tensor: Tensor): (typeof terms)[number] {
  const rows = rowsOf(tensor);
  if (rows.some(({ length }) => length !== LENGTH)) return '(scaled) dot-product attention';
  return rows.every((row) => isOne(sum(row))) ? 'attention weights' : '(scaled) attention scores';
}

const formulas = ({ scaled, weights, context }: Run['steps']): [string, Tensor][] => [
  ['QK^T/sqrt(k)', scaled],
  ['softmax(QK^T/sqrt(k))', weights],
  ['softmax(QK^T/sqrt(k)) V', context],
];

export const document002Exercise4: Example = {
  info: {
    id: '002-4',
    source: source('174-180 and 222-233'),
    title: { ko: '연습 4: 수식과 이름 잇기', en: 'Exercise 4: which formula has which name' },
  },
  run(module) {
    const runs = runAll(module, sentenceInstances);
    const computed = runs.flatMap(({ instance, steps }) =>
      formulas(steps).map(([formula, tensor]) => ({
        instance: instance.name,
        formula,
        name: termOf(tensor),
        smallest: Math.min(...tensor.data),
        largest: Math.max(...tensor.data),
      })),
    );
    const printed = runs.flatMap(({ instance, steps }) =>
      formulas(steps).map(([formula], i) => ({ instance: instance.name, formula, name: item(terms, i) })),
    );
    return {
      tensors: tensorsOf(runs, ['scaled', 'masked', 'weights', 'context']),
      computed,
      printed,
      note: {
        ko:
          'QKᵀ/√k는 점수, 거기에 소프트맥스를 적용하면 한 행의 합이 1인 가중치, V를 곱하면 n × v의 새 표현이에요. ' +
          '여기서는 계산한 숫자와 열의 수만 보고 이름을 붙였는데 문서의 답과 같아요. 가중치는 난수이며 학습된 값이 아니에요.',
        en:
          'QKᵀ/√k are the scores, their softmax the weights, whose rows sum to 1, and times V they give the new n × v ' +
          "representation. The names are given from the computed numbers and columns alone, and are the document's. The " +
          'projections are random: nothing is trained.',
      },
    };
  },
};

/** Lists per head: Q's rows and columns, the row sum farthest from 1, and the strongest key of the first word. */
function readHeads({ instance, steps }: Run): Row[] {
  const [allScores, allWeights] = [rowsOf(steps.scores), rowsOf(steps.weights)];
  return Array.from({ length: instance.h }, (_, head) => {
    const weights = allWeights.slice(head * LENGTH, (head + 1) * LENGTH);
    const scores = item(allScores, head * LENGTH).slice(0, words.length);
    const score = Math.max(...scores);
    const rowSum = weights.map(sum).reduce((far, one) => (Math.abs(one - 1) > Math.abs(far - 1) ? one : far));
    return {
      instance: instance.name,
      head: head + 1,
      rowsOfQ: item(steps.q.shape, 1),
      columnsOfQ: item(steps.q.shape, 2),
      rowSum,
      query: item(words, 0),
      key: item(words, scores.indexOf(score)),
      score,
      massOnPadding: sum(item(weights, 0).slice(words.length)),
    };
  });
}

export const document002Exercise5: Example = {
  info: {
    id: '002-5',
    source: source('182-205 and 235-252'),
    title: { ko: '연습 5: 행렬 읽기', en: 'Exercise 5: reading the matrices' },
    sentence,
    lang: 'en',
  },
  open(module) {
    const { x, layer } = loadLayer(module, distinct);
    return { tokens, x, layer, headDim: distinct.k, anyHeads: false };
  },
  run(module) {
    const runs = runAll(module, sentenceInstances);
    const { x, steps } = item(runs, sentenceInstances.indexOf(distinct));
    const computed = runs.flatMap(readHeads);
    const printed = runs.flatMap(({ instance }) =>
      Array.from({ length: instance.h }, (_, head) => ({
        instance: instance.name,
        head: head + 1,
        ...{ rowsOfQ: LENGTH, columnsOfQ: instance.k, rowSum: 1 },
      })),
    );
    return {
      tokens,
      tensors: {
        ...{ x, weights: steps.weights, output: steps.output },
        ...tensorsOf(runs, ['q', 'scores', 'weights']),
      },
      computed,
      printed,
      digits: 6,
      note: {
        ko:
          'Q의 한 행은 쿼리 공간의 토큰 하나, 한 열은 잠재 차원 하나예요. (QKᵀ)ᵢⱼ는 토큰 i가 j와 얼마나 관련되는지이고, ' +
          '가중치의 한 행의 합은 1이에요. 다만 가리지 않으면 빈 토큰(∅)도 가중치를 받아요. 첫 단어의 행에서 34–45%를 차지하고(massOnPadding), ' +
          '가리면(masked) 0이에요. 투영은 난수(RandomState)이고 학습된 값이 아니므로 단어 사이의 관계를 나타내지는 않아요.',
        en:
          'A row of Q is a token in query space, a column one of its latent dimensions; (QKᵀ)ᵢⱼ says how much token i relates ' +
          'to j, and a row of the weights sums to 1. But empty tokens (∅) get weight unless they are masked: 34–45 % ' +
          "of the first word's row (massOnPadding), none where they are masked. The projections are random (RandomState): " +
          'nothing is trained, so these numbers show no relation of the words.',
      },
    };
  },
};
