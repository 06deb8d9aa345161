/** The likeliest next tokens, and those that `generate` tells, against the logits that transformers gave. */
import fc from 'fast-check';
import { load } from 'multihead-attention';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { inPackage } from './consumer.js';
import { filesOf, folderOf, names, readJson } from './model-files.js';
import { randomCases } from './random-seed.js';

const { largest } = await import(inPackage('dist/models/choices.js'));

const modules = await Promise.all(['simd', 'relaxed'].map((build) => load({ build })));
const causal = names.filter((name) => readJson(name, 'golden.json').greedy);

/** `{ id, probability }` of logits, likeliest first. */
function ranked(logits, temperature = 1) {
  const powers = logits.map((logit) => Math.exp(logit / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers
    .map((power, id) => ({ id, probability: power / sum }))
    .sort((a, b) => b.probability - a.probability);
}

/** Tokens of a model without a tokenizer have no names. */
function expectTokens(got, expected, tolerance = 1e-6) {
  expect(got.map(({ id, token, shown }) => ({ id, token, shown }))).toEqual(
    expected.map(({ id }) => ({ id, token: '', shown: '' })),
  );
  for (const [i, { probability }] of got.entries())
    expect(Math.abs(probability - expected[i].probability)).toBeLessThan(tolerance);
}

const rowOf = ({ data, shape }, place) => {
  const width = shape.at(-1);
  return [...data.slice(place * width, (place + 1) * width)];
};

describe.each(modules.map((module) => [module.build, module]))('%s', (_, module) => {
  test.each(causal)('%s: the likeliest next tokens', async (name) => {
    const { inputs, logits } = readJson(name, 'golden.json');
    const [prompt] = inputs.input_ids;
    const row = rowOf(logits, prompt.length - 1);
    const model = await loadModel(folderOf(name), { module });
    // Logits agree within 1e-5 of the largest; two of them, halved temperature, and p·(1 − p) ≤ 1/4.
    const tolerance = 1e-5 * Math.max(...row.map(Math.abs));
    expectTokens(model.nextTokens(prompt), ranked(row).slice(0, 10), tolerance);
    expectTokens(
      model.nextTokens(Int32Array.from(prompt), { k: 3, temperature: 0.5 }),
      ranked(row, 0.5).slice(0, 3),
      tolerance,
    );
    const all = model.nextTokens(prompt, { k: 1000, temperature: 1 });
    expectTokens(all, ranked(row), tolerance);
    expect(all.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
    model.dispose();
  });
});

/** What `onToken` gets, with the logits of its place. */
async function told(model, prompt, options) {
  const tokens = [];
  const { ids } = await model.generate(prompt, {
    maxNewTokens: 6,
    onToken: (token) => tokens.push(token),
    ...options,
  });
  const { logits } = model.forward({ inputIds: [ids] }, { attentions: false });
  return tokens.map((token, i) => ({ ...token, logits: rowOf(logits, prompt.length + i - 1) }));
}

describe('candidates of a generated token', () => {
  const prompt = [5, 6, 7];
  let model;
  beforeAll(async () => {
    model = await loadModel(folderOf('llama-10'));
  });
  afterAll(() => model.dispose());

  test('the first is the token itself where the likeliest is taken', async () => {
    const tokens = await told(model, prompt, { candidates: 4, topK: 2 });
    expect(tokens).toHaveLength(6);
    for (const { id, token, shown, probability, candidates, logits } of tokens) {
      expect(candidates[0]).toEqual({ id, token, shown, probability });
      expectTokens(candidates, ranked(logits).slice(0, 4));
    }
  });

  test('drawn tokens are among those from which they are drawn', async () => {
    const tokens = await told(model, prompt, { candidates: 10, temperature: 0.7, topK: 3, seed: 4 });
    for (const { id, token, shown, probability, candidates, logits } of tokens) {
      expect(candidates).toContainEqual({ id, token, shown, probability });
      const kept = ranked(logits, 0.7).slice(0, 3);
      const sum = kept.reduce((total, each) => total + each.probability, 0);
      expectTokens(
        candidates,
        kept.map((each) => ({ ...each, probability: each.probability / sum })),
      );
    }
    expect(tokens.some(({ id, candidates }) => id !== candidates[0].id)).toBe(true);
  });

  test('of the whole vocabulary, at its temperature', async () => {
    const tokens = await told(model, prompt, { candidates: 5, temperature: 2, seed: 1 });
    for (const { candidates, logits } of tokens) expectTokens(candidates, ranked(logits, 2).slice(0, 5));
  });

  test('are given only where they are asked for', async () => {
    for (const { candidates } of await told(model, prompt, {})) expect(candidates).toBeUndefined();
  });

  test('of a model in a worker are the same', async () => {
    const inWorker = await loadModelInWorker(folderOf('llama-10'));
    const tokensOf = async (which) => {
      const tokens = [];
      const onToken = (token) => tokens.push(token);
      await which.generate(prompt, { maxNewTokens: 3, candidates: 2, onToken });
      return tokens;
    };
    expect(await tokensOf(inWorker)).toEqual(await tokensOf(model));
    const options = {
      k: 3,
      headMask: [
        [0, 1, 1, 1],
        [1, 1, 1, 1],
      ],
    };
    expect(await inWorker.nextTokens(prompt, options)).toEqual(model.nextTokens(prompt, options));
    expect(model.nextTokens(prompt, options)).not.toEqual(model.nextTokens(prompt, { k: 3 }));
    await expect(inWorker.nextTokens(prompt, { k: 0 })).rejects.toMatchObject({ argument: 'k' });
    inWorker.dispose();
  });

  test('a tiny temperature takes the likeliest', async () => {
    const [sure, other] = model.nextTokens(prompt, { k: 2, temperature: 5e-324 });
    expect(sure).toEqual({ ...model.nextTokens(prompt, { k: 1 })[0], probability: 1 });
    expect(other.probability).toBe(0);
  });
});

describe('the end of a text', () => {
  /** Reads every text as two tokens. */
  const tokenizer = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: 'a',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 9,
      vocab: Object.fromEntries(Array.from({ length: 61 }, (_, i) => [i === 5 ? 'a' : `t${i}`, i])),
    },
  };
  const load = (generation, change = () => undefined) => {
    const { config, weights } = filesOf('llama-10', change);
    const texts = { 'config.json': JSON.stringify(config), 'tokenizer.json': JSON.stringify(tokenizer) };
    if (generation !== undefined) texts['generation_config.json'] = generation;
    return loadModel([
      new File([weights], 'model.safetensors'),
      ...Object.entries(texts).map(([name, text]) => new File([text], name)),
    ]);
  };
  // This model's likeliest tokens are all one.
  const drawn = { maxNewTokens: 8, temperature: 2, seed: 1 };
  const endless = ({ config }) => (config.eos_token_id = null);
  let ids;
  beforeAll(async () => {
    ({ ids } = await (await load(undefined, endless)).generate('a a', drawn));
  });

  test('is what generation_config.json says: a number, a list, before config.json', async () => {
    const [, , first, second, third] = ids;
    expect(new Set([first, second, third]).size).toBe(3);
    const lengthWith = async (generation, end) =>
      (await (await load(generation, ({ config }) => (config.eos_token_id = end))).generate('a a', drawn)).ids
        .length;
    expect(ids).toHaveLength(10);
    expect(await lengthWith(JSON.stringify({ eos_token_id: second }), first)).toBe(4);
    expect(await lengthWith(JSON.stringify({ eos_token_id: [third, second] }), first)).toBe(4);
    expect(await lengthWith(JSON.stringify({ eos_token_id: [] }), first)).toBe(10);
    expect(await lengthWith(JSON.stringify({ bos_token_id: 1 }), third)).toBe(5);
    expect(await lengthWith(undefined, third)).toBe(5);
  });

  test("is that of the family's class in transformers where no file says it", async () => {
    const model = await load(undefined, endless);
    const without = await load(undefined, ({ config }) => delete config.eos_token_id);
    // The class of Llama says 2.
    let endings = 0;
    for (let seed = 0; seed < 40; ++seed) {
      const options = { ...drawn, seed, maxNewTokens: 20, temperature: 4 };
      const [all, ended] = await Promise.all([model, without].map((one) => one.generate('a a', options)));
      const end = all.ids.indexOf(2);
      if (end >= 0 && end < all.ids.length - 1) ++endings;
      expect([...ended.ids]).toEqual([...(end < 0 ? all.ids : all.ids.slice(0, end + 1))]);
    }
    expect(endings).toBeGreaterThan(0);
  });

  test('is what eosTokenId says: a number, a list, none', async () => {
    const [, , first, second, third] = ids;
    const model = await load(JSON.stringify({ eos_token_id: first }));
    const lengthWith = async (input, eosTokenId) =>
      (await model.generate(input, { ...drawn, eosTokenId })).ids.length;
    expect(await lengthWith('a a')).toBe(3);
    expect(await lengthWith('a a', second)).toBe(4);
    expect(await lengthWith('a a', [third, second])).toBe(4);
    expect(await lengthWith('a a', [])).toBe(10);
    expect(await lengthWith([5, 5], [third])).toBe(5);
    expect(await lengthWith([5, 5])).toBe(10);
  });

  test.each([
    ['{ "eos_token_id": "5" }', /generation_config\.json: eos_token_id.*the string "5"/],
    ['{ "eos_token_id": [1, -2] }', /generation_config\.json: eos_token_id\[1\].*-2/],
    ['{ "eos_token_id": 0.5 }', /generation_config\.json: eos_token_id.*0\.5/],
    ['[1]', /generation_config\.json.*JSON object/],
    ['{', /generation_config\.json.*JSON/],
  ])('%s is refused', (text, message) => expect(load(text)).rejects.toThrow(message));
});

describe('what ends generate', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(folderOf('llama-10'));
  });

  test('a signal: before it begins, while a token is told, and while the last is', async () => {
    const reason = new Error('enough');
    await expect(model.generate([5], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    for (const which of [1, 3]) {
      const controller = new AbortController();
      const told = [];
      const onToken = ({ id }) => {
        if (told.push(id) === which) controller.abort(reason);
      };
      await expect(model.generate([5], { maxNewTokens: 3, onToken, signal: controller.signal })).rejects.toBe(
        reason,
      );
      expect(told).toHaveLength(which);
    }
  });

  test('a throwing onToken, and the next call is whole', async () => {
    const error = new Error('the page is gone');
    const told = [];
    const onToken = ({ id }) => {
      if (told.push(id) === 2) throw error;
    };
    await expect(model.generate([5], { onToken })).rejects.toBe(error);
    expect(told).toHaveLength(2);
    const { ids } = await model.generate([5], { maxNewTokens: 2 });
    expect(ids.slice(1)).toEqual(told);
  });
});

test('the k largest of many values: largest first, of equal values the first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      (values, k) => {
        const expected = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b).slice(0, k);
        expect(largest(Float32Array.from(values), k)).toEqual(expected);
      },
    ),
    randomCases({ numRuns: 500 }),
  );
});

test('the whole vocabulary is ranked in n log n comparisons', () => {
  let reads = 0;
  const count = 20_000;
  const values = new Proxy(
    Float32Array.from({ length: count }, (_, i) => (i * 7919) % count),
    {
      get: (target, name) => {
        reads++;
        return target[name];
      },
    },
  );
  expect(largest(values, count).slice(0, 3)).toHaveLength(3);
  expect(reads).toBeLessThan(4 * count * Math.log2(count));
});

describe('refused', () => {
  test.each([
    [{ k: 0 }, RangeError, /`k`/],
    [{ k: 1.5 }, RangeError, /`k`/],
    [{ temperature: -1 }, RangeError, /`temperature` must be at least 0/],
    [{ temperature: NaN }, RangeError, /`temperature`/],
    [{ topK: 2 }, TypeError, /`topK` must be an option of nextTokens/],
    [{ headMask: [1] }, RangeError, /`headMask`/],
  ])('options %j', async (options, kind, message) => {
    const model = await loadModel(filesOf('gpt2-10'));
    expect(() => model.nextTokens([5], options)).toThrow(kind);
    expect(() => model.nextTokens([5], options)).toThrow(message);
  });

  test.each([0, 1.5, '3'])('%j candidates', async (candidates) => {
    const model = await loadModel(filesOf('gpt2-10'));
    await expect(model.generate([5], { candidates })).rejects.toThrow(/`candidates`/);
  });

  test.each([
    ['5', TypeError, /`eosTokenId` must be an integer, got the string "5"/],
    [1.5, RangeError, /`eosTokenId`.*got 1.5/],
    [-1, RangeError, /`eosTokenId`.*got -1/],
    [61, RangeError, /`eosTokenId` must be an integer from 0 to 60, got 61/],
    [{}, TypeError, /`eosTokenId`.*got an Object/],
    [[5, '6'], TypeError, /`eosTokenId\[1\]`.*got the string "6"/],
    [[5, 61], RangeError, /`eosTokenId\[1\]`.*got 61/],
    [[null], TypeError, /`eosTokenId\[0\]`.*got null/],
  ])('eosTokenId %j', async (eosTokenId, kind, message) => {
    const model = await loadModel(filesOf('gpt2-10'));
    await expect(model.generate([5], { eosTokenId })).rejects.toThrow(kind);
    await expect(model.generate([5], { eosTokenId })).rejects.toThrow(message);
  });

  test.each([[5.5], [null], ['5'], [-1], [61], [NaN]])('token id %j', async (id) => {
    const model = await loadModel(filesOf('gpt2-10'));
    await expect(model.generate([5, id])).rejects.toThrow(/`inputIds\[0\]\[1\]` must be/);
    expect(() => model.nextTokens([5, id])).toThrow(/`inputIds\[0\]\[1\]` must be/);
  });

  test('onToken that is no function', async () => {
    const model = await loadModel(filesOf('gpt2-10'));
    await expect(model.generate([5], { onToken: {} })).rejects.toThrow(/`onToken` must be a function/);
  });

  test('inputs and models', async () => {
    const [gpt2, bert] = await Promise.all(['gpt2-10', 'bert-10'].map((name) => loadModel(filesOf(name))));
    expect(() => gpt2.nextTokens({ inputIds: [[5]] })).toThrow(/`input` must be a text or token ids/);
    expect(() => gpt2.nextTokens([])).toThrow(/at least one token/);
    expect(() => gpt2.nextTokens([999])).toThrow(/inputIds\[0\]\[0\]/);
    expect(() => gpt2.nextTokens('a text')).toThrow(/tokenizer/);
    expect(() => bert.nextTokens([5])).toThrow(/causal.*bert/);
  });
});
