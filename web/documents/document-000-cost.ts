import { formatShape } from '../api/errors.js';
import { standardNormal } from './layers.js';
import { oneOrTwelve, WIDTH } from './one-or-twelve.js';
import type { Example, Row } from './types.js';

/** N: the number of 16×16 patches in the document's ViT-Base example, 14×14. */
const PATCHES = 196;

const printed: Row[] = [
  {
    quantity: 'scores',
    oneHead: PATCHES ** 2 * WIDTH,
    twelveHeads: 12 * (PATCHES ** 2 * 64),
    equal: true,
  },
  ...['context', 'projections', 'softmax'].map((quantity) => ({ quantity, equal: true })),
  // The document writes the shapes with a batch in front.
  { quantity: 'shape of q', twelveHeads: '(12, 196, 64)' },
  { quantity: 'shape of heads', twelveHeads: '(12, 196, 64)' },
  { quantity: 'shape of concat', twelveHeads: '(196, 768)' },
  { quantity: 'shape of output', oneHead: '(196, 768)', twelveHeads: '(196, 768)' },
];

export const document000Cost: Example = {
  info: {
    id: '000-cost',
    source: '000_d59a65f25a2204b1.txt, lines 63-114 and 175-181',
    title: { ko: '차원 분배: 계산량과 모양', en: 'The dimension split: cost and shapes' },
  },
  run(module) {
    const x = standardNormal(module, 0, [PATCHES, WIDTH]);
    const computed = oneOrTwelve(module, (layer) => {
      const { scores, context, projections, softmax } = layer.flops(PATCHES);
      const { q, weights, context: heads, concat, output } = layer.steps(x);
      const { weights: averaged } = layer.forward(x, x, x, {
        averageWeights: true,
      });
      const shapes = Object.entries({ q, heads, concat, output, weights, averaged });
      return {
        ...{ scores, context, projections, softmax },
        ...Object.fromEntries(shapes.map(([name, { shape }]) => [`shape of ${name}`, formatShape(shape)])),
      };
    });
    return {
      tensors: { x },
      computed,
      printed,
      note: {
        ko:
          '입력은 난수이고 학습하지 않았지만, 여기서는 계산량과 모양만 세요. ' +
          '곱셈-누산(MAC)은 헤드가 1개든 12개든 같으므로 문서의 주장이 맞아요. 다만 N² × 768은 QKᵀ만의 계산량이에요. ' +
          '가중치와 V의 곱에 그만큼 더 들고, 투영은 그 15배가 넘어요. 소프트맥스의 지수 계산은 12배라서 같지 않아요. ' +
          'PyTorch의 nn.MultiheadAttention은 기본적으로 헤드를 평균한 가중치(averaged)를 돌려줘요.',
        en:
          'The input is random and nothing is trained, but only cost and shapes are counted here. The MACs are ' +
          'the same for one head and for twelve, as the document claims. N² × 768 is QKᵀ alone, though: weights times V ' +
          'costs as much again, and the projections more than fifteen times that. The exponentials of the softmax are ' +
          'twelve times as many, so there the claim fails. ' +
          "PyTorch's nn.MultiheadAttention returns the weights averaged over the heads unless told otherwise (averaged).",
      },
    };
  },
};
