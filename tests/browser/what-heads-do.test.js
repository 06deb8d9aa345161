/** The chapter on what heads do: its numbers are the models’, and its claims are what these numbers say. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openPage, openTab, serving, shared, test } from './fixtures.js';
import { without } from './model-explorers.js';
import { drawn, eventually, minilmFiles, repo, site } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));

const CAT = 'The cat sat on the mat because it was tired.';
const TOM = 'Anna and Tom went to the park. Tom gave a ball to';
const ANNA = 'Anna and Tom went to the park. Anna gave a ball to';
const NAMES = { token: 'Anna', against: 'Tom' };
const server = serving(site);
const models = {};
beforeAll(async () => {
  models.minilm = await loadModel(minilmFiles());
  const folder = path.join(repo, 'build', 'models', 'stories15M-fp16');
  models.stories = await loadModel(pathToFileURL(`${folder}/`));
});
afterAll(() => Object.values(models).forEach((model) => model.dispose()));

describe('what heads do', () => {
  const opened = shared(() => openPage(`${server.url}/?lang=en`, { javaScriptEnabled: false }));
  const valuesOf = (attribute) =>
    opened.page
      .locator(`#what-heads-do data[${attribute}]`)
      .evaluateAll(
        (all, name) =>
          all.map((data) => [data.getAttribute(name), Number(data.value), data.textContent.trim()]),
        attribute,
      );

  test('MiniLM: what is passed on, and how the sentence’s vector changes without a head', async () => {
    const { minilm } = models;
    const { attentions, valueWeighted, lastHiddenState, shown } = minilm.forward(CAT, {
      valueWeighted: true,
    });
    const rowOf = (layers) => shown.map((_, key) => layers[4].at(0, 2, 2, key));
    const passed = rowOf(valueWeighted);
    const meanOf = ({ data, shape: [, length, width] }) =>
      Array.from({ length: width }, (_, i) => {
        let sum = 0;
        for (let t = 0; t < length; t++) sum += data[t * width + i];
        return sum / length;
      });
    const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    const all = meanOf(lastHiddenState);
    const changes = Array.from({ length: 72 }, (_, index) => {
      const headMask = without(minilm, `${Math.floor(index / 12)}.${index % 12}`);
      const one = meanOf(minilm.forward(CAT, { attentions: false, headMask }).lastHiddenState);
      return 1 - dot(one, all) / Math.sqrt(dot(one, one) * dot(all, all));
    });
    const sorted = changes.toSorted((a, b) => b - a);
    // Head 6·12 is the first, 6·4 the second.
    assert.deepEqual([sorted[0], sorted[1]], [changes[71], changes[63]]);
    const expected = {
      'weight 4 2 2 0': rowOf(attentions)[0],
      'passed 4 2 2 0': passed[0] / passed.reduce((sum, one) => sum + one),
      'weight 4 2 2 6': rowOf(attentions)[6],
      'passed 4 2 2 6': passed[6] / passed.reduce((sum, one) => sum + one),
      'without 5 11': changes[71],
      'without 4 2': changes[4 * 12 + 2],
      'removed 2': changes[63],
      'below 0.005': changes.filter((one) => one < 0.005).length,
    };
    const found = await valuesOf('data-does');
    for (const [of, value] of Object.entries(expected)) {
      const own = found.filter(([name]) => name === of);
      assert.equal(own.length, 2, of);
      for (const [, number] of own)
        assert.ok(Math.abs(number - value) < 1e-5, `${of}: ${number}, not ${value}`);
    }
    assert.deepEqual(
      (await valuesOf('data-names')).map(([, , text]) => text),
      ['6·4', '6·4'],
    );
  });

  test('stories15M: three heads that find who gets the ball', async () => {
    const { stories } = models;
    const { attentions, shown } = stories.forward(TOM);
    assert.deepEqual([shown[1], shown[3], shown[9], shown[13]], ['Anna', 'Tom', 'Tom', 'to']);
    const effects = stories.headEffects(TOM, NAMES);
    const { heads: patched } = stories.patch(ANNA, TOM, NAMES);
    const expected = {
      'look 1 1 2 9 3': attentions[1].at(0, 2, 9, 3),
      'look 1 4 4 13 9': attentions[4].at(0, 4, 13, 9),
      'look 1 5 1 13 1': attentions[5].at(0, 1, 13, 1),
      'lead 1': effects.value,
      'heads 1': effects.heads.data.reduce((sum, one) => sum + one, 0),
    };
    for (const [layer, head] of [
      [1, 2],
      [4, 4],
      [5, 1],
    ]) {
      expected[`effect 1 ${layer} ${head}`] = effects.heads.at(layer, head);
      expected[`patched ${layer} ${head}`] = patched.at(layer, head);
    }
    const found = new Map((await valuesOf('data-does')).map(([of, value]) => [of, value]));
    for (const [of, value] of Object.entries(expected))
      assert.ok(Math.abs(found.get(of) - value) < 1e-4, `${of}: ${found.get(of)}, not ${value}`);
    // 5·5 turns the answer around, and does more than it adds; 2·3 adds next to nothing, and the lead shrinks without it.
    const lead = effects.value;
    assert.ok(patched.at(4, 4) < 0 && lead - patched.at(4, 4) > 2 * effects.heads.at(4, 4));
    assert.ok(Math.abs(effects.heads.at(1, 2)) < 0.1 && patched.at(1, 2) < lead - 1);
    const says = new Map((await valuesOf('data-says')).map(([of, value, text]) => [of, [text, value]]));
    for (const [of, text, options] of [
      ['1', TOM, {}],
      ['2', ANNA, {}],
      ['1 1.2', TOM, { headMask: without(stories, '1.2') }],
      ['1 4.4', TOM, { headMask: without(stories, '4.4') }],
      ['1 5.1', TOM, { headMask: without(stories, '5.1') }],
    ]) {
      const [next] = stories.nextTokens(text, { k: 1, ...options });
      const [shownText, probability] = says.get(of);
      assert.equal(shownText, `${next.shown.trim()} ${next.probability.toFixed(3)}`, of);
      assert.ok(Math.abs(probability - next.probability) < 1e-6);
    }
    assert.match(says.get('1 5.1')[0], /^L /);
    const { text } = await stories.generate(TOM, {
      maxNewTokens: 2,
      headMask: without(stories, '5.1'),
    });
    assert.ok(text.endsWith('Lily'), text);
  });
});

test('the figure shows both sentences without the model, and what heads add once it is loaded', async () => {
  const { page, errors } = await openTab(`${server.url}/?lang=en#what-heads-do`);
  const figure = page.locator('#gives');
  await figure.scrollIntoViewIfNeeded();
  await drawn(figure);
  const row = () =>
    figure.locator('mha-arcs [part~=word] data').evaluateAll((all) => all.map(({ value }) => Number(value)));
  const expected = (text, key) => models.stories.forward(text).attentions[5].at(0, 1, 13, key);
  await eventually(async () => assert.ok(Math.abs((await row())[1] - expected(TOM, 1)) < 0.005));
  await page.getByRole('button', { name: 'second sentence' }).press('Enter');
  await eventually(async () => assert.ok(Math.abs((await row())[3] - expected(ANNA, 3)) < 0.005));
  await figure.locator('[part=model-status] button').first().click();
  const { heads } = models.stories.headEffects(ANNA, NAMES);
  await eventually(async () => {
    const cells = await figure
      .locator('.effects [role=gridcell] data')
      .evaluateAll((all) => all.map(({ value }) => Number(value)));
    assert.equal(cells.length, 36);
    for (const [index, value] of heads.data.entries())
      assert.ok(Math.abs(cells[index] - value) < 1e-2, `${index}: ${cells[index]}, not ${value}`);
  });
  // A head of the table shows what its exchange does: the numbers of the table.
  const line = (head) => page.locator('.heads-do tr', { hasText: head });
  await line('5·5').getByRole('button').press('Enter');
  const [before, after] = [
    await page.locator('#what-heads-do [data-does="lead 1"]').last().textContent(),
    await line('5·5').locator('td').last().textContent(),
  ].map((text) => text.trim().replace('-', '−'));
  await eventually(async () => {
    const said = (await figure.locator('.patch .said').textContent()).trim();
    assert.equal(said, `With head 5·5 from the second sentence: +${before} becomes ${after}.`);
  });
  assert.deepEqual(errors, []);
});

test('what is passed on needs the model, and the figure says so', async () => {
  const { page } = await openTab(`${server.url}/?lang=en#what-heads-do`);
  const figure = page.locator('#passed');
  await figure.scrollIntoViewIfNeeded();
  await drawn(figure);
  await figure.evaluate((element) => {
    element.show = 'value-weighted';
  });
  await figure.getByText('What is passed on is computed by the model: load it.').waitFor();
});
