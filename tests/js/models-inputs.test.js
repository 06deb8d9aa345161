/** Pairs, batches, truncation and positions against transformers: tests/golden/inputs. */
import { readdirSync, readFileSync } from 'node:fs';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { bytesOf, filesOf, inputNames, inputsFolder, readJson } from './model-files.js';

const goldenOf = (name) => JSON.parse(readFileSync(new URL(`${name}/golden.json`, inputsFolder), 'utf8'));

/** The tiny model with the tokenizer that its golden data were made with. */
const filesFor = (name) => {
  const own = readdirSync(new URL(`${name}/`, inputsFolder)).filter((file) => file.startsWith('tokenizer'));
  return [
    new File([JSON.stringify(readJson(name, 'config.json'))], 'config.json'),
    new File([bytesOf(name, 'model.safetensors')], 'model.safetensors'),
    ...own.map((file) => new File([readFileSync(new URL(`${name}/${file}`, inputsFolder))], file)),
  ];
};

/** The largest difference of the queries that are no padding, relative to the largest value. */
function errorOf({ data, shape }, expected, rows) {
  expect(shape).toEqual(expected.shape);
  const [batch, length, width] = [shape[0], shape.at(-2), shape.at(-1)];
  let [worst, most] = [0, 0];
  for (const i of data.keys()) {
    const row = Math.floor(i / width);
    const b = Math.floor(i / (data.length / batch));
    if (rows && !rows[b][row % length]) continue;
    worst = Math.max(worst, Math.abs(data[i] - expected.data[i]));
    most = Math.max(most, Math.abs(expected.data[i]));
  }
  return worst / most;
}

/** The first head of each item of a batch. */
function firstHead({ data, shape: [batch, heads, length, keys] }) {
  const size = length * keys;
  const parts = Array.from({ length: batch }, (_, b) => [
    ...data.subarray(b * heads * size, (b * heads + 1) * size),
  ]);
  return { data: parts.flat(), shape: [batch, 1, length, keys] };
}

describe.each(inputNames)('%s', (name) => {
  const { cases } = goldenOf(name);
  const titled = cases.map((each) => [JSON.stringify(each.input).slice(0, 90), each]);
  let models;
  beforeAll(async () => {
    models = await Promise.all([loadModel(filesFor(name)), loadModelInWorker(filesFor(name))]);
  });
  afterAll(() => models.forEach((model) => model.dispose()));

  test.each(titled)('%#: %s', async (_, { input, truncation, encoded, attention, hidden }) => {
    for (const model of models) {
      const output = await model.forward(input, { ...(truncation && { truncation }) });
      if (encoded) {
        const ids = input.texts ? output.ids : [output.ids];
        expect(ids.map((row) => [...row])).toEqual(encoded.input_ids);
      }
      const rows = encoded?.attention_mask ?? input.attentionMask;
      expect(errorOf(output.lastHiddenState, hidden, rows)).toBeLessThan(1e-5);
      expect(errorOf(firstHead(output.attentions.at(-1)), attention, rows)).toBeLessThan(1e-5);
    }
  });
});

describe('the tokens of an output', () => {
  const [short, long] = ['it was tired', 'the cat sat on the mat'];
  let bert, electra;
  beforeAll(async () => {
    [bert, electra] = await Promise.all(['bert-10', 'electra-10'].map((name) => loadModel(filesFor(name))));
  });

  test('of a pair: words of the second text are counted on', () => {
    const { tokens, words, unknown } = bert.forward(['the zebra', short]);
    expect(tokens).toEqual(['[CLS]', 'the', '[UNK]', '[SEP]', 'it', 'was', 'tired', '[SEP]']);
    expect([...words]).toEqual([-1, 0, 1, -1, 2, 3, 4, -1]);
    expect(unknown).toEqual([2]);
  });

  test('of a batch: a list of each with an item per text, and a token per row of the attentions', () => {
    const right = bert.forward({ texts: ['the zebra', long] });
    expect(right.tokens).toEqual([
      ['[CLS]', 'the', '[UNK]', '[SEP]', '[PAD]', '[PAD]', '[PAD]', '[PAD]'],
      ['[CLS]', ...long.split(' '), '[SEP]'],
    ]);
    expect(right.shown).toEqual(right.tokens);
    expect(right.words.map((words) => [...words])).toEqual([
      [-1, 0, 1, -1, -1, -1, -1, -1],
      [-1, 0, 1, 2, 3, 4, 5, -1],
    ]);
    expect(right.unknown).toEqual([[2], []]);
    const left = electra.forward({ texts: ['the zebra', long] });
    expect(left.tokens[0].slice(0, 5)).toEqual(['[PAD]', '[PAD]', '[PAD]', '[PAD]', '[CLS]']);
    expect(left.unknown).toEqual([[6], []]);
    expect(bert.forward({ texts: [long] }).tokens).toEqual([bert.tokenize(long).tokens]);
  });

  test('a cache counts what is cut', async () => {
    const gpt2 = await loadModel(filesFor('gpt2-10'));
    const cache = gpt2.newCache();
    gpt2.forward({ inputIds: [Array(30).fill(7)] }, { cache });
    expect(gpt2.forward(long, { cache, truncation: true }).ids).toHaveLength(10);
    expect(cache.length).toBe(40);
  });
});

test('texts of several lengths need a token for padding, texts of one length do not', async () => {
  const tokenizer = readFileSync(new URL('gpt2-10/tokenizer.json', inputsFolder), 'utf8').replaceAll(
    '<pad>',
    '<none>',
  );
  const model = await loadModel({ ...filesOf('gpt2-10'), tokenizer });
  expect(() => model.forward({ texts: ['the', 'the cat sat'] })).toThrow(/`texts`.*no token for padding/);
  expect(model.forward({ texts: ['the cat', 'the dog'] }).tokens).toHaveLength(2);
});

test('a tokenizer that does not say how two texts are joined is named', async () => {
  const tokenizer = JSON.parse(readFileSync(new URL('bert-10/tokenizer.json', inputsFolder), 'utf8'));
  tokenizer.post_processor.pair = [];
  const model = await loadModel({ ...filesOf('bert-10'), tokenizer });
  expect(() => model.forward(['a', 'dog'])).toThrow(/tokenizer\.json.*two texts/);
});

describe('refused', () => {
  let models;
  beforeAll(async () => {
    models = await Promise.all([loadModel(filesFor('bert-10')), loadModelInWorker(filesFor('bert-10'))]);
  });
  const ids = { inputIds: [[5, 6]] };
  test.each([
    [{ ...ids, attention_mask: [[1, 0]] }, {}, /`attention_mask`.*did you mean attentionMask/],
    [{ ...ids, token_type_ids: [[1, 0]] }, {}, /`token_type_ids`.*did you mean tokenTypeIds/],
    [{ ...ids, position_ids: [[1, 0]] }, {}, /`position_ids`.*did you mean positionIds/],
    [{ input_ids: [[5]] }, {}, /`input_ids`.*did you mean inputIds/],
    [
      { ...ids, mask: [[1, 0]] },
      {},
      /`mask` must be a member of the input \(inputIds, attentionMask,.*unknown name; did you mean attentionMask\?$/,
    ],
    [
      { text: 'the', second: 'a' },
      {},
      /`second` must be a member of the input \(text, pair, decoderInputIds\)/,
    ],
    [{ texts: ['the'], attentionMask: [[1]] }, {}, /`attentionMask` must be a member of the input \(texts\)/],
    [{ texts: [] }, {}, /`texts` must be an array of texts/],
    [{ texts: 'the' }, {}, /`texts` must be an array of texts/],
    [{ texts: ['the', ['a', 7]] }, {}, /`texts\[1\]` must be a text, \[text, pair\].*got an Array/],
    [{ texts: ['the', 'the cat '.repeat(30)] }, {}, /`texts` must have at most 40 tokens, got 62/],
    [{ text: 7 }, {}, /`input` must be a text, \[text, pair\].*got an Object/],
    [['the'], {}, /`input` must be a text, \[text, pair\].*got an Array/],
    [{ ...ids, positionIds: [[0, 40]] }, {}, /`positionIds\[0\]\[1\]` must be a whole number from 0 to 39/],
    [{ ...ids, positionIds: [[0]] }, {}, /`positionIds` must have shape \(1, 2\)/],
    [ids, { truncation: true }, /`truncation` must be left out/],
    ['the', { truncation: 1 }, /`truncation` must be true or false/],
  ])('%j %j', async (input, options, message) => {
    for (const model of models)
      await expect((async () => model.forward(input, options))()).rejects.toThrow(message);
  });

  test('a second argument of tokenize', async () => {
    for (const model of models) {
      await expect((async () => model.tokenize('a', 'dog'))()).rejects.toThrow(
        /`tokenize` must get one text/,
      );
    }
  });

  test('token types and positions of models without', async () => {
    const gpt2 = await loadModel(filesOf('gpt2-10'));
    expect(() => gpt2.forward({ ...ids, tokenTypeIds: [[0, 0]] })).toThrow(/`tokenTypeIds` must be left out/);
  });

  test('a misspelt member of a model in memory', () =>
    expect(loadModel({ ...filesOf('bert-10'), tokeniser: {} })).rejects.toThrow(
      /`tokeniser` must be a member of a model in memory.*did you mean tokenizer/,
    ));
});

test('a layer with rotary positions does not take positionIds', async () => {
  const model = await loadModel(filesOf('llama-10'));
  model.forward({ inputIds: [[5, 6]], positionIds: [[3, 1]] });
  expect(() => model.attentionOptions(0)).toThrow(/positionIds/);
  expect(model.attentionInput(1).data).not.toEqual(
    (model.forward({ inputIds: [[5, 6]] }), model.attentionInput(1).data),
  );
});
