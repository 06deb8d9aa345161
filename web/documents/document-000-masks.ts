import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { standardNormal } from './layers.js';
import type { Example, Row } from './types.js';

const LENGTH = 10;
const LENGTHS = [5, 3, 7];
const T = true;
const F = false;

const matrixRow = (mask: string, row: number, values: ArrayLike<number | boolean>): Row => ({
  mask,
  row: row + 1,
  ...Object.fromEntries(Array.from(values, (value, j) => [`key${j + 1}`, value])),
});

/** The printed part of the causal matrix, and the whole padding matrix. */
const printed: Row[] = [
  ...[
    [0, -Infinity, -Infinity],
    [0, 0, -Infinity],
    [0, 0, 0],
  ].map((values, i) => matrixRow('causal_mask(10)', i, values)),
  ...[
    [T, T, T, T, T, F, F],
    [T, T, T, F, F, F, F],
    [T, T, T, T, T, T, T],
  ].map((values, i) => matrixRow('padding_mask([5, 3, 7], 7)', i, values)),
  { mask: 'causal_mask(10)', use: 'masked_fill(mask == 0)', onlyPast: true },
  { mask: 'causal_mask(10)', use: 'scores + mask', onlyPast: true },
];

/** Returns the document's form of the causal mask: 0 where attending is allowed, −Infinity elsewhere. */
function causalMask(module: AttentionModule): Tensor {
  const { data, shape } = module.masks.causal(LENGTH);
  return new Tensor(
    Float32Array.from(data, (may) => (may ? 0 : -Infinity)),
    shape,
  );
}

/** Measures weights (H,L,L): mean row sums over own and earlier and over later keys, and the empty rows per head. */
function reach({ data, shape }: Tensor): Row {
  const [heads, length] = shape as [number, number];
  const rows = heads * length;
  let [past, future, emptyRows] = [0, 0, 0];
  for (let row = 0; row < rows; ++row) {
    let seen = 0;
    for (let j = 0; j < length; ++j) {
      const weight = item(data, row * length + j);
      seen += weight;
      if (j <= row % length) past += weight / rows;
      else future += weight / rows;
    }
    if (seen === 0) emptyRows += 1 / heads;
  }
  return { past, future, emptyRows, onlyPast: future === 0 };
}

export const document000Masks: Example = {
  info: {
    id: '000-masks',
    source: '000_d59a65f25a2204b1.txt, lines 154-156 and 232-266',
    title: { ko: '마스크 두 개와 함정 하나', en: 'Two masks and a trap' },
  },
  run(module) {
    const x = standardNormal(module, 0, [LENGTH, 16]);
    const mask = causalMask(module);
    const padding = module.masks.padding(LENGTHS, Math.max(...LENGTHS));
    // `masked_fill(mask == 0, -inf)` keeps what is not 0: exactly the entries that the mask forbids.
    const notZero = new Tensor(
      Uint8Array.from(mask.data, (value) => Number(value !== 0)),
      mask.shape,
    );
    const [weights, causalWeights] = scoped(
      new module.MultiHeadAttention({ embedDim: 16, numHeads: 2 }),
      (layer) =>
        [notZero, mask].map((attnMask) => layer.forward(x, x, x, { attnMask }).weights) as [Tensor, Tensor],
    );

    const rowOf = ({ data, shape }: Tensor | Tensor<Uint8Array>, row: number) =>
      data.subarray(row * item(shape, 1), (row + 1) * item(shape, 1));
    const computed = [
      ...[0, 1, 2].map((i) => matrixRow('causal_mask(10)', i, rowOf(mask, i))),
      ...[0, 1, 2].map((i) =>
        matrixRow('padding_mask([5, 3, 7], 7)', i, Array.from(rowOf(padding, i), Boolean)),
      ),
      { mask: 'causal_mask(10)', use: 'masked_fill(mask == 0)', ...reach(weights) },
      { mask: 'causal_mask(10)', use: 'scores + mask', ...reach(causalWeights) },
    ];
    return {
      tensors: { x, weights, causalWeights, causalMask: mask, paddingMask: padding },
      computed,
      printed,
      note: {
        ko:
          '두 행렬은 문서에 실린 그대로예요. 그런데 causal_mask는 0이 "봐도 된다"이고, 문서의 클래스는 mask == 0인 곳을 가려요. ' +
          '둘을 함께 쓰면(weights) 각 위치가 이후 위치만 보고, 마지막 행은 볼 위치가 없어요. PyTorch 1.13에서는 NaN, 여기서는 0이에요. ' +
          '점수에 더하면(causalWeights) 문서가 말한 대로 자기 자신과 이전 위치만 봐요. 입력과 가중치는 난수이며 학습된 값이 아니에요.',
        en:
          'Both matrices are as printed. But in causal_mask 0 means "may attend", while the class of the same document ' +
          'masks where mask == 0. Used together (weights) every position sees only later ones, and the last row sees ' +
          'nothing: NaN in PyTorch 1.13, zeros here. Added to the scores (causalWeights) the mask does what the ' +
          'document says. Input and projections are random: nothing is trained.',
      },
    };
  },
};
