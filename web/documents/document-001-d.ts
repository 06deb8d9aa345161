import { formatShape } from '../api/errors.js';
import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import { Tensor } from '../api/tensor.js';
import { layerWith, toTorch } from '../sources/random-words.js';
import { identity } from './layers.js';
import type { Example, Row } from './types.js';

const LENGTH = 5;
const NUM_HEADS = 4;
const HEAD_DIM = 4;
const WIDTH = NUM_HEADS * HEAD_DIM;
const OUT = 8;

const printed: Row[] = [{ from: '(5, 16)', to: '(5, 8)' }];

/** Draws the four head outputs side by side (5,16), and W_O as PyTorch stores it (8,16). */
function drawn(module: AttentionModule): { concat: Tensor; outProjection: Tensor } {
  return scoped(module.random.RandomState(1), (generator) => {
    const concat = new Float32Array(LENGTH * WIDTH);
    for (let head = 0; head < NUM_HEADS; ++head) {
      const { data } = generator.normal(0, 1, [LENGTH, HEAD_DIM]);
      for (let row = 0; row < LENGTH; ++row) {
        const values = data.subarray(row * HEAD_DIM, (row + 1) * HEAD_DIM);
        concat.set(values, row * WIDTH + head * HEAD_DIM);
      }
    }
    return {
      concat: new Tensor(concat, [LENGTH, WIDTH]),
      outProjection: toTorch(generator.normal(0, 1, [WIDTH, OUT])),
    };
  });
}

export const document001D: Example = {
  info: {
    id: '001-d',
    source: '001_7657d39e3eb5ff13.txt, lines 258-277',
    title: { ko: '헤드를 이어 붙이고 W_O를 곱하기', en: 'Concatenating the heads, times W_O' },
  },
  run(module) {
    const { concat: x, outProjection } = drawn(module);
    const unit = identity(WIDTH);
    const sizes = { embedDim: WIDTH, numHeads: NUM_HEADS, outDim: OUT };
    const { context, concat, output } = scoped(
      layerWith(module, sizes, [unit, unit, unit, outProjection]),
      // Each token attends only to itself: a head's context is its part of the input, the drawn head output.
      (layer) => layer.steps(x, x, x, { attnMask: module.masks.slidingWindow(LENGTH, 0) }),
    );
    const computed = [{ from: formatShape(concat.shape), to: formatShape(output.shape) }];
    return {
      tensors: { x, heads: context, concat, output },
      computed,
      printed,
      note: {
        ko:
          '헤드의 출력과 W_O는 난수(np.random.seed(1))이고 학습된 값이 아니에요. 문서는 모양만 출력하고, 그 모양이 그대로 나와요. ' +
          '곱한 값은 NumPy의 값과 같아요.',
        en:
          'Head outputs and W_O are random (np.random.seed(1)): nothing is trained. The document prints only the shapes, ' +
          "and these are the ones; the product's values are NumPy's.",
      },
    };
  },
};
