/**
 * Four heads with constructed weights, for any sentence: they attend to the previous word, the next word, the same word
 * and the first word. A word's vector is a 1, its position and its word (both one-hot), so that the projections can be
 * written down; nothing is random and nothing learned.
 */
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { Tensor } from '../api/tensor.js';
import { type Compute, layerWith, zeros } from './compute.js';
import type { Opened } from './opened.js';
import type { Localized } from './types.js';

const NUM_HEADS = 4;

/** The matching word gets this weight relative to all others together. */
const SHARPNESS = 50;

/** Widths of the one-hot parts of a vector. */
interface Parts {
  readonly places: number;
  readonly words: number;
}

const ONE = 0;
const PLACE = 1;
const wordPart = ({ places }: Parts): number => PLACE + places;
const widthOf = (parts: Parts): number => wordPart(parts) + parts.words;

/** Returns X (L, 1 + L + number of different words). */
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
 * Query and key have one component per position (or word). The key's is 1 at its own position (or word), the query's is
 * `strength` at the one to attend to: their product is `strength` for a match and 0 otherwise.
 */
function constructedLayer(compute: Compute, parts: Parts): MultiHeadAttention {
  const { places, words } = parts;
  // One component per position is enough for words, too: a sentence never has more distinct words than positions.
  const headDim = places;
  // After the division by √d_k and softmax, the matching word weighs SHARPNESS·L times as much as any other.
  const strength = Math.sqrt(headDim) * Math.log(SHARPNESS * places);
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

  const sizes = { embedDim: widthOf(parts), numHeads: NUM_HEADS, headDim };
  return layerWith(compute, { ...sizes, valueHeadDim: words, outDim: words }, [query, key, value, out]);
}

/** The output per token is, for each distinct word, its mean weight over the four heads. */
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

export const constructedNote: Localized = {
  ko:
    '헤드마다 파라미터를 손으로 정한 층으로 어텐션을 실제로 계산했어요. 난수도 학습도 쓰지 않았어요. ' +
    '헤드 1은 바로 앞 단어, 헤드 2는 바로 뒤 단어, 헤드 3은 같은 단어(자기 자신 포함), 헤드 4는 첫 단어를 봐요. ' +
    '바로 앞이나 뒤에 단어가 없으면 가중치는 균등 분포예요. 단어 벡터는 1과 위치·단어의 원핫 벡터를 이어 붙인 것이에요.',
  en:
    'Attention is really computed, by a layer whose parameters were set by hand for each head: nothing is random and ' +
    'nothing is trained. Head 1 looks at the previous word, head 2 at the next, head 3 at the same word (itself too), ' +
    'head 4 at the first. Where there is no word before or after, the weights are a uniform distribution. A word’s vector is a 1, its ' +
    'position and its word, both one-hot.',
};
