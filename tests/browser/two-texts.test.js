/** The weights of one text on another: rectangular matrices, and the views that draw one text only. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const html = (lang) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>two texts</title><link rel="icon" href="data:,"><script type="module" src="standalone.js"></script>
  <style>:root { color-scheme: light dark } body { margin: 16px; font: 16px sans-serif }</style><main><h1>two texts</h1></main>`;

const server = serving(dist, { pages: { '/ko': html('ko'), '/en': html('en') } });

async function open(tag, properties, lang = 'en') {
  const opened = await openTab(`${server.url}/${lang}`);
  await opened.page.evaluate(
    ([tag, properties]) => {
      document.querySelector('main').append(Object.assign(document.createElement(tag), properties));
    },
    [tag, properties],
  );
  return { ...opened, view: opened.page.locator(tag) };
}

/** More queries than keys, and a word that both texts have. */
const short = {
  queryTokens: ['die', 'Katze', 'the'],
  keyTokens: ['the', 'cat'],
  weights: [
    [
      [0.75, 0.25],
      [0.125, 0.875],
      [0.5, 0.5],
    ],
    [
      [0.25, 0.75],
      [1, 0],
      [0.375, 0.625],
    ],
  ],
};

const numbersOf = (rows) =>
  rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
  );

/** Rows whose weights are all different, so that a wrong place shows. */
const rowsOf = (queries, keys) =>
  Array.from({ length: queries }, (_, query) => {
    const row = Array.from({ length: keys }, (_, key) => 1 + ((7 * query + 3 * key) % 11) + key / keys);
    const sum = row.reduce((total, value) => total + value, 0);
    return row.map((value) => value / sum);
  });

describe('a matrix of two texts', () => {
  test('has a row per query and a column per key, with their words and weights', async () => {
    const { view, errors, page } = await open('mha-matrix', { data: short });
    await view.locator('[part=cell]').first().waitFor();
    assert.deepEqual(await view.locator('thead span[title]').allInnerTexts(), short.keyTokens);
    assert.deepEqual(await view.locator('[part=grid] .name').allInnerTexts(), short.queryTokens);
    assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), short.weights[0]);
    const label = await view.locator('[data-query="1"][data-key="1"]').getAttribute('aria-label');
    assert.match(label, /“Katze” → “cat” 0\.88$/);
    // The pair with the largest weight may be of equal indices.
    const description = view.locator('[part=description]');
    assert.equal(await description.innerText(), 'Head 1: the largest weight is “Katze” → “cat” 0.88.');
    assert.match(await view.locator('[part=legend]').innerText(), /Every row sums to 1\./);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(errors, []);
  });

  test('is described, filtered, exported and followed by the keyboard', async () => {
    const { view, page } = await open('mha-matrix', { data: short, token: 'the', target: 'cat' });
    await view.locator('[part=cell]').first().waitFor();
    const description = view.locator('[part=description]');
    assert.match(await description.innerText(), /“the” → “cat” 0\.50, number 2 of 2\.$/);
    assert.deepEqual(await view.evaluate(({ selection }) => selection.locked), { query: 2, key: 1 });
    await view.evaluate((element) => Object.assign(element, { token: 'the', target: null }));
    await eventually(async () => assert.match(await description.innerText(), /“the” looks most at “the”/));
    assert.deepEqual(await view.evaluate((element) => element.toJSON()), short);
    const csv = (await view.evaluate((element) => element.toCSV())).trim().split('\r\n');
    assert.equal(csv.length, 1 + 6);
    assert.match(csv.at(-1), /^0,2,1,the,cat,0\.5$/);
    // `self` hides nothing here; the heaviest key of each row alone reaches half of its sum.
    await view.evaluate((element) => Object.assign(element, { exclude: 'self', mass: 0.5 }));
    await eventually(async () =>
      assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), [
        [0.75, 0],
        [0, 0.875],
        [0.5, 0],
      ]),
    );
    await view.locator('[data-query="0"][data-key="0"]').focus();
    await page.keyboard.press('Control+End');
    const active = () => view.evaluate(({ shadowRoot }) => ({ ...shadowRoot.activeElement.dataset }));
    assert.deepEqual(await active(), { query: '2', key: '1' });
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await active(), { query: '2', key: '1' });
  });

  test('draws all layers, their mean, and a difference of heads', async () => {
    const { weights, ...words } = short;
    const data = { ...words, attentions: [weights, weights.toReversed()] };
    const { view } = await open('mha-matrix', { data, layer: 1, head: 0, summary: true });
    await view.locator('[part=cell]').first().waitFor();
    assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), weights[1]);
    await view.evaluate((element) => (element.head = 2));
    const means = weights[0].map((row, query) =>
      row.map((value, key) => (value + weights[1][query][key]) / 2),
    );
    await eventually(async () =>
      assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), means),
    );
    await view.evaluate((element) => Object.assign(element, { head: 0, difference: 1 }));
    const differences = weights[1].map((row, query) =>
      row.map((value, key) => value - weights[0][query][key]),
    );
    await eventually(async () =>
      assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), differences),
    );
  });

  for (const [queries, keys] of [
    [90, 20],
    [20, 90],
  ]) {
    test(`paints ${queries} queries and ${keys} keys`, async () => {
      const rows = rowsOf(queries, keys);
      const names = (letter, count) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
      const data = { queryTokens: names('q', queries), keyTokens: names('k', keys), weights: [rows] };
      const { view, page, errors } = await open('mha-matrix', { data });
      const canvas = view.locator('canvas');
      await canvas.waitFor();
      await eventually(async () =>
        assert.deepEqual(await canvas.evaluate(({ width, height }) => [width, height]), [keys, queries]),
      );
      await canvas.scrollIntoViewIfNeeded();
      const { width, height } = await canvas.boundingBox();
      assert.ok(Math.abs(width / keys - height / queries) < 1e-3, 'a cell is a square');
      const [query, key] = [queries / 2, keys - 2];
      const position = { x: ((key + 0.5) * width) / keys, y: ((query + 0.5) * height) / queries };
      await canvas.click({ position, force: true });
      assert.deepEqual(await view.evaluate(({ selection }) => selection.locked), { query, key });
      const readout = await view.locator('[part=readout]').innerText();
      assert.match(readout, new RegExp(`q${query}[^]*k${key}`));
      assert.ok(readout.includes(rows[query][key].toFixed(2)), readout);
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('ArrowRight');
      const cell = view.locator('[role=gridcell]');
      assert.match(await cell.getAttribute('aria-label'), new RegExp(`“q0” → “k1” ${rows[0][1].toFixed(2)}`));
      assert.deepEqual(errors, []);
    });
  }
});

describe('two texts that cannot be drawn', () => {
  const alert = async (view) => {
    await view.locator('[role=alert]').waitFor();
    await eventually(async () => assert.notEqual(await view.locator('[role=alert]').innerText(), ''));
    return view.locator('[role=alert]').innerText();
  };

  for (const tag of ['mha-arcs', 'mha-heads', 'mha-explorer', 'mha-steps']) {
    test(`${tag} draws one text and says so`, async () => {
      const given = await open(tag, { data: short });
      assert.match(
        await alert(given.view),
        /draws one text.*queryTokens and keyTokens are drawn by mha-matrix/,
      );
      assert.equal(await given.view.evaluate((element) => element.toJSON()), null);
      const src = `data:application/json,${encodeURIComponent(JSON.stringify(short))}`;
      const read = await open(tag, { src }, 'ko');
      assert.match(await alert(read.view), /글 하나만 그려요.*mha-matrix/);
    });
  }

  test('weights of another shape, and a text that is missing', async () => {
    const shape = await open('mha-matrix', { data: { ...short, keyTokens: ['a', 'b', 'c'] } });
    assert.match(
      await alert(shape.view),
      /3 queryTokens and 3 keyTokens.*\(heads, 3, 3\); it is \(2, 3, 2\)/,
    );
    const { queryTokens, weights } = short;
    const missing = await open('mha-matrix', { data: { queryTokens, weights } });
    assert.match(await alert(missing.view), /keyTokens must be an array of strings/);
  });

  test('a file of two texts is drawn as data is', async () => {
    const src = `data:application/json,${encodeURIComponent(JSON.stringify(short))}`;
    const { view } = await open('mha-matrix', { src, head: 1 });
    await view.locator('[part=cell]').first().waitFor();
    assert.deepEqual(await numbersOf(view.locator('[part=grid] tbody tr')), short.weights[1]);
  });
});
