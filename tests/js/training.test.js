/** The encoder that learns: against PyTorch, from build to build, saved and loaded, and used wrongly. */
import { load } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import { builds, readGolden, relativeError, tensor } from './golden.js';
import { wasmBytes, wasmPath } from './wasm-files.js';
import { expectThrow, titled } from './wrong-calls.js';

const runs = { padded: readGolden('encoder/padded.json'), whole: readGolden('encoder/whole.json') };
const tensors = (dict) =>
  Object.fromEntries(Object.entries(dict).map(([name, nested]) => [name, tensor(nested)]));

const modules = {};
beforeAll(async () => {
  for (const build of builds) modules[build] = await loadTraining({ build });
});

/** The encoder of a run, and the batch as its methods take it. */
function prepare(build, { sizes, parameters, tokens, targets, key_padding_mask: mask }) {
  const encoder = new modules[build].Encoder({
    vocabSize: sizes.vocab_size,
    maxLength: sizes.max_length,
    embedDim: sizes.embed_dim,
    numHeads: sizes.num_heads,
    numLayers: sizes.num_layers,
    feedForwardDim: sizes.feed_forward_dim,
  });
  encoder.loadStateDict(tensors(parameters));
  return { encoder, tokens, targets, options: { keyPaddingMask: mask } };
}

const expectClose = (actual, expected, tolerance) =>
  expect(relativeError(actual, expected)).toBeLessThanOrEqual(tolerance);

function expectAllClose(dict, expected, tolerance) {
  expect(Object.keys(dict).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, nested] of Object.entries(expected)) expectClose(dict[name], nested, tolerance);
}

const sizes = { vocabSize: 20, maxLength: 8, embedDim: 16, numHeads: 2 };
const tokens = [
  [3, 1, 5, 7],
  [4, 1, 6, 0],
];
const targets = [
  [-100, 4, -100, -100],
  [-100, 9, -100, -100],
];
const keyPaddingMask = [
  [true, true, true, true],
  [true, true, true, false],
];
/** What an encoder is at this moment. */
const momentOf = (encoder) => ({ ...encoder.stateDict(), ...encoder.optimizerState() });

describe.each(builds)('%s: training', (build) => {
  let m;
  beforeAll(() => {
    m = modules[build];
  });

  describe.each(Object.keys(runs))('against PyTorch, %s', (name) => {
    const run = runs[name];

    test('forward gives logits, weights and the layers’ inputs', () => {
      const { encoder, options } = prepare(build, run);
      const { logits, weights, layerInputs } = encoder.forward(run.tokens, options);
      expectClose(logits, run.logits, 2e-6);
      expect([weights.length, layerInputs.length]).toEqual([run.weights.length, run.layer_inputs.length]);
      weights.forEach((map, i) => expectClose(map, run.weights[i], 2e-6));
      layerInputs.forEach((input, i) => expectClose(input, run.layer_inputs[i], 2e-6));
    });

    test('gradients and loss', () => {
      const { encoder, options } = prepare(build, run);
      const before = momentOf(encoder);
      const { parameters, ...prediction } = encoder.gradients(run.tokens, run.targets, options);
      expect(prediction.loss).toBeCloseTo(run.loss, 5);
      expect(prediction).toEqual({ loss: prediction.loss, correct: run.correct, count: run.count });
      expectAllClose(parameters, run.gradients, 5e-6);
      expect(encoder.evaluate(run.tokens, run.targets, options)).toEqual(prediction);
      expect(momentOf(encoder)).toEqual(before);
    });

    test('three steps of AdamW', () => {
      const { encoder, options } = prepare(build, run);
      const { lr, betas, eps, weight_decay, max_grad_norm } = run.options;
      for (const { loss, grad_norm } of run.steps) {
        const result = encoder.trainStep(run.tokens, run.targets, {
          ...options,
          learningRate: lr,
          betas,
          eps,
          weightDecay: weight_decay,
          maxGradNorm: max_grad_norm,
        });
        expect(result.loss).toBeCloseTo(loss, 4);
        expect(result.gradNorm).toBeCloseTo(grad_norm, 4);
      }
      expectAllClose(encoder.stateDict(), run.parameters_after, 1e-5);
    });
  });

  test('training continues exactly where it was saved', () => {
    const first = new m.Encoder(sizes);
    const second = new m.Encoder({ ...sizes, seed: 1 });
    const step = (encoder) => encoder.trainStep(tokens, targets, { keyPaddingMask, learningRate: 0.01 });
    for (let i = 0; i < 3; ++i) step(first);
    second.loadStateDict(first.stateDict());
    second.loadOptimizerState(first.optimizerState());
    for (let i = 0; i < 3; ++i) expect(step(second)).toEqual(step(first));
    expect(momentOf(second)).toEqual(momentOf(first));
    expect(momentOf(second).step.toNested()).toEqual([6]);
  });

  test('its weights and inputs are those of the attention layer of load()', async () => {
    const encoder = new m.Encoder(sizes);
    for (let i = 0; i < 5; ++i) encoder.trainStep(tokens, targets, { learningRate: 0.01 });
    const { weights, layerInputs } = encoder.forward(tokens, { keyPaddingMask });
    const dict = encoder.stateDict();
    const { MultiHeadAttention } = await load({ build });
    const layer = new MultiHeadAttention({ embedDim: 16, numHeads: 2 });
    const prefix = 'layers.1.self_attn.';
    const own = Object.entries(dict).filter(([name]) => name.startsWith(prefix));
    layer.loadStateDict(Object.fromEntries(own.map(([name, t]) => [name.slice(prefix.length), t])));
    expect(layer.forward(layerInputs[1], undefined, undefined, { keyPaddingMask }).weights).toEqual(
      weights[1],
    );
  });

  test('every form of ids and of the mask means the same', () => {
    const encoder = new m.Encoder(sizes);
    const shape = [2, 4];
    const expected = encoder.evaluate(tokens, targets, { keyPaddingMask });
    const data = Int32Array.from(tokens.flat());
    const shared = new Int32Array(new SharedArrayBuffer(4 * data.length));
    shared.set(data);
    const mask = { data: Uint8Array.from(keyPaddingMask.flat(), Number), shape };
    const wanted = { data: Int32Array.from(targets.flat()), dims: shape };
    for (const ids of [
      { data, shape },
      { data: tokens.flat(), shape },
      { data: shared, shape },
    ]) {
      expect(encoder.evaluate(ids, wanted, { keyPaddingMask: mask })).toEqual(expected);
    }
  });

  test('parameterCount is the sum of the sizes', () => {
    const encoder = new m.Encoder(sizes);
    const sum = Object.values(encoder.stateDict()).reduce((total, { size }) => total + size, 0);
    expect(encoder.parameterCount).toBe(sum);
  });

  test('defaultRng draws what load() draws', async () => {
    const { random } = await load({ build });
    expect(m.defaultRng(7).random([2, 3])).toEqual(random.defaultRng(7).random([2, 3]));
    expect(m.defaultRng(7).normal(1, 2, 5)).toEqual(random.defaultRng(7).normal(1, 2, 5));
  });

  test('memory stays where it is, step after step', async () => {
    const { instantiate } = WebAssembly;
    let memory;
    WebAssembly.instantiate = async (module, imports) => {
      const instance = await instantiate(module, imports);
      memory = Object.values(instance.exports).find(
        (value) => String(value) === '[object WebAssembly.Memory]',
      );
      return instance;
    };
    const own = await loadTraining({ wasm: wasmBytes(`training-${build}`) });
    WebAssembly.instantiate = instantiate;
    const encoder = new own.Encoder(sizes);
    for (let i = 0; i < 20; ++i) encoder.trainStep(tokens, targets);
    const before = memory.buffer.byteLength;
    for (let i = 0; i < 300; ++i) {
      encoder.trainStep(tokens, targets);
      expect(() => encoder.trainStep(tokens, [[-100]])).toThrow(RangeError);
      new own.Encoder(sizes).dispose();
    }
    expect(memory.buffer.byteLength).toBe(before);
  });
});

test('fifty steps over the same batches lead every build to the same place', () => {
  const losses = builds.map((build) => {
    const { Encoder, defaultRng } = modules[build];
    const encoder = new Encoder({ ...sizes, seed: 3 });
    const generator = defaultRng(11);
    const [batch, length] = [16, 8];
    const shape = [batch, length];
    let last;
    for (let i = 0; i < 50; ++i) {
      // Six words in a cycle: neighbours determine a hidden one.
      const starts = generator.random(batch).data;
      const words = Int32Array.from(
        { length: batch * length },
        (_, j) => 2 + ((Math.floor(starts[Math.floor(j / length)] * 6) + (j % length)) % 6),
      );
      const isHidden = (j) => j % 3 === i % 3;
      const ids = { data: words.map((word, j) => (isHidden(j) ? 1 : word)), shape };
      const wanted = { data: words.map((word, j) => (isHidden(j) ? word : -100)), shape };
      last = encoder.trainStep(ids, wanted, { learningRate: 0.01 }).loss;
    }
    encoder.dispose();
    return last;
  });
  // Guessing one of the six would be 1.79.
  expect(losses[0]).toBeLessThan(1);
  for (const loss of losses) expect(Math.abs(loss - losses[0])).toBeLessThan(1e-3);
});

describe('loadTraining', () => {
  test('gives the same module for the same build, and the fastest unless asked otherwise', async () => {
    for (const build of builds) {
      expect(modules[build].build).toBe(build);
      expect(await loadTraining({ build })).toBe(modules[build]);
    }
    const fastest = builds.findLast((build) => WebAssembly.validate(wasmBytes(build)));
    expect(await loadTraining()).toBe(modules[fastest]);
  });

  test('takes a binary from anywhere', async () => {
    const given = await loadTraining({ build: 'simd', wasm: wasmPath('training-simd') });
    expect(given.build).toBe('simd');
    expect(new given.Encoder(sizes).forward([[3]]).logits.shape).toEqual([1, 1, 20]);
  });

  test.each([
    [{ threads: 2 }, TypeError, '`threads` must be an option of loadTraining'],
    [{ build: 'fast' }, RangeError, '`build` must be'],
    [{ wasm: 3 }, TypeError, '`wasm` must be'],
    [{ wasm: '' }, RangeError, '`wasm` must be a URL or a path'],
    [{ wasm: Uint8Array.of(1, 2) }, Error, '`wasm` must be a WebAssembly binary'],
    [{ wasm: wasmBytes('simd') }, Error, '`wasm` must be this library’s binary'],
    [{ build: 'simd', wasm: wasmBytes('training-relaxed') }, RangeError, '`wasm` must be the simd build'],
  ])('refuses %j', async (options, ErrorClass, part) => {
    const error = await loadTraining(options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error.message.replace("library's", 'library’s')).toContain(part);
  });
});

describe('wrong arguments are named, and change nothing', () => {
  let m, encoder;
  beforeAll(() => {
    m = modules.simd;
    encoder = new m.Encoder(sizes);
    encoder.trainStep(tokens, targets);
  });

  const make = (options) => new m.Encoder({ ...sizes, ...options });
  const step = (options) => encoder.trainStep(tokens, targets, options);
  const withDict = (change) => encoder.loadStateDict({ ...encoder.stateDict(), ...change });
  const withState = (change) => encoder.loadOptimizerState({ ...encoder.optimizerState(), ...change });

  test.each(
    titled([
      [() => new m.Encoder(), TypeError, '`options` must be an object of options for Encoder'],
      [() => make({ heads: 2 }), TypeError, '`heads` must be an option of Encoder'],
      [() => make({ vocabSize: undefined }), TypeError, '`vocabSize` must be an integer'],
      [() => make({ embedDim: 8n }), TypeError, '`embedDim` must be an integer'],
      [() => make({ numLayers: 0 }), RangeError, '`numLayers` must be an integer from 1'],
      [() => make({ numHeads: 3 }), RangeError, '`numHeads` must divide embedDim (16)'],
      [() => make({ seed: -1 }), RangeError, '`seed` must be an integer from 0'],
      [() => make({ vocabSize: 2 ** 30, embedDim: 2 ** 10 }), RangeError, 'out of memory'],
      [() => encoder.forward('the bank'), TypeError, '`tokens` must be a tensor'],
      [
        () => encoder.forward({ data: new Float32Array(2), shape: [1, 2] }),
        TypeError,
        '`tokens` must hold an Int32Array or whole numbers, got a Float32Array',
      ],
      [() => encoder.forward([[true]]), TypeError, '`tokens` must hold', 'got booleans'],
      [() => encoder.forward([[1.5]]), RangeError, '`tokens` must hold whole numbers', 'got 1.5'],
      [() => encoder.forward([[3, 20]]), RangeError, '`tokens` must hold ids from 0 to 19'],
      [() => encoder.forward([3, 4]), RangeError, '`tokens` must be (B, L), got shape (2,)'],
      [
        () => encoder.forward([Array(9).fill(2)]),
        RangeError,
        '`tokens` must have at most 8 tokens (maxLength)',
      ],
      [
        () => encoder.gradients(tokens, [[3]]),
        RangeError,
        '`targets` must have the shape (2, 4) of `tokens`',
      ],
      [() => encoder.evaluate([[3]], [[-100]]), RangeError, '`targets` must hold an id to predict'],
      [
        () => encoder.forward(tokens, { keyPaddingMask: [[true]] }),
        RangeError,
        '`keyPaddingMask` must have the shape (2, 4)',
      ],
      [
        () => encoder.forward(tokens, { keyPaddingMask: [[0.5, 1]] }),
        TypeError,
        '`keyPaddingMask` must hold booleans',
      ],
      [() => step({ lr: 0.1 }), TypeError, '`lr` must be an option of trainStep'],
      [() => step({ learningRate: -1 }), RangeError, '`learningRate` must be at least 0'],
      [() => step({ weightDecay: Infinity }), RangeError, '`weightDecay` must be a finite'],
      [() => step({ betas: [0.9] }), RangeError, '`betas` must have length 2, got 1'],
      [() => step({ betas: [0.9, 1] }), RangeError, '`betas[1]` must be less than 1'],
      [() => step({ betas: 0.9 }), TypeError, '`betas` must be an array of two numbers'],
      [() => step({ eps: '1' }), TypeError, '`eps` must be a number'],
      [() => step({ maxGradNorm: 0 }), RangeError, '`maxGradNorm` must be greater than 0'],
      [() => encoder.loadStateDict([]), TypeError, '`dict` must be an object'],
      [() => withDict({ extra: [1] }), RangeError, '`dict`', 'got extra'],
      [() => withDict({ 'norm.bias': [1, 2] }), RangeError, '`norm.bias` must have shape (16,)'],
      [() => withState({ step: [0.5] }), RangeError, '`step` must be a whole number'],
      [() => encoder.loadOptimizerState({}), RangeError, '`state` must hold', 'which is missing'],
    ]),
  )('%s', (_, call, ErrorClass, ...parts) => {
    const before = momentOf(encoder);
    expectThrow(call, ErrorClass, ...parts);
    expect(momentOf(encoder)).toEqual(before);
  });

  test.each([
    ['forward', (e) => e.forward(tokens)],
    ['gradients', (e) => e.gradients(tokens, targets)],
    ['trainStep', (e) => e.trainStep(tokens, targets)],
    ['evaluate', (e) => e.evaluate(tokens, targets)],
    ['stateDict', (e) => e.stateDict()],
    ['optimizerState', (e) => e.optimizerState()],
    ['parameterCount', (e) => e.parameterCount],
  ])('%s after dispose()', (_, use) => {
    const gone = new m.Encoder(sizes);
    gone.dispose();
    gone.dispose();
    expect(() => use(gone)).toThrow('this Encoder was disposed');
  });
});
