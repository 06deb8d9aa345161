/**
 * The numpy pipeline of document 001: a sentence becomes tokens, tokens become random vectors, and a layer with
 * random projections attends over them. The draws come in the document's order, so that the numbers are the
 * ones its code gives.
 */
import { item } from '../api/item.js';
import type { AttentionResult } from '../api/scaled-dot-product-attention.js';
import { Tensor } from '../api/tensor.js';
import { type Compute, scoped, toTorch } from './compute.js';

/** Width of a token's vector (`dim` in the document). */
export const WIDTH = 32;

/** Lower-cased words, split at white space. Korean syllables are composed first (NFC), so that equal words match. */
export function tokenize(text: string): string[] {
  return text.normalize('NFC').toLowerCase().trim().split(/\s+/u);
}

/**
 * X (L,32): `RandomState(seed).normal(0, scale, 32)` once per distinct token, in the order of first appearance.
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
 * `multi_head_attention(X, num_heads, seed)` of document 001: per head W_Q, W_K, W_V (32,d_k) from
 * `default_rng(seed).normal(0, 0.4)`, then W_O (32,32) from `normal(0, 0.3)`; no biases.
 *
 * @param x (L,32)
 * @returns weights (H,L,L) and output (L,32)
 */
export function attend(
  compute: Compute,
  x: Tensor,
  numHeads: number,
  seed: number,
): Required<AttentionResult> {
  const headDim = WIDTH / numHeads;
  const projections = [0, 1, 2].map(() => new Float32Array(WIDTH * WIDTH));
  const out = scoped(compute.random.defaultRng(seed), (generator) => {
    for (let head = 0; head < numHeads; ++head) {
      for (const weight of projections) {
        const drawn = toTorch(generator.normal(0, 0.4, [WIDTH, headDim]));
        weight.set(drawn.data, head * drawn.size);
      }
    }
    return toTorch(generator.normal(0, 0.3, [WIDTH, WIDTH])).data;
  });

  return scoped(new compute.MultiHeadAttention({ embedDim: WIDTH, numHeads, bias: false }), (layer) => {
    const names = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj.weight'];
    const shape = [WIDTH, WIDTH];
    layer.loadStateDict(
      Object.fromEntries([...projections, out].map((data, i) => [item(names, i), { data, shape }])),
    );
    return layer.forward(x) as Required<AttentionResult>;
  });
}

/** One head without projections, Q = K = V = X: softmax(X·Xᵀ/√32), as (1,L,L). */
export function attendToItself(compute: Compute, x: Tensor): Tensor {
  const heads = { data: x.data, shape: [1, ...x.shape] };
  const { weights } = compute.scaledDotProductAttention(heads, heads, heads) as Required<AttentionResult>;
  return weights;
}
