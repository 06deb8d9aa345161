import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { type Instance, loadLayer, sentenceInstances } from './document-002-instances.js';
import type { Example, Row } from './types.js';

/** Returns out_proj.weight (d,h·v) with the columns of all other heads set to zero. */
function onlyHead({ data, shape }: Tensor, head: number, v: number): Tensor {
  const columns = item(shape, 1);
  return new Tensor(
    data.map((weight, i) => (Math.floor((i % columns) / v) === head ? weight : 0)),
    shape,
  );
}

/** Returns Y = Concat(H_1 … H_h)·W^O (n,d), and H_i·W_i^O of every head (h,n,d), each computed separately. */
function contributions(module: AttentionModule, instance: Instance): { output: Tensor; perHead: Tensor } {
  const { layer, x, options } = loadLayer(module, instance);
  return scoped(layer, () => {
    const { output } = layer.forward(x, x, x, options);
    const parameters = layer.stateDict() as Record<'in_proj_weight' | 'out_proj.weight', Tensor>;
    const perHead = new Tensor(new Float32Array(instance.h * output.size), [instance.h, ...output.shape]);
    for (let head = 0; head < instance.h; ++head) {
      layer.loadStateDict({
        ...parameters,
        'out_proj.weight': onlyHead(parameters['out_proj.weight'], head, instance.v),
      });
      perHead.data.set(layer.forward(x, x, x, options).output.data, head * output.size);
    }
    return { output, perHead };
  });
}

/** Finds the largest difference between the sum over the heads and Y; float32 has about seven digits. */
function sumRow({ name, h }: Instance, { output, perHead }: ReturnType<typeof contributions>): Row {
  const difference = output.data.reduce((largest, y, i) => {
    let sum = 0;
    for (let head = 0; head < h; ++head) sum += item(perHead.data, head * output.size + i);
    return Math.max(largest, Math.abs(sum - y));
  }, 0);
  return { instance: name, heads: h, difference, sumIsOutput: difference < 1e-6 };
}

export const document002Exercise8: Example = {
  info: {
    id: '002-8',
    source: '002_a83900d374b1ea09.txt, lines 284-322',
    title: { ko: '연습 8: 헤드가 섞이는 곳', en: 'Exercise 8: where the heads mix' },
  },
  run(module) {
    const parts = sentenceInstances.map((instance) => ({ instance, ...contributions(module, instance) }));
    const computed = parts.map(({ instance, ...part }) => sumRow(instance, part));
    const printed = sentenceInstances.map(({ name }) => ({ instance: name, sumIsOutput: true }));
    return {
      tensors: Object.fromEntries(
        parts.flatMap(({ instance: { name }, output, perHead }) => [
          [`${name}.perHead`, perHead],
          [`${name}.output`, output],
        ]),
      ),
      computed,
      printed,
      note: {
        ko:
          '헤드는 마지막 곱셈에서만 섞여요. Concat·W^O는 헤드마다 따로 계산한 Hᵢ·Wᵢ^O의 합과 같아요(difference는 float32의 반올림이에요). ' +
          '가중치는 난수이며 학습된 값이 아니에요.',
        en:
          'The heads mix only in the last product: Concat·W^O is the sum of the Hᵢ·Wᵢ^O, each computed separately (the difference ' +
          'is float32 rounding). The weights are random: nothing is trained.',
      },
    };
  },
};
