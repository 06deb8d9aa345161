import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { standardNormal } from './layers.js';
import type { Example } from './types.js';

const BATCH = 2;
const QUERIES = 4;
const KEYS = 5;
const HEADS = 2;
const UNITS = 8;
const HEAD_DIM = UNITS / HEADS;

/** Cross-attention: query, key and value have widths of their own. */
const WIDTHS = { query: 6, key: 5, value: 7 };

/** (B,H,L,d) → (H·B,L,d), index h·B + b: the order of `tf.concat(tf.split(t, heads, axis=-1), axis=0)`, t (B,L,H·d). */
function headsToBatch({ data, shape }: Tensor): Tensor {
  const [batch, heads, length, width] = shape as [number, number, number, number];
  const size = length * width;
  const moved = new Float32Array(data.length);
  for (let b = 0; b < batch; ++b) {
    for (let h = 0; h < heads; ++h) {
      const from = (b * heads + h) * size;
      moved.set(data.subarray(from, from + size), (h * batch + b) * size);
    }
  }
  return new Tensor(moved, [heads * batch, length, width]);
}

const largestDifference = (a: Tensor, b: Tensor) =>
  a.data.reduce((largest, value, i) => Math.max(largest, Math.abs(value - item(b.data, i))), 0);

const shareOfZeros = ({ data }: Tensor) => data.filter((value) => value === 0).length / data.length;

/** Returns the mean weight of a query on keys after its own position. */
function massOnLaterKeys({ data }: Tensor): number {
  const later = data.filter((_, i) => i % KEYS > Math.floor(i / KEYS) % QUERIES);
  return later.reduce((sum, weight) => sum + weight, 0) / (data.length / KEYS);
}

function compute003(module: AttentionModule) {
  const [query, key, value] = (
    [
      [QUERIES, WIDTHS.query],
      [KEYS, WIDTHS.key],
      [KEYS, WIDTHS.value],
    ] as const
  ).map((shape, seed) => standardNormal(module, seed, [BATCH, ...shape])) as [Tensor, Tensor, Tensor];
  const config = {
    ...{ embedDim: WIDTHS.query, kdim: WIDTHS.key, vdim: WIDTHS.value, outDim: UNITS },
    ...{ numHeads: HEADS, headDim: HEAD_DIM, activation: 'relu' as const },
  };
  return scoped(new module.MultiHeadAttention(config), (layer) => {
    const steps = layer.steps(query, key, value);
    const { weights: causal } = layer.forward(query, key, value, {
      isCausal: true,
    });
    // The bias is far below every product, so that relu makes all queries of the first head 0.
    const parameters = layer.stateDict() as Record<'in_proj_bias', Tensor>;
    const bias = parameters.in_proj_bias.data.map((b, i) => (i < HEAD_DIM ? -1000 : b));
    layer.loadStateDict({ ...parameters, in_proj_bias: { data: bias, shape: [bias.length] } });
    const { weights: dead } = layer.forward(query, key, value);
    return { query, key, value, steps, causal, dead };
  });
}

export const document003Relu: Example = {
  info: {
    id: '003-relu',
    source: '003_bfbc07ea79ecc489.txt, lines 35-54',
    title: { ko: 'Keras 코드: 투영마다 ReLU', en: 'The Keras code: ReLU on every projection' },
  },
  run(module) {
    const { query, key, value, steps, causal, dead } = compute003(module);
    const [q, k, v] = [steps.q, steps.k, steps.v].map(headsToBatch) as [Tensor, Tensor, Tensor];
    const batchMajor = module.scaledDotProductAttention(q, k, v);
    const ofFirstHead = dead.data.filter((_, i) => Math.floor(i / (QUERIES * KEYS)) % HEADS === 0);
    const computed = [
      { fact: 'smallest score', value: Math.min(...steps.scores.data) },
      ...(['q', 'k', 'v', 'output'] as const).map((step) => ({
        fact: `share of zeros in ${step}`,
        value: shareOfZeros(steps[step]),
      })),
      {
        fact: 'largest difference of weights, heads in the batch',
        value: largestDifference(headsToBatch(steps.weights), batchMajor.weights),
      },
      {
        fact: 'largest difference of head outputs, heads in the batch',
        value: largestDifference(headsToBatch(steps.context), batchMajor.output),
      },
      {
        fact: 'dead query head: largest difference from 1/S',
        value: ofFirstHead.reduce((largest, weight) => Math.max(largest, Math.abs(weight - 1 / KEYS)), 0),
      },
      { fact: 'masked=True: mass on later keys', value: massOnLaterKeys(causal) },
    ];
    return {
      tensors: {
        ...{ x: query, key, value, weights: steps.weights, output: steps.output },
        ...{ scores: steps.scores, batchMajorWeights: batchMajor.weights, deadHeadWeights: dead },
      },
      computed,
      note: {
        ko:
          '문서는 출력을 싣지 않았으므로 비교할 값이 없어요. 입력(RandomState)과 가중치는 난수이며 학습된 값이 아니에요. ' +
          'q와 k에 ReLU를 적용하므로 점수가 0보다 작을 수 없고, 출력에도 ReLU를 적용해요. 헤드 축을 배치 축에 합쳐도(h·B + b) ' +
          '순서만 다를 뿐 결과는 같아요. 쿼리가 모두 0인 헤드의 가중치는 균등 분포예요.',
        en:
          'The document prints no output to compare with. Input (RandomState) and parameters are random: nothing is ' +
          'trained. ReLU is applied to q and k, so no score is below 0, and to the output, too. Heads folded into the ' +
          'batch (index h·B + b) are the same numbers in another order. The weights of a head whose queries are all 0 are ' +
          'a uniform distribution.',
      },
    };
  },
};
