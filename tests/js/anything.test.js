/**
 * Any value whatever in any place of the API: it is taken, or refused by a TypeError or RangeError that names the
 * argument; no other error, and the module still works.
 *
 * Seeds are printed and repeated as in properties.test.js.
 */
import fc from 'fast-check';
import { load, Tensor } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import { bindDocuments } from '../node_modules/multihead-attention/dist/documents/examples.js';
import { builds } from './golden.js';
import { randomCases, randomSeed } from './random-seed.js';
import { fill } from './reference.js';

const seed = randomSeed('anything');

/** Values of every kind. None asks for gigabytes: sizes that memory cannot hold are for errors.test.js. */
const anything = fc.oneof(
  fc.anything({
    ...{ withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withNullPrototype: true },
    ...{ withObjectString: true, withSet: true, withTypedArray: true, withSparseArray: true },
    values: [fc.boolean(), fc.integer({ min: -9, max: 300 }), fc.double({ min: -9, max: 300 }), fc.string()],
  }),
  fc.constantFrom(
    ...[undefined, null, NaN, Infinity, -Infinity, -0, 2 ** 31, 2 ** 53, 1e-320, '', '8', 8n, Symbol('s')],
    ...[() => 1, class {}, new Proxy({}, {}), Promise.resolve(1), new WeakMap(), /x/, new Error('e')],
    ...[[], [[]], [[[]]], [[1, 2], [3]], [[1], 2], [null], [undefined], {}, Object.create(null)],
    ...[new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), new Float32Array(3), new BigInt64Array(2)],
    ...[
      { data: [1, 2], shape: [2] },
      { data: new Float32Array(4), shape: [2, 3] },
      { data: [1], dims: [1] },
    ],
    ...[{ shape: [1] }, { data: 'abc', shape: [3] }, { data: new Float32Array(2), shape: ['2'] }],
    ...[
      { data: new Float32Array(0), shape: [0] },
      { data: [1], shape: [2 ** 32, 2 ** 32] },
    ],
  ),
);

const x = fill([3, 8], (i, j) => Math.sin(8 * i + j));
const heads = fill([2, 3, 4], (h, i, j) => Math.sin(12 * h + 4 * i + j));
const weights = fill([2, 3, 3], () => 1 / 3);
const words = ['a', 'b', 'c'];
const tokens = [
  [1, 2, 3],
  [4, 5, 6],
];

const layerOptions = [
  ...['embedDim', 'numHeads', 'numKvHeads', 'headDim', 'valueHeadDim', 'kdim', 'vdim', 'outDim', 'bias'],
  ...['addBiasKv', 'addZeroAttn', 'dropout', 'activation', 'rope', 'seed'],
];
const stepScores = ['isCausal', 'window', 'queryOffset', 'keyLengths', 'softcap', 'scale'];
const scoreOptions = [...stepScores, 'needWeights', 'returnScores'];
const stepOptions = [
  ...stepScores,
  ...['attnMask', 'keyPaddingMask', 'alibi', 'cache', 'positions', 'training'],
];
const stepSizes = ['learningRate', 'weightDecay', 'beta1', 'beta2', 'eps', 'maxGradNorm'];

/**
 * Each call, the right arguments, and their names. What stands below `options` is an option of the last argument,
 * an object; `others` are other names that a message about an argument may have.
 */
const callsOf = ({ m, layer, encoder, generator }) => ({
  MultiHeadAttention: {
    call: (options) => new m.MultiHeadAttention(options).dispose(),
    args: { options: { embedDim: 8, numHeads: 2 } },
    options: layerOptions,
  },
  forward: {
    call: (...args) => layer.forward(...args),
    args: { query: x, key: x, value: x, options: {} },
    options: [...stepOptions, 'needWeights', 'averageWeights', 'returnScores'],
  },
  steps: {
    call: (...args) => layer.steps(...args),
    args: { query: x, key: x, value: x, options: {} },
    options: stepOptions,
  },
  backward: {
    call: (gradient) => {
      layer.forward(x, x, x, { training: true });
      layer.backward(gradient);
    },
    args: { gradOutput: x },
  },
  loadStateDict: {
    call: (dict) => layer.loadStateDict(dict),
    args: { dict: layer.stateDict() },
    options: Object.keys(layer.stateDict()),
  },
  flops: { call: (...args) => layer.flops(...args), args: { L: 3, S: 3, B: 1 } },
  scaledDotProductAttention: {
    call: (...args) => m.scaledDotProductAttention(...args),
    args: { query: heads, key: heads, value: heads, options: {} },
    options: [
      ...scoreOptions,
      ...['mask', 'dropout', 'seed', 'enableGqa', 'alibiSlopes'],
      ...['pastKey', 'pastValue', 'numHeads', 'numKvHeads'],
    ],
    others: ['key', 'value'],
  },
  causal: { call: (n) => m.masks.causal(n), args: { n: 3 } },
  padding: { call: (...args) => m.masks.padding(...args), args: { lengths: [1, 2], maxLen: 2 } },
  slidingWindow: { call: (...args) => m.masks.slidingWindow(...args), args: { n: 3, window: 1 } },
  fromTorch: { call: (mask) => m.masks.fromTorch(mask), args: { mask: [[true, false]] } },
  RandomState: { call: (n) => new m.random.RandomState(n).dispose(), args: { seed: 1 } },
  defaultRng: { call: (n) => m.random.defaultRng(n).dispose(), args: { seed: 1 } },
  normal: { call: (...args) => generator.normal(...args), args: { loc: 0, scale: 1, shape: [2] } },
  random: { call: (shape) => generator.random(shape), args: { shape: [2] } },
  entropy: { call: (tensor) => m.metrics.entropy(tensor), args: { weights } },
  similarity: { call: (tensor) => m.metrics.similarity(tensor), args: { weights } },
  headRoles: {
    call: (...args) => m.metrics.headRoles(...args),
    args: { weights, tokens: words, options: {} },
    options: ['frequencies'],
  },
  read: {
    call: (...args) => m.safetensors.read(...args),
    args: { bytes: m.safetensors.write({ a: [1] }), options: {} },
    options: ['prefix'],
    others: ['header'],
  },
  write: {
    call: (...args) => m.safetensors.write(...args),
    args: { dict: { a: [1] }, metadata: { format: 'pt' } },
    options: ['format'],
  },
  run: { call: (id) => bindDocuments(m).run(id), args: { id: '000-masks' } },
  Tensor: { call: (...args) => new Tensor(...args), args: { data: new Float32Array(2), shape: [2] } },
  at: { call: (...args) => new Tensor(new Float32Array(2), [2]).at(...args), args: { indices: 1 } },
  Encoder: {
    call: (options) => new m.training.Encoder(options).dispose(),
    args: { options: { vocabSize: 9, maxLength: 4, embedDim: 8, numHeads: 2 } },
    options: ['vocabSize', 'maxLength', 'embedDim', 'numHeads', 'numLayers', 'feedForwardDim', 'seed'],
  },
  encode: {
    call: (...args) => encoder.forward(...args),
    args: { tokens, options: {} },
    options: ['keyPaddingMask'],
  },
  evaluate: {
    call: (...args) => encoder.evaluate(...args),
    args: { tokens, targets: tokens, options: {} },
    options: ['keyPaddingMask'],
  },
  gradients: {
    call: (...args) => encoder.gradients(...args),
    args: { tokens, targets: tokens, options: {} },
    options: ['keyPaddingMask'],
  },
  trainStep: {
    call: (...args) => encoder.trainStep(...args),
    args: { tokens, targets: tokens, options: {} },
    options: ['keyPaddingMask', ...stepSizes],
  },
  loadEncoder: {
    call: (dict) => encoder.loadStateDict(dict),
    args: { dict: encoder.stateDict() },
    options: Object.keys(encoder.stateDict()),
  },
  loadOptimizerState: {
    call: (state) => encoder.loadOptimizerState(state),
    args: { state: encoder.optimizerState() },
    options: Object.keys(encoder.optimizerState()),
  },
});

/** Arguments with one of them, or one option of the last, replaced. */
function replaced({ args, options = [] }, place, value) {
  const names = Object.keys(args);
  const values = Object.values(args);
  const chosen = place % (names.length + options.length);
  if (chosen < names.length) return values.with(chosen, value);
  const option = options[chosen - names.length];
  return values.with(-1, { ...values.at(-1), [option]: value });
}

describe.each(builds)('%s', (build) => {
  let m;
  beforeAll(async () => {
    m = { ...(await load({ build })), training: await loadTraining({ build }) };
  });

  test('any value in any place is taken, or refused by name', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const encoder = new m.training.Encoder({ vocabSize: 9, maxLength: 4, embedDim: 8, numHeads: 2 });
    const generator = m.random.defaultRng(1);
    const calls = callsOf({ m, layer, encoder, generator });
    const wrong = fc.record({
      name: fc.constantFrom(...Object.keys(calls)),
      place: fc.nat(99),
      value: anything,
    });
    let refused = 0;
    fc.assert(
      fc.property(wrong, ({ name, place, value }) => {
        const { call, ...description } = calls[name];
        const known = [
          ...Object.keys(description.args),
          ...(description.options ?? []),
          ...(description.others ?? []),
          ...Object.keys(value ?? {}), // options that do not exist
        ];
        try {
          call(...replaced(description, place, value));
        } catch (error) {
          ++refused;
          expect([TypeError, RangeError]).toContain(error.constructor);
          const named = /^`([^]*?)` must /.exec(error.message)?.[1];
          const names = (one) =>
            named === one || named?.startsWith(`${one}.`) || named?.startsWith(`${one}[`);
          expect({ error, names: known.some(names) }).toEqual({ error, names: true });
        }
      }),
      { seed, numRuns: randomCases(6000) },
    );
    expect(refused).toBeGreaterThan(randomCases(6000) / 2);

    // The module still works.
    const other = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    layer.loadStateDict(other.stateDict());
    expect(layer.forward(x)).toEqual(other.forward(x));
    for (const owner of [layer, other, encoder, generator]) owner.dispose();
  });
});
