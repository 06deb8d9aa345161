import { scoped } from '../api/handle.js';
import type { AttentionModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { pictureOfPatches, SIDE } from '../sources/patch-picture.js';
import { zeros } from '../sources/random-words.js';
import type { Example, Row } from './types.js';

const PATCHES = SIDE * SIDE;
/** CLS is token 0, the patches follow row by row. */
const TOKENS = PATCHES + 1;

/** A patch of the picture: its offset from the picture's middle, its indices, its colour. */
interface Patch {
  y: number;
  x: number;
  row: number;
  column: number;
  colour: readonly number[];
}

const square = (vector: readonly number[]) => vector.reduce((sum, value) => sum + value * value, 0);
const oneHot = (index: number) => Array.from({ length: SIDE }, (_, i) => Number(i === index));

/** Returns a token's vector: the features that the four heads compare, side by side. Squares are for `byDistance`. */
const vectorOf = ({ y, x, row, column, colour }: Patch): number[] => [
  ...[y, x, square([y, x])],
  ...[...oneHot(row), ...oneHot(column)],
  ...[...colour, square(colour)],
];
/** Offsets of the three parts of a vector, and its width. */
const PLACE = 0;
const CROSS = 3;
const COLOUR = CROSS + 2 * SIDE;
const EMBED_DIM = COLOUR + 4;

/** The width of the longest part: 14 rows and 14 columns. */
const HEAD_DIM = 2 * SIDE;
const VALUE_HEAD_DIM = 3;

/** A head's key is the token's vector from `first` on; its query is the same part times `factors`, plus `bias`. */
interface Head {
  pattern: string;
  first: number;
  factors: readonly number[];
  bias: readonly number[];
}

/**
 * q·k = strength·(2·a·b − |b|²) is −strength·|a − b|² up to a term that is the same for all keys of a query, which
 * softmax cancels. A negative strength prefers distant keys.
 */
const byDistance = (pattern: string, strength: number, first: number, dimensions: number): Head => ({
  pattern,
  first,
  factors: [...Array<number>(dimensions).fill(2 * strength), 0],
  bias: [...Array<number>(dimensions).fill(0), -strength],
});

const heads: Head[] = [
  byDistance('near', 0.5, PLACE, 2),
  { pattern: 'same row or column', first: CROSS, factors: Array<number>(2 * SIDE).fill(3), bias: [] },
  byDistance('far', -0.03, PLACE, 2),
  byDistance('similar colour', 20, COLOUR, 3),
];

function patchesOf(image: Tensor): Patch[] {
  const middle = (SIDE - 1) / 2;
  return Array.from({ length: PATCHES }, (_, i) => {
    const [row, column] = [Math.floor(i / SIDE), i % SIDE];
    const colour = Array.from(image.data.subarray(3 * i, 3 * i + 3));
    return { y: row - middle, x: column - middle, row, column, colour };
  });
}

/** Builds heads that attend by the four patterns; values are colours, which the output has side by side. */
function constructedLayer(module: AttentionModule): MultiHeadAttention {
  const width = heads.length * HEAD_DIM;
  const valueWidth = heads.length * VALUE_HEAD_DIM;
  const query = zeros(width, EMBED_DIM);
  const key = zeros(width, EMBED_DIM);
  const value = zeros(valueWidth, EMBED_DIM);
  const bias = zeros(2 * width + valueWidth);
  const out = zeros(valueWidth, valueWidth);

  heads.forEach(({ first, factors, bias: shift }, h) => {
    factors.forEach((factor, i) => {
      const row = h * HEAD_DIM + i;
      query.data[row * EMBED_DIM + first + i] = factor;
      key.data[row * EMBED_DIM + first + i] = 1;
    });
    bias.data.set(shift, h * HEAD_DIM);
  });
  for (let row = 0; row < valueWidth; ++row) {
    value.data[row * EMBED_DIM + COLOUR + (row % VALUE_HEAD_DIM)] = 1;
    out.data[row * valueWidth + row] = 1;
  }

  const layer = new module.MultiHeadAttention({
    embedDim: EMBED_DIM,
    numHeads: heads.length,
    headDim: HEAD_DIM,
    valueHeadDim: VALUE_HEAD_DIM,
    outDim: valueWidth,
  });
  layer.loadStateDict({
    q_proj_weight: query,
    k_proj_weight: key,
    v_proj_weight: value,
    in_proj_bias: bias,
    'out_proj.weight': out,
    'out_proj.bias': zeros(valueWidth),
  });
  return layer;
}

/** Computes scores and weights (4,197,197), and the mean colour that every head attends to (4,197,3). */
function attend(
  module: AttentionModule,
  patches: readonly Patch[],
): Record<'scores' | 'weights' | 'output', Tensor> {
  // CLS has the query of the patch below the picture's middle; as a key it is masked.
  const tokens = [item(patches, PATCHES / 2 + SIDE / 2), ...patches];
  const x = tokens.map(vectorOf);
  const keyPaddingMask = tokens.map((_, key) => key > 0);
  return scoped(constructedLayer(module), (layer) => {
    const { scores, weights, context } = layer.steps(x, x, x, { keyPaddingMask, scale: 1 });
    return { scores, weights, output: context };
  });
}

/** Returns the first row of every head without CLS itself, as a grid: `attn[0, i, 0, 1:].reshape(14, 14)`. */
function clsMaps(weights: Tensor): Tensor {
  const maps = heads.map((_, h) => weights.data.subarray(h * TOKENS ** 2 + 1, h * TOKENS ** 2 + TOKENS));
  return new Tensor(Float32Array.from(maps.flatMap((map) => [...map])), [heads.length, SIDE, SIDE]);
}

/** Measures where one head attends to, as the mean over all 196 queries. */
function measure(patches: readonly Patch[], weight: (query: number, key: number) => number): Row {
  const sums = { within2: 0, sameRowOrColumn: 0, distance: 0, colourDistance: 0 };
  patches.forEach((a, query) => {
    patches.forEach((b, key) => {
      const share = weight(query, key) / PATCHES;
      const distance = Math.hypot(a.y - b.y, a.x - b.x);
      if (distance <= 2) sums.within2 += share;
      if (a.row === b.row || a.column === b.column) sums.sameRowOrColumn += share;
      sums.distance += share * distance;
      sums.colourDistance += share * Math.hypot(...a.colour.map((value, c) => value - (b.colour[c] ?? 0)));
    });
  });
  return sums;
}

/** The document takes 196 tokens, drops CLS and reshapes what is left to a grid of 14×14. */
const printed: Row[] = [{ tokens: 196, cells: PATCHES }];

export const document000Patches: Example = {
  info: {
    id: '000-patches',
    source: '000_d59a65f25a2204b1.txt, lines 187-226',
    title: { ko: 'ViT의 네 가지 헤드 패턴', en: 'Four head patterns of a ViT' },
  },
  run(module) {
    const image = pictureOfPatches();
    const patches = patchesOf(image);
    const { scores, weights, output } = attend(module, patches);
    const computed = [
      ...[196, TOKENS].map((tokens) => ({ tokens, cells: tokens - 1 })),
      ...heads.map(({ pattern }, h) => ({
        head: h + 1,
        pattern,
        ...measure(patches, (query, key) => weights.data[(h * TOKENS + query + 1) * TOKENS + key + 1] ?? 0),
      })),
      { head: 'uniform', pattern: 'every patch alike', ...measure(patches, () => 1 / PATCHES) },
    ];
    return {
      tensors: { scores, weights, output, maps: clsMaps(weights), image },
      computed,
      printed,
      note: {
        ko:
          '학습된 ViT가 아니에요. 문서의 그림이 남아 있지 않아서, 문서가 설명하는 네 패턴이 나오도록 파라미터를 손으로 정한 ' +
          '멀티헤드 어텐션 층에 작은 이미지(14×14)를 넣고 어텐션을 실제로 계산했어요. ' +
          '표는 각 헤드가 균등 분포(uniform)와 어떻게 다른지 보여 줘요. ' +
          'CLS의 쿼리는 가운데 바로 아래 패치와 같고, 어떤 토큰도 CLS를 보지 않아요. 문서의 예처럼 토큰이 196개면 CLS를 뺀 칸이 ' +
          '195개라서 14×14가 되지 않아요. 197개여야 해요.',
        en:
          "Not a trained ViT. The document's pictures are lost, so a small image (14×14) really goes through the layer of " +
          'multi-head attention, with parameters set by hand to give the four patterns that it describes. The table ' +
          'shows how each head differs from a uniform distribution. CLS has the query of the patch just below the ' +
          "middle, and no token looks at CLS. With the 196 tokens of the document's example 195 cells are left without CLS, " +
          'which is no 14×14 grid: it takes 197.',
      },
    };
  },
};
