/**
 * Four heads that are made by hand, for any sentence: one looks at the previous word, one at the next, one at the
 * same word, one at the first. A word's vector is a 1, its place and its word (both one-hot), so that the projections
 * can be written down; nothing is drawn by chance and nothing learned.
 */
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import { Tensor } from '../api/tensor.js';
import type { Compute } from './compute.js';
import type { Opened } from './opened.js';
import type { Localized } from './types.js';

const NUM_HEADS = 4;

/** A word that a head looks for gets this many times what all others get together. */
const CLEARNESS = 50;

/** Where the parts of a vector begin, and how wide they are. */
interface Parts {
  readonly places: number;
  readonly words: number;
}

const ONE = 0;
const PLACE = 1;
const wordPart = ({ places }: Parts): number => PLACE + places;
const widthOf = (parts: Parts): number => wordPart(parts) + parts.words;

const zeros = (rows: number, columns: number): Tensor =>
  new Tensor(new Float32Array(rows * columns), [rows, columns]);

/** X (L, 1 + L + number of different words). */
function vectorsOf(tokens: readonly string[], distinct: readonly string[]): Tensor {
  const parts = { places: tokens.length, words: distinct.length };
  const width = widthOf(parts);
  const x = zeros(tokens.length, width);
  tokens.forEach((token, place) => {
    const row = x.data.subarray(place * width, (place + 1) * width);
    row[ONE] = 1;
    row[PLACE + place] = 1;
    row[wordPart(parts) + distinct.indexOf(token)] = 1;
  });
  return x;
}

/**
 * The layer. Query and key have one component per place (or word), which is 1 where a key stands (or what it is) and
 * `strength` where a query looks: their product is `strength` for what is looked for and 0 for all else.
 */
function constructedLayer(compute: Compute, parts: Parts): MultiHeadAttention {
  const { places, words } = parts;
  // There are never more different words than places.
  const headDim = places;
  // Behind the division by √d_k the softmax makes of it CLEARNESS·L, against 1 for each other word.
  const strength = Math.sqrt(headDim) * Math.log(CLEARNESS * places);
  const query = zeros(NUM_HEADS * headDim, widthOf(parts));
  const key = zeros(NUM_HEADS * headDim, widthOf(parts));
  const value = zeros(NUM_HEADS * words, widthOf(parts));
  const out = zeros(words, NUM_HEADS * words);
  const set = ({ data, shape: [, columns = 0] }: Tensor, row: number, column: number, to: number) => {
    data[row * columns + column] = to;
  };
  const PREVIOUS = 0;
  const NEXT = headDim;
  const SAME = 2 * headDim;
  const FIRST = 3 * headDim;

  for (let place = 0; place < places; ++place) {
    set(key, PREVIOUS + place, PLACE + place, 1);
    set(key, NEXT + place, PLACE + place, 1);
    if (place + 1 < places) {
      set(query, PREVIOUS + place, PLACE + place + 1, strength);
      set(query, NEXT + place + 1, PLACE + place, strength);
    }
  }
  for (let word = 0; word < words; ++word) {
    set(key, SAME + word, wordPart(parts) + word, 1);
    set(query, SAME + word, wordPart(parts) + word, strength);
  }
  set(key, FIRST, PLACE, 1);
  set(query, FIRST, ONE, strength);

  for (let row = 0; row < NUM_HEADS * words; ++row) {
    set(value, row, wordPart(parts) + (row % words), 1);
    set(out, row % words, row, 1 / NUM_HEADS);
  }

  const layer = new compute.MultiHeadAttention({
    ...{ embedDim: widthOf(parts), numHeads: NUM_HEADS, headDim },
    ...{ valueHeadDim: words, outDim: words, bias: false },
  });
  layer.loadStateDict({
    q_proj_weight: query,
    k_proj_weight: key,
    v_proj_weight: value,
    'out_proj.weight': out,
  });
  return layer;
}

/** Words and the layer made for them; the output is the mean of what the four heads collect of each word. */
export function openConstructed(compute: Compute, tokens: readonly string[]): Opened {
  const distinct = [...new Set(tokens)];
  return {
    tokens: [...tokens],
    x: vectorsOf(tokens, distinct),
    layer: constructedLayer(compute, { places: tokens.length, words: distinct.length }),
    headDim: tokens.length,
    anyHeads: false,
  };
}

/** What kind of numbers these are. */
export const constructedNote: Localized = {
  ko:
    '헤드마다 가중치를 손으로 적어 넣은 층으로 어텐션을 정말로 계산했어요. 난수도, 학습도 없어요. ' +
    '헤드 1은 바로 앞 단어, 헤드 2는 바로 뒤 단어, 헤드 3은 같은 단어(자기 자신도), 헤드 4는 첫 단어를 봐요. ' +
    '바로 앞이나 뒤에 단어가 없으면 모두 고르게 봐요. 단어 벡터는 1, 자리, 단어를 나란히 놓은 원핫 벡터예요.',
  en:
    'Attention is really computed, by a layer whose weights were written down for each head: nothing is random and ' +
    'nothing learned. Head 1 looks at the previous word, head 2 at the next, head 3 at the same word (itself too), ' +
    'head 4 at the first. Where there is no word before or after, it looks at all alike. A word’s vector is a 1, its ' +
    'place and its word, both one-hot.',
};
