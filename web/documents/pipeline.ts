/**
 * The numpy pipeline of document 001: a sentence becomes tokens, tokens become random vectors, and a layer with
 * random projections attends over them. Numbers are drawn in the document's order, so that they equal those of its code.
 */
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import { Tensor } from '../api/tensor.js';
import { type Compute, identity, layerWith, scoped, toTorch, zeros } from './compute.js';

/** Width of a token's vector (`dim` in the document). */
export const WIDTH = 32;

/** Number of heads of the documents' layers by default. */
export const NUM_HEADS = 4;

/** Splits text into lower-cased words at white space. Korean syllables are composed (NFC), so that equal words match. */
export function tokenize(text: string): string[] {
  return text.normalize('NFC').toLowerCase().trim().split(/\s+/u);
}

/**
 * Returns X (L,32): `RandomState(seed).normal(0, scale, 32)` once per distinct token, in the order of first appearance.
 * A repeated word gets the same vector, and no position is added.
 */
export function embed(compute: Compute, tokens: readonly string[], seed: number, scale: number): Tensor {
  return scoped(compute.random.RandomState(seed), (generator) => {
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

/**
 * The layer of `multi_head_attention(X, num_heads, seed)` of document 001: per head W_Q, W_K, W_V (32,d_k) from
 * `default_rng(seed).normal(0, 0.4)`, then W_O (32,32) from `normal(0, 0.3)`; no biases. With fewer key and value
 * heads, each group of query heads shares the key and value weights that its first head has drawn.
 */
export function randomLayer(
  compute: Compute,
  numHeads: number,
  seed: number,
  numKvHeads = numHeads,
): MultiHeadAttention {
  const headDim = WIDTH / numHeads;
  const group = numHeads / numKvHeads;
  const query = zeros(WIDTH, WIDTH);
  const key = zeros(numKvHeads * headDim, WIDTH);
  const value = zeros(numKvHeads * headDim, WIDTH);
  const out = scoped(compute.random.defaultRng(seed), (generator) => {
    for (let head = 0; head < numHeads; ++head) {
      for (const weight of [query, key, value]) {
        const drawn = toTorch(generator.normal(0, 0.4, [WIDTH, headDim]));
        if (weight === query) weight.data.set(drawn.data, head * drawn.size);
        else if (head % group === 0) weight.data.set(drawn.data, (head / group) * drawn.size);
      }
    }
    return toTorch(generator.normal(0, 0.3, [WIDTH, WIDTH]));
  });
  return layerWith(compute, { embedDim: WIDTH, numHeads, numKvHeads }, [query, key, value, out]);
}

/** Returns one head without projections, Q = K = V = X: the four matrices are the identity. */
export function plainLayer(compute: Compute): MultiHeadAttention {
  const unit = identity(WIDTH);
  return layerWith(compute, { embedDim: WIDTH, numHeads: 1 }, [unit, unit, unit, unit]);
}
