/** Memory: running out is a RangeError that changes nothing, and released memory is reused. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ATTENTION, collect, computed, instance, limitMemory, tensor, TRAINING } from './binaries.js';
import { isFull, Tally } from './tally.js';

const OUT_OF_MEMORY = new RangeError('out of memory: the tensors of this call are too large');
const MEGABYTE = 2 ** 20;
/** How much more memory there is at the next attempt; at calls that take tens of MB, `step` is more. */
const STEP = MEGABYTE / 4;
/** The binaries that are tried at every place where memory can run out; the others, of the same sources, at some. */
const CLOSELY = ['simd', 'relaxed-threads', 'training-simd'];
const stride = ({ file }) => (isFull || CLOSELY.includes(file) ? 1 : 6);
/** More than any call here takes: one that still runs out never gets through. */
const ENOUGH = 1024 * MEGABYTE;

/** A digest of every bit of a result: tensors, numbers, and objects and arrays of them. */
function digest(result) {
  const hash = createHash('sha256');
  const add = (value) => {
    if (ArrayBuffer.isView(value))
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
    else hash.update(String(value));
  };
  add(result);
  return hash.digest('hex');
}

const long = tensor(300, 8);
const heads = tensor(2, 300, 64);

/** A layer of wide heads: the tensors of its calls have up to 1 MB each. */
const wide = (module, options) =>
  new module.MultiHeadAttention({ embedDim: 8, numHeads: 2, headDim: 512, valueHeadDim: 256, ...options });

/** Made once: it is large. */
let otherDict;

/**
 * Everything that allocates: `prepare` gives the inputs of a call, `call` is tried while memory runs out at every
 * allocation, and `kept` must be unchanged after a failure, and right after a success.
 */
const CALLS = {
  'new MultiHeadAttention': {
    prepare: () => null,
    call: (_, module) => {
      const layer = wide(module);
      const result = digest(layer.stateDict());
      layer.dispose();
      return result;
    },
  },
  forward: {
    prepare: (module) => wide(module),
    call: (layer) => digest(layer.forward(long, long, long, { returnScores: true })),
    kept: (layer) => digest(layer.stateDict()),
  },
  steps: {
    prepare: (module) => wide(module, { rope: {} }),
    call: (layer) => digest(layer.steps(long, long, long, { alibi: true })),
    kept: (layer) => digest(layer.stateDict()),
  },
  'forward for training': {
    prepare: (module) => wide(module, { rope: {}, addBiasKv: true }),
    call: (layer) => digest(layer.forward(long, long, long, { training: true })),
    kept: (layer) => digest(layer.stateDict()),
  },
  backward: {
    prepare: (module) => {
      const layer = wide(module);
      layer.forward(long, long, long, { training: true });
      return layer;
    },
    call: (layer) => digest(layer.backward(long)),
    kept: (layer) => digest(layer.stateDict()),
  },
  'forward with a cache': {
    prepare: (module) => {
      const [layer, cache] = [wide(module), new module.KVCache()];
      layer.forward(tensor(3, 8), undefined, undefined, { cache });
      return Object.assign(layer, { cache });
    },
    call: (layer) => digest(layer.forward(long, long, long, { cache: layer.cache })),
    kept: ({ cache }) => cache.length,
  },
  loadStateDict: {
    prepare: (module) => {
      const layer = wide(module, { embedDim: 256 });
      // Every tensor is another: one that is loaded before memory runs out shows.
      otherDict ??= Object.fromEntries(
        Object.entries(layer.stateDict()).map(([name, { shape }]) => [name, tensor(...shape)]),
      );
      return layer;
    },
    call: (layer) => layer.loadStateDict(otherDict),
    kept: (layer) => digest(layer.stateDict()),
  },
  scaledDotProductAttention: {
    prepare: () => null,
    call: (_, module) => digest(module.scaledDotProductAttention(heads, heads, heads, { isCausal: true })),
  },
  metrics: {
    prepare: () => new Float32Array(8 * 200 * 200).fill(0.005),
    call: (data, module) => {
      const weights = { data, shape: [8, 200, 200] };
      return digest([module.metrics.entropy(weights), module.metrics.similarity(weights)]);
    },
  },
  random: {
    prepare: () => null,
    call: (_, module) => module.random.defaultRng(0).normal(0, 1, 200_000).data.at(-1),
  },
};

const ids = (rows, columns) =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => (3 * i + j) % 50));
const tokens = ids(16, 24);
const state = (encoder) => digest([encoder.stateDict(), encoder.optimizerState()]);
const encoderOf = (module) =>
  new module.Encoder({ vocabSize: 50, maxLength: 24, embedDim: 64, numHeads: 4, feedForwardDim: 512 });
const trained = (module, token = 1) => {
  const encoder = encoderOf(module);
  encoder.trainStep([[token, 2]], [[3, 4]]);
  return encoder;
};

const TRAINING_CALLS = {
  'new Encoder': {
    prepare: () => null,
    call: (_, module) => {
      const encoder = encoderOf(module);
      const result = digest(encoder.stateDict());
      encoder.dispose();
      return result;
    },
  },
  'Encoder.forward': {
    prepare: trained,
    call: (encoder) => digest(encoder.forward(tokens)),
    kept: state,
    step: MEGABYTE,
  },
  'Encoder.evaluate': {
    prepare: trained,
    call: (encoder) => digest(encoder.evaluate(tokens, tokens)),
    kept: state,
    step: MEGABYTE,
  },
  'Encoder.gradients': {
    prepare: trained,
    call: (encoder) => digest(encoder.gradients(tokens, tokens)),
    kept: state,
    step: MEGABYTE,
  },
  'first Encoder.trainStep': {
    prepare: encoderOf,
    call: (encoder) => digest(encoder.trainStep(tokens, tokens)),
    kept: state,
    step: MEGABYTE,
  },
  'Encoder.trainStep': {
    prepare: trained,
    call: (encoder) => digest(encoder.trainStep(tokens, tokens)),
    kept: state,
    step: MEGABYTE,
  },
  'Encoder.loadOptimizerState': {
    prepare: (module) => {
      const [encoder, other] = [trained(module), trained(module, 5)];
      const optimizer = other.optimizerState();
      other.dispose();
      return Object.assign(encoder, { optimizer });
    },
    call: (encoder) => encoder.loadOptimizerState(encoder.optimizer),
    kept: state,
  },
};

/** Allocates all free memory, in smaller and smaller pieces: it would hide the first allocations that can fail. */
function fill(module) {
  const held = [];
  for (const size of [256, 64, 16, 4]) {
    try {
      for (;;) {
        held.push(
          module.Encoder
            ? new module.Encoder({
                vocabSize: 4,
                maxLength: 4,
                embedDim: size,
                numHeads: 1,
                feedForwardDim: 4,
              })
            : new module.MultiHeadAttention({ embedDim: size, numHeads: 1 }),
        );
      }
    } catch (error) {
      assert.deepEqual(error, OUT_OF_MEMORY);
    }
  }
  return held;
}

/** A module whose memory is full except for `more()` bytes, called at each growth, and a subject in it. */
async function fullModule(binary, { prepare, kept }, more) {
  const { module, memory } = await instance(binary);
  const subject = prepare(module);
  const unchanged = kept(subject);
  const { byteLength } = memory.buffer;
  let isFull = false;
  limitMemory(memory, () => byteLength + (isFull ? more() : 0));
  const held = fill(module);
  isFull = true;
  return { module, memory, subject, unchanged, held };
}

/** Lets memory run out at one place after the other of a call until it is through, and counts the places. */
async function runOut(tally, what, binary, { prepare, call, kept = () => null, step = STEP }) {
  const free = await instance(binary);
  const other = prepare(free.module);
  const expected = [call(other, free.module), kept(other)];
  const before = computed(free.module);
  let more = 0;
  const anew = () => fullModule(binary, { prepare, kept }, () => more);
  let full = await anew();
  for (let isThrough = false; !isThrough; more += step * stride(binary)) {
    assert.ok(more < ENOUGH, `${what} of ${binary.file} is never through`);
    const { module, memory, subject, unchanged } = full;
    let result, thrown;
    try {
      result = call(subject, module);
      isThrough = true;
    } catch (error) {
      thrown = error;
    }
    const { byteLength } = memory.buffer;
    await tally.attempt(`${what} of ${binary.file} with ${more} bytes`, () => {
      if (!isThrough) assert.deepEqual(thrown, OUT_OF_MEMORY);
      const { grow } = memory;
      delete memory.grow;
      try {
        if (isThrough) assert.deepEqual([result, kept(subject)], expected);
        else assert.deepEqual(kept(subject), unchanged);
      } finally {
        memory.grow = grow;
      }
    });
    // Memory freed after the inspection would hide allocations that can fail.
    if (!isThrough && memory.buffer.byteLength > byteLength) full = await anew();
  }
  const { module, memory, subject, held } = full;
  for (const owner of [subject, ...held]) owner?.dispose?.();
  delete memory.grow;
  await tally.attempt(`${what} of ${binary.file}, afterwards`, () =>
    assert.deepEqual(computed(module), before),
  );
}

describe('memory runs out', () => {
  test('in every call of every build', async () => {
    const tally = new Tally();
    for (const binary of ATTENTION) {
      for (const [what, call] of Object.entries(CALLS)) await runOut(tally, what, binary, call);
    }
    tally.finish();
  });

  test('in everything that trains', async () => {
    const tally = new Tally();
    for (const binary of TRAINING) {
      for (const [what, call] of Object.entries(TRAINING_CALLS)) await runOut(tally, what, binary, call);
    }
    tally.finish();
  });

  test('for sizes around and beyond the address space', async () => {
    const tally = new Tally();
    // 4 GB and a little less, which other tensors already take, to far beyond.
    const sizes = [
      ...[-16, -4, -1, 0, 1, 4, 16, 1024].map((kilobytes) => 2 ** 32 + kilobytes * 1024),
      ...[2 ** 32 + 4, 2 ** 33 - 4, 2 ** 33, 2 ** 33 + 4, 3 * 2 ** 32, 2 ** 34, 2 ** 36, 2 ** 40],
    ];
    const column = (length) => ({ data: new Float32Array(length), shape: [length, 1] });
    for (const binary of ATTENTION) {
      const { module } = await instance(binary);
      const layer = new module.MultiHeadAttention({ embedDim: 1, numHeads: 1 });
      const before = computed(module);
      for (const size of sizes) {
        const floats = size / 4;
        const side = Math.ceil(Math.sqrt(floats));
        const calls = {
          // Of the weights of a layer, of a call, of heads; and of draws.
          make: () => new module.MultiHeadAttention({ embedDim: side, numHeads: 1 }),
          forward: () => layer.forward(column(side), undefined, undefined, { returnScores: true }),
          steps: () => layer.steps(column(side)),
          training: () => layer.forward(column(side), undefined, undefined, { training: true }),
          attention: () => {
            const one = { data: new Float32Array(side), shape: [1, side, 1] };
            module.scaledDotProductAttention(one, one, one);
          },
          draws: () => module.random.defaultRng(0).random(Math.min(Math.ceil(size / 8), 2 ** 31 - 1)),
        };
        for (const [what, call] of Object.entries(calls)) {
          await tally.attempt(`${what} of ${size} bytes in ${binary.file}`, () => {
            assert.throws(call, OUT_OF_MEMORY);
            assert.equal(layer.forward([[2]]).weights.at(0, 0, 0), 1);
          });
        }
      }
      await tally.attempt(binary.file, () => assert.deepEqual(computed(module), before));
      layer.dispose();
    }
    tally.finish();
  });
});

/** Layers that are created, used and released. */
const CYCLES = isFull ? 100_000 : 20_000;
const FORGOTTEN = isFull ? 10_000 : 4000;

/** Bytes of JavaScript's heap in use when all that can be collected is. */
async function heapUsed() {
  for (let i = 0; i < 3; ++i) {
    collect();
    await setTimeout(1);
  }
  return process.memoryUsage().heapUsed;
}

describe('memory is let go of', () => {
  test('by layers that are disposed', async () => {
    const tally = new Tally();
    const { module, memory } = await instance({ file: 'simd', build: 'simd', threads: 1 });
    const x = tensor(5, 8);
    const first = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const expected = first.forward(x).output.data;
    const cycle = () => {
      const layer = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
      const { output } = layer.forward(x);
      layer.dispose();
      assert.ok(output.data.every((value, i) => value === expected[i]));
    };
    // A few bytes that each cycle kept would soon be more than the room that is left.
    const room = new module.MultiHeadAttention({ embedDim: 64, numHeads: 1 });
    limitMemory(memory, () => memory.buffer.byteLength);
    fill(module);
    room.dispose();
    // What is compiled and cached on the way belongs to no cycle.
    for (let i = 0; i < 2000; ++i) cycle();
    const [bytes, heap] = [memory.buffer.byteLength, await heapUsed()];
    for (let i = 0; i < CYCLES; ++i) await tally.attempt(`cycle ${i}`, cycle);
    const grown = (await heapUsed()) - heap;
    assert.equal(memory.buffer.byteLength, bytes);
    assert.ok(grown < MEGABYTE, `${grown} bytes more of JavaScript's heap`);
    tally.finish();
  });

  test('by layers, caches and generators that are forgotten', async () => {
    const tally = new Tally();
    const { module, memory } = await instance({ file: 'simd', build: 'simd', threads: 1 });
    const x = tensor(5, 64);
    const forget = () => {
      // 66 KB each: without collection there would be 260 MB of them and more.
      const layer = new module.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
      const cache = new module.KVCache();
      assert.ok(layer.forward(x, x, x, { cache }).output.data.every(Number.isFinite));
      assert.ok(Number.isFinite(module.random.defaultRng(1).normal().data[0]));
    };
    const round = async () => {
      for (let i = 0; i < 100; ++i) await tally.attempt('forgotten', forget);
      collect();
      // Finalizers run in a separate task.
      await setTimeout(1);
    };
    for (let i = 0; i < FORGOTTEN / 200; ++i) await round();
    const [bytes, heap] = [memory.buffer.byteLength, await heapUsed()];
    for (let i = 0; i < FORGOTTEN / 200; ++i) await round();
    const grown = (await heapUsed()) - heap;
    assert.ok(bytes < 48 * MEGABYTE, `${bytes} bytes of WebAssembly`);
    assert.equal(memory.buffer.byteLength, bytes);
    assert.ok(grown < MEGABYTE, `${grown} bytes more of JavaScript's heap`);
    tally.finish();
  });
});
