import { scoped } from '../api/handle.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { Example, Row } from './types.js';

const embedDim = 512;
const numHeads = 8;

const printed: Row[] = [
  { quantity: 'real', value: 786_432 },
  { quantity: 'naive', value: 6_291_456 },
  { quantity: 'naive / real', value: 8.0 },
];

/** Counts W_Q, W_K and W_V without W_O, as the document does. */
const withoutOutput = (layer: MultiHeadAttention): number =>
  layer.parameterCount - (layer.stateDict()['out_proj.weight']?.size ?? 0);

export const document001C: Example = {
  info: {
    id: '001-c',
    source: '001_7657d39e3eb5ff13.txt, lines 224-248',
    title: { ko: '차원 나누기와 파라미터 수', en: 'The dimension split and its parameters' },
  },
  run(module) {
    const layerOf = (headDim: number) =>
      new module.MultiHeadAttention({ embedDim, numHeads, headDim, bias: false });
    const { real, withOutput } = scoped(layerOf(embedDim / numHeads), (layer) => ({
      real: withoutOutput(layer),
      withOutput: layer.parameterCount,
    }));
    const naive = scoped(layerOf(embedDim), withoutOutput);
    const computed = [
      { quantity: 'real', value: real },
      { quantity: 'naive', value: naive },
      { quantity: 'naive / real', value: naive / real },
      { quantity: 'real with W_O', value: withOutput },
    ];
    return {
      computed,
      printed,
      digits: 1,
      note: {
        ko:
          '세 행 모두 문서에 실린 그대로예요. 여기서는 층의 파라미터만 세고 학습하지 않았어요. ' +
          '문서의 코드는 W_O를 세지 않아요. 포함하면 4·d² = 1,048,576개예요.',
        en:
          "All three lines are as printed. These are counts of a layer's parameters: nothing is trained. " +
          "The document's code leaves out W_O; with it there are 4·d² = 1,048,576.",
      },
    };
  },
};
