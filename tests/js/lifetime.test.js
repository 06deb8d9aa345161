/** Who owns memory: results are copies, handles are freed, and nothing is used after it was freed. */
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { load } from 'multihead-attention';
import { loadModel } from 'multihead-attention/models';
import { filesOf } from './model-files.js';
import { wasmBytes } from './wasm-files.js';

const x = Array.from({ length: 5 }, (_, i) => Array.from({ length: 8 }, (_, j) => Math.sin(i * 8 + j)));

let m;
beforeAll(async () => {
  m = await load();
});

const layer = (options) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, ...options });

describe('results are copies', () => {
  test('changing the input afterwards changes nothing', () => {
    const mha = layer();
    const input = { data: Float32Array.from(x.flat()), shape: [5, 8] };
    const { output } = mha.forward(input);
    const before = Array.from(output.data);
    input.data.fill(0);
    expect(Array.from(output.data)).toEqual(before);
  });

  test('results outlive later calls, growing memory and their layer', () => {
    const mha = layer();
    const { output, weights } = mha.forward(x);
    const state = mha.stateDict();
    const before = [output, weights, ...Object.values(state)].map(({ data }) => Array.from(data));
    mha.forward({ data: new Float32Array(3000 * 8).fill(1), shape: [3000, 8] });
    m.random.defaultRng(0).normal(0, 1, 5_000_000);
    mha.dispose();
    const after = [output, weights, ...Object.values(state)].map(({ data }) => Array.from(data));
    expect(after).toEqual(before);
  });

  test('changing stateDict() does not change the layer', () => {
    const mha = layer();
    const before = mha.forward(x);
    mha.stateDict().in_proj_weight.data.fill(0);
    expect(mha.forward(x)).toEqual(before);
  });
});

describe('what a console and JSON show', () => {
  const options = { rope: { base: 500, convention: 'interleaved' }, activation: 'relu', seed: 3 };

  test('a layer shows its options, from which another can be made', () => {
    const mha = layer(options);
    const json = JSON.parse(JSON.stringify(mha));
    expect(json).toMatchObject({ ...options, embedDim: 8, numHeads: 2, headDim: 4, outDim: 8, bias: true });
    expect(new m.MultiHeadAttention(json).forward(x)).toEqual(mha.forward(x));
    expect(inspect(mha)).toMatch(/^MultiHeadAttention \{\n {2}embedDim: 8,/);
    expect(inspect(mha).length).toBeLessThan(500);
  });

  test('a cache shows its length', () => {
    const cache = new m.KVCache();
    layer().forward(x, { cache });
    expect(JSON.stringify({ cache })).toBe('{"cache":{"length":5}}');
    expect(inspect(cache)).toBe('KVCache { length: 5 }');
  });

  test('a model shows its sizes and configuration, its cache the length', async () => {
    const model = await loadModel(filesOf('gpt2-10'));
    const names = ['causal', 'config', 'family', 'numHeads', 'numLayers'];
    expect(Object.keys(JSON.parse(JSON.stringify(model))).toSorted()).toEqual(names);
    expect(inspect(model)).toMatch(/^Model \{\n {2}family: 'gpt2',/);
    expect(inspect(model.newCache())).toBe('ModelCache { length: 0 }');
  });

  test('no property, also for browsers that list them, leads to the memory', () => {
    for (const object of [layer(), new m.KVCache(), m.random.defaultRng(0)]) {
      expect(Reflect.ownKeys(object)).toEqual([]);
    }
  });

  test('what was disposed and what is behind a proxy is printed, too', () => {
    const mha = layer();
    expect(inspect(new Proxy(mha, {}))).toBe('MultiHeadAttention {}');
    mha.dispose();
    expect(inspect(mha)).toBe('MultiHeadAttention {}');
  });
});

describe('stateDict and loadStateDict', () => {
  test('a layer can be rebuilt from another’s parameters', () => {
    const [first, second] = [layer({ seed: 1 }), layer({ seed: 2 })];
    expect(second.forward(x)).not.toEqual(first.forward(x));
    second.loadStateDict(first.stateDict());
    expect(second.stateDict()).toEqual(first.stateDict());
    expect(second.forward(x)).toEqual(first.forward(x));
  });

  test('the separate form is accepted where torch packs', () => {
    const [first, second] = [layer({ seed: 1 }), layer({ seed: 2 })];
    const { in_proj_weight: packed, ...rest } = first.stateDict();
    const part = (i) => ({ data: packed.data.subarray(64 * i, 64 * (i + 1)), shape: [8, 8] });
    second.loadStateDict({ q_proj_weight: part(0), k_proj_weight: part(1), v_proj_weight: part(2), ...rest });
    expect(second.forward(x)).toEqual(first.forward(x));
  });

  test.each([
    [{}, ['in_proj_bias', 'in_proj_weight', 'out_proj.bias', 'out_proj.weight'], 288],
    [{ bias: false }, ['in_proj_weight', 'out_proj.weight'], 256],
    [{ kdim: 6, bias: false }, ['k_proj_weight', 'out_proj.weight', 'q_proj_weight', 'v_proj_weight'], 240],
    [
      { numKvHeads: 1, bias: false },
      ['k_proj_weight', 'out_proj.weight', 'q_proj_weight', 'v_proj_weight'],
      192,
    ],
  ])('%j has torch’s names and the sum of their sizes as parameterCount', (options, names, count) => {
    const mha = layer(options);
    const state = mha.stateDict();
    expect(Object.keys(state).sort()).toEqual(names);
    expect(Object.values(state).reduce((sum, { size }) => sum + size, 0)).toBe(count);
    expect(mha.parameterCount).toBe(count);
  });

  test('free widths: headDim, valueHeadDim, outDim, kdim, vdim', () => {
    const mha = layer({ embedDim: 7, numHeads: 3, headDim: 2, valueHeadDim: 5, kdim: 4, vdim: 6, outDim: 9 });
    const state = mha.stateDict();
    expect(Object.fromEntries(Object.entries(state).map(([name, { shape }]) => [name, shape]))).toEqual({
      q_proj_weight: [6, 7],
      k_proj_weight: [6, 4],
      v_proj_weight: [15, 6],
      in_proj_bias: [27],
      'out_proj.weight': [9, 15],
      'out_proj.bias': [9],
    });
    const ones = (...shape) => ({ data: new Float32Array(shape[0] * shape[1]).fill(1), shape });
    const { output, weights } = mha.forward(ones(2, 7), ones(3, 4), ones(3, 6));
    expect([output.shape, weights.shape]).toEqual([
      [2, 9],
      [3, 2, 3],
    ]);
  });

  test('equal seeds give equal weights within xavier_uniform’s bound', () => {
    const [first, second] = [layer({ seed: 5 }), layer({ seed: 5 })];
    expect(first.stateDict()).toEqual(second.stateDict());
    const { in_proj_weight: weight, in_proj_bias: bias } = first.stateDict();
    const bound = Math.sqrt(6 / (8 + 24));
    expect(weight.data.every((w) => Math.abs(w) <= bound)).toBe(true);
    expect(Math.max(...weight.data)).toBeGreaterThan(0.8 * bound);
    expect(bias.data.every((b) => b === 0)).toBe(true);
  });
});

describe('inputs', () => {
  test('every accepted form of a tensor gives the same result', () => {
    const mha = layer();
    const flat = x.flat();
    const data = Float32Array.from(flat);
    const shared = new Float32Array(new SharedArrayBuffer(4 * flat.length));
    shared.set(flat);
    const expected = mha.forward(x);
    const forms = [
      { data, shape: [5, 8] },
      { data, dims: [5, 8] },
      { data: Float64Array.from(flat), shape: [5, 8] },
      { data: flat, shape: [5, 8] },
      { data: shared, shape: [5, 8] },
      { data: runInNewContext('Float32Array.from(flat)', { flat }), shape: [5, 8] },
    ];
    for (const form of forms) expect(mha.forward(form)).toEqual(expected);
    for (const form of forms) expect(mha.forward(x, form, x)).toEqual(expected);
  });

  test('every accepted form of a boolean mask gives the same result', () => {
    const mha = layer();
    const nested = x.map((_, i) => x.map((_, j) => (i + j) % 3 !== 0));
    const flat = nested.flat();
    const forward = (attnMask) => mha.forward(x, undefined, undefined, { attnMask });
    const expected = forward(nested);
    const shape = [5, 5];
    const forms = [
      { data: flat, shape },
      { data: Uint8Array.from(flat, Number), shape },
      { data: Uint8Array.from(flat, (may) => (may ? 255 : 0)), dims: shape },
      { data: runInNewContext('Uint8Array.from(flat, Number)', { flat }), shape },
      { data: Float32Array.from(flat, (may) => (may ? 0 : -Infinity)), shape },
      nested.map((row) => row.map((may) => (may ? 0 : -Infinity))),
    ];
    for (const form of forms) expect(forward(form)).toEqual(expected);
  });

  test('null means no mask and the default scale', () => {
    const mha = layer();
    const options = { attnMask: null, keyPaddingMask: null, scale: null };
    expect(mha.forward(x, x, x, options)).toEqual(mha.forward(x));
  });

  test('scale replaces 1/√headDim', () => {
    const mha = layer();
    expect(mha.forward(x, x, x, { scale: 0.5 })).toEqual(mha.forward(x));
    const { weights } = mha.forward(x, x, x, { scale: 0 });
    expect(weights.data.every((weight) => Math.abs(weight - 0.2) < 1e-7)).toBe(true);
  });

  test('needWeights: false gives the same output without weights', () => {
    const mha = layer();
    const result = mha.forward(x, x, x, { needWeights: false });
    expect(Object.keys(result)).toEqual(['output']);
    const { output } = mha.forward(x);
    const largest = Math.max(...output.data.map(Math.abs));
    result.output.data.forEach((value, i) => {
      expect(Math.abs(value - output.data[i])).toBeLessThanOrEqual(1e-6 * largest);
    });
  });
});

describe('dispose', () => {
  test.each([
    ['MultiHeadAttention', () => layer(), (mha) => mha.forward(x)],
    ['MultiHeadAttention', () => layer(), (mha) => mha.stateDict()],
    ['MultiHeadAttention', () => layer(), (mha) => mha.loadStateDict({})],
    ['MultiHeadAttention', () => layer(), (mha) => mha.parameterCount],
    ['MultiHeadAttention', () => layer(), (mha) => mha.steps(x)],
    ['MultiHeadAttention', () => layer(), (mha) => mha.flops(3)],
    ['KVCache', () => new m.KVCache(), (cache) => cache.length],
    ['KVCache', () => new m.KVCache(), (cache) => cache.reset()],
    ['KVCache', () => new m.KVCache(), (cache) => layer().forward(x, x, x, { cache })],
    ['RandomState', () => m.random.RandomState(0), (generator) => generator.normal()],
    ['Generator', () => m.random.defaultRng(0), (generator) => generator.random()],
  ])('%s %#: use afterwards is an Error that says so; disposing again is harmless', (name, make, use) => {
    const owner = make();
    owner.dispose();
    owner.dispose();
    expect(() => use(owner)).toThrow(Error);
    expect(() => use(owner)).toThrow(`this ${name} was disposed`);
  });

  test('Symbol.dispose does the same', () => {
    const mha = layer();
    mha[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
    expect(() => mha.forward(x)).toThrow('was disposed');
  });

  test('in the middle of a call: it waits for the end, and no other call begins', () => {
    const [first, second] = [layer(), layer()];
    const cache = new m.KVCache();
    const expected = second.forward(x);
    // No code of the caller's runs while a call is under way, but for a function of the language that was replaced.
    const { prototype } = Float32Array;
    const refused = [];
    prototype.set = function set(...values) {
      delete prototype.set;
      for (const call of [() => first.forward(x), () => cache.reset()]) {
        try {
          call();
        } catch ({ message }) {
          refused.push(message);
        }
      }
      first.dispose();
      cache.dispose();
      this.set(...values);
    };
    const { output } = first.forward(x, undefined, undefined, { isCausal: false, cache });
    expect(refused).toEqual([
      'this MultiHeadAttention is in the middle of another call',
      'this KVCache is in the middle of another call',
    ]);
    expect(output).toEqual(expected.output);
    expect(() => first.forward(x)).toThrow('was disposed');
    expect(() => cache.length).toThrow('was disposed');
  });

  test('other layers live on', () => {
    const [first, second] = [layer(), layer()];
    const expected = first.forward(x);
    second.dispose();
    expect(first.forward(x)).toEqual(expected);
  });
});

describe.each([
  ['simd', 1],
  ['simd-threads', 2],
])('memory, %s', (file, threads) => {
  const MEGABYTE = 2 ** 20;
  /** A fresh instance, with access to its memory, its own or an imported one. */
  async function instantiate() {
    const compiled = await WebAssembly.compile(wasmBytes(file));
    const { instantiate } = WebAssembly;
    let memory;
    WebAssembly.instantiate = async (module, imports) => {
      const instance = await instantiate(module, imports);
      memory = [instance.exports, ...Object.values(imports)]
        .flatMap(Object.values)
        .find((value) => String(value) === '[object WebAssembly.Memory]');
      return instance;
    };
    const own = await load({ wasm: compiled, threads });
    WebAssembly.instantiate = instantiate;
    expect(own.threads).toBe(threads);
    return { own, memory };
  }

  /** As in an engine that has no more than `limit()` bytes. */
  function limitMemory(memory, limit) {
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * 65_536 > limit()) throw new RangeError('the engine has no more');
      return WebAssembly.Memory.prototype.grow.call(memory, pages);
    };
  }

  let own, memory;
  beforeAll(async () => {
    ({ own, memory } = await instantiate());
  });

  /** Some 130 KB of weights each. */
  const make = () => new own.MultiHeadAttention({ embedDim: 64, numHeads: 4 });

  test('results and failed calls leave nothing behind', () => {
    const mha = make();
    const data = new Float32Array(64 * 64);
    let refused = 0;
    for (let i = 0; i < 2000; ++i) {
      if (i % 2 === 0) mha.forward({ data, shape: [64, 64] });
      try {
        mha.forward({ data, shape: [32, 128] });
      } catch (error) {
        refused += Number(error instanceof RangeError);
      }
    }
    expect(refused).toBe(2000);
    mha.dispose();
    expect(memory.buffer.byteLength).toBeLessThan(32 * MEGABYTE);
  });

  test('real exhaustion of memory is a RangeError, and everything else still works', () => {
    const kept = make();
    const input = { data: Float32Array.from({ length: 64 * 64 }, (_, i) => Math.sin(i)), shape: [64, 64] };
    const before = kept.forward(input);
    // An engine that gives some 60 MB more: the same end as at 4 GB, without filling them.
    const limit = memory.buffer.byteLength + 60 * MEGABYTE;
    limitMemory(memory, () => limit);
    const held = [];
    /** Some 4 MB of weights each. */
    const hold = () => held.push(new own.MultiHeadAttention({ embedDim: 512, numHeads: 8 }));
    const outOfMemory = new RangeError('out of memory: the tensors of this call are too large');
    expect(() => {
      for (;;) hold();
    }).toThrow(outOfMemory);
    expect(held.length).toBeGreaterThan(3);
    // Weights of 64 MB.
    const long = { data: new Float32Array(2048 * 64), shape: [2048, 64] };
    expect(() => kept.forward(long)).toThrow(outOfMemory);
    expect(kept.forward(input)).toEqual(before);

    const count = held.length;
    for (const mha of held.splice(0)) mha.dispose();
    for (let i = 0; i < count; ++i) hold();
    expect(kept.forward(input)).toEqual(before);
    for (const mha of [...held, kept]) mha.dispose();
    delete memory.grow;
  });
});
