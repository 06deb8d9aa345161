/** Published roles of heads beside what is computed of the loaded model. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { folders, pageWith, serveModels } from './model-server.js';
import { axeFindings, drawn, eventually, repo } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));
const { SENTENCES } = await import(path.join(repo, 'dist/elements/explorer/claim-sentences.js'));

const TITLE = { en: /^What papers report/, ko: /^논문이 말하는/ };
let server;
const models = {};
beforeAll(async () => {
  const pages = {};
  for (const model of ['minilm', 'stories15M'])
    for (const lang of ['en', 'ko'])
      pages[`/${lang}/${model}`] = pageWith(
        `<mha-explorer model="${model}" document="004-sentence"></mha-explorer>`,
        lang,
      );
  server = await serveModels({ pages });
  const file = (name) => readFileSync(path.join(folders['/minilm/'], name));
  models.minilm = await loadModel({
    config: JSON.parse(file('config.json')),
    weights: file('model.fp16.safetensors'),
    tokenizer: JSON.parse(file('tokenizer.json')),
  });
  models.stories15M = await loadModel(pathToFileURL(`${folders['/stories15M/']}/`));
});
afterAll(async () => {
  for (const model of Object.values(models)) model.dispose();
  await server?.close();
});

async function using(model, work, lang = 'en') {
  const { page, errors, close } = await openTab(`${server.url}/${lang}/${model}`);
  try {
    const explorer = page.locator('mha-explorer');
    await drawn(explorer);
    await explorer.locator('details.claims > summary').filter({ hasText: TITLE[lang] }).click();
    await explorer.locator('.claims-published').waitFor({ timeout: 30_000 });
    await work(explorer, page);
    assert.deepEqual(
      errors.filter((error) => !/status of 404/.test(error)),
      [],
    );
  } finally {
    await close();
  }
}

/** Hits of every head, from the attentions of tokens and the words that they are of. */
function hitsOf(model, relation, headMask = null) {
  const hits = Array.from({ length: model.numLayers }, () => new Array(model.numHeads).fill(0));
  const bare = (text) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  for (const sentence of SENTENCES) {
    const { attentions, words, shown } = model.forward(sentence.text, { headMask });
    const texts = [];
    for (const [token, word] of words.entries())
      if (word >= 0) texts[word] = (texts[word] ?? '') + shown[token].replace(/^##/, '');
    const wordAt = (text) => texts.findIndex((each) => each !== undefined && bare(each) === bare(text));
    for (const [word, belongsTo] of sentence[relation]) {
      const [query, key] = [wordAt(word), wordAt(belongsTo)];
      for (const [layer, attention] of attentions.entries()) {
        for (const head of hits[layer].keys()) {
          const sums = texts.map(() => 0);
          for (const [from, own] of words.entries()) {
            if (own !== query) continue;
            for (const [to, other] of words.entries())
              if (other >= 0 && other !== query) sums[other] += attention.at(0, head, from, to);
          }
          if (sums.indexOf(Math.max(...sums)) === key) hits[layer][head]++;
        }
      }
    }
  }
  return hits;
}

/** Weights of words and special tokens: those to a word's tokens are summed, those from them averaged. */
function joinedWeights(model, text) {
  const { attentions, words, shown } = model.forward(text);
  const groups = [];
  for (const [token, word] of words.entries()) {
    if (word >= 0 && groups.at(-1)?.word === word) groups.at(-1).tokens.push(token);
    else groups.push({ word, tokens: [token] });
  }
  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
  const isWord = groups.map(({ word }) => word >= 0);
  const heads = attentions.map((attention) =>
    Array.from({ length: model.numHeads }, (_, head) =>
      groups.map((from) =>
        groups.map(
          (to) =>
            sum(from.tokens.flatMap((query) => to.tokens.map((key) => attention.at(0, head, query, key)))) /
            from.tokens.length,
        ),
      ),
    ),
  );
  const texts = groups.map(({ tokens }) => tokens.map((token) => shown[token]).join(''));
  return { heads, isWord, texts };
}

/** Mean weight over the pairs that `keyOf` gives for each query of each sentence, averaged over the sentences. */
function roleOf(model, keyOf, copies = 1) {
  const score = (weights, isWord, texts) => {
    const found = [];
    for (const [query, row] of weights.entries()) {
      const key = keyOf(query, isWord, texts);
      if (key !== null) found.push(row[key]);
    }
    return found.reduce((total, each) => total + each, 0) / found.length;
  };
  const means = Array.from({ length: model.numLayers }, () => new Array(model.numHeads).fill(0));
  let uniform = 0;
  for (const { text } of SENTENCES) {
    const { heads, isWord, texts } = joinedWeights(model, new Array(copies).fill(text).join(' '));
    for (const [layer, each] of heads.entries())
      for (const [head, weights] of each.entries())
        means[layer][head] += score(weights, isWord, texts) / SENTENCES.length;
    const even = isWord.map((_, query) =>
      isWord.map((__, key) => (model.causal ? (key <= query ? 1 / (query + 1) : 0) : 1 / isWord.length)),
    );
    uniform += score(even, isWord, texts) / SENTENCES.length;
  }
  return { means, uniform };
}

const ROLES = {
  previousToken: (query) => (query > 0 ? query - 1 : null),
  self: (query) => query,
  firstToken: (query) => (query > 0 ? 0 : null),
  lastToken: (query, isWord) => (query < isWord.length - 1 ? isWord.length - 1 : null),
};

async function checkRole(explorer, role, { means, uniform }) {
  const row = await explorer.locator(`tr[data-role=${role}]`).evaluate((element) => ({
    head: element.querySelector('[data-head]').dataset.head,
    numbers: [...element.querySelectorAll('data')].map(({ value }) => Number(value)),
  }));
  const [layer, head] = row.head.split('.').map(Number);
  const all = means.flat();
  const expected = [means[layer][head], all.reduce((sum, each) => sum + each, 0) / all.length, uniform];
  assert.ok(means[layer][head] > Math.max(...all) - 1e-6, `${role}: not the best head`);
  for (const [index, number] of row.numbers.entries())
    assert.ok(Math.abs(number - expected[index]) < 1e-5, `${role}: ${row.numbers}, expected ${expected}`);
}

const rowOf = (explorer, relation) =>
  explorer.locator(`tr[data-relation=${relation}]`).evaluate((row) => ({
    head: row.querySelector('[data-head]').dataset.head,
    shares: [...row.querySelectorAll('data')].map(({ value }) => Number(value)),
  }));

describe('the marked sentences', () => {
  test('hold each marked word once', () => {
    for (const { text, determiner, pronoun } of SENTENCES) {
      const words = text.toLowerCase().match(/[a-z]+/g);
      for (const word of [...determiner, ...pronoun].flat())
        assert.equal(words.filter((each) => each === word.toLowerCase()).length, 1, `${word}: ${text}`);
    }
  });
});

describe('claims', () => {
  test('of MiniLM: the best head’s accuracy, beside those by distance and by guessing', () =>
    using('minilm', async (explorer) => {
      for (const relation of ['determiner', 'pronoun']) {
        const pairs = SENTENCES.flatMap((sentence) => sentence[relation]).length;
        const hits = hitsOf(models.minilm, relation);
        const { head, shares } = await rowOf(explorer, relation);
        const [layer, index] = head.split('.').map(Number);
        const most = Math.max(...hits.flat());
        assert.equal(hits[layer][index], most);
        assert.equal(shares[0], most / pairs);
        assert.ok(shares[0] > shares[1] && shares[1] > shares[2], String(shares));
      }
      assert.match(
        await explorer.locator('.claims-published').innerText(),
        /8·11\s+94\.3 %[^]*5·4\s+65\.1 %/,
      );
    }));

  test('of MiniLM: where its heads look on average', () =>
    using('minilm', async (explorer) => {
      for (const [role, keyOf] of Object.entries(ROLES))
        await checkRole(explorer, role, roleOf(models.minilm, keyOf));
      const sameWord = (query, isWord, texts) => {
        const words = isWord.flatMap((own, index) => (own ? [index] : []));
        const place = words.indexOf(query);
        return place < 0 || !/[a-z]/.test(texts[query])
          ? null
          : words[(place + words.length / 2) % words.length];
      };
      await checkRole(explorer, 'sameWord', roleOf(models.minilm, sameWord, 2));
      assert.equal(await explorer.locator('tr[data-role=induction]').count(), 0);
    }));

  test('of stories15M: what followed last time, and nothing about words it cannot see', () =>
    using('stories15M', async (explorer) => {
      const induction = (query, isWord) => {
        const words = isWord.flatMap((own, index) => (own ? [index] : []));
        const half = words.length / 2;
        const place = words.indexOf(query);
        return place >= half ? words[place - half + 1] : null;
      };
      await checkRole(explorer, 'induction', roleOf(models.stories15M, induction, 2));
      await checkRole(explorer, 'firstToken', roleOf(models.stories15M, ROLES.firstToken));
      for (const role of ['nextToken', 'lastToken'])
        assert.equal(await explorer.locator(`tr[data-role=${role}]`).count(), 0);
    }));

  test('of a causal model: its determiners do not see their nouns', () =>
    using('stories15M', async (explorer) => {
      assert.equal(await explorer.locator('tr[data-relation=determiner]').count(), 0);
      await explorer.getByText('a causal model does not see it yet').waitFor();
      const most = Math.max(...hitsOf(models.stories15M, 'pronoun').flat());
      const { shares } = await rowOf(explorer, 'pronoun');
      assert.equal(shares[0], most / SENTENCES.flatMap(({ pronoun }) => pronoun).length);
    }));

  test('are computed anew without heads', () =>
    using('minilm', async (explorer) => {
      const { minilm } = models;
      const { shares: before } = await rowOf(explorer, 'pronoun');
      const headMask = Array.from({ length: 6 }, (_, layer) => new Array(12).fill(layer < 3 ? 0 : 1));
      await explorer.evaluate((element) => {
        const heads = Array.from({ length: 36 }, (_, index) => `${Math.floor(index / 12)}.${index % 12}`);
        element.ablated = heads.join(' ');
      });
      const most = Math.max(...hitsOf(minilm, 'pronoun', headMask).flat());
      const pairs = SENTENCES.flatMap(({ pronoun }) => pronoun).length;
      assert.notEqual(most / pairs, before[0]);
      await eventually(async () => assert.equal((await rowOf(explorer, 'pronoun')).shares[0], most / pairs));
    }));

  for (const lang of ['en', 'ko']) {
    test(`axe finds nothing (${lang})`, () =>
      using('minilm', async (_, page) => assert.deepEqual(await axeFindings(page), []), lang));
  }
});
