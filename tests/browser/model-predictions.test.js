/** What a pretrained model predicts in the explorer: next tokens, writing on, hidden words, heads taken out. */
import assert from 'node:assert/strict';
import { describe, test } from './fixtures.js';
import { explorersOf, without } from './model-explorers.js';
import { axeFindings, eventually, matrixOf } from './support.js';

const CAT = 'The cat sat on the mat because it was';
const TITLE = { en: /^What does the model predict/, ko: /^모델은 무엇을 예측/ };
const bodies = {
  stories: `<mha-explorer model="stories15M" sentence="${CAT}"></mha-explorer>`,
  minilm: '<mha-explorer model="minilm" document="004-sentence" layer="5" head="11"></mha-explorer>',
  ablated:
    '<mha-explorer url-state="x" model="minilm" document="004-sentence" layer="5" head="11" ablated="3.1"></mha-explorer>',
  bert: '<mha-explorer model="/tiny/bert/" sentence="the cat sat on the mat"></mha-explorer>',
};
const { models, using } = explorersOf(bodies);

const open = (explorer, lang = 'en') =>
  explorer.locator('details.predictions > summary').filter({ hasText: TITLE[lang] }).click();
const panel = (explorer) => explorer.locator('details.predictions');
const write = (explorer, name) => panel(explorer).locator(`[data-write=${name}]`);
const sentenceOf = (explorer) => explorer.evaluate(({ sentence }) => sentence);

/** The lists of tokens with their numbers. */
const listed = (explorer) =>
  panel(explorer)
    .locator('.ranking')
    .evaluateAll((lists) =>
      lists.map((list) =>
        [...list.querySelectorAll('li')].map((line) => [
          line.querySelector('span').textContent,
          Number(line.querySelector('data').value),
        ]),
      ),
    );

/** Fails unless the list has these tokens with these probabilities. */
function assertList(list, tokens) {
  assert.deepEqual(
    list?.map(([token]) => token),
    tokens.map(({ shown }) => shown),
  );
  for (const [index, { shown, probability }] of tokens.entries()) {
    assert.ok(
      Math.abs(list[index][1] - probability) < 1e-5,
      `${shown}: ${list[index][1]}, not ${probability}`,
    );
  }
}

describe('stories15M', () => {
  test('shows its next tokens, writes one by one and goes back', () =>
    using('stories', async (explorer) => {
      const { stories } = models;
      await open(explorer);
      await eventually(async () =>
        assertList((await listed(explorer))[0], stories.nextTokens(CAT, { k: 8 })),
      );
      const texts = [CAT];
      for (let count = 1; count <= 3; count++)
        texts.push((await stories.generate(CAT, { maxNewTokens: count })).text);
      // The second press comes before its token is known.
      await write(explorer, 'step').evaluate((button) => [1, 2].forEach(() => button.click()));
      await eventually(async () => assert.equal(await sentenceOf(explorer), texts[2]));
      await write(explorer, 'step').click();
      const text = texts[3];
      await eventually(async () => assert.equal(await sentenceOf(explorer), text));
      // Every head's row of the new token, whose weights sum to 1.
      const { attentions, tokens } = stories.forward(text);
      await eventually(async () => {
        const shown = await explorer.evaluate(({ token, figure }) => [Number(token), figure?.size]);
        assert.equal(shown[1], tokens.length);
        const { query } = await explorer.evaluate(({ selection }) => selection.locked);
        assert.equal(query, tokens.length - 1);
      });
      await eventually(async () => {
        const row = (await matrixOf(explorer)).at(-1).map(({ value }) => value);
        for (const [key, value] of row.entries())
          assert.ok(Math.abs(value - attentions[0].at(0, 0, tokens.length - 1, key)) < 1e-4);
      });
      for (const expected of texts.slice(0, -1).toReversed()) {
        await write(explorer, 'back').click();
        await eventually(async () => assert.equal(await sentenceOf(explorer), expected));
      }
      assert.ok(await write(explorer, 'back').isDisabled());
    }));

  test('continues by itself until it is stopped', { tag: '@thorough' }, () =>
    using('stories', async (explorer) => {
      const { text } = await models.stories.generate(CAT, { maxNewTokens: 5 });
      await open(explorer);
      await write(explorer, 'run').click();
      await eventually(async () => assert.ok((await sentenceOf(explorer)).startsWith(text)), 20_000);
      await write(explorer, 'stop').click();
      const stopped = await sentenceOf(explorer);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.equal(await sentenceOf(explorer), stopped);
      // Another text is a new beginning.
      await explorer.locator('[name=sentence]').fill('Once upon a time');
      await eventually(async () => assert.ok(await write(explorer, 'back').isDisabled()));
    }),
  );

  test('draws with temperature, topK and seed as generate() does', { tag: '@thorough' }, () =>
    using('stories', async (explorer) => {
      await open(explorer);
      const options = { temperature: 1.5, topK: 5, seed: 7 };
      await panel(explorer).locator('[name=sampling-temperature]').fill('1.5');
      await panel(explorer).locator('[name=top-k]').fill('5');
      await panel(explorer).locator('[name=top-k]').press('Enter');
      await panel(explorer).locator('[name=sampling-seed]').fill('7');
      await panel(explorer).locator('[name=sampling-seed]').press('Enter');
      let candidates;
      const { text } = await models.stories.generate(CAT, {
        ...{ ...options, maxNewTokens: 1, candidates: 8 },
        onToken: (token) => ({ candidates } = token),
      });
      assert.equal(candidates.length, 5);
      await eventually(async () => assertList((await listed(explorer))[0], candidates));
      await write(explorer, 'step').click();
      await eventually(async () => assert.equal(await sentenceOf(explorer), text));
    }),
  );

  test('keeps how tokens are drawn in its state, and says what it cannot read', () =>
    using('stories', async (explorer) => {
      await open(explorer);
      const field = (name) => panel(explorer).locator(`[name=${name}]`);
      await field('sampling-temperature').fill('0.8');
      await field('top-k').fill('40');
      await field('top-k').press('Tab');
      await field('sampling-seed').fill('7');
      await field('sampling-seed').press('Tab');
      const sampling = () => explorer.evaluate(({ state }) => state.sampling);
      await eventually(async () => assert.equal(await sampling(), '0.8 40 7'));
      const drawnWith = async (text) => {
        await explorer.evaluate((element, value) => (element.sampling = value), text);
        return Promise.all(
          ['sampling-temperature', 'top-k', 'sampling-seed'].map((name) => field(name).inputValue()),
        );
      };
      assert.deepEqual(await drawnWith('1.5'), ['1.5', '', '0']);
      assert.deepEqual(await drawnWith('0.2 0 9'), ['0.2', '', '9']);
      const alert = panel(explorer).locator('[role=alert]');
      assert.equal((await alert.textContent()).trim(), '');
      for (const text of ['hot', '3', '1 2000', '1 2 3 4', '1 2 4294967296']) {
        assert.deepEqual(await drawnWith(text), ['0', '', '0'], text);
        assert.match(await alert.innerText(), /temperature topK seed.*0\.8 40 7/);
      }
      assert.deepEqual(await drawnWith(''), ['0', '', '0']);
      assert.equal((await alert.textContent()).trim(), '');
      assert.equal(await sampling(), undefined);
    }));

  test('predicts other tokens without a head', () =>
    using('stories', async (explorer) => {
      const { stories } = models;
      await open(explorer);
      await panel(explorer).getByRole('button', { name: 'Remove head 1·1' }).click();
      const headMask = without(stories, '0.0');
      await eventually(async () => {
        const [withAll, now] = await listed(explorer);
        assertList(withAll, stories.nextTokens(CAT, { k: 8 }));
        assertList(now, stories.nextTokens(CAT, { k: 8, headMask }));
        assert.notDeepEqual(now, withAll);
      });
    }));
});

describe('MiniLM, which predicts no words', () => {
  test('shows how far its output changes without a head', { tag: '@thorough' }, () =>
    using('minilm', async (explorer) => {
      await open(explorer);
      await panel(explorer).getByText('no layer that predicts words').waitFor();
      await explorer.evaluate((element) => Object.assign(element, { layer: 3, head: 1 }));
      await panel(explorer).getByRole('button', { name: 'Remove head 4·2' }).click();
      assert.equal(await explorer.evaluate(({ ablated }) => ablated), '3.1');
      const { minilm } = models;
      const { sentence } = await explorer.evaluate((element) => element.toJSON());
      const rowsOf = (options) => {
        const { data, shape } = minilm.forward(sentence, options).lastHiddenState;
        return Array.from({ length: shape[1] }, (_, row) =>
          data.subarray(row * shape[2], (row + 1) * shape[2]),
        );
      };
      const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);
      const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
      const mean = (rows) =>
        rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
      const [now, all] = [rowsOf({ headMask: without(minilm, '3.1') }), rowsOf({})];
      const said = panel(explorer).locator('[data-cosine]');
      await said.waitFor();
      const shown = Number(await said.getAttribute('data-cosine'));
      assert.ok(Math.abs(shown - cosine(mean(now), mean(all))) < 1e-5);
      assert.ok(shown < 0.9999, String(shown));
      const each = now.map((row, index) => cosine(row, all[index])).toSorted((a, b) => a - b);
      const [list] = await listed(explorer);
      assert.equal(list.length, 5);
      for (const [index, [, value]] of list.entries()) assert.ok(Math.abs(value - each[index]) < 1e-5);
    }),
  );

  test('computes the layers above without the head, says so, keeps it, and puts it back', () =>
    using('ablated', async (explorer) => {
      const { minilm } = models;
      const label = explorer.locator('[part=label]').first();
      await label.filter({ hasText: 'layer 6 of 6, without head 4·2' }).waitFor();
      const file = await explorer.evaluate((element) => element.toJSON());
      assert.equal(file.ablated, '3.1');
      const { attentions } = minilm.forward(file.sentence, { headMask: without(minilm, '3.1') });
      const plain = minilm.forward(file.sentence).attentions;
      let furthest = 0;
      for (const [query, row] of file.attentions[5][11].entries()) {
        for (const [key, weight] of row.entries()) {
          assert.ok(Math.abs(weight - attentions[5].at(0, 11, query, key)) < 1e-4);
          furthest = Math.max(furthest, Math.abs(weight - plain[5].at(0, 11, query, key)));
        }
      }
      assert.ok(furthest > 0.01, String(furthest));
      // A file of these weights says it, too.
      const copy = await explorer.evaluate(async (element) => {
        const arcs = document.createElement('mha-arcs');
        const blob = new Blob([JSON.stringify(element.toJSON())]);
        arcs.src = URL.createObjectURL(blob);
        element.after(arcs);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return arcs.shadowRoot.querySelector('[part=label]').textContent;
      });
      assert.match(copy, /without head 4·2/);
      await open(explorer);
      await panel(explorer).getByRole('button', { name: 'Restore head 4·2' }).click();
      await eventually(async () => {
        assert.doesNotMatch(await label.innerText(), /without/);
        assert.equal('ablated' in (await explorer.evaluate((element) => element.toJSON())), false);
      });
    }));

  for (const [lang, malformed, absent] of [
    ['en', /written “layer\.head”.*x5/, /does not have this head.*6 layers of 12 heads.*6\.0/],
    ['ko', /‘층\.헤드’로 적어 주세요.*x5/, /층이 6개이고 층마다 헤드가 12개.*6\.0/],
  ]) {
    test(`says which head it does not have (${lang})`, () =>
      using(
        'ablated',
        async (explorer) => {
          const alert = explorer.locator('#problem');
          for (const [ablated, words] of [
            ['x5', malformed],
            ['6.0', absent],
          ]) {
            await explorer.evaluate((element, value) => (element.ablated = value), ablated);
            await eventually(async () => assert.match(await alert.innerText(), words));
          }
          await explorer.evaluate((element) => (element.ablated = '3.1 3.1'));
          await eventually(async () => assert.equal(await alert.textContent(), ''));
        },
        lang,
      ));
  }
});

describe('a BERT that predicts hidden words', () => {
  test('shows its guesses for a word that the reader hides, with and without a head', () =>
    using('bert', async (explorer) => {
      const { bert } = models;
      await open(explorer);
      await panel(explorer).getByText('This model predicts hidden words').waitFor();
      await panel(explorer).locator('[name=hidden-word]').selectOption({ label: 'sat' });
      const hidden = 'the cat [MASK] on the mat';
      assert.equal(await sentenceOf(explorer), hidden);
      const guesses = bert.fillMask(hidden, 8);
      await eventually(async () => {
        const lists = await listed(explorer);
        assert.equal(lists.length, 1);
        assertList(lists[0], guesses[0]);
      });
      await explorer.evaluate((element) => {
        element.sentence = 'the [MASK] sat on the [MASK]';
        element.ablated = '0.0 1.3';
      });
      const headMask = without(bert, '0.0', '1.3');
      const text = 'the [MASK] sat on the [MASK]';
      await eventually(async () => {
        const lists = await listed(explorer);
        assert.equal(lists.length, 4);
        for (const [index, place] of [0, 0, 1, 1].entries())
          assertList(lists[index], bert.fillMask(text, 8, index % 2 ? { headMask } : {})[place]);
      });
    }));
});

for (const lang of ['en', 'ko']) {
  test(`axe finds nothing in the open predictions (${lang})`, () =>
    using(
      'stories',
      async (explorer, page) => {
        await open(explorer, lang);
        await write(explorer, 'step').waitFor();
        assert.deepEqual(await axeFindings(page), []);
      },
      lang,
    ));
}
