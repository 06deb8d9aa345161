/**
 * Heads of models that are scaled or taken out: the same numbers must come from a model whose output projections have
 * the factors written into them.
 */
import { load } from 'multihead-attention';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import {
  filesOf,
  folderOf,
  inputOf,
  names,
  readJson,
  relativeError,
  withScaledHeads,
} from './model-files.js';

const modules = await Promise.all(['simd', 'relaxed'].map((build) => load({ build })));

/** Powers of two, by which floats are multiplied exactly. */
const FACTORS = [0, 1, 0.5, -2, 1, 0, 2];

const sharesLayers = (name) => name.startsWith('albert');

/** A factor for each head; layers that share their weights have the same. */
function maskOf({ numLayers, numHeads }, name) {
  return Array.from({ length: numLayers }, (_, layer) =>
    Array.from({ length: numHeads }, (__, head) => {
      const place = (sharesLayers(name) ? 0 : layer * numHeads) + head;
      return FACTORS[place % FACTORS.length];
    }),
  );
}

const inputFor = (name) => inputOf(readJson(name, 'golden.json').inputs);

/** The largest difference of two outputs' last states and logits, relative to the largest value. */
const difference = (a, b) =>
  Math.max(
    ...['lastHiddenState', 'logits'].filter((key) => b[key]).map((key) => relativeError(a[key], b[key])),
  );

describe.each(modules.map((module) => [module.build, module]))('%s', (_, module) => {
  test.each(names)('%s: as with the factors in its weights', async (name) => {
    const model = await loadModel(folderOf(name), { module });
    const headMask = maskOf(model, name);
    const scaled = await loadModel(withScaledHeads(name, headMask), { module });
    const input = inputFor(name);
    const [plain, masked, expected] = [
      model.forward(input),
      model.forward(input, { headMask }),
      scaled.forward(input),
    ];
    expect(difference(masked, plain)).toBeGreaterThan(1e-3);
    expect(difference(masked, expected)).toBeLessThan(2e-6);
    // The weights are those of the softmax: nothing is masked before the first layer's.
    expect([...masked.attentions[0].data]).toEqual([...plain.attentions[0].data]);
    for (const [layer, weights] of masked.attentions.entries()) {
      expect(relativeError(weights, expected.attentions[layer])).toBeLessThan(2e-6);
    }
    model.dispose();
    scaled.dispose();
  });

  const causal = names.filter((name) => readJson(name, 'golden.json').greedy);
  test.each(causal)('%s generates as with the factors in its weights', async (name) => {
    const model = await loadModel(folderOf(name), { module });
    const headMask = maskOf(model, name);
    const scaled = await loadModel(withScaledHeads(name, headMask), { module });
    const [prompt] = readJson(name, 'golden.json').inputs.input_ids;
    const probabilities = async (which, options) => {
      const told = [];
      const onToken = ({ probability }) => told.push(probability);
      const { ids } = await which.generate(prompt, { maxNewTokens: 4, onToken, ...options });
      return { ids, told };
    };
    const expected = await probabilities(scaled);
    const masked = await probabilities(model, { headMask });
    expect(masked.ids).toEqual(expected.ids);
    for (const [i, probability] of masked.told.entries())
      expect(probability).toBeCloseTo(expected.told[i], 6);
    const plain = await probabilities(model);
    expect(Math.abs(masked.told[0] - plain.told[0])).toBeGreaterThan(1e-5);
    model.dispose();
    scaled.dispose();
  });
});

test('layers that share their weights are masked one by one', async () => {
  const name = 'albert-10';
  const model = await loadModel(folderOf(name));
  const { numLayers, numHeads } = model;
  const input = inputFor(name);
  const ones = Array(numHeads).fill(1);
  const first = FACTORS.slice(0, numHeads);
  const onlyIn = (layer) => Array.from({ length: numLayers }, (_, i) => (i === layer ? first : ones));
  const states = (headMask) => model.forward(input, { hiddenStates: true, headMask }).hiddenStates;
  const plain = states();
  const single = await loadModel(
    withScaledHeads(name, onlyIn(0), ({ config }) => (config.num_hidden_layers = 1)),
  );
  expect(relativeError(states(onlyIn(0))[1], single.forward(input).lastHiddenState)).toBeLessThan(2e-6);
  const second = states(onlyIn(1));
  expect([...second[1].data]).toEqual([...plain[1].data]);
  expect(relativeError(second[2], plain[2])).toBeGreaterThan(1e-3);
});

test('a mask of ones changes nothing, and a tensor is taken as nested numbers are', async () => {
  const model = await loadModel(folderOf('bert-11'));
  const { numLayers, numHeads } = model;
  const input = inputFor('bert-11');
  const shape = [numLayers, numHeads];
  const data = (headMask) => [...model.forward(input, { headMask }).lastHiddenState.data];
  const ones = { data: new Float32Array(numLayers * numHeads).fill(1), shape };
  expect(data(ones)).toEqual(data(null));
  const headMask = maskOf(model, 'bert-11');
  expect(data({ data: Float32Array.from(headMask.flat()), dims: shape })).toEqual(data(headMask));
});

test('the layers of a masked run are those of the next calls', async () => {
  const model = await loadModel(folderOf('vit-10'));
  const headMask = maskOf(model, 'vit-10');
  const { hiddenStates, attentions } = model.forward(inputFor('vit-10'), { headMask, hiddenStates: true });
  const mha = model.attentionLayer(1);
  const { weights } = mha.steps(model.attentionInput(1), model.attentionOptions(1));
  expect(hiddenStates).toHaveLength(model.numLayers + 1);
  expect(relativeError(weights, attentions[1])).toBeLessThan(1e-5);
});

test('a model in a worker takes it, too', async () => {
  const [model, inWorker] = await Promise.all([
    loadModel(folderOf('gpt2-10')),
    loadModelInWorker(folderOf('gpt2-10')),
  ]);
  const headMask = maskOf(model, 'gpt2-10');
  const input = inputFor('gpt2-10');
  const expected = model.forward(input, { headMask });
  const { lastHiddenState } = await inWorker.forward(input, { headMask });
  expect([...lastHiddenState.data]).toEqual([...expected.lastHiddenState.data]);
  const [prompt] = input.inputIds;
  const options = { maxNewTokens: 3, headMask };
  expect((await inWorker.generate(prompt, options)).ids).toEqual((await model.generate(prompt, options)).ids);
  await expect(inWorker.forward(input, { headMask: [1] })).rejects.toMatchObject({ argument: 'headMask' });
  inWorker.dispose();
});

describe('what is no mask of the heads is refused by name', () => {
  const row = [1, 1, 1, 1];
  const wrong = [
    ['numbers of one layer', row, RangeError, /`headMask` .*\(2, 4\) \(layers, heads\), got \(4,\)/],
    ['a layer too many', [row, row, row], RangeError, /\(2, 4\).*got \(3, 4\)/],
    [
      'a head too few',
      [
        [1, 1, 1],
        [1, 1, 1],
      ],
      RangeError,
      /\(2, 4\).*got \(2, 3\)/,
    ],
    ['ragged rows', [row, [1]], RangeError, /headMask\[1\]/],
    ['NaN', [row, [1, 1, NaN, 1]], RangeError, /`headMask\[1\]\[2\]` must be a finite number, got NaN/],
    ['what is infinite as float32', [[1, 1e39, 1, 1], row], RangeError, /headMask\[0\]\[1\].*Infinity/],
    [
      'booleans',
      [
        [true, true, true, true],
        [true, true, true, false],
      ],
      TypeError,
      /headMask/,
    ],
    ['a text', 'all', TypeError, /headMask/],
    ['a number', 0, TypeError, /headMask/],
  ];
  test.each(wrong)('%s', async (_, headMask, kind, message) => {
    const model = await loadModel(filesOf('gpt2-10'));
    expect([model.numLayers, model.numHeads]).toEqual([2, 4]);
    for (const call of [
      () => model.forward({ inputIds: [[5, 6]] }, { headMask }),
      () => model.fillMask('', 1, { headMask }),
    ]) {
      expect(call).toThrow(kind);
      expect(call).toThrow(message);
    }
    const told = [];
    const generating = model.generate([5], { headMask, onToken: (token) => told.push(token) });
    await expect(generating).rejects.toThrow(message);
    expect(told).toEqual([]);
    expect(() => model.attentionInput(0)).toThrow('call forward() first');
  });
});
