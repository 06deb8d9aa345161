/** More threads than one: that they change no bit, cost nothing while they wait, and are never missed. */
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { jest } from '@jest/globals';
import { load } from 'multihead-attention';
import { limit, runBesidePackage } from './consumer.js';
import { builds } from './golden.js';
import { wasmBytes } from './wasm-files.js';

/** Numbers of any size, the same in every run. */
const numbers = (...shape) => {
  const size = shape.reduce((product, length) => product * length, 1);
  return { data: Float32Array.from({ length: size }, (_, i) => Math.sin(i * i + size)), shape };
};

const works = (m) => {
  const { weights } = m.scaledDotProductAttention([[[1, 0]]], [[[1, 0]]], [[[3, 4]]]);
  expect(weights.toNested()).toEqual([[[1]]]);
};

describe('how many', () => {
  test.each([1, 2, 3])('%d as asked for', async (threads) => {
    const m = await load({ threads });
    expect(m.threads).toBe(threads);
    works(m);
  });

  test('auto is what the machine offers', async () => {
    expect((await load({ threads: 'auto' })).threads).toBe(Math.min(availableParallelism(), 8));
  });

  test('loading twice costs once, and different numbers are different modules', async () => {
    const [first, second, third] = await Promise.all([2, 2, 3].map((threads) => load({ threads })));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(await load({ threads: 1 })).toBe(await load());
    expect(await load()).not.toBe(first);
  });
});

describe.each(builds)('%s: no number of threads changes a bit', (build) => {
  let modules;
  beforeAll(async () => {
    modules = await Promise.all([1, 2, 3, 4].map((threads) => load({ build, threads })));
  });

  const bytes = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

  /** The bits of all tensors that `compute` gives must be the same on any number of threads. */
  function expectSameBits(compute) {
    const [expected, ...others] = modules.map((m) => compute(m));
    const names = Object.keys(expected);
    expect(names.length).toBeGreaterThan(0);
    for (const result of others) {
      expect(Object.keys(result)).toEqual(names);
      const different = names.filter((name) => !bytes(result[name]).equals(bytes(expected[name])));
      expect(different).toEqual([]);
    }
  }

  const [B, L, S, E, H] = [2, 133, 75, 36, 6];
  const query = numbers(B, L, E);
  const booleans = (...shape) => ({ data: Uint8Array.from(numbers(...shape).data, (x) => x > -0.5), shape });

  test.each([
    ['nothing', {}, {}],
    ['needWeights: false', {}, { needWeights: false }],
    ['averageWeights', {}, { averageWeights: true }],
    ['returnScores', {}, { returnScores: true }],
    ['isCausal', {}, { isCausal: true }],
    ['isCausal without weights', {}, { isCausal: true, needWeights: false }],
    ['window', {}, { window: [30, 5] }],
    ['window without weights', {}, { window: 9, needWeights: false }],
    ['alibi', {}, { alibi: true }],
    ['softcap', {}, { softcap: 3 }],
    ['scale', {}, { scale: 0.7 }],
    ['a boolean attnMask', {}, { attnMask: booleans(B, L, L) }],
    ['an additive attnMask', {}, { attnMask: numbers(L, L) }],
    ['keyPaddingMask', {}, { keyPaddingMask: booleans(B, L) }],
    ['keyPaddingMask without weights', {}, { keyPaddingMask: booleans(B, L), needWeights: false }],
    ['grouped heads', { numKvHeads: 2 }, {}],
    ['free widths', { headDim: 7, valueHeadDim: 5, outDim: 11, bias: false }, {}],
    ['further keys', { addBiasKv: true, addZeroAttn: true }, {}],
    ['relu', { activation: 'relu' }, {}],
    ['rope', { rope: { convention: 'interleaved' } }, {}],
    ['dropout', { dropout: 0.3 }, { training: true }],
  ])('%s', (_, layerOptions, options) => {
    expectSameBits((m) => {
      const mha = new m.MultiHeadAttention({ embedDim: E, numHeads: H, seed: 3, ...layerOptions });
      const result = mha.forward(query, undefined, undefined, options);
      mha.dispose();
      return result;
    });
  });

  test('other keys and values', () => {
    expectSameBits((m) => {
      const mha = new m.MultiHeadAttention({ embedDim: E, numHeads: H, kdim: 9, vdim: 13 });
      const result = mha.forward(query, numbers(B, S, 9), numbers(B, S, 13));
      mha.dispose();
      return result;
    });
  });

  test('steps', () => {
    expectSameBits((m) => {
      const mha = new m.MultiHeadAttention({ embedDim: E, numHeads: H });
      const result = mha.steps(query, undefined, undefined, { isCausal: true, alibi: true });
      mha.dispose();
      return result;
    });
  });

  test('a cache', () => {
    expectSameBits((m) => {
      const mha = new m.MultiHeadAttention({ embedDim: E, numHeads: H, rope: {} });
      const cache = new m.KVCache();
      const results = [L, 1, S].map((length) => {
        const x = numbers(length, E);
        return mha.forward(x, x, x, { cache, isCausal: true });
      });
      for (const owner of [mha, cache]) owner.dispose();
      return Object.fromEntries(
        results.flatMap(({ output, weights }, call) => [
          [`output ${call}`, output],
          [`weights ${call}`, weights],
        ]),
      );
    });
  });

  test.each([
    ['nothing', {}],
    ['needWeights: false', { needWeights: false }],
    ['isCausal', { isCausal: true }],
    ['a boolean mask', { mask: booleans(L, S) }],
    ['an additive mask', { mask: numbers(B, H, L, S) }],
    ['alibiSlopes, softcap and window', { alibiSlopes: numbers(H), softcap: 2, window: 40 }],
  ])('scaledDotProductAttention with %s', (_, options) => {
    const [q, k, v] = [numbers(B, H, L, 10), numbers(B, H / 2, S, 10), numbers(B, H / 2, S, 7)];
    expectSameBits((m) => m.scaledDotProductAttention(q, k, v, { ...options, enableGqa: true }));
  });

  // Four parts on two threads; small values beside large ones, which are shrunk, are rounded differently.
  test('scaledDotProductAttention where the values of later queries add up to more than float32 holds', () => {
    const length = 700;
    const [q, k] = [numbers(length, 2), numbers(length, 2)];
    const v = { data: Float32Array.from({ length: 2 * length }, () => 1e-38), shape: [length, 2] };
    for (let j = 300; j < length; j += 1) v.data[2 * j] = 3e38;
    expectSameBits((m) => m.scaledDotProductAttention(q, k, v, { isCausal: true, needWeights: false }));
  });
});

describe('a given binary decides', () => {
  test('a single-threaded one has one thread', async () => {
    const wasm = wasmBytes('simd');
    const m = await load({ wasm, threads: 2 });
    expect(m.threads).toBe(1);
    works(m);
    expect(await load({ wasm })).toBe(m);
  });

  test('a multi-threaded one has as many as are asked for', async () => {
    const wasm = wasmBytes('simd-threads');
    const [one, two] = await Promise.all([load({ wasm }), load({ wasm, threads: 2 })]);
    expect([one.build, one.threads, two.build, two.threads]).toEqual(['simd', 1, 'simd', 2]);
    works(one);
    works(two);
    expect(await load({ wasm, threads: 2 })).toBe(two);
    await expect(load({ wasm, threads: 2, build: 'relaxed' })).rejects.toThrow(
      new RangeError('`wasm` must be the relaxed build as asked for, got the simd build'),
    );
  });

  test('a Response is read once for all numbers of threads', async () => {
    const wasm = new Response(wasmBytes('simd-threads'), {
      headers: { 'content-type': 'application/wasm' },
    });
    expect((await load({ wasm, threads: 2 })).threads).toBe(2);
    expect((await load({ wasm })).threads).toBe(1);
  });
});

describe('where threads cannot be had, one computes', () => {
  /** The package in a Node with these workers, and on a machine with so many processors. */
  async function packageWith(Worker, processors = 2) {
    jest.resetModules();
    jest.unstable_mockModule('node:worker_threads', () => ({ Worker }));
    jest.unstable_mockModule('node:os', () => ({ availableParallelism: () => processors }));
    return import('multihead-attention');
  }
  afterEach(() => {
    jest.unstable_unmockModule('node:worker_threads');
    jest.unstable_unmockModule('node:os');
  });

  class BrokenWorker extends EventEmitter {
    static started = 0;
    static terminated = 0;
    constructor() {
      super();
      BrokenWorker.started += 1;
      setTimeout(() => this.emit('error', new Error('no such script')));
    }
    postMessage() {}
    unref() {}
    terminate() {
      BrokenWorker.terminated += 1;
    }
  }
  class ForbiddenWorker {
    constructor() {
      throw new Error('not allowed here');
    }
  }

  test.each([
    ['throw', ForbiddenWorker],
    ['end with an error', BrokenWorker],
  ])('because workers %s', async (_, Worker) => {
    const { load } = await packageWith(Worker);
    const m = await load({ threads: 2 });
    expect(m.threads).toBe(1);
    works(m);
    expect(await load()).toBe(m);
    const given = await load({ wasm: wasmBytes('simd-threads'), threads: 2 });
    expect(given.threads).toBe(1);
    works(given);
  });

  test.each([
    [3, 3],
    [1000, 64],
    ['auto', 8],
  ])('asked for %s, %d are tried, and what started is ended', async (threads, tried) => {
    BrokenWorker.started = BrokenWorker.terminated = 0;
    const { load } = await packageWith(BrokenWorker, 32);
    expect((await load({ threads })).threads).toBe(1);
    expect([BrokenWorker.started, BrokenWorker.terminated]).toEqual([tried - 1, tried - 1]);
  });

  test('because the machine has one processor, with `threads` auto', async () => {
    const { load } = await packageWith(ForbiddenWorker, 1);
    expect(await load({ threads: 'auto' })).toBe(await load());
  });

  test('because the binary cannot be had', async () => {
    jest.resetModules();
    const { load } = await import('multihead-attention');
    const { compile } = WebAssembly;
    WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('not a binary'));
    const loading = load({ build: 'simd', threads: 2 });
    await expect(loading).rejects.toThrow('not a binary');
    let calls = 0;
    WebAssembly.compile = (bytes) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new WebAssembly.CompileError('not a binary')) : compile(bytes);
    };
    expect((await load({ build: 'simd', threads: 2 })).threads).toBe(1);
    WebAssembly.compile = compile;
    expect((await load({ build: 'simd', threads: 2 })).threads).toBe(2);
  });

  describe('because memory cannot be shared', () => {
    const { Memory } = WebAssembly;
    afterEach(() => {
      WebAssembly.Memory = Memory;
    });
    /** As on a device that reserves no more than `pages` of shared memory. */
    function refuseBeyond(pages) {
      WebAssembly.Memory = function (limits) {
        if (limits.maximum > pages) throw new RangeError('could not allocate memory');
        return new Memory(limits);
      };
    }

    test('at all', async () => {
      jest.resetModules();
      const { load } = await import('multihead-attention');
      refuseBeyond(0);
      const m = await load({ threads: 2 });
      expect(m.threads).toBe(1);
      expect(await load()).toBe(m);
      await expect(load({ wasm: wasmBytes('simd-threads'), threads: 2 })).rejects.toThrow(
        new RangeError('could not allocate memory'),
      );
    });

    test('in the largest size: then there are threads with less memory', async () => {
      jest.resetModules();
      const { load } = await import('multihead-attention');
      refuseBeyond(2 ** 15);
      const m = await load({ threads: 2 });
      expect(m.threads).toBe(2);
      works(m);
    });
  });
});

describe('a program', () => {
  /** Loads two threads and lets them compute. */
  const compute = `
    const { load } = await import('multihead-attention');
    const m = await load({ threads: 2 });
    const mha = new m.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
    const x = { data: new Float32Array(1000 * 64).fill(1), shape: [1000, 64] };
    const { output } = mha.forward(x);
    console.log(m.threads, output.shape.join());`;

  test(
    'ends though threads wait for work',
    async () => {
      expect(await runBesidePackage(compute)).toBe('2 1000,64\n');
    },
    limit,
  );

  test(
    'has threads in its own workers too',
    async () => {
      const code = `
      import { Worker } from 'node:worker_threads';
      new Worker(${JSON.stringify(`(async () => {${compute}})()`)}, { eval: true, execArgv: [] });`;
      expect(await runBesidePackage(code)).toBe('2 1000,64\n');
    },
    limit,
  );

  test(
    'finds no new globals',
    async () => {
      const globals = 'Object.getOwnPropertyNames(globalThis).length';
      const code = `const before = ${globals};\n${compute}\nconsole.log(${globals} - before);`;
      expect(await runBesidePackage(code)).toBe('2 1000,64\n0\n');
    },
    limit,
  );

  test(
    'spends no time on threads without work',
    async () => {
      const code = `
      import { setTimeout } from 'node:timers/promises';
      ${compute}
      await setTimeout(100);
      const before = process.cpuUsage();
      await setTimeout(1000);
      const { user, system } = process.cpuUsage(before);
      console.log(user + system);`;
      const [, microseconds] = (await runBesidePackage(code)).trim().split('\n');
      expect(Number(microseconds)).toBeLessThan(100_000);
    },
    limit,
  );
});
