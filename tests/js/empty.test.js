/** Batches, queries or keys of length 0 give results of length 0. */
import { load } from 'multihead-attention';
import { modules } from './golden.js';

const empty = (...shape) => ({ data: new Float32Array(0), shape });
const some = (...shape) => ({
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i)),
  shape,
});

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  test('no batch item', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, rope: {}, addZeroAttn: true });
    const x = empty(0, 5, 8);
    const call = {
      isCausal: true,
      window: 2,
      keyLengths: new Int32Array(0),
      attnMask: { data: new Uint8Array(0), shape: [0, 5, 5] },
    };
    const { output, weights, scores } = layer.forward(x, {
      ...call,
      keyPaddingMask: { data: new Uint8Array(0), shape: [0, 5] },
      positions: empty(0, 5),
      returnScores: true,
    });
    expect([output.shape, weights.shape, scores.shape]).toEqual([
      [0, 5, 8],
      [0, 2, 5, 6],
      [0, 2, 5, 6],
    ]);
    expect(() => layer.forward(x, { training: true })).toThrow('`training` must be false for empty tensors');
    expect(layer.steps(x).q.shape).toEqual([0, 2, 5, 4]);
    expect(layer.forward(x, { averageWeights: true }).weights.shape).toEqual([0, 5, 6]);
    expect(layer.forward(x, { needWeights: false }).output.toNested()).toEqual([]);
    const out = { output: empty(0, 5, 8), weights: empty(0, 2, 5, 6) };
    expect(layer.forward(x, { out }).output.data).toBe(out.output.data);
    const cache = new m.KVCache();
    layer.forward(x, { cache });
    expect(layer.forward(x, { cache }).weights.shape).toEqual([0, 2, 5, 11]);
    expect(cache.toTensors().keys.shape).toEqual([0, 2, 10, 4]);
  });

  test('no query', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const { output, weights } = layer.forward(empty(3, 0, 8), some(3, 4, 8));
    expect([output.shape, weights.shape]).toEqual([
      [3, 0, 8],
      [3, 2, 0, 4],
    ]);
    expect(layer.forward(empty(0, 8)).output.shape).toEqual([0, 8]);
    const result = m.scaledDotProductAttention(empty(2, 0, 3), some(2, 5, 3), some(2, 5, 4), {
      isCausal: true,
    });
    expect([result.output.shape, result.weights.shape]).toEqual([
      [2, 0, 4],
      [2, 0, 5],
    ]);
  });

  test('no key: nothing can be attended to', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    layer.loadStateDict({ ...layer.stateDict(), 'out_proj.bias': [1, 2, 3, 4, 5, 6, 7, 8] });
    const { output, weights } = layer.forward(some(2, 3, 8), empty(2, 0, 8), null, { isCausal: true });
    expect(weights.shape).toEqual([2, 2, 3, 0]);
    expect(output.toNested().flat()).toEqual(Array(6).fill([1, 2, 3, 4, 5, 6, 7, 8]));
    for (const needWeights of [true, false]) {
      const result = m.scaledDotProductAttention(some(2, 3, 4), empty(2, 0, 4), empty(2, 0, 5), {
        needWeights,
      });
      expect(result.output.toNested().flat(2)).toEqual(Array(30).fill(0));
    }
  });

  test('no batch item of the function, heads side by side, and no head', () => {
    const { output } = m.scaledDotProductAttention(empty(0, 3, 8), empty(0, 4, 8), empty(0, 4, 8), {
      numHeads: 2,
      pastKey: empty(0, 2, 6, 4),
      pastValue: empty(0, 2, 6, 4),
    });
    expect(output.shape).toEqual([0, 3, 8]);
    expect(m.rotaryEmbedding(empty(0, 2, 3, 4), [[1, 1]], [[0, 0]]).shape).toEqual([0, 2, 3, 4]);
    const heads = empty(2, 0, 3, 4);
    expect(() => m.scaledDotProductAttention(heads, heads, heads)).toThrow(
      '`query` must have a head and a component',
    );
    expect(() => m.scaledDotProductAttention(empty(2, 3, 0), heads, heads)).toThrow(
      '`query` must not be empty',
    );
    expect(() => m.metrics.entropy(empty(2, 0, 3))).toThrow('`weights` must not be empty');
  });
});
