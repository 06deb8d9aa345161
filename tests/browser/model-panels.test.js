/** The explorer's panels of a pretrained model: what each head adds, what a layer says, what a head's absence or exchange changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from './fixtures.js';
import { explorersOf, without } from './model-explorers.js';
import { axeFindings, eventually, openMore } from './support.js';

const TOM = 'Anna and Tom went to the park. Tom gave a ball to';
const ANNA = 'Anna and Tom went to the park. Anna gave a ball to';
const SHORT = 'Tom gave a ball to';
const stories = (views, more = '') =>
  `<mha-explorer url-state="x" model="stories15M" sentence="${TOM}" layer="5" head="1" views="arcs ${views}" ${more}></mha-explorer>`;
const bodies = {
  effects: stories('effects'),
  lens: stories('lens'),
  removal: stories('removal'),
  patch: stories('patch', `other="${ANNA}"`),
  all: stories('effects lens removal patch', `other="${ANNA}"`),
  minilm:
    '<mha-explorer model="minilm" document="004-sentence" layer="5" head="11" views="arcs removal"></mha-explorer>',
  bert: '<mha-explorer model="/tiny/bert/" sentence="the cat sat on the mat" views="arcs effects lens"></mha-explorer>',
};
const { models, using } = explorersOf(bodies);

const panelOf = (explorer, name) => explorer.locator(`.panel.${name}`);

/** The numbers of all heads, layer by layer. */
const cellsOf = (panel) =>
  panel.locator('[role=gridcell] data').evaluateAll((cells) => cells.map(({ value }) => Number(value)));

function assertNear(found, expected, tolerance = 1e-3) {
  assert.equal(found.length, expected.length);
  for (const [index, value] of expected.entries())
    assert.ok(Math.abs(found[index] - value) < tolerance, `${index}: ${found[index]}, not ${value}`);
}

/** Layer and head of a number in a row of all. */
const nameOf = (index, { numHeads }) => `${Math.floor(index / numHeads)}.${index % numHeads}`;

const eventuallyNear = (panel, expected, tolerance) =>
  eventually(async () => assertNear(await cellsOf(panel), Array.from(expected), tolerance));

describe('what each head adds to the answer', () => {
  test('is the model’s, sums up, and is of the words that the reader chooses', () =>
    using('effects', async (explorer) => {
      const panel = panelOf(explorer, 'effects');
      const first = models.stories.headEffects(TOM);
      await eventuallyNear(panel, first.heads.data);
      const words = models.stories.nextTokens(TOM, { k: 6 });
      assert.deepEqual(
        await panel.locator('.answers tbody th').allInnerTexts(),
        words.map(({ shown }) => shown.trim()),
      );
      const sumOf = async () => {
        const parts = await panel
          .locator('.sum dd data')
          .evaluateAll((all) => all.map(({ value }) => +value));
        return [parts.slice(0, -1).reduce((sum, part) => sum + part, 0), parts.at(-1)];
      };
      const [sum, value] = await sumOf();
      assert.ok(Math.abs(sum - value) < 1e-3 && Math.abs(value - first.value) < 1e-4, `${sum} ${value}`);
      assert.match(await panel.innerText(), /“Anna” is 6\.9\d ahead of that of “the”/);
      // Another rival, then the rival as the answer: the two change places.
      await panel.getByRole('radio', { name: 'his: compared with' }).check();
      const [anna, , his] = words;
      const answer = `${anna.token} ${his.token}`;
      await eventually(async () =>
        assert.equal(await explorer.evaluate(({ state }) => state.answer), answer),
      );
      const second = models.stories.headEffects(TOM, { token: anna.id, against: his.id });
      await eventuallyNear(panel, second.heads.data);
      await panel.getByRole('radio', { name: 'his: answer' }).check();
      await eventuallyNear(
        panel,
        second.heads.data.map((one) => -one),
      );
      assert.match(await panel.innerText(), /“his” is \d\.\d\d behind that of “Anna”/);
      assert.equal(await explorer.evaluate(({ state }) => state.answer), `${his.token} ${anna.token}`);
    }));

  test('is chosen with the keyboard, stands in a table and is saved', () =>
    using('effects', async (explorer, page) => {
      const panel = panelOf(explorer, 'effects');
      const { heads, mlps } = models.stories.headEffects(TOM);
      await eventuallyNear(panel, heads.data);
      await panel.locator('[data-head="5.1"]').focus();
      assert.match(await panel.locator('.said').innerText(), /^Head 6·2 adds 9\.\d\d for “Anna”\.$/);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await eventually(async () =>
        assert.deepEqual(await explorer.evaluate(({ layer, head }) => [layer, head]), [4, 1]),
      );
      await panel.locator('summary').click();
      await eventually(async () => {
        const rows = await panel
          .locator('.numbers tbody tr')
          .evaluateAll((all) =>
            all.map((row) => [...row.querySelectorAll('data')].map(({ value }) => +value)),
          );
        assertNear(
          rows.flat(),
          Array.from({ length: 6 }, (_, layer) => [
            ...heads.data.subarray(6 * layer, 6 * layer + 6),
            mlps.data[layer],
          ]).flat(),
        );
      });
      const download = page.waitForEvent('download');
      await panel.locator('[data-save=csv]').click();
      const csv = readFileSync(await (await download).path(), 'utf8');
      assert.equal(csv.trim().split('\r\n').length, 7);
      assert.match(csv, /Layer 6,/);
    }));

  test('is that behind the chosen word', () =>
    using('effects', async (explorer) => {
      const panel = panelOf(explorer, 'effects');
      await explorer.evaluate((element) => {
        element.token = 'gave';
      });
      const position = models.stories.tokenize(TOM).shown.indexOf('gave');
      await eventuallyNear(panel, models.stories.headEffects(TOM, { position }).heads.data);
      assert.match(await panel.innerText(), /After “… gave”/);
      // Where special tokens are hidden, words have other numbers than the model's tokens.
      await explorer.evaluate((element) => {
        element.exclude = 'special';
      });
      await eventuallyNear(panel, models.stories.headEffects(TOM).heads.data);
    }));

  test('an attribute that names no two words is refused', () =>
    using('effects', async (explorer) => {
      const panel = panelOf(explorer, 'effects');
      const problem = panel.locator('[role=alert]');
      for (const [answer, message] of [
        ['Anna Tom Ben', /answer="Anna Tom Ben" must be one or two words/],
        ['unbelievable', /one token of the vocabulary, got "unbelievable"/],
      ]) {
        await explorer.evaluate((element, text) => {
          element.answer = text;
        }, answer);
        await eventually(async () => assert.match(await problem.innerText(), message));
      }
      await explorer.evaluate((element) => {
        element.answer = 'Tom Anna';
      });
      const { heads, token } = models.stories.headEffects(TOM, { token: 'Tom', against: 'Anna' });
      await eventuallyNear(panel, heads.data);
      // Tom is not among the likeliest words.
      const { probability } = models.stories.nextTokens(TOM, { k: 1000 }).find(({ id }) => id === token);
      const shown = panel.locator('.answers tbody tr').last();
      assert.equal(await shown.locator('th').innerText(), 'Tom');
      assertNear([await shown.locator('data').evaluate(({ value }) => Number(value))], [probability], 1e-6);
      assert.equal(await problem.innerText(), '');
    }));
});

test('what the model would say at each layer is the model’s', () =>
  using('lens', async (explorer) => {
    const panel = panelOf(explorer, 'lens');
    const layers = models.stories.logitLens(TOM, { k: 4 });
    await eventually(async () => {
      const rows = await panel
        .locator('.lens tbody tr')
        .evaluateAll((all) =>
          all.map((row) =>
            [...row.querySelectorAll('td')].map((cell) => [
              cell.querySelector('span').textContent,
              Number(cell.querySelector('data').value),
            ]),
          ),
        );
      assert.equal(rows.length, 7);
      for (const [layer, row] of rows.entries()) {
        const { tokens } = layers[layer];
        assert.deepEqual(
          row.map(([word]) => word),
          tokens.map(({ shown }) => shown.trim() || '␣'),
        );
        assertNear(
          row.map(([, probability]) => probability),
          tokens.map(({ probability }) => probability),
        );
      }
    });
    assert.match(await panel.innerText(), /“Anna” is the likeliest word from layer 6 on\./);
  }));

describe('what changes without each head', () => {
  test('stories15M: the lead of the answer, and the word that is said', () =>
    using('removal', async (explorer) => {
      const { stories: model } = models;
      const { token, against } = model.headEffects(TOM);
      const last = (options) => {
        const { logits } = model.forward(TOM, { attentions: false, ...options });
        return logits.data.subarray(-logits.shape.at(-1));
      };
      const leadOf = (row) => row[token] - row[against];
      const all = leadOf(last({}));
      const rows = Array.from({ length: 36 }, (_, index) =>
        last({ headMask: without(model, nameOf(index, model)) }),
      );
      const panel = panelOf(explorer, 'removal');
      await eventuallyNear(
        panel,
        rows.map((row) => leadOf(row) - all),
      );
      const said = rows.flatMap((row, index) => {
        const id = row.indexOf(Math.max(...row));
        return id === token
          ? []
          : [`${Math.floor(index / 6) + 1}·${(index % 6) + 1} (“${model.tokenOf(id).replace('▁', '')}”)`];
      });
      await panel.locator('.lists').waitFor();
      assert.ok(
        (await panel.innerText()).includes(`no longer says “Anna”: ${said.join(', ')}.`),
        said.join(),
      );
      // A head that is out is not removed again; the others are removed besides.
      await panel.getByRole('button', { name: 'Remove head 6·2' }).click();
      assert.equal(await explorer.evaluate(({ state }) => state.ablated), '5.1');
      const headMask = without(model, '5.1', '0.0');
      const both = leadOf(last({ headMask })) - leadOf(rows[31]);
      await eventually(async () => {
        const cells = await cellsOf(panel);
        assert.ok(Number.isNaN(cells[31]));
        assertNear([cells[0]], [both]);
      });
      const [before, after] = [all, leadOf(rows[31])].map((value) => value.toFixed(2));
      assert.equal(
        (await panel.locator('.already').innerText()).trim(),
        `Without head 6·2 the lead goes from +${before} to +${after}. Below is what one head more changes.`,
      );
      await panel.getByRole('button', { name: 'Restore all heads' }).click();
      assert.equal(await explorer.evaluate(({ state }) => state.ablated), undefined);
    }));

  test('MiniLM: the sentence’s vector', () =>
    using('minilm', async (explorer) => {
      const { minilm: model } = models;
      const text = 'The cat sat on the mat because it was tired.';
      const vector = (options) => {
        const { lastHiddenState, tokens } = model.forward(text, { attentions: false, ...options });
        const width = lastHiddenState.shape[2];
        return Array.from(
          { length: width },
          (_, i) => tokens.reduce((sum, _, t) => sum + lastHiddenState.at(0, t, i), 0) / tokens.length,
        );
      };
      const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
      const all = vector({});
      const panel = panelOf(explorer, 'removal');
      const changes = Array.from({ length: 72 }, (_, index) => {
        const one = vector({ headMask: without(model, nameOf(index, model)) });
        return 1 - dot(one, all) / Math.sqrt(dot(one, one) * dot(all, all));
      });
      await eventuallyNear(panel, changes, 1e-4);
      const most = changes.indexOf(Math.max(...changes));
      assert.equal(
        await panel.locator('.lists li span').first().innerText(),
        `Head ${Math.floor(most / 12) + 1}·${(most % 12) + 1}`,
      );
      await panel.getByRole('button', { name: 'Remove head 6·12' }).click();
      await eventually(async () =>
        assert.equal(
          (await panel.locator('.already').innerText()).trim(),
          `Without head 6·12 the sentence’s vector changes by ${changes[71].toFixed(4)} (1 − cosine). Below is what one head more changes.`,
        ),
      );
      // The panels of answers are not offered.
      await openMore(explorer);
      await panelOf(explorer, 'predictions').waitFor();
      for (const name of ['effects', 'lens', 'patch']) assert.equal(await panelOf(explorer, name).count(), 0);
    }));
});

describe('one head’s output from a second sentence', () => {
  test('gives the model’s answers, and both sentences are drawn', () =>
    using('patch', async (explorer) => {
      const panel = panelOf(explorer, 'patch');
      const { heads, other } = models.stories.patch(ANNA, TOM, { token: 'Anna', against: 'Tom' });
      await eventuallyNear(
        panel,
        heads.data.map((value) => value - other),
        1e-2,
      );
      assert.match(await panel.innerText(), /“Anna” minus “Tom”: \+12\.\d\d for the sentence/);
      const arcs = explorer.locator('mha-arcs');
      assert.equal(await arcs.count(), 2);
      await explorer.evaluate(({ selection }) => selection.lock({ query: 13, key: null }));
      await eventually(async () => {
        for (const one of await arcs.all()) assert.equal(await one.locator('.query').count(), 1);
      });
    }));

  test('needs as many tokens', () =>
    using('patch', async (explorer) => {
      const panel = panelOf(explorer, 'patch');
      const field = panel.locator('[name=other]');
      const [own, other] = [TOM, SHORT].map((text) => models.stories.tokenize(text).ids.length);
      await field.fill(SHORT);
      await field.press('Enter');
      await panel.getByText(`the figure’s has ${own}, the second ${other}.`).waitFor();
      await field.fill('');
      await field.press('Enter');
      await panel.getByText('Write a second sentence').waitFor();
      assert.equal(await panel.locator('[role=grid]').count(), 0);
      assert.equal(await explorer.evaluate(({ state }) => state.other), undefined);
    }));
});

test('a model that fills masks is asked about the hidden word', () =>
  using('bert', async (explorer) => {
    const panel = panelOf(explorer, 'effects');
    await panel.getByText('This model predicts hidden words').waitFor();
    await panel.locator('[name=hidden-word]').selectOption({ label: 'sat' });
    const hidden = 'the cat [MASK] on the mat';
    await eventuallyNear(panel, models.bert.headEffects(hidden).heads.data);
    assert.match(await panel.innerText(), /The hidden word: choose the answer/);
    await panelOf(explorer, 'lens').getByText('The hidden word: the likeliest').waitFor();
  }));

for (const lang of ['en', 'ko']) {
  test(`axe finds nothing in the panels (${lang})`, () =>
    using(
      'all',
      async (explorer, page) => {
        for (const name of ['effects', 'removal', 'patch'])
          await panelOf(explorer, name).locator('[role=grid]').waitFor();
        await panelOf(explorer, 'lens').locator('.lens').waitFor();
        assert.deepEqual(await axeFindings(page), []);
      },
      lang,
    ));
}
