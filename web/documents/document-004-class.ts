import { formatShape } from '../api/errors.js';
import { scoped } from '../api/handle.js';
import { standardNormal } from './layers.js';
import type { Example, Row } from './types.js';

const printed: Row[] = [
  { quantity: 'output', value: '(2, 10, 512)' },
  { quantity: 'weights', value: '(2, 8, 10, 10)' },
];

export const document004Class: Example = {
  info: {
    id: '004-class',
    source: '004_19f512885b0735ab.txt, lines 57-98',
    title: { ko: '간소화된 PyTorch 구현', en: 'The simplified PyTorch class' },
  },
  run(module) {
    const x = standardNormal(module, 0, [2, 10, 512]);
    const { output, weights, parameters } = scoped(
      new module.MultiHeadAttention({ embedDim: 512, numHeads: 8 }),
      (layer) => ({
        ...layer.forward(x),
        parameters: layer.parameterCount,
      }),
    );
    const computed = [
      { quantity: 'output', value: formatShape(output.shape) },
      { quantity: 'weights', value: formatShape(weights.shape) },
      { quantity: 'parameters', value: parameters },
    ];
    return {
      tensors: { x, weights, output },
      computed,
      printed,
      note: {
        ko:
          '입력(RandomState 0)과 가중치는 난수이며 학습된 값이 아니에요. 문서는 모양만 출력하고, 두 모양 모두 그대로 나와요. ' +
          '시드를 정하지 않은 코드라서 값은 실행할 때마다 달라요.',
        en:
          'Input (RandomState 0) and parameters are random: nothing is trained. The document prints only shapes, and both ' +
          'are the ones that come out. Its code sets no seed, so its values differ from run to run.',
      },
    };
  },
};
