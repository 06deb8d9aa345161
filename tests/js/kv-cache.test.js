import { load } from 'multihead-attention';
import { relativeError, TOLERANCE } from './golden.js';
import { emptyCache, fill, indices, layer as reference } from './reference.js';

let m;
beforeAll(async () => {
  m = await load();
});

/** (B,L,8) */
const sequence = (batch, length) => fill([batch, length, 8], (b, i, p) => Math.sin(40 * b + 8 * i + p));
const x = sequence(2, 5);
const make = (options) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, ...options });
const forward = (layer, options) => layer.forward(x, x, x, options);

test('length counts the keys; reset drops them for a sequence of any batch size', () => {
  const layer = make();
  const cache = new m.KVCache();
  expect(cache.length).toBe(0);
  const first = forward(layer, { cache });
  expect(first).toEqual(forward(layer, { isCausal: true }));
  expect(cache.length).toBe(5);
  const { output, weights } = forward(layer, { cache });
  expect(cache.length).toBe(10);
  expect([output.shape, weights.shape]).toEqual([
    [2, 5, 8],
    [2, 2, 5, 10],
  ]);

  cache.reset();
  expect(cache.length).toBe(0);
  expect(layer.forward(x[0], undefined, undefined, { cache }).weights.shape).toEqual([2, 5, 5]);
  expect(cache.length).toBe(5);
  cache.reset();
  expect(forward(layer, { cache })).toEqual(first);
});

test('truncate drops what came last', () => {
  const layer = make({ rope: {} });
  const options = { isCausal: true };
  const cache = new m.KVCache();
  const [tokens] = sequence(1, 6);
  const rest = (from) => layer.forward(tokens.slice(from), undefined, undefined, { ...options, cache });
  layer.forward(tokens.slice(0, 4), undefined, undefined, { ...options, cache });
  const expected = rest(4);
  cache.truncate(4);
  expect(cache.length).toBe(4);
  expect(rest(4)).toEqual(expected);
  for (const [length, ErrorClass] of [
    [7, RangeError],
    [-1, RangeError],
    [0.5, RangeError],
    ['1', TypeError],
  ]) {
    expect(() => {
      cache.truncate(length);
    }).toThrow(ErrorClass);
  }
  expect(cache.length).toBe(6);
});

test('null means no cache', () => {
  const layer = make();
  expect(forward(layer, { cache: null })).toEqual(forward(layer));
});

test('hundreds of tokens one by one are the whole sequence', () => {
  const layer = make({ numKvHeads: 1, rope: {} });
  const [tokens] = sequence(1, 300);
  const options = { isCausal: true, window: [40, 0] };
  const whole = layer.forward(tokens, undefined, undefined, options).output;
  const cache = new m.KVCache();
  const rows = tokens.map((token) =>
    layer
      .forward([token], undefined, undefined, { ...options, cache })
      .output.toNested()
      .flat(),
  );
  expect(relativeError(whole, rows)).toBeLessThanOrEqual(1e-6);
});

test('batches, GQA, RoPE, ALiBi, window, soft cap and masks over all keys: as of the reference', () => {
  const config = { embedDim: 8, numHeads: 4, numKvHeads: 2, headDim: 4, rope: { dim: 2, base: 100 } };
  const layer = make(config);
  const parameters = Object.fromEntries(
    Object.entries(layer.stateDict()).map(([name, parameter]) => [name, parameter.toNested()]),
  );
  const cache = new m.KVCache();
  const expectedCache = emptyCache();
  for (const [length, total] of [
    [6, 6],
    [1, 7],
    [4, 11],
  ]) {
    const query = sequence(3, length);
    const key = sequence(3, length).toReversed();
    const options = {
      ...{ isCausal: true, window: [7, 0], alibi: true, softcap: 2 },
      attnMask: fill([1, 4, length, total], (_, h, i, j) => (h + i + j) % 5 !== 0),
      keyPaddingMask: fill([3, total], (b, j) => j !== b + 1),
    };
    const inputs = [query, key, query];
    const result = layer.forward(...inputs, { ...options, cache });
    const expected = reference(config, parameters, inputs, { ...options, cache: expectedCache });
    expect(result.weights.shape).toEqual([3, 4, length, total]);
    expect(relativeError(result.weights, expected.weights)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(result.output, expected.output)).toBeLessThanOrEqual(TOLERANCE);
  }
});

test('appended keys come last and are not kept', () => {
  const layer = make({ addBiasKv: true, addZeroAttn: true });
  const cache = new m.KVCache();
  const first = layer.steps(x, x, x, { cache });
  const second = layer.steps(x, x, x, { cache });
  expect(cache.length).toBe(10);
  expect([first.weights.shape, second.weights.shape]).toEqual([
    [2, 2, 5, 7],
    [2, 2, 5, 12],
  ]);
  const rowsOf = ({ k }, from, to) => k.toNested().map((heads) => heads.map((rows) => rows.slice(from, to)));
  expect(rowsOf(second, 10, 12)).toEqual(rowsOf(first, 5, 7));
  expect(rowsOf(second, 5, 10)).toEqual(rowsOf(first, 0, 5));
});

test('keys and values stay as they were projected', () => {
  const [layer, other] = [make({ rope: {} }), make({ rope: {}, seed: 1 })];
  const cache = new m.KVCache();
  const before = layer.steps(x, x, x, { cache });
  layer.loadStateDict(other.stateDict());
  const after = layer.steps(x, x, x, { cache });
  expect(after.k.shape).toEqual([2, 2, 10, 4]);
  for (const name of ['k', 'v']) {
    const kept = after[name].toNested().map((heads) => heads.map((rows) => rows.slice(0, 5)));
    expect(kept).toEqual(before[name].toNested());
  }
});

test('a query may be shorter than the keys it brings', () => {
  const layer = make();
  const cache = new m.KVCache();
  const one = x.map((rows) => rows.slice(0, 1));
  expect(layer.forward(one, x, x, { cache }).weights.shape).toEqual([2, 2, 1, 5]);
  expect(cache.length).toBe(5);
});

describe('a call that throws', () => {
  const may = (rows, columns) => fill([rows, columns], () => true);
  test.each([
    ['another batch size', (layer, cache) => layer.forward(x[0], undefined, undefined, { cache }), '`cache`'],
    [
      'a larger batch',
      (layer, cache) => layer.forward(sequence(3, 1), undefined, undefined, { cache }),
      '`cache`',
    ],
    ['a layer of other heads', (_, cache) => forward(make({ numHeads: 4 }), { cache }), '`cache`'],
    ['a layer of other key heads', (_, cache) => forward(make({ numKvHeads: 1 }), { cache }), '`cache`'],
    ['a layer of other widths', (_, cache) => forward(make({ valueHeadDim: 3 }), { cache }), '`cache`'],
    [
      'a mask of the new keys alone',
      (layer, cache) => forward(layer, { attnMask: may(5, 5), cache }),
      '(5, 5)',
    ],
    [
      'padding of the new keys alone',
      (layer, cache) => forward(layer, { keyPaddingMask: may(2, 5), cache }),
      '`keyPaddingMask` must have shape (2, 10)',
    ],
    [
      'a key of another width',
      (layer, cache) =>
        layer.forward(
          x,
          fill([2, 5, 7], () => 1),
          x,
          { cache },
        ),
      '`key`',
    ],
    [
      'a value of another length',
      (layer, cache) => layer.forward(x, x, sequence(2, 4), { cache }),
      '`value`',
    ],
    [
      'scores that do not fit',
      (layer, cache) =>
        layer.forward(...Array(3).fill({ data: new Float32Array(2 * 8 * 30_000), shape: [2, 30_000, 8] }), {
          cache,
        }),
      'out of memory',
    ],
  ])('for %s leaves the cache as it was', (_, call, message) => {
    const layer = make();
    const [cache, other] = [new m.KVCache(), new m.KVCache()];
    forward(layer, { cache });
    forward(layer, { cache: other });
    expect(() => call(layer, cache)).toThrow(RangeError);
    expect(() => call(layer, cache)).toThrow(message);
    expect(cache.length).toBe(5);
    expect(layer.steps(x, x, x, { cache })).toEqual(layer.steps(x, x, x, { cache: other }));
    for (const owner of [layer, cache, other]) owner.dispose();
  });

  test('with another batch size gets an error with both sizes', () => {
    const layer = make();
    const cache = new m.KVCache();
    forward(layer, { cache });
    expect(() => layer.forward(x[0], undefined, undefined, { cache })).toThrow(
      '`query` must have the batch size 2 of `cache`, got 1',
    );
  });
});

test('masks count the keys of the cache', () => {
  const layer = make();
  const cache = new m.KVCache();
  forward(layer, { cache });
  const keyPaddingMask = indices(2).map(() => indices(10).map((j) => j === 3));
  const { weights } = forward(layer, { keyPaddingMask, cache });
  const row = indices(10).map((j) => Number(j === 3));
  expect(weights.toNested().flat(2)).toEqual(Array(20).fill(row));
});

test('a cache of another module is refused', async () => {
  const other = await load({ build: m.build === 'simd' ? 'relaxed' : 'simd' });
  const layer = make();
  const cache = new other.KVCache();
  expect(() => forward(layer, { cache })).toThrow(TypeError);
  expect(() => forward(layer, { cache })).toThrow(
    '`cache` must be a KVCache of the module that the layer is of',
  );
  expect(cache.length).toBe(0);
});

test('a disposed cache is refused, and the layer still works', () => {
  const layer = make();
  const expected = forward(layer);
  const cache = new m.KVCache();
  forward(layer, { cache });
  cache.dispose();
  expect(() => forward(layer, { cache })).toThrow('this KVCache was disposed');
  expect(() => cache.length).toThrow('this KVCache was disposed');
  expect(() => cache.reset()).toThrow('this KVCache was disposed');
  expect(forward(layer)).toEqual(expected);
});

test('a disposed layer leaves the cache as it was', () => {
  const [layer, other] = [make(), make()];
  const cache = new m.KVCache();
  forward(layer, { cache });
  layer.dispose();
  expect(() => forward(layer, { cache })).toThrow('this MultiHeadAttention was disposed');
  expect(cache.length).toBe(5);
  expect(() => forward(other, { cache })).toThrow('`cache` must be empty, filled by this layer');
  cache.reset();
  expect(forward(other, { cache }).weights.shape).toEqual([2, 2, 5, 5]);
});

test('a batch continued token by token equals its single sequences', () => {
  const layer = make({ addBiasKv: true, activation: 'relu' });
  const caches = [new m.KVCache(), new m.KVCache(), new m.KVCache()];
  for (let t = 0; t < 5; ++t) {
    const token = x.map((rows) => [rows[t]]);
    const { output } = layer.forward(token, token, token, { cache: caches[2] });
    token.forEach((rows, b) => {
      const alone = layer.forward(rows, rows, rows, { cache: caches[b] });
      expect(relativeError(alone.output, output.toNested()[b])).toBeLessThanOrEqual(1e-6);
    });
  }
  for (const owner of [layer, ...caches]) owner.dispose();
});

test('keys of a call whose results fail are dropped', () => {
  const layer = make();
  const cache = new m.KVCache();
  const first = forward(layer, { cache });
  const input = { data: Float32Array.from(x.flat(2)), shape: [2, 5, 8] };
  // Of the shapes that results bring, as when there is no memory left for it.
  const { from } = Array;
  Array.from = (...values) => {
    if (ArrayBuffer.isView(values[0])) throw new RangeError('Array allocation failed');
    return from.apply(Array, values);
  };
  try {
    expect(() => layer.forward(input, undefined, undefined, { cache })).toThrow('allocation failed');
  } finally {
    Array.from = from;
  }
  expect(cache.length).toBe(5);
  cache.reset();
  expect(forward(layer, { cache })).toEqual(first);
});

test('a prompt of several tokens is causal, unless the call says otherwise', () => {
  const layer = make();
  const cached = (options) => layer.forward(x, { cache: new m.KVCache(), ...options });
  const causal = forward(layer, { isCausal: true });
  expect(cached({})).toEqual(causal);
  expect(layer.steps(x, { cache: new m.KVCache() }).weights).toEqual(causal.weights);
  expect(cached({ isCausal: null })).toEqual(causal);
  expect(cached({ isCausal: false })).toEqual(forward(layer));
  const attnMask = fill([5, 5], (i, j) => j < 3 || j <= i);
  expect(cached({ attnMask })).toEqual(forward(layer, { attnMask }));
  const one = x.map((rows) => rows.slice(0, 1));
  expect(layer.forward(one, x, x, { cache: new m.KVCache() })).toEqual(layer.forward(one, x, x));
});

test('a clone goes its own way', () => {
  const layer = make({ rope: {} });
  const cache = new m.KVCache();
  forward(layer, { cache });
  const copy = cache.clone();
  expect(copy).toBeInstanceOf(m.KVCache);
  const expected = forward(layer, { cache });
  expect(forward(layer, { cache: copy })).toEqual(expected);
  cache.dispose();
  expect(copy.length).toBe(10);
  copy.truncate(5);
  expect(forward(layer, { cache: copy })).toEqual(expected);
  expect(() => forward(make(), { cache: copy })).toThrow('`cache` must be empty, filled by this layer');
  expect(new m.KVCache().clone().length).toBe(0);
});

test('keys and values are read as tensors, and fill another cache', () => {
  const layer = make({ numHeads: 4, numKvHeads: 2, valueHeadDim: 3, rope: {}, addZeroAttn: true });
  const cache = new m.KVCache();
  layer.forward(x, { cache });
  const { k, v } = layer.steps(x, { isCausal: true });
  const { keys, values } = cache.toTensors();
  expect([keys.shape, values.shape]).toEqual([
    [2, 2, 5, 2],
    [2, 2, 5, 3],
  ]);
  const real = (tensor) => tensor.toNested().map((heads) => heads.map((rows) => rows.slice(0, 5)));
  expect([keys.toNested(), values.toNested()]).toEqual([real(k), real(v)]);

  const filled = new m.KVCache();
  filled.fill(keys, values);
  expect(filled.length).toBe(5);
  expect(filled.toTensors()).toEqual({ keys, values });
  expect(layer.forward(x, { cache: filled })).toEqual(layer.forward(x, { cache }));
  expect(filled.toTensors()).toEqual(cache.toTensors());
  // From its first call on it is this layer's.
  const twin = make({ numHeads: 4, numKvHeads: 2, valueHeadDim: 3, rope: {}, addZeroAttn: true });
  expect(() => twin.forward(x, { cache: filled })).toThrow('`cache` must be empty, filled by this layer');
  filled.fill(keys, values);
  expect(twin.forward(x, { cache: filled }).weights.shape).toEqual([2, 4, 5, 11]);

  const unbatched = new m.KVCache();
  unbatched.fill(keys.get(0), values.get(0));
  expect(layer.forward(x[0], { cache: unbatched }).weights.shape).toEqual([4, 5, 11]);
  expect(() => make().forward(x, { cache: filled })).toThrow('or with keys and values of its heads');
  for (const [call, message] of [
    [
      () => filled.fill(keys.get(0, 0), values),
      '`keys` must be (H_kv, S, d_k) or (B, H_kv, S, d_k), got shape (5, 2)',
    ],
    [
      () => filled.fill(keys, values.get(0)),
      '`values` must have the shape of `keys` but for the last dimension',
    ],
    [() => filled.fill(keys, [[[[1, 2, 3]]]]), '(2, 2, 5, 2), got shape (1, 1, 1, 3)'],
    [() => filled.fill(keys), '`values` must be a tensor'],
  ]) {
    expect(call).toThrow(message);
  }
  expect(filled.length).toBe(10);
});
