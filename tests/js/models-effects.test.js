/** What heads do, in every build, against transformers' modules in float64: tests/golden/effects. */
import { load } from 'multihead-attention';
import { configure, loadModel, loadModelInWorker } from 'multihead-attention/models';
import { readGolden } from './golden.js';
import {
  effects,
  filesOf,
  folderOf,
  minilmFolder,
  names,
  readJson,
  relativeError,
  twoTexts,
} from './model-files.js';

const modules = await Promise.all(
  ['simd', 'relaxed'].flatMap((build) => [1, 2].map((threads) => load({ build, threads }))),
);
const [module] = modules;

const sumOf = ({ data }) => data.reduce((sum, value) => sum + value, 0);
/** The sum of all that is told of a difference. */
const total = ({ heads, crossHeads, mlps, embeddings, biases }) =>
  sumOf(heads) + (crossHeads ? sumOf(crossHeads) : 0) + sumOf(mlps) + embeddings + biases;

describe.each(modules.map((each) => [each.build, each.threads, each]))('%s, threads: %d', (_b, _t, own) => {
  describe.each(effects)('%s', (name) => {
    const expected = readGolden(`effects/${name}.json`);
    const ids = expected.input_ids[0];
    const model = loadModel(folderOf(name), { module: own });

    test('weights by what they pass on, and rollout', async () => {
      const output = (await model).forward({ inputIds: [ids] }, { valueWeighted: true });
      const rollout = own.metrics.rollout(output.attentions);
      const errors = expected.value_weighted.flatMap((weighted, layer) => [
        relativeError(output.valueWeighted[layer], weighted),
        relativeError(rollout[layer], expected.rollout[layer]),
      ]);
      expect(Math.max(...errors)).toBeLessThan(1e-5);
    });

    // The golden files have no answers of BERT.
    const answers = expected.logit_difference;
    if (!answers) return;

    test('what each head adds', async () => {
      const found = (await model).headEffects(ids);
      expect(found).toMatchObject({ token: answers.token, against: answers.against });
      expect(Math.abs(found.value - answers.value)).toBeLessThan(1e-5);
      expect(relativeError(found.heads, answers.heads)).toBeLessThan(1e-5);
      expect(Math.abs(total(found) - answers.value)).toBeLessThan(1e-5);
    });

    test('the logit lens', async () => {
      const lens = (await model).logitLens(ids, { logits: true, k: 3 });
      const all = expected.logit_lens.last_position_logits;
      expect(lens.map(({ layer }) => layer)).toEqual([...all.keys()]);
      const errors = all.map(({ data }, i) => relativeError(lens[i].logits, { data, shape: [data.length] }));
      expect(Math.max(...errors)).toBeLessThan(1e-5);
      for (const [i, { tokens }] of lens.entries()) {
        const { data } = all[i];
        const most = data.map((_, id) => id).sort((a, b) => data[b] - data[a]);
        expect(tokens.map(({ id }) => id)).toEqual(most.slice(0, 3));
        const sum = data.reduce((powers, logit) => powers + Math.exp(logit), 0);
        expect(tokens[0].probability).toBeCloseTo(Math.exp(data[most[0]]) / sum, 5);
      }
    });

    test('heads that are taken from another text', async () => {
      const { other_ids: others, clean, other, patched } = expected.patching;
      const found = (await model).patch(ids, others[0]);
      expect(found).toMatchObject({ token: answers.token, against: answers.against });
      expect(Math.abs(found.clean - clean)).toBeLessThan(1e-5);
      expect(Math.abs(found.other - other)).toBeLessThan(1e-5);
      expect(relativeError(found.heads, patched)).toBeLessThan(1e-5);
    });
  });
});

/** Models with a head for tokens, and what they are asked about. */
const families = names
  .filter((name) => name.endsWith('-10'))
  .map((name) => [name, readJson(name, 'config.json')]);

describe('what parts add', () => {
  test('is all of the difference, in every family that has a head for tokens', async () => {
    const found = [];
    for (const [name] of families) {
      const model = await loadModel(folderOf(name), { module });
      if (model.hasLanguageHead) {
        const ids = Array.from({ length: 7 }, (_, i) => 5 + ((i * 11) % 40));
        for (const position of [2, -1]) {
          const effect = model.headEffects(ids, { position, token: 9, against: 17 });
          const { logits } = model.forward({ inputIds: [ids] });
          const [, length, words] = logits.shape;
          const row = ((position + length) % length) * words;
          expect([name, effect.value]).toEqual([name, logits.data[row + 9] - logits.data[row + 17]]);
          expect([
            name,
            Math.abs(total(effect) - effect.value) < 2e-5 * Math.max(1, Math.abs(effect.value)),
          ]).toEqual([name, true]);
          const { heads, mlps } = effect;
          expect([heads.shape, mlps.shape]).toEqual([[model.numLayers, model.numHeads], [model.numLayers]]);
        }
        found.push(model.family);
      }
      model.dispose();
    }
    expect(found).toEqual(
      expect.arrayContaining(['bert', 'gpt2', 'gpt_neox', 'gemma2', 'gemma3', 'olmo2', 'opt']),
    );
  });

  test.each(twoTexts.filter((name) => name.endsWith('-10')))(
    'is all of it in %s, cross-attention with it',
    async (name) => {
      const model = await loadModel(folderOf(name), { module });
      const { inputs } = readJson(name, 'golden.json');
      const [read] = inputs.input_ids;
      const [written] = inputs.decoder_input_ids;
      const { logits } = model.forward({ inputIds: [read], decoderInputIds: [written] });
      const [, length, words] = logits.shape;
      const effect = model.headEffects({ text: read, decoderInputIds: written }, { token: 9, against: 17 });
      const row = (length - 1) * words;
      expect(effect.value).toBeCloseTo(logits.data[row + 9] - logits.data[row + 17], 5);
      expect(Math.abs(total(effect) - effect.value)).toBeLessThan(2e-5 * Math.max(1, Math.abs(effect.value)));
      expect(effect.crossHeads.shape).toEqual(effect.heads.shape);
      model.dispose();
    },
  );
});

describe('the place that is asked about', () => {
  test('is the only mask of a model that fills masks', async () => {
    const files = filesOf('bert-10');
    const tokenizer = {
      added_tokens: [
        { id: 4, content: '[MASK]', special: true },
        { id: 1, content: '[UNK]', special: true },
      ],
      normalizer: null,
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        vocab: { a: 5, b: 6, c: 7, '[MASK]': 4, '[UNK]': 1 },
        unk_token: '[UNK]',
      },
    };
    const model = await loadModel({ ...files, tokenizer }, { module });
    const ids = [5, 4, 6, 7];
    const { value } = model.headEffects('a [MASK] b c', { token: 'b', against: 'c' });
    expect(value).toBe(model.headEffects(ids, { position: 1, token: 6, against: 7 }).value);
    const [top] = model.fillMask('a [MASK] b c', 1)[0];
    const lens = model.logitLens('a [MASK] b c', { k: 1 });
    expect(lens).toHaveLength(model.numLayers + 1);
    expect(lens.at(-1).tokens[0]).toEqual(top);
    expect(() => model.headEffects('a b')).toThrow(
      '`position` must be given where a text has not exactly one mask',
    );
    expect(() => model.logitLens('[MASK] [MASK]')).toThrow('`position`');
    const patched = model.patch('a [MASK] b c', 'b [MASK] b c', { token: 'b', against: 'c' });
    expect(patched.clean).toBe(value);
    expect(patched.layers.shape).toEqual([model.numLayers]);
    model.dispose();
  });

  test('a word is its own token, not the end of another word', async () => {
    const tokenizer = {
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
      post_processor: null,
      decoder: null,
      model: { type: 'WordLevel', vocab: { '▁a': 5, a: 6, '▁b': 7, c: 8, '<unk>': 1 }, unk_token: '<unk>' },
    };
    const model = await loadModel({ ...filesOf('gpt2-10'), tokenizer }, { module });
    const idsOf = (token, against) => {
      const effects = model.headEffects('a b', { token, against });
      return [effects.token, effects.against];
    };
    expect(idsOf('a', 'b')).toEqual([5, 7]);
    // Spellings that are no words.
    expect(idsOf('▁a', 'c')).toEqual([5, 8]);
    expect(() => idsOf('a', 'z')).toThrow('`against` must be one token of the vocabulary, got "z"');
    model.dispose();
  });

  test.each([
    ['a place outside', { position: 4 }, '`position` must be an integer from -4 to 3, got 4'],
    ['a token outside', { token: 1e6 }, '`token` must be an integer from 0 to 60, got 1000000'],
    [
      'the same token twice',
      { token: 5, against: 5 },
      '`against` must be another token than `token`, got 5 twice',
    ],
    ['an unknown option', { positon: 1 }, 'positon'],
  ])('%s is refused', async (_, options, message) => {
    const model = await loadModel(folderOf('gpt2-10'), { module });
    expect(() => model.headEffects([5, 6, 7, 8], options)).toThrow(message);
    model.dispose();
  });

  test('models without a head for tokens are refused, and texts of different lengths', async () => {
    const vit = await loadModel(folderOf('vit-10'), { module });
    expect(() => vit.logitLens([1])).toThrow('`model` must have a head for tokens, got vit without one');
    vit.dispose();
    const model = await loadModel(folderOf('gpt2-10'), { module });
    expect(() => model.patch([5, 6, 7], [5, 6])).toThrow(
      '`other` must have as many tokens as `input`, 3, got 2',
    );
    expect(() => model.headEffects({ text: [5], decoderInputIds: [5] })).toThrow('`decoderInputIds`');
    expect(() => model.headEffects(3)).toThrow('`input` must be a text or token ids');
    model.dispose();
  });

  test('where there are two stacks, weights by what they pass on and patches are refused', async () => {
    const model = await loadModel(folderOf('marian-10'), { module });
    expect(() => model.forward({ inputIds: [[4, 5]] }, { valueWeighted: true })).toThrow(
      '`valueWeighted` must be left out for marian',
    );
    expect(() => model.patch([4, 5], [4, 6])).toThrow('`model` must have one stack of layers, got marian');
    model.dispose();
  });
});

test('what a layer passes on equals what a MultiHeadAttention of it says', async () => {
  configure({ models: { minilm: minilmFolder.href } });
  const model = await loadModel('minilm', { module });
  const { attentions, valueWeighted, shown } = model.forward('The cat sat on the mat because it was tired.', {
    valueWeighted: true,
  });
  const layer = model.attentionLayer(2);
  const own = layer.forward(model.attentionInput(2), { ...model.attentionOptions(2), valueWeighted: true });
  expect(relativeError(own.weights, attentions[2])).toBeLessThan(1e-6);
  expect(relativeError(own.valueWeighted, valueWeighted[2])).toBeLessThan(1e-5);
  expect(shown.at(-1)).toBe('[SEP]');
  layer.dispose();
  model.dispose();
});

describe('in a worker’s methods', () => {
  const ids = [5, 16, 27, 38, 9];
  const other = [5, 16, 11, 38, 9];
  const both = Promise.all([loadModel(folderOf('gpt2-10')), loadModelInWorker(folderOf('gpt2-10'))]);

  test('the same is computed, layer by layer', async () => {
    const [model, remote] = await both;
    const options = { position: -2, token: 9, against: 17 };
    expect(await remote.headEffects(ids, options)).toEqual(model.headEffects(ids, options));
    expect(await remote.logitLens({ text: ids }, { k: 2 })).toEqual(model.logitLens(ids, { k: 2 }));
    const layers = [];
    const found = await remote.patch(ids, other, { ...options, onProgress: (layer) => layers.push(layer) });
    expect(found).toEqual(model.patch(ids, other, options));
    expect(layers).toEqual(Array.from({ length: model.numLayers }, (_, i) => i + 1));
  });

  test('patching ends at a signal', async () => {
    const [, remote] = await both;
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('enough'));
    await expect(remote.patch(ids, other, { onProgress, signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  afterAll(async () => {
    for (const one of await both) one.dispose();
  });
});
