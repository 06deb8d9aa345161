/** What options add to a layer or its results. The numbers: properties.test.js. */
import { load } from 'multihead-attention';
import { documents } from 'multihead-attention/documents';
import { modules, readGolden, relativeError, TOLERANCE } from './golden.js';
import { averageHeads, fill } from './reference.js';

const x = fill([2, 5, 8], (b, i, p) => Math.sin(40 * b + 8 * i + p));

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });
  const make = (options) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, ...options });
  const forward = (layer, options) => layer.forward(x, x, x, options);

  test('a mask of unbatched input may have a matrix per head, as its weights do', () => {
    const layer = make();
    const attnMask = fill([2, 5, 5], (h, i, j) => (h === 0 ? j <= i : j >= i));
    const { weights } = layer.forward(x[0], undefined, undefined, { attnMask });
    const batched = layer.forward(x, x, x, { attnMask: [attnMask, attnMask] });
    expect(weights.toNested()).toEqual(batched.weights.toNested()[0]);
    expect(weights.toNested().map((head) => head.map((row) => row.map((w) => w > 0)))).toEqual(attnMask);
  });

  test('0 and 1 in floats are added; numbers of which one is neither are added, too', () => {
    const layer = make();
    const numbers = fill([5, 5], (i, j) => (i + j) % 2);
    const attnMask = { data: Float32Array.from(numbers.flat()), shape: [5, 5] };
    const { scaled, masked, weights } = layer.steps(x, x, x, { attnMask });
    masked.data.forEach((score, i) =>
      expect(score).toBe(Math.fround(scaled.data[i] + attnMask.data[i % 25])),
    );
    const doubles = { data: Float64Array.from(numbers.flat()), shape: [5, 5] };
    expect(forward(layer, { attnMask: doubles }).weights).toEqual(weights);
    // Softmax ignores a constant added to a whole row.
    numbers[0] = numbers[0].map((value) => value + 1);
    expect(relativeError(forward(layer, { attnMask: numbers }).weights, weights.toNested())).toBeLessThan(
      1e-6,
    );
  });

  describe('returnScores', () => {
    test('gives q·k before scale, soft cap, ALiBi and masks', () => {
      const layer = make();
      const { scores } = forward(layer, { returnScores: true });
      const { q, k } = layer.steps(x, x, x);
      const [queries, keys] = [q.toNested(), k.toNested()];
      const products = fill([2, 2, 5, 5], (b, h, i, j) =>
        queries[b][h][i].reduce((sum, value, p) => sum + value * keys[b][h][j][p], 0),
      );
      expect(relativeError(scores, products)).toBeLessThanOrEqual(TOLERANCE);
      const after = { scale: 0.1, softcap: 0.5, alibi: true, isCausal: true, window: 1 };
      const attnMask = [[[[false, true, false, true, false]]]];
      const keyPaddingMask = fill([2, 5], () => false);
      const options = { ...after, attnMask, keyPaddingMask, returnScores: true };
      expect(forward(layer, options).scores).toEqual(scores);
    });

    test('only when asked for; without B for unbatched input; without weights as well', () => {
      const layer = make();
      expect(Object.keys(forward(layer))).toEqual(['output', 'weights']);
      const both = forward(layer, { returnScores: true });
      expect(Object.keys(both)).toEqual(['output', 'weights', 'scores']);
      const unbatched = layer.forward(x[0], undefined, undefined, { returnScores: true });
      expect(unbatched.scores.shape).toEqual([2, 5, 5]);
      const { output, scores } = both;
      expect(forward(layer, { returnScores: true, needWeights: false })).toEqual({ output, scores });
    });

    test('of a zero key are 0', () => {
      const layer = make({ addZeroAttn: true });
      const { scores } = forward(layer, { returnScores: true });
      for (const row of scores.toNested().flat(2)) expect([row.length, row[5] + 0]).toEqual([6, 0]);
    });
  });

  test('appended keys are seen by all queries, whatever is masked, and without ALiBi', () => {
    const layer = make({ addBiasKv: true, addZeroAttn: true });
    const options = { keyPaddingMask: fill([2, 5], () => false), isCausal: true, window: 0, alibi: true };
    const { weights, scaled, masked } = layer.steps(x, x, x, options);
    const [rows, before] = [masked.toNested().flat(2), scaled.toNested().flat(2)];
    rows.forEach((row, r) => {
      expect(row).toEqual([...Array(5).fill(-Infinity), ...before[r].slice(5)]);
    });
    for (const row of weights.toNested().flat(2)) {
      expect(row.slice(0, 5)).toEqual(Array(5).fill(0));
      expect(row[5] + row[6]).toBeCloseTo(1, 6);
    }
  });

  test('averageWeights counts appended keys', () => {
    const layer = make({ addBiasKv: true, addZeroAttn: true });
    const { weights } = forward(layer);
    const averaged = forward(layer, { averageWeights: true }).weights;
    expect(averaged.shape).toEqual([2, 5, 7]);
    expect(relativeError(averaged, averageHeads(weights.toNested()))).toBeLessThanOrEqual(1e-7);
    expect(layer.forward(x[0], undefined, undefined, { averageWeights: true }).weights.shape).toEqual([5, 7]);
  });

  test('rope turns half of the head’s dimensions with the other half by default, base 10000', () => {
    const [layer, plain] = [make({ rope: {} }), make({ rope: { base: 10_000, dim: 4, convention: 'half' } })];
    expect(layer.steps(x)).toEqual(plain.steps(x));
    const none = make({ rope: null });
    expect(none.steps(x)).toEqual(make().steps(x));
    expect(none.steps(x).q).not.toEqual(layer.steps(x).q);
    for (const each of [layer, plain, none]) each.dispose();
  });

  test('relu leaves NaN', () => {
    const layer = make({ activation: 'relu' });
    const { q, output } = layer.steps(fill([2, 8], () => NaN));
    expect([q, output].every(({ data }) => data.every(Number.isNaN))).toBe(true);
  });

  test('steps refuses options for results that it always returns', () => {
    const layer = make();
    for (const name of ['needWeights', 'averageWeights', 'returnScores']) {
      expect(() => layer.steps(x, x, x, { [name]: true })).toThrow(TypeError);
      expect(() => layer.steps(x, x, x, { [name]: true })).toThrow(`\`${name}\` must be an option of steps`);
    }
    expect(Object.keys(layer.steps(x))).toEqual([
      ...['q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'context', 'concat', 'output'],
    ]);
  });

  test('steps has no B for unbatched input', () => {
    const layer = make({ numKvHeads: 1, valueHeadDim: 3, outDim: 6 });
    const steps = layer.steps(x[0], x[1].slice(0, 4));
    const shapes = Object.fromEntries(Object.entries(steps).map(([name, { shape }]) => [name, shape]));
    expect(shapes).toEqual({
      ...{ q: [2, 5, 4], k: [1, 4, 4], v: [1, 4, 3] },
      ...{ scores: [2, 5, 4], scaled: [2, 5, 4], masked: [2, 5, 4], weights: [2, 5, 4] },
      ...{ context: [2, 5, 3], concat: [5, 6], output: [5, 6] },
    });
  });

  test('a layer of free widths, shared heads and a learned key round-trips through stateDict', () => {
    const options = { embedDim: 7, numHeads: 4, numKvHeads: 2, headDim: 3, valueHeadDim: 5, outDim: 9 };
    const [layer, other] = [1, 2].map((seed) =>
      make({ ...options, kdim: 6, vdim: 4, addBiasKv: true, seed }),
    );
    const state = layer.stateDict();
    const shapes = Object.fromEntries(Object.entries(state).map(([name, { shape }]) => [name, shape]));
    expect(shapes).toEqual({
      ...{ q_proj_weight: [12, 7], k_proj_weight: [6, 6], v_proj_weight: [10, 4], in_proj_bias: [28] },
      ...{ bias_k: [1, 1, 6], bias_v: [1, 1, 10], 'out_proj.weight': [9, 20], 'out_proj.bias': [9] },
    });
    expect(other.stateDict()).not.toEqual(state);
    other.loadStateDict(state);
    expect(other.stateDict()).toEqual(state);
    const inputs = [fill([3, 7], Math.max), fill([2, 6], Math.max), fill([2, 4], Math.max)];
    expect(other.forward(...inputs)).toEqual(layer.forward(...inputs));
  });

  test('bias_k and bias_v belong to addBiasKv and come from its seed', () => {
    const [layer, same, other] = [1, 1, 2].map((seed) => make({ addBiasKv: true, seed }));
    const { bias_k: key, bias_v: value, ...rest } = layer.stateDict();
    expect([key.shape, value.shape]).toEqual([
      [1, 1, 8],
      [1, 1, 8],
    ]);
    expect(same.stateDict()).toEqual(layer.stateDict());
    expect(other.stateDict().bias_k).not.toEqual(key);
    expect(value.data).not.toEqual(key.data);
    expect(Object.keys(rest).sort()).toEqual(Object.keys(make().stateDict()).sort());
    expect(() => layer.loadStateDict(rest)).toThrow('bias_k is missing');
    expect(() => make().loadStateDict({ ...rest, bias_k: key })).toThrow('bias_k');
    for (const each of [layer, same, other]) each.dispose();
  });
});

describe('parameterCount', () => {
  test.each([
    [{}, 4 * 64 + 4 * 8],
    [{ bias: false }, 4 * 64],
    [{ addBiasKv: true }, 4 * 64 + 4 * 8 + 2 * 8],
    [{ addBiasKv: true, bias: false }, 4 * 64 + 2 * 8],
    [{ addZeroAttn: true, dropout: 0.5, activation: 'relu', rope: {} }, 4 * 64 + 4 * 8],
    [{ numKvHeads: 1, addBiasKv: true }, 2 * 64 + 2 * 32 + 8 + 4 + 4 + 8 + 2 * 4],
    [
      { headDim: 3, valueHeadDim: 5, kdim: 6, vdim: 7, outDim: 9, numKvHeads: 1, addBiasKv: true },
      6 * 8 + 3 * 6 + 5 * 7 + 9 * 10 + (6 + 3 + 5 + 9) + (3 + 5),
    ],
  ])('%j: %d', async (options, count) => {
    const m = await load();
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, ...options });
    expect(layer.parameterCount).toBe(count);
    const sizes = Object.values(layer.stateDict()).map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(count);
  });
});

describe('flops', () => {
  let m;
  beforeAll(async () => {
    m = await load();
  });

  test.each([
    [1, 'h=1'],
    [12, 'h=12'],
  ])('of document 000’s ViT with %d heads', (numHeads, key) => {
    const { flops, mha_768_params } = readGolden('seed000_004_tables.json');
    const layer = new m.MultiHeadAttention({ embedDim: flops.d, numHeads });
    expect(layer.parameterCount).toBe(mha_768_params);
    const [projections, scores, context] = [flops.projection_MAC, flops.actual_QKt_MAC, flops.actual_AV_MAC];
    const softmax = flops.exp_count[key];
    expect(layer.flops(flops.N)).toEqual({
      ...{ projections, scores, context, softmax },
      total: projections + scores + context + softmax,
    });
  });

  test('count the matrices of free widths and shared heads, and the appended keys', () => {
    const [L, S, B] = [3, 5, 2];
    const options = {
      embedDim: 7,
      numHeads: 4,
      numKvHeads: 2,
      headDim: 3,
      valueHeadDim: 6,
      kdim: 8,
      vdim: 9,
    };
    const [layer, more] = [
      new m.MultiHeadAttention({ ...options, outDim: 10 }),
      new m.MultiHeadAttention({ ...options, outDim: 10, addBiasKv: true, addZeroAttn: true }),
    ];
    const projections = B * (L * 7 * 12 + S * 8 * 6 + S * 9 * 12 + L * 24 * 10);
    const counts = (columns) => {
      const maps = B * 4 * L * columns;
      return {
        projections,
        scores: maps * 3,
        context: maps * 6,
        softmax: maps,
        total: projections + maps * 10,
      };
    };
    expect(layer.flops(L, S, B)).toEqual(counts(S));
    expect(more.flops(L, S, B)).toEqual(counts(S + 2));
  });

  test('S is L and B is 1 unless given; all grow in step with B', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    expect(layer.flops(6)).toEqual(layer.flops(6, 6, 1));
    const [one, three] = [layer.flops(6, 4), layer.flops(6, 4, 3)];
    for (const [name, count] of Object.entries(one)) expect(three[name]).toBe(3 * count);
    // More than 32 bits can count.
    expect(layer.flops(100_000, 100_000, 10).softmax).toBe(2e11);
  });
});

describe('what is left out', () => {
  const options = { embedDim: 8, numHeads: 2, seed: 3 };
  const nulls = (names) => Object.fromEntries(names.map((name) => [name, null]));
  const stepScores = ['isCausal', 'window', 'queryOffset', 'keyLengths', 'softcap', 'scale'];
  const scores = [...stepScores, 'needWeights', 'returnScores'];
  const steps = [...stepScores, ...'attnMask keyPaddingMask alibi cache positions training'.split(' ')];
  let m;
  beforeAll(async () => {
    m = await load();
  });

  test('may be null in the options of a layer', () => {
    const sizes = ['numKvHeads', 'headDim', 'valueHeadDim', 'kdim', 'vdim', 'outDim', 'rope'];
    const names = [...sizes, 'bias', 'addBiasKv', 'addZeroAttn', 'dropout', 'activation'];
    const layer = new m.MultiHeadAttention({ ...options, ...nulls(names) });
    expect(layer.stateDict()).toEqual(new m.MultiHeadAttention(options).stateDict());
    const rope = new m.MultiHeadAttention({
      ...options,
      rope: nulls(['base', 'dim', 'convention', 'cos', 'sin']),
    });
    expect(rope.forward(x)).toEqual(new m.MultiHeadAttention({ ...options, rope: {} }).forward(x));
    const unseeded = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, seed: null });
    expect(unseeded.stateDict()).toEqual(new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 }).stateDict());
  });

  test('may be null in a call', () => {
    const layer = new m.MultiHeadAttention(options);
    const plain = layer.forward(x);
    const names = [...steps, 'needWeights', 'averageWeights', 'returnScores'];
    expect(layer.forward(x, null, null, nulls(names))).toEqual(plain);
    expect(layer.forward(x, null, x, null)).toEqual(plain);
    expect(layer.forward(x, x, null)).toEqual(plain);
    expect(layer.steps(x, null, null, nulls(steps))).toEqual(layer.steps(x));
    expect(layer.flops(5, null, null)).toEqual(layer.flops(5));

    const q = x.map((rows) => [rows]);
    const sdpa = m.scaledDotProductAttention;
    const others = 'mask alibiSlopes dropout seed enableGqa pastKey pastValue numHeads numKvHeads'.split(' ');
    expect(sdpa(q, q, q, nulls([...scores, ...others]))).toEqual(sdpa(q, q, q));
    expect(sdpa(q, q, q, null)).toEqual(sdpa(q, q, q));
  });

  test('may be null elsewhere', async () => {
    expect(await load(null)).toBe(m);
    expect(await load({ build: null, threads: null, wasm: null })).toBe(m);
    const { weights } = new m.MultiHeadAttention(options).forward(x[0]);
    const tokens = ['a', 'b', 'c', 'd', 'e'];
    const roles = m.metrics.headRoles(weights, tokens);
    expect(m.metrics.headRoles(weights, tokens, null)).toEqual(roles);
    expect(m.metrics.headRoles(weights, tokens, { frequencies: null })).toEqual(roles);
    const file = m.safetensors.write({ a: [1] }, null);
    expect(file).toEqual(m.safetensors.write({ a: [1] }));
    expect(m.safetensors.read(file, { prefix: null })).toEqual(m.safetensors.read(file));
    const sentence = documents.sentence('a cat sat');
    expect(documents.sentence('a cat sat', { numHeads: null, seed: null })).toEqual(sentence);
  });

  test('is the key, where options stand in its place', () => {
    const layer = new m.MultiHeadAttention(options);
    const call = { isCausal: true, returnScores: true };
    expect(layer.forward(x, call)).toEqual(layer.forward(x, x, x, call));
    expect(layer.forward(x, {})).toEqual(layer.forward(x));
    expect(layer.steps(x, { window: 1 })).toEqual(layer.steps(x, x, x, { window: 1 }));
    const key = { data: Float32Array.from(x.flat(2), (value) => value + 1), shape: [2, 5, 8] };
    expect(layer.forward(x, key)).toEqual(layer.forward(x, key, key));
    expect(layer.forward(x, key)).not.toEqual(layer.forward(x));
  });
});
