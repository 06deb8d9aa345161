/** Every family and configuration in every build, against transformers in float64: tests/golden/models and variants. */
import { load } from 'multihead-attention';
import { loadModel } from 'multihead-attention/models';
import { readGolden } from './golden.js';
import {
  filesOf,
  folderOf,
  inputOf,
  names,
  narrowed,
  readJson,
  relativeError,
  variants,
} from './model-files.js';

const TOLERANCE = 1e-5;

const modules = await Promise.all(
  ['simd', 'relaxed'].flatMap((build) => [1, 2].map((threads) => load({ build, threads }))),
);

describe.each(modules.map((module) => [module.build, module.threads, module]))(
  '%s, threads: %d',
  (_build, _threads, module) => {
    test.each([...names, ...variants])('%s: attentions, hidden states and logits', async (name) => {
      const golden = readJson(name, 'golden.json');
      const model = await loadModel(folderOf(name), { module });
      const output = model.forward(inputOf(golden.inputs), { hiddenStates: true });
      expect(output.attentions).toHaveLength(golden.attentions.length);
      expect(output.hiddenStates).toHaveLength(golden.hidden_states.length);
      const errors = [
        ...golden.attentions.map((expected, i) => relativeError(output.attentions[i], expected)),
        ...golden.hidden_states.map((expected, i) => relativeError(output.hiddenStates[i], expected)),
      ];
      expect(output.logits === undefined).toBe(golden.logits === undefined);
      if (golden.logits) errors.push(relativeError(output.logits, golden.logits));
      if (golden.last_hidden_state)
        errors.push(relativeError(output.lastHiddenState, golden.last_hidden_state));
      expect(Math.max(...errors)).toBeLessThan(TOLERANCE);
      model.dispose();
    });

    const causal = names.filter((name) => readJson(name, 'golden.json').greedy);
    test.each(causal)('%s continues token for token, with a cache and without', async (name) => {
      const { greedy, inputs } = readJson(name, 'golden.json');
      const model = await loadModel(filesOf(name), { module });
      const [prompt] = inputs.input_ids;
      const { ids } = await model.generate(prompt, { maxNewTokens: greedy.length - prompt.length });
      expect(ids).toEqual(greedy);
      const { logits } = model.forward({ inputIds: [greedy.slice(0, -1)] }, { attentions: false });
      const [, length, vocabulary] = logits.shape;
      const last = logits.data.subarray((length - 1) * vocabulary);
      expect(last.indexOf(Math.max(...last))).toBe(greedy.at(-1));
      model.dispose();
    });

    test.each(names.flatMap((name) => [`${name} F16`, `${name} BF16`]))(
      '%s: weights that stay in 16 bits give the bits of float32',
      async (which) => {
        const [name, dtype] = which.split(' ');
        const files = narrowed(name, dtype);
        const input = inputOf(readJson(name, 'golden.json').inputs);
        const outputs = [];
        for (const storage of ['auto', 'float32']) {
          const model = await loadModel(files, { module, dtype: storage });
          const { attentions, hiddenStates, logits } = model.forward(input, { hiddenStates: true });
          const tensors = [...attentions, ...hiddenStates, ...(logits ? [logits] : [])];
          const [prompt] = input.inputIds ?? [];
          const { ids } = model.causal ? await model.generate(prompt, { maxNewTokens: 4 }) : {};
          outputs.push([ids, ...tensors.map(({ data }) => Array.from(new Uint32Array(data.buffer)))]);
          model.dispose();
        }
        expect(outputs[0]).toEqual(outputs[1]);
      },
    );
  },
);

test('a model says what it is', async () => {
  const model = await loadModel(folderOf('llama-10'));
  expect([model.family, model.numLayers, model.numHeads, model.causal]).toEqual(['llama', 2, 4, true]);
  expect(model.parameterCount).toBe(14136);
  expect(model.config.hidden_size).toBe(24);
  model.dispose();
  expect(() => model.forward({ inputIds: [[5]] })).toThrow('disposed');
});

test('attentions are given of the layers that are asked for', async () => {
  const model = await loadModel(folderOf('bert-11'));
  const input = { inputIds: [[5, 6, 7]] };
  const all = model.forward(input).attentions;
  const some = model.forward(input, { attentions: [2, 0] }).attentions;
  expect(some.map(({ data }) => [...data])).toEqual([all[2], all[0]].map(({ data }) => [...data]));
  expect(model.forward(input, { attentions: false }).attentions).toEqual([]);
  expect(model.forward(input).hiddenStates).toBeUndefined();
});

/** Families with layers that `MultiHeadAttention` does not compute, and what is said of them. */
const OTHER_LAYERS = [
  [/^(qwen3|gemma3|olmo2)/, 'normalises queries and keys'],
  [/^(mpnet|deberta)/, 'adds to scores by distance'],
  [/^gpt_neox/, 'rotary angles of this model are scaled, or turn a part of each head'],
];
const plain = names.filter((name) => !OTHER_LAYERS.some(([pattern]) => pattern.test(name)));
test.each(plain)('%s: a layer taken out gives the attention of the model', async (name) => {
  const model = await loadModel(folderOf(name));
  const { attentions } = model.forward(inputOf(readJson(name, 'golden.json').inputs));
  for (const [layer, expected] of attentions.entries()) {
    const mha = model.attentionLayer(layer);
    const { weights } = mha.steps(model.attentionInput(layer), model.attentionOptions(layer));
    expect(relativeError(weights, expected)).toBeLessThan(1e-5);
    mha.dispose();
  }
  model.dispose();
});

const others = OTHER_LAYERS.flatMap(([pattern, message]) =>
  names.filter((name) => pattern.test(name)).map((name) => [name, message]),
);
test.each(others)('%s: a layer is refused that %s', async (name, message) => {
  const model = await loadModel(folderOf(name));
  expect(() => model.attentionLayer(0)).toThrow(message);
  model.dispose();
});

test('angles at 3,000 tokens are rounded as transformers rounds them', async () => {
  const { ids, weights } = readGolden('variants/long.json');
  const files = filesOf('llama-10', ({ config }) => (config.max_position_embeddings = 4096));
  const model = await loadModel(files);
  const [attention] = model.forward({ inputIds: [ids] }, { attentions: [1] }).attentions;
  const given = weights.map((row, head) => row.map((_, i) => attention.at(0, head, ids.length - 1, 10 * i)));
  const tensor = { data: given.flat(), shape: [weights.length, weights[0].length] };
  // Exact angles are 7e-6 off.
  expect(relativeError(tensor, { shape: tensor.shape, data: weights.flat() })).toBeLessThan(4e-6);
  model.dispose();
});

/** The same file with other names of tensors. */
const renamed = (name, rename) =>
  filesOf(name, (parts) => {
    parts.header = Object.fromEntries(
      Object.entries(parts.header).map(([tensor, entry]) => [rename(tensor), entry]),
    );
  });

describe('names of older files', () => {
  const sameAs = async (name, files) => {
    const input = inputOf(readJson(name, 'golden.json').inputs);
    const [expected, model] = await Promise.all([folderOf(name), files].map((source) => loadModel(source)));
    const states = [expected, model].map((each) => [...each.forward(input).lastHiddenState.data]);
    expect(states[1]).toEqual(states[0]);
  };

  test('gamma and beta of norms', () =>
    sameAs(
      'bert-10',
      renamed('bert-10', (tensor) =>
        tensor.replace(/LayerNorm\.weight$/, 'LayerNorm.gamma').replace(/LayerNorm\.bias$/, 'LayerNorm.beta'),
      ),
    ));

  test.each([
    ['bert-10', 'bert.'],
    ['roberta-11', 'roberta.'],
    ['distilbert-10', 'distilbert.'],
    ['albert-10', 'albert.'],
    ['gpt2-11', 'transformer.'],
    ['vit-10', 'vit.'],
    ['deit-10', 'deit.'],
  ])('%s without the prefix %s', (name, prefix) =>
    sameAs(
      name,
      renamed(name, (tensor) => (tensor.startsWith(prefix) ? tensor.slice(prefix.length) : tensor)),
    ),
  );
});

describe('weights in 8 bits', () => {
  test.each(names)('%s stays near', async (name) => {
    const golden = readJson(name, 'golden.json');
    const [exact, model] = await Promise.all(
      ['float32', 'int8'].map((dtype) => loadModel(folderOf(name), { dtype })),
    );
    const input = inputOf(golden.inputs);
    const expected = exact.forward(input).lastHiddenState;
    const { lastHiddenState } = model.forward(input);
    const error = relativeError(lastHiddenState, expected);
    // Rounding is seen, and small: these tiny random models amplify it more than trained ones.
    expect(error).toBeGreaterThan(1e-4);
    expect(error).toBeLessThan(0.15);
    exact.dispose();
    model.dispose();
  });
});
