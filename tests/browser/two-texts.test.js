/** The weights of one text on another in every view: rectangular matrices, two rows or columns of words. */
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

describe('arcs of two texts', () => {
  const words = (view, side) => view.locator(`[data-side=${side}] [part=word]`);
  const numbers = (view, side) =>
    words(view, side).evaluateAll((all) =>
      all.map((word) => Number(word.querySelector('data')?.value ?? NaN)),
    );
  const centres = (view, side) =>
    words(view, side).evaluateAll((all) =>
      all.map((word) => {
        const { left, width, top, height } = word.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }),
    );

  test('have the keys above, the queries below, and an arc for each weight', async () => {
    const { view, errors, page } = await open('mha-arcs', { data: short });
    await words(view, 'query').first().waitFor();
    assert.deepEqual(await words(view, 'key').locator('.word').allInnerTexts(), short.keyTokens);
    assert.deepEqual(await words(view, 'query').locator('.word').allInnerTexts(), short.queryTokens);
    const [keys, queries] = [await centres(view, 'key'), await centres(view, 'query')];
    assert.ok(keys.every(({ y }) => queries.every((query) => query.y > y + 60)));
    const box = await view.locator('[part=arcs]').boundingBox();
    const ends = await view
      .locator('[part=arcs] path:not(.tip)')
      .evaluateAll((paths) =>
        paths.map((path) =>
          [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())].map(({ x }) => x),
        ),
      );
    const pairs = short.queryTokens.flatMap((_, query) => short.keyTokens.map((_, key) => [query, key]));
    assert.equal(ends.length, pairs.length);
    for (const [i, [query, key]] of pairs.entries()) {
      assert.ok(Math.abs(box.x + ends[i][0] - queries[query].x) < 1, `arc ${i} begins at its query`);
      assert.ok(Math.abs(box.x + ends[i][1] - keys[key].x) < 1, `arc ${i} ends at its key`);
    }
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(errors, []);
  });

  test('a word of either side shows its weights at the words of the other', async () => {
    const { view, page } = await open('mha-arcs', { data: short });
    await page.evaluate(() => {
      window.chosen = [];
      document.addEventListener('mha-select', ({ detail }) => window.chosen.push(detail));
    });
    await words(view, 'query').nth(1).click();
    assert.deepEqual(await numbers(view, 'key'), short.weights[0][1]);
    assert.deepEqual(await numbers(view, 'query'), [NaN, NaN, NaN]);
    assert.match(
      await view.locator('[part=description]').innerText(),
      /“Katze” looks most at “cat” \(0\.88\)/,
    );
    await words(view, 'key').nth(0).click();
    assert.deepEqual(
      await numbers(view, 'query'),
      short.weights[0].map(([first]) => first),
    );
    assert.deepEqual(await numbers(view, 'key'), [NaN, NaN]);
    assert.match(await view.locator('[part=description]').innerText(), /“die” looks most at “the” \(0\.75\)/);
    assert.equal(await view.locator('[part=arcs] path:not(.tip)').count(), 3);
    assert.deepEqual(await page.evaluate(() => window.chosen), [
      { head: 0, query: 1, key: null },
      { head: 0, query: null, key: 0 },
    ]);
    assert.deepEqual(await view.evaluate(({ token, target }) => [token, target]), [null, 'the']);
    assert.equal(await words(view, 'key').nth(0).getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('Escape');
    await page.mouse.move(0, 0);
    assert.deepEqual(await numbers(view, 'query'), [NaN, NaN, NaN]);
  });

  test('the keyboard moves in each side, and names say who looks where', async () => {
    const { view, page } = await open('mha-arcs', { data: short, target: 'cat' }, 'ko');
    await words(view, 'key').first().waitFor();
    assert.equal(await words(view, 'key').nth(1).getAttribute('aria-pressed'), 'true');
    await words(view, 'key').nth(1).focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(
      await view.evaluate(({ shadowRoot }) => shadowRoot.activeElement.textContent.trim().split(/\s/)[0]),
      'the',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    const name = () => view.evaluate(({ shadowRoot }) => shadowRoot.activeElement.getAttribute('aria-label'));
    assert.equal(await name(), 'the, 3번째 단어, 가장 많이 보는 단어 ‘the’ 0.50');
    await page.keyboard.press('Shift+Tab');
    // The chosen word again.
    assert.equal(await name(), 'cat, 2번째 단어, 가장 많이 보는 쪽 ‘Katze’ 0.88');
    assert.deepEqual(await axeFindings(page), []);
  });

  test('are two columns where there is no room for rows', async () => {
    const keyTokens = ['고양이', '##가', '매트', '위', '##에', '앉아', '있다', '</s>'];
    const queryTokens = ['the', 'cat', 'is', 'sitting', 'on', 'the', 'mat', '</s>'];
    const weights = [rowsOf(8, 8)];
    const { view, page } = await open('mha-arcs', { data: { queryTokens, keyTokens, weights } });
    await page.setViewportSize({ width: 320, height: 800 });
    await eventually(async () => {
      const [keys, queries] = [await centres(view, 'key'), await centres(view, 'query')];
      assert.ok(keys.every(({ x }) => queries.every((query) => query.x > x + 48)));
    });
    const { scroll, client } = await view.locator('.frame').evaluate(({ scrollWidth, clientWidth }) => ({
      scroll: scrollWidth,
      client: clientWidth,
    }));
    assert.equal(scroll, client);
    assert.match(await view.locator('[part=direction]').innerText(), /on the right look at .* on the left/);
  });

  test('of long texts paint the other text', async () => {
    const [queries, keys] = [80, 70];
    const names = (letter, count) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
    const rows = rowsOf(queries, keys);
    const data = { queryTokens: names('q', queries), keyTokens: names('k', keys), weights: [rows] };
    const { view } = await open('mha-arcs', { data });
    const texts = view.locator('.text');
    await texts.nth(1).waitFor();
    await texts.nth(1).locator('[part=word]').nth(3).click();
    const shade = (text) =>
      text
        .locator('[part=word]')
        .evaluateAll((all) => all.map((word) => Number(/shade-(\d+)/.exec(word.className)?.[1] ?? 0)));
    const expected = (weights, scale) =>
      weights.map((weight) => Math.round(Math.min(1, weight / scale) * 40));
    const scale = 0.05;
    assert.deepEqual(await shade(texts.nth(0)), expected(rows[3], scale));
    assert.ok((await shade(texts.nth(1))).every((one) => one === 0));
    await texts.nth(0).locator('[part=word]').nth(5).click();
    assert.deepEqual(
      await shade(texts.nth(1)),
      expected(
        rows.map((row) => row[5]),
        scale,
      ),
    );
  });
});

describe('heads and an explorer of two texts', () => {
  test('miniatures have a row per query and a column per key', async () => {
    const { view } = await open('mha-heads', { data: short, token: 'Katze' });
    const first = view.locator('[part=miniature]').first();
    await first.waitFor();
    assert.equal(await first.getAttribute('viewBox'), '0 0 2 3');
    const frame = () =>
      first
        .locator('.framed')
        .evaluate((g) => [
          g.getAttribute('transform'),
          ...['width', 'height'].map((name) => g.firstElementChild.getAttribute(name)),
        ]);
    assert.deepEqual(await frame(), ['translate(0 1)', '2', '1']);
    assert.deepEqual(
      await view.locator('[part=head] .note data').evaluateAll((all) => all.map(({ value }) => value)),
      ['0.875', '1'],
    );
    await view.evaluate((heads) => Object.assign(heads, { token: null, target: 'cat' }));
    await eventually(async () => assert.deepEqual(await frame(), ['translate(1 0)', '1', '3']));
    const notes = await view.locator('[part=head] .note').allInnerTexts();
    assert.deepEqual(
      notes.map((note) => note.split(/\s+/)),
      [
        ['Katze', '0.88'],
        ['die', '0.75'],
      ],
    );
  });

  /** What `forward` of an encoder–decoder gives: two layers of two heads. */
  const model = {
    tokens: ['▁the', '▁cat'],
    decoderTokens: ['<pad>', 'die', '▁Katze'],
    crossAttentions: [short.weights, short.weights.toReversed()],
    encoderAttentions: [[rowsOf(2, 2)], [rowsOf(2, 2)]],
    decoderAttentions: [[rowsOf(3, 3)], [rowsOf(3, 3)]],
  };

  test('an explorer shows each group of a model’s heads', async () => {
    const { view, page, errors } = await open('mha-explorer', { data: model, controls: 'full', layer: 1 });
    const words = (side) => view.locator(`mha-arcs [data-side=${side}] .word`).allInnerTexts();
    await view.locator('mha-arcs [part=word]').first().waitFor();
    assert.deepEqual(
      [await words('key'), await words('query')],
      [
        ['the', 'cat'],
        ['<pad>', 'die', 'Katze'],
      ],
    );
    assert.equal(await view.evaluate(({ figure }) => figure.at(0, 0, 1)), short.weights[1][0][1]);
    await view.locator('[name=attention]').selectOption('encoder');
    await eventually(async () => assert.deepEqual(await words('query'), ['the', 'cat']));
    assert.equal(await view.getAttribute('attention'), 'encoder');
    await view.locator('[name=attention]').selectOption('decoder');
    await eventually(async () => assert.deepEqual(await words('query'), ['<pad>', 'die', 'Katze']));
    await view.locator('[name=attention]').selectOption('cross');
    await view.getByText('More', { exact: true }).click();
    await view.locator('[part=matrix-view] [part=cell]').first().waitFor();
    await view.locator('mha-arcs [data-side=key] [part=word]').nth(1).click();
    assert.deepEqual(
      await view.locator('[part=ranking] data').evaluateAll((all) => all.map(({ value }) => Number(value))),
      short.weights[1].map((row) => row[1]).toSorted((a, b) => b - a),
    );
    assert.equal(await view.locator('[part=roles]').count(), 0, 'role scores are of one text');
    const json = await view.evaluate((element) => element.toJSON());
    assert.deepEqual(json.queryTokens, ['<pad>', 'die', 'Katze']);
    assert.deepEqual(json.attentions, model.crossAttentions);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(errors, []);
  });

  test('a file of a model’s groups is drawn as data is, and a misspelt group is refused', async () => {
    const src = `data:application/json,${encodeURIComponent(JSON.stringify(model))}`;
    const { view } = await open('mha-arcs', { src, attention: 'decoder' });
    await view.locator('[part=word]').first().waitFor();
    assert.deepEqual(await view.locator('.word').allInnerTexts(), ['<pad>', 'die', 'Katze']);
    await view.evaluate((arcs) => arcs.setAttribute('attention', 'crossed'));
    await eventually(async () =>
      assert.match(
        await view.locator('[role=alert]').innerText(),
        /attribute attention takes encoder, decoder, cross\. Got crossed\./,
      ),
    );
    const others = { ...model, encoderAttentions: undefined };
    const lacking = await open('mha-arcs', { data: others, attention: 'encoder' });
    await eventually(async () =>
      assert.match(
        await lacking.view.locator('[role=alert]').innerText(),
        /attribute attention takes decoder, cross\. Got encoder\./,
      ),
    );
  });
});

describe('two texts that cannot be drawn', () => {
  const alert = async (view) => {
    await view.locator('[role=alert]').waitFor();
    await eventually(async () => assert.notEqual(await view.locator('[role=alert]').innerText(), ''));
    return view.locator('[role=alert]').innerText();
  };

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
