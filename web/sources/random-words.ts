/**
 * Random weights for any sentence, by the numpy pipeline of document 001: a sentence becomes tokens, tokens become random
 * vectors, and a layer with random projections attends over them. Numbers are drawn in the document's order, so that they
 * equal those of its code.
 */
import { checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { scoped } from '../api/handle.js';
import type { TensorLike } from '../api/inputs.js';
import type { MultiHeadAttentionOptions } from '../api/layer-options.js';
import type { AttentionModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { LONGEST_WORD } from './figure.js';

/** Width of a token's vector (`dim` in the document). */
export const WIDTH = 32;

/** Number of heads of the documents' layers by default. */
export const NUM_HEADS = 4;

/** A longer text is refused, because weights are H·L² numbers to be displayed. */
export const MAX_TOKENS = 512;

export interface HeadCounts {
  /** Number of query heads: a divisor of 32, the width of the vectors; 4 by default. */
  numHeads?: number;
  /** Number of heads of keys and values, a divisor of `numHeads` (the default): fewer is GQA, 1 is MQA. */
  numKvHeads?: number;
}

/** Tokens, their vectors and a layer, for views that change something and recompute. */
export interface Opened {
  tokens: string[];
  /** The layer's input, (L,E). */
  x: Tensor;
  /** The caller disposes `layer`, and `single` too. */
  layer: MultiHeadAttention;
  /** d_k: scores are divided by its square root. */
  headDim: number;
  /** A second layer that the example compares with: one head without projections. */
  single?: MultiHeadAttention;
  /** Whether the example can be computed with other `HeadCounts`. */
  anyHeads: boolean;
}

/** Splits text into lower-cased words at white space. Korean syllables are composed (NFC), so that equal words match. */
export function tokenize(text: string): string[] {
  return text.normalize('NFC').toLowerCase().trim().split(/\s+/u);
}

/**
 * Returns X (L,32): `RandomState(seed).normal(0, scale, 32)` once per distinct token, in the order of first appearance.
 * A repeated word gets the same vector, and no position is added.
 */
export function embed(
  module: AttentionModule,
  tokens: readonly string[],
  seed: number,
  scale: number,
): Tensor {
  return scoped(module.random.RandomState(seed), (generator) => {
    const vectors = new Map<string, Float64Array>();
    for (const token of tokens) {
      if (!vectors.has(token)) vectors.set(token, generator.normal(0, scale, WIDTH).data);
    }
    const x = new Float32Array(tokens.length * WIDTH);
    tokens.forEach((token, i) => {
      x.set(vectors.get(token) ?? [], i * WIDTH);
    });
    return new Tensor(x, [tokens.length, WIDTH]);
  });
}

export const zeros = (...shape: readonly number[]): Tensor =>
  new Tensor(new Float32Array(shape.reduce((size, length) => size * length)), shape);

/**
 * Converts matrices that the documents apply from the right (x·W) to PyTorch's layout: (rows,columns) becomes
 * (columns,rows), and one matrix per head (H,rows,columns) becomes (H·columns,rows).
 */
export function toTorch({ data, shape }: Tensor<Float64Array>): Tensor {
  const [rows, columns] = shape.slice(-2) as [number, number];
  const transposed = new Float32Array(data.length);
  for (let matrix = 0, to = 0; matrix < data.length; matrix += rows * columns) {
    for (let column = 0; column < columns; ++column) {
      for (let row = 0; row < rows; ++row) transposed[to++] = item(data, matrix + row * columns + column);
    }
  }
  return new Tensor(transposed, [data.length / rows, rows]);
}

/** Returns a layer without biases that has these four matrices, in PyTorch's layout. */
export function layerWith(
  module: AttentionModule,
  options: MultiHeadAttentionOptions,
  [query, key, value, out]: readonly [TensorLike, TensorLike, TensorLike, TensorLike],
): MultiHeadAttention {
  const layer = new module.MultiHeadAttention({ bias: false, ...options });
  layer.loadStateDict({
    q_proj_weight: query,
    k_proj_weight: key,
    v_proj_weight: value,
    'out_proj.weight': out,
  });
  return layer;
}

/**
 * The layer of `multi_head_attention(X, num_heads, seed)` of document 001: per head W_Q, W_K, W_V (32,d_k) from
 * `default_rng(seed).normal(0, 0.4)`, then W_O (32,32) from `normal(0, 0.3)`; no biases. With fewer key and value
 * heads, each group of query heads shares the key and value weights that its first head has drawn.
 */
export function randomLayer(
  module: AttentionModule,
  numHeads: number,
  seed: number,
  numKvHeads = numHeads,
): MultiHeadAttention {
  const headDim = WIDTH / numHeads;
  const group = numHeads / numKvHeads;
  const query = zeros(WIDTH, WIDTH);
  const key = zeros(numKvHeads * headDim, WIDTH);
  const value = zeros(numKvHeads * headDim, WIDTH);
  const out = scoped(module.random.defaultRng(seed), (generator) => {
    for (let head = 0; head < numHeads; ++head) {
      for (const weight of [query, key, value]) {
        const drawn = toTorch(generator.normal(0, 0.4, [WIDTH, headDim]));
        if (weight === query) weight.data.set(drawn.data, head * drawn.size);
        else if (head % group === 0) weight.data.set(drawn.data, (head / group) * drawn.size);
      }
    }
    return toTorch(generator.normal(0, 0.3, [WIDTH, WIDTH]));
  });
  return layerWith(module, { embedDim: WIDTH, numHeads, numKvHeads }, [query, key, value, out]);
}

/** Makes tokens of `text`, random vectors and a random layer. */
export function openSentence(
  module: AttentionModule,
  text: string,
  { numHeads = NUM_HEADS, numKvHeads = numHeads, seed = 0 }: HeadCounts & { seed?: number } = {},
): Opened {
  const tokens = tokenize(text);
  return {
    tokens,
    x: embed(module, tokens, seed, 0.5),
    layer: randomLayer(module, numHeads, seed, numKvHeads),
    headDim: WIDTH / numHeads,
    anyHeads: true,
  };
}

export function checkHeads({ numHeads = NUM_HEADS, numKvHeads = numHeads }: HeadCounts): void {
  if (WIDTH % checkInteger('numHeads', numHeads, 1, WIDTH) !== 0) {
    throw rangeError('numHeads', `divide ${WIDTH} (the width of the vectors), got ${numHeads}`);
  }
  if (numHeads % checkInteger('numKvHeads', numKvHeads, 1, numHeads) !== 0) {
    throw rangeError('numKvHeads', `divide ${numHeads} (numHeads), got ${numKvHeads}`);
  }
}

export function checkSentence(text: unknown, seed: unknown): asserts text is string {
  if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  if (text.trim() === '') throw rangeError('text', 'have at least one word, got an empty sentence');
  const tokens = tokenize(text);
  if (tokens.length > MAX_TOKENS) {
    throw rangeError('text', `have at most ${MAX_TOKENS} words, got ${tokens.length}`);
  }
  const longest = Math.max(...tokens.map(({ length }) => length));
  if (longest > LONGEST_WORD) {
    throw rangeError('text', `have words of at most ${LONGEST_WORD} characters, got ${longest}`);
  }
}
