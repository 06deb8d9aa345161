/** The likeliest next tokens, and those that `generate` tells, against the logits that transformers gave. */
import { load } from 'multihead-attention';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { filesOf, folderOf, names, readJson } from './model-files.js';

const modules = await Promise.all(['scalar', 'simd', 'relaxed'].map((build) => load({ build })));
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

  test('inputs and models', async () => {
    const [gpt2, bert] = await Promise.all(['gpt2-10', 'bert-10'].map((name) => loadModel(filesOf(name))));
    expect(() => gpt2.nextTokens({ inputIds: [[5]] })).toThrow(/`input` must be a text or token ids/);
    expect(() => gpt2.nextTokens([])).toThrow(/at least one token/);
    expect(() => gpt2.nextTokens([999])).toThrow(/inputIds\[0\]\[0\]/);
    expect(() => gpt2.nextTokens('a text')).toThrow(/tokenizer/);
    expect(() => bert.nextTokens([5])).toThrow(/causal.*bert/);
  });
});
