/** Where queries stand among the keys, how many keys are real, and which scores are returned. */
import { load } from 'multihead-attention';
import { bitsOf, modules, relativeError, tensor, TOLERANCE } from './golden.js';
import { attention, fill, indices, layer as reference } from './reference.js';

const number = (...place) => Math.sin(place.reduce((sum, i) => 7 * sum + i, 3));
const heads = (B, H, L, d) => fill([B, H, L, d], number);
const [B, H, L, S, d] = [3, 2, 4, 6, 5];
const inputs = [heads(B, H, L, d), heads(B, H, S, d), heads(B, H, S, 3)];

/** The same as boolean masks, (B,1,L,S). */
const maskOf = ({ isCausal, window, offsets, lengths }) =>
  fill([B, 1, L, S], (b, _, i, j) => {
    const distance = offsets[b] + i - j;
    const inWindow = window === undefined || (distance <= window[0] && -distance <= window[1]);
    return j < lengths[b] && (!isCausal || distance >= 0) && inWindow;
  });

describe.each(modules)('$name', ({ options: how }) => {
  let m;
  beforeAll(async () => {
    m = await load(how);
  });

  const close = (actual, expected) => expect(relativeError(actual, expected)).toBeLessThanOrEqual(TOLERANCE);

  test.each([
    { isCausal: true, offsets: [0, 2, -2] },
    { isCausal: true, offsets: [2, 2, 2], lengths: [6, 3, 0] },
    { isCausal: false, lengths: [1, 6, 4] },
    { isCausal: false, window: [1, 0], offsets: [-1, 5, 40] },
    { isCausal: true, window: [2, Infinity], offsets: [2, 1, -3], lengths: [6, 5, 1] },
    { isCausal: false, window: [Infinity, 1], offsets: [3, 0, -9], lengths: [2, 6, 6] },
  ])('queryOffset and keyLengths are a mask: %j', ({ isCausal, window, offsets, lengths }) => {
    const mask = maskOf({ isCausal, window, offsets: offsets ?? [0, 0, 0], lengths: lengths ?? [S, S, S] });
    const expected = attention(...inputs, { masks: [mask] });
    const options = { isCausal, window, queryOffset: offsets, keyLengths: lengths };
    const result = m.scaledDotProductAttention(...inputs, { ...options, returnScores: 'masked' });
    close(result.weights, expected.weights);
    close(result.output, expected.context);
    expect(Array.from(result.scores.data, (x) => x === -Infinity)).toEqual(
      expected.masked.flat(3).map((x) => x === -Infinity),
    );
    const alone = m.scaledDotProductAttention(...inputs, { ...options, needWeights: false });
    close(alone.output, expected.context);
  });

  test.each(['half', 'interleaved'])(
    'a layer turns by the cosines and sines of the caller, %s',
    (convention) => {
      const [dim, rows] = [4, 9];
      const angle = (position, pair) => position / 100 ** ((2 * pair) / dim);
      const options = { embedDim: 8, numHeads: 2, headDim: 6, seed: 1 };
      const [x, positions] = [fill([2, 5, 8], number), [0, 8, 3, 3, 1]];
      const own = (name) => fill([rows, dim / 2], (position, pair) => Math[name](angle(position, pair)));
      const given = new m.MultiHeadAttention({
        ...options,
        rope: { cos: own('cos'), sin: own('sin'), convention },
      });
      const layer = new m.MultiHeadAttention({ ...options, rope: { base: 100, dim, convention } });
      given.loadStateDict(layer.stateDict());
      for (const call of [{}, { positions }]) {
        const [actual, expected] = [given.forward(x, call), layer.forward(x, call)];
        for (const name of ['output', 'weights']) close(actual[name], expected[name].toNested());
      }
      const beyond = () => given.forward(x, { positions: [0, 1, 2, 3, rows] });
      expect(beyond).toThrow('`rope.cos` must have a row for position 9, got 9 rows');
    },
  );

  test('one integer is for all batch items, in any form', () => {
    const call = (queryOffset, keyLengths) =>
      bitsOf(m.scaledDotProductAttention(...inputs, { isCausal: true, queryOffset, keyLengths }));
    const expected = call([2, 2, 2], [5, 5, 5]);
    for (const form of [
      (n) => n,
      (n) => [n],
      (n) => Int32Array.of(n, n, n),
      (n) => BigInt64Array.of(BigInt(n)),
      (n) => ({ data: BigInt64Array.of(BigInt(n), BigInt(n), BigInt(n)), dims: [3] }),
    ]) {
      expect(call(form(2), form(5))).toEqual(expected);
    }
  });

  test('NaN in keys that are not real reaches nothing, also of long inputs without weights', () => {
    const long = 1100;
    const [q, k, v] = [
      [1, 3, 4],
      [1, long, 4],
      [1, long, 4],
    ].map((shape) => ({
      data: Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, i) => Math.sin(i)),
      shape,
    }));
    const cut = ({ data, shape }) => ({ data: data.slice(0, 1000 * 4), shape: [1, 1000, shape[2]] });
    const expected = m.scaledDotProductAttention(q, cut(k), cut(v), { needWeights: false });
    for (const { data } of [k, v]) data.fill(NaN, 1000 * 4);
    const { output } = m.scaledDotProductAttention(q, k, v, { keyLengths: 1000, needWeights: false });
    expect(relativeError(output, expected.output.toNested())).toBeLessThanOrEqual(TOLERANCE);
    const alibi = m.scaledDotProductAttention(q, k, v, {
      keyLengths: 1000,
      alibiSlopes: [0.1],
      queryOffset: -3,
    });
    expect(alibi.output.data.every(Number.isFinite)).toBe(true);
  });

  test('the mask may end where no key is real any more', () => {
    const mask = fill([L, 4], (i, j) => (i + j) % 3 !== 0);
    const whole = mask.map((row) => [...row, true, true]);
    const call = (given, keyLengths) => m.scaledDotProductAttention(...inputs, { mask: given, keyLengths });
    expect(bitsOf(call(mask, [4, 3, 1]))).toEqual(bitsOf(call(whole, [4, 3, 1])));
    expect(() => call(mask, [4, 5, 1])).toThrow('`mask` must broadcast to (3, 2, 4, 6), got shape (4, 4)');
  });

  test('the layer: ALiBi, RoPE, a cache and both forms of batches', () => {
    const config = { embedDim: 8, numHeads: 2, rope: { dim: 2, base: 50 } };
    const layer = new m.MultiHeadAttention(config);
    const parameters = Object.fromEntries(
      Object.entries(layer.stateDict()).map(([name, parameter]) => [name, parameter.toNested()]),
    );
    const width = 8;
    const [q, w] = [parameters.in_proj_weight, width];
    const separate = {
      ...parameters,
      q_proj_weight: q.slice(0, w),
      k_proj_weight: q.slice(w, 2 * w),
      v_proj_weight: q.slice(2 * w),
    };
    const x = fill([2, 5, width], number);
    const options = { alibi: true, isCausal: true, queryOffset: [1, -1], keyLengths: [5, 3] };
    const result = layer.forward(x, options);
    // ALiBi by the positions, as a mask of numbers.
    const slopes = [2 ** -4, 2 ** -8];
    const attnMask = fill([2, 2, 5, 5], (b, h, i, j) => {
      const distance = options.queryOffset[b] + i - j;
      return distance < 0 || j >= options.keyLengths[b] ? -Infinity : -slopes[h] * distance;
    });
    const expected = reference(config, separate, [x, x, x], { attnMask });
    close(result.weights, expected.weights);
    close(result.output, expected.output);
    const bare = layer.forward(x[1], { ...options, queryOffset: -1, keyLengths: [3] });
    close(bare.weights, expected.weights[1]);

    const cache = new m.KVCache();
    layer.forward(x, { cache, isCausal: true });
    const later = { cache, isCausal: true, keyLengths: 7 };
    const { weights } = layer.forward(x, later);
    expect(weights.shape).toEqual([2, 2, 5, 10]);
    expect(
      weights
        .get(0, 0, 4)
        .data.subarray(7)
        .every((weight) => weight === 0),
    ).toBe(true);
    expect(() => layer.forward(x, { ...later, keyLengths: 16 })).toThrow(
      '`keyLengths` must be an integer from 0 to 15',
    );
    expect(cache.length).toBe(10);
  });

  test('scores raw, scaled and masked are those of steps()', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const x = fill([2, 5, 8], number);
    const options = { isCausal: true, softcap: 2, scale: 0.7, alibi: true };
    const steps = layer.steps(x, options);
    for (const [returnScores, name] of [
      [true, 'scores'],
      ['scaled', 'scaled'],
      ['masked', 'masked'],
    ]) {
      for (const training of [false, true]) {
        const { scores, output, weights } = layer.forward(x, { ...options, returnScores, training });
        expect(bitsOf({ scores, weights, output })).toEqual(
          bitsOf({ scores: steps[name], weights: steps.weights, output: steps.output }),
        );
      }
      const gradients = layer.backward(steps.output);
      layer.forward(x, { ...options, training: true });
      expect(bitsOf(layer.backward(steps.output).parameters)).toEqual(bitsOf(gradients.parameters));
    }
    const [q, k, v] = [steps.q, layer.steps(x).k, layer.steps(x).v].map((each) => each.toNested());
    const call = (given) =>
      m.scaledDotProductAttention(q, k, v, { softcap: 2, scale: 0.7, returnScores: given }).scores;
    for (const [given, name] of [
      [true, 'scores'],
      ['scaled', 'scaled'],
      ['masked', 'scaled'],
    ]) {
      expect(bitsOf({ scores: call(given) })).toEqual(bitsOf({ scores: steps[name] }));
    }
    expect(m.scaledDotProductAttention(q, q, q).scores).toBeUndefined();
  });

  test('heads side by side are heads in a dimension of their own', () => {
    const join = (x) => x.map((all) => indices(all[0].length).map((i) => all.flatMap((rows) => rows[i])));
    const [q, k, v] = [heads(2, 4, 3, 5), heads(2, 2, 6, 5), heads(2, 2, 6, 7)];
    const apart = m.scaledDotProductAttention(q, k, v, {
      isCausal: true,
      enableGqa: true,
      returnScores: true,
    });
    const options = { isCausal: true, numHeads: 4, numKvHeads: 2, returnScores: true };
    const beside = m.scaledDotProductAttention(join(q), join(k), join(v), options);
    expect(bitsOf({ ...beside, output: tensor(join(apart.output.toNested())) })).toEqual(
      bitsOf({ ...apart, output: tensor(join(apart.output.toNested())) }),
    );
    expect(beside.output.shape).toEqual([2, 3, 28]);
    const one = m.scaledDotProductAttention(join(q)[0], join(k)[0], join(v)[0], options);
    expect(one.weights.shape).toEqual([4, 3, 6]);
    const call = (more) => m.scaledDotProductAttention(join(q), join(k), join(v), more);
    expect(() => call({ numHeads: 3 })).toThrow('that its 3 heads divide, got shape (2, 3, 20)');
    expect(() => call({ numKvHeads: 2 })).toThrow('`numHeads` must be given with `numKvHeads`');
    expect(() => call({ numHeads: 4, numKvHeads: 0 })).toThrow('`numKvHeads`');
  });

  test('earlier keys and values come first and shift the queries', () => {
    const [q, k, v] = inputs;
    const cut = (x, from, to) => x.map((all) => all.map((rows) => rows.slice(from, to)));
    const whole = m.scaledDotProductAttention(q, k, v, { isCausal: true, queryOffset: 4 });
    const { presentKey, presentValue, ...rest } = m.scaledDotProductAttention(q, cut(k, 4), cut(v, 4), {
      isCausal: true,
      pastKey: cut(k, 0, 4),
      pastValue: cut(v, 0, 4),
    });
    expect(bitsOf(rest)).toEqual(bitsOf(whole));
    expect(bitsOf({ presentKey, presentValue })).toEqual(
      bitsOf({ presentKey: tensor(k), presentValue: tensor(v) }),
    );
    const call = (more) => m.scaledDotProductAttention(q, k, v, more);
    expect(() => call({ pastKey: k })).toThrow('`pastValue` must be given');
    expect(() => call({ pastValue: v })).toThrow('`pastKey` must be given');
    expect(() => call({ pastKey: v, pastValue: v })).toThrow('`pastKey` must have the shape of the new rows');
  });
});
