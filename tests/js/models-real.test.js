/**
 * The two real models in every build, against transformers in float64: all-MiniLM-L6-v2 from the development dependency,
 * and stories15M, which `npm run models` writes.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from 'multihead-attention';
import { configure, loadModel, loadModelInWorker } from 'multihead-attention/models';
import { limit } from './consumer.js';
import { readGolden } from './golden.js';
import {
  filesOf,
  minilmFolder,
  readJson,
  stories15mFolder,
  stories15mHalfFolder,
  withScaledHeads,
} from './model-files.js';

const minilm = readGolden('models/minilm.json');
const stories = readGolden('models/stories15M.json');
const documentsSentence = 'The cat sat on the mat because it was tired.';

const worst = (data, expected) =>
  expected.reduce((most, value, i) => Math.max(most, Math.abs(value - data[i])), 0);

/** Attentions of all layers as one array (layers,H,L,L) of one sentence. */
const stacked = (attentions) => attentions.flatMap(({ data }) => [...data]);

configure({ models: { minilm: minilmFolder.href } });
const modules = await Promise.all(['simd', 'relaxed'].map((build) => load({ build })));

describe.each(modules.map((module) => [module.build, module]))('%s', (_, module) => {
  describe('minilm', () => {
    let model;
    beforeAll(async () => {
      model = await loadModel('minilm', { module });
    });
    afterAll(() => model.dispose());

    test.each(minilm.cases.map((recorded) => [recorded.sentence, recorded]))('%s', (sentence, recorded) => {
      const { tokens, attentions, lastHiddenState } = model.forward(sentence);
      expect(tokens).toEqual(recorded.tokens);
      expect([...model.tokenize(sentence).ids]).toEqual(recorded.input_ids);
      const [layers, ...shape] = recorded.attentions.shape;
      expect(attentions.map((layer) => layer.shape)).toEqual(Array(layers).fill([1, ...shape]));
      expect(worst(stacked(attentions), recorded.attentions.data)).toBeLessThan(1e-4);
      expect(lastHiddenState.shape).toEqual([1, ...recorded.last_hidden_state.shape]);
      expect(worst(lastHiddenState.data, recorded.last_hidden_state.data)).toBeLessThan(1e-4);
    });

    test('head 6·12: "it" looks at "cat" most', () => {
      const { tokens, attentions } = model.forward(documentsSentence, { attentions: [5] });
      const row = attentions[0].toNested()[0][11][tokens.indexOf('it')];
      expect(row[tokens.indexOf('cat')]).toBeCloseTo(0.71, 2);
      const words = row.slice(1, -1);
      expect(words.indexOf(Math.max(...words)) + 1).toBe(tokens.indexOf('cat'));
    });
  });

  describe('stories15M', () => {
    let model;
    beforeAll(async () => {
      model = await loadModel(stories15mFolder, { module });
    });
    afterAll(() => model.dispose());

    test('attentions and the likeliest next tokens', () => {
      const { attentions, logits } = model.forward({ inputIds: [stories.input_ids] });
      expect(worst(stacked(attentions), stories.attentions.data)).toBeLessThan(1e-4);
      const [, length, vocabulary] = logits.shape;
      const last = [...logits.data.subarray((length - 1) * vocabulary)];
      const likeliest = last.map((_, id) => id).sort((a, b) => last[b] - last[a]);
      expect(likeliest.slice(0, stories.top.ids.length)).toEqual(stories.top.ids);
      expect(
        worst(
          stories.top.ids.map((id) => last[id]),
          stories.top.logits,
        ),
      ).toBeLessThan(1e-3);
    });

    test('continues a text token for token, and tells each token', async () => {
      const prompt = 'Once upon a time';
      expect([...model.tokenize(prompt).ids]).toEqual(stories.input_ids);
      const told = [];
      const maxNewTokens = stories.greedy.length - stories.input_ids.length;
      const { ids, text, tokens } = await model.generate(prompt, {
        maxNewTokens,
        onToken: (token) => told.push(token),
      });
      expect(ids).toEqual(stories.greedy);
      // The vocabulary begins each word with a blank, and so the recorded text.
      expect(` ${text}`).toBe(stories.text);
      expect(told.map(({ id }) => id)).toEqual(stories.greedy.slice(-maxNewTokens));
      expect(told.map(({ token }) => token)).toEqual(tokens.slice(-maxNewTokens));
      expect(told.every(({ probability }) => probability > 0 && probability <= 1)).toBe(true);
    });

    test('draws are reproducible, and stay among the likeliest', async () => {
      const draw = (options) =>
        model.generate('The cat', { maxNewTokens: 12, temperature: 1, topK: 5, seed: 7, ...options });
      const { ids } = await draw();
      expect((await draw()).ids).toEqual(ids);
      const others = await Promise.all([1, 2, 3].map((seed) => draw({ seed })));
      expect(new Set([ids, ...others.map((other) => other.ids)].map(String)).size).toBeGreaterThan(1);
      const { logits } = model.forward({ inputIds: [ids] }, { attentions: false });
      const vocabulary = logits.shape.at(-1);
      for (let place = model.tokenize('The cat').ids.length; place < ids.length; place++) {
        const row = logits.data.subarray((place - 1) * vocabulary, place * vocabulary);
        expect(row.filter((value) => value > row[ids[place]]).length).toBeLessThan(5);
      }
      const greedy = await model.generate('The cat', { maxNewTokens: 12 });
      expect((await draw({ topK: 1 })).ids).toEqual(greedy.ids);
    });
  });
});

describe('stories15M with weights rounded to float16, as on the page', () => {
  let model, exact;
  beforeAll(async () => {
    model = await loadModel(stories15mHalfFolder);
    exact = await loadModel(stories15mFolder);
  });
  afterAll(() => {
    model.dispose();
    exact.dispose();
  });

  test('continues the text of the exact weights, token for token', async () => {
    const maxNewTokens = stories.greedy.length - stories.input_ids.length;
    const { ids } = await model.generate('Once upon a time', { maxNewTokens });
    expect(ids).toEqual(stories.greedy);
    const continued = { maxNewTokens: 16 };
    expect(await model.generate(documentsSentence.slice(0, -7), continued)).toEqual(
      await exact.generate(documentsSentence.slice(0, -7), continued),
    );
  });

  test('its attentions are those of the exact weights, to the digits that figures show', () => {
    const [half, whole] = [model, exact].map((each) => stacked(each.forward(documentsSentence).attentions));
    expect(half).toHaveLength(whole.length);
    const difference = worst(half, whole);
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(0.005);
  });
});

/**
 * A recorded sentence of a tiny model as a text: its first and last token are [CLS] and [SEP], and all of the id `mask`
 * are [MASK]. `source` is the model or one of other weights.
 */
function maskedText(name, mask, source = filesOf(name)) {
  const {
    inputs: { input_ids: sentences },
    logits,
  } = readJson(name, 'golden.json');
  const [ids] = sentences;
  const { config, weights } = source;
  const special = new Map([
    [ids[0], '[CLS]'],
    [ids.at(-1), '[SEP]'],
    [mask, '[MASK]'],
    [0, '[UNK]'],
  ]);
  const wordOf = (id) => special.get(id) ?? `w${id}`;
  const vocabulary = Array.from({ length: config.vocab_size }, (_, id) => wordOf(id));
  const files = [
    new File([JSON.stringify(config)], 'config.json'),
    new File([weights], 'model.safetensors'),
    new File([vocabulary.join('\n')], 'vocab.txt'),
  ];
  const logitsAt = (place) => logits.data.slice(place * config.vocab_size, (place + 1) * config.vocab_size);
  return { files, ids, text: ids.slice(1, -1).map(wordOf).join(' '), vocabulary, logitsAt };
}

test.each([
  ['/no/such/file', /^✗ \/no\/such\/file cannot be read \(ENOENT\)\. `npm run models` installs it\.$/],
  [
    fileURLToPath(import.meta.url),
    /^✗ .*models-real\.test\.js is not the one of .* SHA-256 must be \w{64}, got \w{64}\.$/,
  ],
])(
  '`npm run models` refuses %s as its source',
  async (source, message) => {
    const script = fileURLToPath(new URL('../../scripts/models.mjs', import.meta.url));
    const failure = await promisify(execFile)(process.execPath, [script, source]).catch((error) => error);
    expect(failure.code).toBe(1);
    expect(failure.stderr.trim()).toMatch(message);
  },
  limit,
);

describe('fillMask', () => {
  // DistilBERT's recorded sentence has no second half, as a text has none. Its token 7 occurs once, 12 twice.
  test.each([
    [7, [6]],
    [12, [1, 3]],
  ])('gives the likeliest words at each mask: token %i', async (mask, places) => {
    const { files, ids, text, vocabulary, logitsAt } = maskedText('distilbert-10', mask);
    const model = await loadModel(files);
    expect([...model.tokenize(text).ids]).toEqual(ids);
    const filled = model.fillMask(text, 3);
    const expected = places.map((place) => {
      const powers = logitsAt(place).map(Math.exp);
      const sum = powers.reduce((total, power) => total + power, 0);
      return powers
        .map((power, id) => ({ token: vocabulary[id], probability: power / sum }))
        .sort((a, b) => b.probability - a.probability)
        .slice(0, 3);
    });
    expect(filled.map((words) => words.map(({ token }) => token))).toEqual(
      expected.map((words) => words.map(({ token }) => token)),
    );
    const probabilities = (words) => words.map(({ probability }) => probability);
    expect(worst(filled.flatMap(probabilities), expected.flatMap(probabilities))).toBeLessThan(1e-6);
    expect(model.fillMask(text)[0]).toHaveLength(5);
    const inWorker = await loadModelInWorker(files);
    expect(await inWorker.fillMask(text, 3)).toEqual(filled);
    inWorker.dispose();
    model.dispose();
  });

  test('takes a mask of heads', async () => {
    const headMask = [
      [0, 1, 1, 0.5],
      [1, 0, 2, 1],
    ];
    const { files, text } = maskedText('distilbert-10', 7);
    const scaled = maskedText('distilbert-10', 7, withScaledHeads('distilbert-10', headMask));
    const [model, inWorker, expecting] = await Promise.all([
      loadModel(files),
      loadModelInWorker(files),
      loadModel(scaled.files),
    ]);
    const [guesses] = model.fillMask(text, 3, { headMask });
    const [expected] = expecting.fillMask(text, 3);
    expect(guesses.map(({ token }) => token)).toEqual(expected.map(({ token }) => token));
    for (const [i, { probability }] of guesses.entries())
      expect(probability).toBeCloseTo(expected[i].probability, 6);
    expect(Math.abs(model.fillMask(text, 1)[0][0].probability - guesses[0].probability)).toBeGreaterThan(
      1e-4,
    );
    expect(await inWorker.fillMask(text, 3, { headMask })).toEqual([guesses]);
    inWorker.dispose();
  });

  test('a text without a mask, and a model without a head for it, are refused', async () => {
    const { files, text } = maskedText('distilbert-10', 7);
    const model = await loadModel(files);
    expect(() => model.fillMask(text.replace('[MASK]', 'w12'))).toThrow(/text.*mask/);
    expect(() => model.fillMask(text, 0)).toThrow(/`k`/);
    model.dispose();
    const minilm = await loadModel('minilm');
    expect(() => minilm.fillMask('a [MASK]')).toThrow(/head for masked words.*bert/);
    minilm.dispose();
  });
});
