/**
 * The border to C++: whatever code runs while an argument is read, and whatever properties an array reports, the result is
 * that of plain copies or the call is refused by name; results contain no memory but the inputs'.
 */
import { load, Tensor } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { inPackage } from './consumer.js';
import { builds, modules } from './golden.js';
import { hostileArguments } from './hostile.js';
import { fill } from './reference.js';
import { wasmBytes } from './wasm-files.js';

/** Fills freed memory: if it appears in a result, that has read unwritten memory. */
const MARKER = Math.fround(123456.789);

const SIZES = { embedDim: 8, numHeads: 2 };
const x = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), shape: [3, 8] };
const token = { data: x.data.subarray(0, 8), shape: [1, 8] };
const heads = { data: x.data, shape: [2, 3, 4] };
const weights = { data: new Float32Array(18).fill(1 / 3), shape: [2, 3, 3] };
const tokens = fill([2, 3], (i, j) => 1 + 3 * i + j);

/** All numbers in a result, tensors and objects opened. */
function* numbersIn(result) {
  if (typeof result === 'number') yield result;
  else if (ArrayBuffer.isView(result)) yield* result;
  else if (result && typeof result === 'object')
    for (const part of Object.values(result)) yield* numbersIn(part);
}

const expectNoMarker = (result) => {
  const markers = Array.from(numbersIn(result)).filter((number) => number === MARKER);
  expect(markers.length).toBe(0);
};

/** What a call gives, or the name of the argument that it refuses. */
function outcome(call) {
  try {
    return { result: call() };
  } catch (error) {
    const isRefusal =
      [TypeError, RangeError].includes(error.constructor) && typeof error.argument === 'string';
    if (!isRefusal) throw error;
    return { refused: error.argument };
  }
}

const mask = { data: Uint8Array.of(1, 0, 0, 1, 1, 0, 1, 1, 1), shape: [3, 3] };
const cachedMask = { data: new Uint8Array(15).fill(1), shape: [3, 5] };
const padding = { data: new Uint8Array(3).fill(1), shape: [3] };
const ids = { data: Int32Array.from(tokens.flat()), shape: [2, 3] };
const realIds = { data: new Uint8Array(6).fill(1), shape: [2, 3] };
const integers = (...values) => ({ data: Int32Array.from(values), shape: [values.length] });
const scores = {
  ...{ isCausal: true, window: [2, 0], softcap: 3, scale: 0.5 },
  ...{ queryOffset: integers(1), keyLengths: integers(3) },
};
const alibiSlopes = { data: Float32Array.of(0.5, 0.25), shape: [2] };

/** Each call with its arguments and, if it has any, the options behind them. */
const calls = {
  MultiHeadAttention: ({ m }) => ({
    call: (options) => {
      const made = new m.MultiHeadAttention(options);
      const state = made.stateDict();
      made.dispose();
      return state;
    },
    args: [],
    options: { ...SIZES, rope: { base: 100, dim: 2, convention: 'half' }, seed: 3 },
  }),
  forward: ({ layer }) => ({
    call: (...args) => layer.forward(...args),
    args: [x, x, x],
    options: { ...scores, attnMask: mask, keyPaddingMask: padding, alibi: true, returnScores: true },
  }),
  'forward of three inputs': ({ layer }) => ({
    call: (...args) => layer.forward(...args),
    args: [x, { ...x }, { ...x }],
    options: { averageWeights: true },
  }),
  'forward with a cache': ({ layer, cache }) => ({
    call: (...args) => layer.forward(...args),
    args: [x, x, x],
    options: { attnMask: cachedMask, cache, needWeights: true },
  }),
  steps: ({ layer, cache }) => ({
    call: (...args) => layer.steps(...args),
    args: [x, x, x],
    options: { ...scores, cache },
  }),
  backward: ({ layer }) => ({ call: (gradOutput) => layer.backward(gradOutput), args: [x] }),
  loadStateDict: ({ layer }) => ({
    call: (dict) => {
      layer.loadStateDict(dict);
      return layer.forward(x, x, x, { training: true });
    },
    args: [],
    options: layer.stateDict(),
  }),
  scaledDotProductAttention: ({ m }) => ({
    call: (...args) => m.scaledDotProductAttention(...args),
    args: [heads, heads, heads],
    options: { ...scores, mask, alibiSlopes },
  }),
  padding: ({ m }) => ({ call: (...args) => m.masks.padding(...args), args: [[1, 2], 2] }),
  slidingWindow: ({ m }) => ({ call: (...args) => m.masks.slidingWindow(...args), args: [3, [1, 0]] }),
  fromTorch: ({ m }) => ({ call: (tensor) => m.masks.fromTorch(tensor), args: [mask] }),
  entropy: ({ m }) => ({ call: (tensor) => m.metrics.entropy(tensor), args: [weights] }),
  similarity: ({ m }) => ({ call: (tensor) => m.metrics.similarity(tensor), args: [weights] }),
  headRoles: ({ m }) => ({
    call: (...args) => m.metrics.headRoles(...args),
    args: [weights, ['a', 'b', 'c']],
    options: { frequencies: { a: 2, b: 1 } },
  }),
  normal: ({ m }) => ({ call: (shape) => m.random.defaultRng(1).normal(0, 1, shape), args: [[2, 2]] }),
  write: ({ m }) => ({
    call: (...args) => m.safetensors.write(...args),
    args: [{ a: token, b: x }],
    options: { format: 'pt' },
  }),
  'write of tensors': ({ m }) => ({
    call: (dict) => m.safetensors.write(dict),
    args: [],
    options: { a: token, b: x },
  }),
  read: ({ m }) => ({
    call: (...args) => m.safetensors.read(...args),
    args: [m.safetensors.write({ 'a.b': token })],
    options: { prefix: 'a.' },
  }),
  sentence: ({ m }) => ({
    call: (...args) => bindDocuments(m).sentence(...args),
    args: ['the cat saw the cat'],
    options: { numHeads: 2, seed: 1 },
  }),
  'forward of the encoder': ({ encoder }) => ({
    call: (...args) => encoder.forward(...args),
    args: [ids],
    options: { keyPaddingMask: realIds },
  }),
  'evaluate of the encoder': ({ encoder }) => ({
    call: (...args) => encoder.evaluate(...args),
    args: [ids, ids],
    options: { keyPaddingMask: realIds },
  }),
  'loadStateDict of the encoder': ({ encoder }) => ({
    call: (some) => {
      encoder.loadStateDict({ ...encoder.stateDict(), ...some });
      return encoder.forward(ids);
    },
    args: [],
    options: { 'norm.weight': encoder.stateDict()['norm.weight'] },
  }),
};

describe.each(modules)('$name', ({ options }) => {
  let m, layer, cache, encoder, expected;
  beforeAll(async () => {
    m = { ...(await load(options)), training: await loadTraining({ build: options.build }) };
    const marked = Array.from({ length: 40 }, () => {
      const made = new m.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
      const state = made.stateDict();
      for (const { data } of Object.values(state)) data.fill(MARKER);
      made.loadStateDict(state);
      return made;
    });
    for (const one of marked) one.dispose();
    layer = new m.MultiHeadAttention(SIZES);
    cache = new m.KVCache();
    encoder = new m.training.Encoder({ vocabSize: 9, maxLength: 4, numLayers: 1, ...SIZES });
    expected = layer.forward(x);
  });
  afterAll(() => {
    for (const owner of [layer, cache, encoder]) owner.dispose();
  });

  /** Two keys in the cache, and a forward behind which `backward` can be called. */
  function start() {
    cache.reset();
    layer.forward({ data: x.data.slice(0, 16), shape: [2, 8] }, undefined, undefined, { cache });
    layer.forward(x, x, x, { training: true });
  }

  /** What a caller's code can do: fills, empties and refills the cache, loads parameters, is refused, disposes. */
  function interfere() {
    const other = new m.MultiHeadAttention({ ...SIZES, seed: 1 });
    cache.reset();
    other.forward({ data: new Float32Array(800).fill(MARKER), shape: [100, 8] }, undefined, undefined, {
      cache,
    });
    expect(() => other.forward([[1]])).toThrow(RangeError);
    layer.loadStateDict(layer.stateDict());
    encoder.forward(tokens);
    other.dispose();
    start();
  }

  test.each(Object.entries(calls))(
    '%s: code that runs while arguments are read changes nothing',
    (_, describeCall) => {
      const description = describeCall({ m, layer, cache, encoder });
      const { call, args, options: last } = description;
      const plainly = () => call(...args, ...(last ? [last] : []));
      start();
      const plain = plainly();
      let reads = 0;
      let acts = 0;
      // Behind the first, second, fourth … read of a case: not all of a thousand values need it.
      const act = () => {
        reads += 1;
        if (Number.isInteger(Math.log2(reads))) {
          acts += 1;
          interfere();
        }
      };
      let cases = 0;
      for (const [where, hostileArgs] of hostileArguments(description, act)) {
        cases += 1;
        reads = 0;
        start();
        const { refused, result } = outcome(() => call(...hostileArgs));
        expectNoMarker(result);
        expect({ where, refused, result }).toEqual({ where, refused: undefined, result: plain });
        expect(layer.forward(x)).toEqual(expected);
        start();
        expect(plainly()).toEqual(plain);
      }
      expect(cases).toBeGreaterThan(0);
      expect(acts).toBeGreaterThan(0);
    },
  );

  test.each(Object.entries(calls))(
    '%s: what the caller’s code throws comes out as it is',
    (_, describeCall) => {
      const description = describeCall({ m, layer, cache, encoder });
      const { call, args, options: last } = description;
      const thrown = new EvalError('mine');
      const act = () => {
        throw thrown;
      };
      start();
      const plain = call(...args, ...(last ? [last] : []));
      let count = 0;
      for (const [where, hostileArgs] of hostileArguments(description, act)) {
        start();
        try {
          // A typed array's own properties are never read.
          expect({ where, result: call(...hostileArgs) }).toEqual({ where, result: plain });
        } catch (error) {
          if (error !== thrown) throw error;
          count += 1;
        }
        expect(layer.forward(x)).toEqual(expected);
      }
      expect(count).toBeGreaterThan(0);
    },
  );

  test('memory that grows while an argument is read changes nothing', () => {
    const growing = ({ data, shape }, count) => ({
      data,
      get shape() {
        m.random.defaultRng(1).random(count);
        return shape;
      },
    });
    expect(layer.forward(growing(x, 3_000_000))).toEqual(expected);
    expect(layer.forward(x, growing(x, 5_000_000), x)).toEqual(expected);
    const state = layer.stateDict();
    layer.loadStateDict({ ...state, 'out_proj.weight': growing(state['out_proj.weight'], 7_000_000) });
    expect(layer.forward(x)).toEqual(expected);
    const attend = (value) => m.scaledDotProductAttention(heads, heads, value);
    expect(attend(growing(heads, 9_000_000))).toEqual(attend(heads));
  });

  test('a call that is refused never makes a cache longer than it is', () => {
    const wide = new m.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
    const state = wide.stateDict();
    for (const { data, shape } of Object.values(state)) data.fill(shape.length === 1 ? MARKER : 0);
    wide.loadStateDict(state);
    const rows = (length) => ({ data: new Float32Array(64 * length), shape: [length, 64] });
    cache.reset();
    wide.forward(rows(500), undefined, undefined, { cache });
    // The first read passes the check. Later ones empty the cache and fill it again.
    const input = rows(2);
    let reads = 0;
    Object.defineProperty(input.data, 'length', {
      get() {
        reads += 1;
        if (reads === 1) return 128;
        cache.reset();
        layer.forward(token, undefined, undefined, { cache });
        return 1;
      },
    });
    outcome(() => wide.forward(input, undefined, undefined, { cache }));
    expectNoMarker(outcome(() => layer.steps(token, token, token, { cache })));
    // Nobody asks the array: the call is done.
    expect(reads).toBe(0);
    expect(cache.length).toBe(502);
  });

  test.each([
    ['refused', [3, 7]],
    ['taken', [3, 8]],
  ])('a cache that is emptied while a shape is read, in a call that is %s', (_, shape) => {
    const fresh = new m.KVCache();
    cache.reset();
    layer.forward({ data: new Float32Array(4096).fill(MARKER), shape: [512, 8] }, undefined, undefined, {
      cache,
    });
    const input = {
      data: x.data,
      get shape() {
        cache.reset();
        layer.forward(token, undefined, undefined, { cache });
        return shape;
      },
    };
    outcome(() => layer.forward(input, undefined, undefined, { cache }));
    layer.forward(token, undefined, undefined, { cache: fresh });
    outcome(() => layer.forward({ data: x.data, shape }, undefined, undefined, { cache: fresh }));
    expect(cache.length).toBe(fresh.length);
    const [steps, plain] = [cache, fresh].map((one) => layer.steps(token, token, token, { cache: one }));
    expect(steps).toEqual(plain);
  });

  test.each(['Float32Array', 'Float64Array'])(
    'a %s that claims more values than it has is refused',
    (kind) => {
      const claiming = () => Object.defineProperty(new globalThis[kind](1), 'length', { value: 4096 });
      const input = (...shape) => ({ data: claiming(), shape });
      const wide = new m.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
      const one = [[[1]]];
      for (const [argument, call] of [
        ['query', () => wide.forward(input(64, 64))],
        ['key', () => wide.steps({ data: new Float32Array(4096), shape: [64, 64] }, input(64, 64))],
        ['attnMask', () => layer.forward(x, x, x, { attnMask: input(64, 64) })],
        ['gradOutput', () => wide.backward(input(64, 64))],
        [
          'in_proj_weight',
          () => layer.loadStateDict({ ...layer.stateDict(), in_proj_weight: input(64, 64) }),
        ],
        ['query', () => m.scaledDotProductAttention(input(1, 64, 64), one, one)],
        ['mask', () => m.masks.fromTorch(input(64, 64))],
        ['weights', () => m.metrics.entropy(input(1, 64, 64))],
        ['a', () => m.safetensors.write({ a: input(64, 64) })],
        ['norm.weight', () => encoder.loadStateDict({ ...encoder.stateDict(), 'norm.weight': input(4096) })],
        ['data', () => new Tensor(claiming(), [64, 64])],
      ]) {
        expect(outcome(call)).toEqual({ refused: argument });
      }
      wide.dispose();
    },
  );

  test('a Uint8Array or Int32Array that claims more values than it has is refused', () => {
    const claiming = (Kind) => ({
      data: Object.defineProperty(new Kind(1), 'length', { value: 6 }),
      shape: [2, 3],
    });
    const keyPaddingMask = claiming(Uint8Array);
    expect(outcome(() => encoder.forward(claiming(Int32Array)))).toEqual({ refused: 'tokens' });
    expect(outcome(() => encoder.forward(tokens, { keyPaddingMask }))).toEqual({ refused: 'keyPaddingMask' });
    expect(outcome(() => layer.forward(x, x, x, { attnMask: keyPaddingMask }))).toEqual({
      refused: 'attnMask',
    });
  });

  test.each([
    ['transferred', (buffer) => structuredClone(buffer, { transfer: [buffer] })],
    ['shrunk', (buffer) => buffer.resize(8)],
  ])('a buffer that is %s while the next input is read', (_, take) => {
    const input = () => {
      const buffer = new ArrayBuffer(96, { maxByteLength: 96 });
      return { data: new Float32Array(buffer), shape: [3, 8] };
    };
    const taking = ({ data: { buffer } }) => ({
      data: x.data,
      get shape() {
        take(buffer);
        return [3, 8];
      },
    });
    const query = input();
    expect(outcome(() => layer.forward(query, taking(query)))).toEqual({ refused: 'data' });
    const tensors = input();
    expect(outcome(() => m.safetensors.write({ a: tensors, b: taking(tensors) }))).toEqual({ refused: 'a' });
    const alone = input();
    const metadata = {
      get format() {
        take(alone.data.buffer);
        return 'pt';
      },
    };
    expect(outcome(() => m.safetensors.write({ a: alone }, metadata))).toEqual({ refused: 'a' });
    const taken = input();
    take(taken.data.buffer);
    expect(outcome(() => layer.forward(taken))).toEqual({ refused: 'query' });
    expect(layer.forward(x)).toEqual(expected);
  });

  test('a buffer that grows while the next input is read: the values are those of the call', () => {
    for (const make of [ArrayBuffer, SharedArrayBuffer]) {
      const buffer = new make(96, { maxByteLength: 4096 });
      const data = new Float32Array(buffer);
      data.set(x.data);
      const key = {
        data: x.data,
        get shape() {
          if (make === ArrayBuffer) buffer.resize(4096);
          else buffer.grow(4096);
          return [3, 8];
        },
      };
      expect(layer.forward({ data, shape: [3, 8] }, key)).toEqual(expected);
      expect(data.length).toBe(1024);
    }
  });

  test('lengths of a proxy that are no lengths are refused', () => {
    for (const length of [NaN, -1, 1.5, Infinity, '3', { valueOf: () => 3 }, null, undefined]) {
      const nested = new Proxy([[1, 2]], {
        get: (target, name) => (name === 'length' ? length : target[name]),
      });
      expect(outcome(() => layer.forward(nested))).toEqual({ refused: 'query.length' });
    }
  });

  test('proxies, as Vue makes them of objects, are read as inputs and refused as owners of C++ objects', () => {
    const proxies = new Map();
    const reactive = (value) => {
      const kind = Object.prototype.toString.call(value);
      if (!['[object Object]', '[object Array]'].includes(kind) || !Object.isExtensible(value)) return value;
      if (!proxies.has(value)) {
        proxies.set(value, new Proxy(value, { get: (...args) => reactive(Reflect.get(...args)) }));
      }
      return proxies.get(value);
    };
    const options = { isCausal: true, window: [1, 0], attnMask: [[true], [true], [true]] };
    const nested = new Tensor(x.data, x.shape).toNested();
    const inputs = {
      nested,
      x,
      tensor: new Tensor(x.data, x.shape),
      dims: { data: [...x.data], dims: [3, 8] },
    };
    for (const input of Object.values(reactive(inputs))) {
      expect(layer.forward(input, input, input, reactive(options))).toEqual(layer.forward(x, x, x, options));
    }
    const own = new m.MultiHeadAttention(reactive(SIZES));
    own.loadStateDict(reactive(layer.stateDict()));
    expect(own.forward(x)).toEqual(expected);

    const must = 'must be the object that `new` has made, got a proxy';
    const held = reactive({ own, cache: new m.KVCache(), generator: m.random.defaultRng(0), encoder });
    for (const call of [
      () => held.own.forward(x),
      () => held.own.steps(x),
      () => held.own.parameterCount,
      () => held.own.dispose(),
      () => held.cache.length,
      () => held.generator.random(1),
      () => held.encoder.forward(tokens),
    ]) {
      expect(outcome(call)).toEqual({ refused: 'this' });
      expect(call).toThrow(must);
      expect(call).toThrow('shallowRef()');
    }
    expect(() => layer.forward(x, x, x, { cache: held.cache })).toThrow(`\`cache\` ${must}`);
  });

  test('what only looks like a cache is refused', () => {
    for (const like of [
      new Proxy(cache, {}),
      Object.create(m.KVCache.prototype),
      { length: 0, lend: (_, work) => work({}) },
    ]) {
      expect(outcome(() => layer.forward(x, x, x, { cache: like }))).toEqual({ refused: 'cache' });
    }
  });

  test('a layer or cache that is disposed while an input is read throws', () => {
    const [own, ownCache] = [new m.MultiHeadAttention(SIZES), new m.KVCache()];
    const disposing = (owner) => ({
      data: x.data,
      get shape() {
        owner.dispose();
        return [3, 8];
      },
    });
    const call = (owner) => own.forward(disposing(owner), undefined, undefined, { cache: ownCache });
    expect(() => call(ownCache)).toThrow('this KVCache was disposed');
    expect(own.forward(x)).toEqual(expected);
    expect(() => own.loadStateDict({ ...own.stateDict(), 'out_proj.bias': disposing(own) })).toThrow(
      'was disposed',
    );
    expect(layer.forward(x)).toEqual(expected);
  });

  test.each(['\ud800', 'in_proj_weight\udfff', '\0'])(
    'a parameter named %j is refused by that name',
    (name) => {
      const came = `must hold well-formed Unicode without U+0000, got the string ${JSON.stringify(name)}`;
      for (const [argument, call] of [
        ['dict', () => layer.loadStateDict({ ...layer.stateDict(), [name]: [1] })],
        ['dict', () => encoder.loadStateDict({ ...encoder.stateDict(), [name]: [1] })],
        ['state', () => encoder.loadOptimizerState({ ...encoder.optimizerState(), [name]: [1] })],
        ['dict', () => m.safetensors.write({ [name]: [1] })],
      ]) {
        expect(call).toThrow(Object.assign(new RangeError(`\`${argument}\` ${came}`), { argument }));
      }
      expect(layer.forward(x)).toEqual(expected);
    },
  );
});

/** The table of a binary, started by its loader. */
async function bindingOf(loader, binary) {
  const { default: create } = await import(inPackage(`dist/wasm/${loader}.js`));
  const module = await WebAssembly.compile(wasmBytes(binary));
  return create({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
}

describe.each(builds)('C++ of %s without the checks before it', (build) => {
  const sizes = ['numHeads', 'numKvHeads', 'headDim', 'valueHeadDim', 'kdim', 'vdim', 'outDim', 'embedDim'];
  const config = {
    ...Object.fromEntries(sizes.map((name) => [name, 1])),
    ...{ bias: false, addBiasKv: false, addZeroAttn: false, dropout: 0, activation: 'none', rope: null },
    seed: 0,
  };
  let binding, models;
  beforeAll(async () => {
    binding = await bindingOf('attention', build);
    models = await bindingOf('models', `models-${build}`);
  });

  test('an array that claims more values than it has is filled up with zeros', () => {
    const one = { data: Float32Array.of(1), shape: [1, 1, 1] };
    const attend = (data) =>
      binding.scaledDotProductAttention(
        one,
        one,
        { data, shape: [1, 1, 4096] },
        {
          ...{ isCausal: false, window: null, softcap: 0, scale: null, needWeights: false, returnScores: 0 },
          placements: null,
          ...{ mask: null, alibiSlopes: null, dropout: 0, seed: 0, enableGqa: false },
        },
      ).output.data;
    const marked = new Float32Array(4096).fill(MARKER);
    expect(attend(marked)).toEqual(marked);
    const claiming = Object.defineProperty(Float32Array.of(7), 'length', { value: 4096 });
    expect(attend(claiming)).toEqual(Float32Array.from({ length: 4096 }, (_, i) => (i === 0 ? 7 : 0)));
  });

  test('a cache is never truncated to more than it holds', () => {
    const cache = new binding.KVCache();
    cache.truncate(100);
    expect(cache.length()).toBe(0);
    cache.delete();
  });

  test('a name that UTF-8 does not hold is an unknown one', () => {
    const layer = new binding.MultiHeadAttention(config);
    const dict = { ...layer.stateDict(), '\ud800': { data: Float32Array.of(1), shape: [1] } };
    expect(() => layer.loadStateDict(dict)).toThrow('and nothing else, got ');
    layer.delete();
  });

  const norm = { kind: 'layer', epsilon: 1e-5, offset: 0 };
  const model = {
    ...{ width: 1, heads: 1, kvHeads: 1, headDim: 1, innerWidth: 1, gated: false, activation: 'gelu', norm },
    ...{ placement: 'after', headNorm: null, layerScale: false, causal: false, softcap: 0, dtype: 'float32' },
    ...{ blocks: 1, layers: [], rotaries: [], parallel: false, headNormSpansHeads: false, relative: null },
    ...{ memoryWidth: null, prefix: '' },
  };
  const stages = (stage) => [[model], [{ name: 'head', width: 1, stages: [stage] }]];

  test.each([
    [
      'activation',
      'be one of none, relu',
      () => new binding.MultiHeadAttention({ ...config, activation: '?' }),
    ],
    [
      'rope.convention',
      'be one of half, interleaved',
      () =>
        new binding.MultiHeadAttention({
          ...config,
          rope: { dim: 2, base: 10, convention: '?', table: { data: new Float32Array(0), shape: [0] } },
        }),
    ],
    [
      'placement',
      'be one of before, after, both, outputs',
      () => new models.Model([{ ...model, placement: '?' }], []),
    ],
    [
      'norm',
      'be one of layer, rms',
      () => new models.Model([{ ...model, norm: { ...norm, kind: '?' } }], []),
    ],
    ['norm', 'be one of layer, rms', () => new models.Model(...stages({ norm: { ...norm, kind: '?' } }))],
    [
      'activation',
      'be one of relu, gelu, gelu_tanh, silu, tanh, quick_gelu',
      () => new models.Model(...stages({ activation: '?' })),
    ],
    [
      'dtype',
      'be one of F32, F16, BF16, I8',
      () => {
        const piece = { dtype: '?', rows: 1, columns: 1, firstColumn: 0, firstRow: 0, transposed: false };
        new models.Model([model], []).write('layers.0.up.weight', new Uint8Array(4), piece);
      },
    ],
  ])('%s of an unknown name is refused (%#)', (argument, expected, call) => {
    const message = `\`${argument}\` must ${expected}, got ?`;
    expect(call).toThrow(Object.assign(new RangeError(message), { argument }));
  });
});
