/** Inputs that change under the hand, throw, lie or call back. What is computed is right, or nothing is. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTraining } from 'multihead-attention/training';
import { ATTENTION, instance, tensor } from './binaries.js';
import { Tally } from './tally.js';

const SHAPE = [5, 8];
const x = tensor(...SHAPE);
const { data: values } = x;
const mask = new Uint8Array(25).fill(1);

/** Every way in for a tensor of `SHAPE`: the calls of a layer, of the module and of an encoder. */
function waysIn({ module, training, layer }) {
  // Read when the call reads it.
  const batched = (input) => ({
    get data() {
      return input.data;
    },
    get shape() {
      return [1, ...(input.shape ?? SHAPE)];
    },
  });
  return {
    query: (input) => layer.forward(input),
    key: (input) => layer.forward(x, input, x),
    value: (input) => layer.forward(x, x, input),
    steps: (input) => layer.steps(input),
    attention: (input) => module.scaledDotProductAttention(batched(input), batched(x), batched(x)),
    loadStateDict: (input) => {
      const other = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2, bias: false, outDim: 5 });
      try {
        other.loadStateDict({ ...other.stateDict(), 'out_proj.weight': input });
        return other.forward(x);
      } finally {
        other.dispose();
      }
    },
    backward: (input) => {
      layer.forward(x, x, x, { training: true });
      return layer.backward(input);
    },
    ...(training && {
      trained: (input) => {
        const encoder = new training.Encoder({ vocabSize: 5, maxLength: 4, embedDim: 8, numHeads: 1 });
        try {
          encoder.loadStateDict({ ...encoder.stateDict(), 'token_embedding.weight': input });
          return encoder.forward([[1, 2]]);
        } finally {
          encoder.dispose();
        }
      },
    }),
  };
}

let instances;
before(async () => {
  const training = await loadTraining();
  instances = [];
  for (const binary of ATTENTION) {
    const { module } = await instance(binary);
    const layer = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    instances.push({ file: binary.file, module, training: binary.file === 'simd' ? training : null, layer });
  }
});

/** Tries an input in every argument. `judge` gets a function that makes the call, and the right result. */
async function everywhere(tally, what, judge) {
  for (const each of instances) {
    for (const [way, call] of Object.entries(waysIn(each))) {
      const right = call(x);
      await tally.attempt(`${what} as ${way} of ${each.file}`, () => {
        judge(call, right, each);
        // The layer and the module go on as before.
        assert.deepEqual(call(x), right);
      });
    }
  }
}

/** Rejected as an error of the caller's kind, never as one of WebAssembly or of the engine's innards. */
const isRefusal = (error) =>
  (error instanceof TypeError || error instanceof RangeError) && !(error instanceof WebAssembly.RuntimeError);
const refused = (call, input) => assert.throws(() => call(input), isRefusal);

/** A copy whose buffer another thread has taken. */
function detached() {
  const data = values.slice();
  structuredClone(data, { transfer: [data.buffer] });
  return data;
}

test('buffers that were transferred away', async () => {
  const tally = new Tally();
  await everywhere(tally, 'detached before', (call) => refused(call, { data: detached(), shape: SHAPE }));
  await everywhere(tally, 'detached after', (call, right) => {
    const data = values.slice();
    const result = call({ data, shape: SHAPE });
    structuredClone(data, { transfer: [data.buffer] });
    assert.deepEqual(result, right);
    refused(call, { data, shape: SHAPE });
  });
  // While the input is read. The array's own `length` is never read.
  await everywhere(tally, 'detached by its shape', (call) => {
    const data = values.slice();
    refused(call, {
      data,
      get shape() {
        if (data.length > 0) structuredClone(data, { transfer: [data.buffer] });
        return SHAPE;
      },
    });
  });
  await everywhere(tally, 'detached by its own length', (call, right) => {
    const data = values.slice();
    Object.defineProperty(data, 'length', {
      get: () => structuredClone(data, { transfer: [data.buffer] }).length,
    });
    assert.deepEqual(call({ data, shape: SHAPE }), right);
    assert.equal(data.buffer.byteLength, 160);
  });
  await everywhere(tally, 'results transferred away', (call, right) => {
    const result = call(x);
    for (const { data } of Object.values(result))
      if (data) structuredClone(data, { transfer: [data.buffer] });
    assert.deepEqual(call(x), right);
  });
  tally.finish();
});

test('buffers that change their size', async () => {
  const tally = new Tally();
  const resizable = (floats = 40) => {
    const buffer = new ArrayBuffer(4 * floats, { maxByteLength: 4 * 100 });
    new Float32Array(buffer).set(values.subarray(0, floats));
    return buffer;
  };
  await everywhere(tally, 'resizable', (call, right) => {
    const buffer = resizable();
    for (const data of [new Float32Array(buffer), new Float32Array(buffer, 0, 40)]) {
      assert.deepEqual(call({ data, shape: SHAPE }), right);
    }
    buffer.resize(4 * 39);
    for (const data of [
      new Float32Array(buffer),
      new Float32Array(new ArrayBuffer(8, { maxByteLength: 9 })),
    ]) {
      refused(call, { data, shape: SHAPE });
    }
    buffer.resize(160);
    new Float32Array(buffer).set(values);
    assert.deepEqual(call({ data: new Float32Array(buffer), shape: SHAPE }), right);
  });
  await everywhere(tally, 'out of bounds between calls', (call, right) => {
    const buffer = resizable();
    const data = new Float32Array(buffer, 0, 40);
    assert.deepEqual(call({ data, shape: SHAPE }), right);
    buffer.resize(100);
    refused(call, { data, shape: SHAPE });
  });
  await everywhere(tally, 'grown between calls', (call, right) => {
    const buffer = resizable();
    const data = new Float32Array(buffer);
    assert.deepEqual(call({ data, shape: SHAPE }), right);
    buffer.resize(200);
    refused(call, { data, shape: SHAPE });
  });
  await everywhere(tally, 'growable and shared', (call, right) => {
    const buffer = new SharedArrayBuffer(160, { maxByteLength: 400 });
    const data = new Float32Array(buffer);
    data.set(values);
    assert.deepEqual(call({ data, shape: SHAPE }), right);
    buffer.grow(320);
    refused(call, { data, shape: SHAPE });
    assert.deepEqual(call({ data: data.subarray(0, 40), shape: SHAPE }), right);
  });
  for (const to of [0, 80, 156, 164, 400]) {
    await everywhere(tally, `resized to ${to} by its shape`, (call, right) => {
      const buffer = resizable();
      const input = {
        data: new Float32Array(buffer),
        get shape() {
          buffer.resize(to);
          return SHAPE;
        },
      };
      // It has the length that it had when it was read, as long as the buffer holds as much.
      if (to < 160) refused(call, input);
      else assert.deepEqual(call(input), right);
    });
    await everywhere(tally, `resized to ${to} by its own length`, (call, right) => {
      const buffer = resizable();
      const data = Object.defineProperty(new Float32Array(buffer), 'length', {
        get: () => buffer.resize(to),
      });
      assert.deepEqual(call({ data, shape: SHAPE }), right);
      assert.equal(buffer.byteLength, 160);
    });
  }
  tally.finish();
});

test('arrays of other kinds', async () => {
  const tally = new Tally();
  const shared = new Float32Array(new SharedArrayBuffer(160));
  shared.set(values);
  const odd = new Uint8Array(168);
  odd.set(new Uint8Array(values.buffer), 4);
  const right = {
    'shared memory': shared,
    Float64Array: Float64Array.from(values),
    'an array': [...values],
    'a view into a larger buffer': new Float32Array(odd.buffer, 4, 40),
    'a subclass': new (class Floats extends Float32Array {})(values),
    'a frozen array': Object.freeze([...values]),
    'without a prototype': Object.setPrototypeOf(values.slice(), null),
  };
  for (const [what, data] of Object.entries(right)) {
    await everywhere(tally, what, (call, result) => {
      assert.deepEqual(call({ data, shape: SHAPE }), result);
      assert.deepEqual(call(Object.freeze({ data, shape: Object.freeze([...SHAPE]) })), result);
      assert.deepEqual(call({ data, dims: SHAPE }), result);
    });
  }
  const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  const wrong = {
    ...Object.fromEntries(kinds.map((Kind) => [Kind.name, new Kind(40)])),
    BigInt64Array: new BigInt64Array(40),
    BigUint64Array: new BigUint64Array(40),
    DataView: new DataView(new ArrayBuffer(160)),
    ArrayBuffer: new ArrayBuffer(160),
    SharedArrayBuffer: new SharedArrayBuffer(160),
    'a string': 'a'.repeat(40),
    'an array of strings': Array(40).fill('1'),
    'an array of BigInts': Array(40).fill(1n),
    'an array with a hole': Object.assign([...values], { length: 41 }).slice(1),
    'a Proxy of a Float32Array': new Proxy(values.slice(), {}),
    'an array-like': { length: 40, 0: 1 },
    'a Map': new Map(),
    'a function': () => values,
    null: null,
  };
  for (const [what, data] of Object.entries(wrong)) {
    await everywhere(tally, what, (call) => refused(call, { data, shape: SHAPE }));
  }
  tally.finish();
});

test('getters that throw, and values that lie', async () => {
  const tally = new Tally();
  const mine = new EvalError('mine');
  const fails = () => {
    throw mine;
  };
  const throwing = {
    data: Object.defineProperty({ shape: SHAPE }, 'data', { get: fails }),
    shape: Object.defineProperty({ data: values }, 'shape', { get: fails }),
    'an item of data': { data: Object.defineProperty([...values], 7, { get: fails }), shape: SHAPE },
    'an item of shape': { data: values, shape: Object.defineProperty([...SHAPE], 0, { get: fails }) },
    'a Proxy': new Proxy(x, { get: fails, has: fails }),
    'a Proxy of data': { data: new Proxy([...values], { get: fails }), shape: SHAPE },
  };
  for (const [what, input] of Object.entries(throwing)) {
    await everywhere(tally, `${what} that throws`, (call) =>
      assert.throws(
        () => call(input),
        (error) => error === mine,
      ),
    );
  }
  // A typed array's own properties are never read.
  for (const property of ['length', Symbol.toStringTag]) {
    await everywhere(tally, `${String(property)} of data that throws`, (call, right) => {
      const data = Object.defineProperty(values.slice(), property, { get: fails });
      assert.deepEqual(call({ data, shape: SHAPE }), right);
    });
  }
  const lying = (property, value) => Object.defineProperty(values.slice(), property, { value });
  const number = { valueOf: () => 1, [Symbol.toPrimitive]: () => 1 };
  const lies = {
    'a number that is none': { data: [...values.slice(1), number], shape: SHAPE },
    'a size that is none': { data: values, shape: [{ valueOf: () => 5 }, 8] },
    'a boxed number': { data: [...values.slice(1), Object(1)], shape: SHAPE },
    'a size as text': { data: values, shape: ['5', '8'] },
    'a shape that is none': { data: values, shape: { 0: 5, 1: 8, length: 2 } },
    'fewer values than there are': { data: lying('length', 39), shape: [1, 39] },
    'a size of -0': { data: values, shape: [-0, 8] },
    'sizes that overflow': { data: values, shape: [2 ** 31 - 1, 2 ** 31 - 1] },
    'sizes beyond numbers': { data: values, shape: Array(40).fill(2 ** 31 - 1) },
  };
  for (const [what, input] of Object.entries(lies)) {
    await everywhere(tally, what, (call) => refused(call, input));
  }
  await everywhere(tally, 'more values than there are', (call) =>
    refused(call, {
      data: Object.defineProperty(new Float32Array(8), 'length', { value: 40 }),
      shape: SHAPE,
    }),
  );
  // Transparent proxies work like their targets.
  await everywhere(tally, 'an honest Proxy', (call, right) => {
    assert.deepEqual(call(new Proxy(x, {})), right);
    assert.deepEqual(call({ data: new Proxy([...values], {}), shape: new Proxy(SHAPE, {}) }), right);
  });
  tally.finish();
});

test('options that throw, change or lie', async () => {
  const tally = new Tally();
  const mine = new EvalError('mine');
  const names = [
    'attnMask',
    'keyPaddingMask',
    'isCausal',
    'window',
    'alibi',
    'softcap',
    'scale',
    'needWeights',
  ];
  for (const { file, layer } of instances) {
    const right = layer.forward(x);
    const forward = (options) => layer.forward(x, x, x, options);
    for (const name of [...names, 'averageWeights', 'returnScores', 'cache', 'training']) {
      const throws = Object.defineProperty({}, name, {
        enumerable: true,
        get() {
          throw mine;
        },
      });
      await tally.attempt(`${name} that throws, ${file}`, () => {
        assert.throws(
          () => forward(throws),
          (error) => error === mine,
        );
        assert.deepEqual(layer.forward(x), right);
      });
      for (const value of [
        Symbol('s'),
        1n,
        Object(true),
        () => true,
        { valueOf: () => 1 },
        new Proxy({}, {}),
      ]) {
        await tally.attempt(`${name} as ${typeof value}, ${file}`, () => {
          assert.throws(() => forward({ [name]: value }), isRefusal);
          assert.deepEqual(layer.forward(x), right);
        });
      }
    }
    await tally.attempt(`frozen options, ${file}`, () =>
      assert.deepEqual(forward(Object.freeze({ isCausal: false })), right),
    );
    await tally.attempt(`a mask whose buffer is gone, ${file}`, () => {
      const data = mask.slice();
      structuredClone(data, { transfer: [data.buffer] });
      assert.throws(() => forward({ attnMask: { data, shape: [5, 5] } }), isRefusal);
      assert.deepEqual(layer.forward(x), right);
    });
  }
  tally.finish();
});

test('inputs that call back', async () => {
  const tally = new Tally();
  for (const { file, module } of instances) {
    const make = () => new module.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const reference = make();
    const right = reference.forward(x);
    const backward = reference.forward(x, x, x, { training: true }) && reference.backward(x);
    /** An input that does something while it is read. */
    const calling = (act) => ({
      data: values,
      get shape() {
        act();
        return SHAPE;
      },
    });
    const acts = {
      forward: (layer) => assert.deepEqual(layer.forward(x), right),
      'forward of other shapes': (layer) => layer.forward(tensor(3, 50, 8)),
      'forward that grows memory': (layer) => layer.forward(tensor(1500, 8)),
      steps: (layer) => layer.steps(x),
      'forward and backward': (layer) => {
        layer.forward(x, x, x, { training: true });
        assert.deepEqual(layer.backward(x), backward);
      },
      'a call that throws': (layer) => assert.throws(() => layer.forward(tensor(5, 7)), RangeError),
      dispose: (layer) => layer.dispose(),
      'new layers': () => make().dispose(),
      itself: (layer) => {
        let depth = 0;
        const deeper = () => {
          depth += 1;
          if (depth < 20) layer.forward(calling(deeper));
        };
        layer.forward(calling(deeper));
        assert.equal(depth, 20);
      },
    };
    for (const [what, act] of Object.entries(acts)) {
      await tally.attempt(`${what}, ${file}`, () => {
        const layer = make();
        const call = () => layer.forward(calling(() => act(layer)));
        // All arguments are read before a call begins.
        if (what === 'dispose') assert.throws(call, /was disposed/);
        else {
          assert.deepEqual(call(), right);
          assert.deepEqual(layer.forward(x), right);
        }
        layer.dispose();
        assert.deepEqual(reference.forward(x), right);
      });
    }
    await tally.attempt(`the same cache, ${file}`, () => {
      const [layer, cache] = [make(), new module.KVCache()];
      const input = calling(() => layer.forward(x, x, x, { cache }));
      const { weights } = layer.forward(input, input, input, { cache });
      assert.deepEqual([cache.length, weights.shape.at(-1)], [10, 10]);
      layer.dispose();
      cache.dispose();
    });
    await tally.attempt(`loadStateDict, ${file}`, () => {
      const layer = make();
      const dict = layer.stateDict();
      const zeros = Object.fromEntries(
        Object.entries(dict).map(([name, { shape, size }]) => [
          name,
          { data: new Float32Array(size), shape },
        ]),
      );
      const input = calling(() => layer.loadStateDict(zeros));
      layer.forward(input);
      assert.ok(layer.forward(x).output.data.every((value) => value === 0));
      layer.loadStateDict(dict);
      assert.deepEqual(layer.forward(x), right);
      layer.dispose();
    });
    reference.dispose();
  }
  tally.finish();
});
