/** The first figure: a pretrained model's heads, there before anything is loaded, and the same model before training. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { beforeAll, describe, openPage, openTab, serving, test } from './fixtures.js';
import { arrive, dist, drawn, eventually, matrixOf, minilmFiles, site } from './support.js';

const sentence = 'The cat sat on the mat because it was tired.';
const [it, cat] = [8, 2];
const labels = {
  trained: /^all-MiniLM-L6-v2, a pretrained model – layer 6 of 6$/,
  untrained:
    /^all-MiniLM-L6-v2 before training – layer 6 of 6, random initial values, not a learned pattern$/,
};
/** Weights (12,13,13) of layer 6, trained and untrained. */
const shown = {};

beforeAll(async () => {
  const { loadModel } = await import(path.join(dist, 'models/index.js'));
  for (const name of ['trained', 'untrained']) {
    const model = await loadModel(minilmFiles(), { untrained: name === 'untrained' });
    [shown[name]] = model.forward(sentence, { attentions: [5] }).attentions.map((one) => one.toNested()[0]);
    model.dispose();
  }
});

const server = serving(site);

/** Fails unless the figure's label and matrix are those of head 12. */
async function assertShows(figure, name) {
  assert.match((await figure.locator('[part=label]').first().textContent()).trim(), labels[name]);
  const cells = await matrixOf(figure);
  assert.equal(cells.length, 13);
  cells.forEach((row, query) =>
    row.forEach(({ value, text }, key) => {
      const expected = shown[name][11][query][key];
      // The page has three decimals, which read the same as the exact number.
      assert.ok(Math.abs(value - expected) < 1e-3, `${query}, ${key}: ${value}, expected ${expected}`);
      if (text !== '') assert.equal(text, expected.toFixed(2), `${query}, ${key}`);
    }),
  );
}

describe('the first figure', () => {
  test('shows “it” → “cat” 0.71 before any binary or model is loaded, and says of what', async () => {
    const { page } = await openPage('about:blank', { serviceWorkers: 'block' });
    await page.route(/\.(wasm|safetensors)$/, (route) => route.abort());
    await page.goto(`${server.url}/?lang=en`);
    const figure = page.locator('#cat');
    await drawn(figure);
    await assertShows(figure, 'trained');
    assert.equal(await figure.locator('[part=heads-view] [role=radio]').count(), 12);
    assert.match(
      await figure.locator('.description').innerText(),
      /In head 6·12, “it” looks most at “cat” \(0\.71\)/,
    );
    assert.equal(shown.trained[11][it][cat].toFixed(2), '0.71');
  });

  test('has its weights in the HTML, without a script', async () => {
    const { page } = await openPage(`${server.url}/?lang=ko`, { javaScriptEnabled: false });
    const weights = page.locator('#cat .weights > span');
    assert.ok(await weights.first().isVisible());
    const texts = await weights.locator('data').allInnerTexts();
    assert.deepEqual(
      texts,
      shown.trained[11][it].map((weight) => weight.toFixed(2)),
    );
  });

  for (const width of [360, 1440]) {
    test(`is switched between before and after training, by keyboard too (${width} px)`, async () => {
      const { page, errors } = await openTab(`${server.url}/?lang=en`, {
        viewport: { width, height: 800 },
      });
      const figure = page.locator('#cat');
      await drawn(figure);
      const before = figure.locator('.toolbar').getByRole('checkbox', { name: 'before training' });
      assert.equal(await before.isChecked(), false);
      await before.press('Space');
      await eventually(() => assertShows(figure, 'untrained'));
      await eventually(() => {
        assert.equal(new URL(page.url()).hash, '#cat.untrained=true');
      });
      await before.press('Space');
      await eventually(() => assertShows(figure, 'trained'));
      assert.deepEqual(errors, []);
    });
  }

  for (const [width, height] of [
    [360, 780],
    [390, 844],
    [768, 1024],
    [1366, 768],
    [1440, 900],
  ]) {
    const tag = width === 360 || height === 768 ? [] : '@thorough';
    test(`shows sentence, arcs, caption and heads at once (${width} × ${height})`, { tag }, async () => {
      for (const lang of ['ko', 'en']) {
        const { page, close } = await openTab(`${server.url}/?lang=${lang}`, {
          viewport: { width, height },
        });
        const figure = page.locator('#cat');
        await figure.locator('mha-arcs path').first().waitFor();
        await eventually(async () => {
          assert.equal(await page.evaluate('scrollY'), 0);
          for (const part of ['mha-arcs [part=words]', '.description', '[part=miniature]']) {
            const { y, height: tall } = await figure.locator(part).first().boundingBox();
            assert.ok(y + tall <= height, `${part} ends at ${y + tall} of ${height} px (${lang})`);
          }
        });
        await close();
      }
    });
  }

  test('loads the model when a sentence is typed, then follows each key stroke', async () => {
    const { page, errors } = await openTab(`${server.url}/?lang=en`, { serviceWorkers: 'block' });
    const figure = page.locator('#cat');
    await arrive(figure, figure.locator('[part=word]'));
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    const field = figure.locator('[name=sentence]');
    await field.fill('The dog slept because it was tired.');
    await figure.locator('[part=word]', { hasText: 'dog' }).waitFor();
    assert.ok(requests.some((url) => url.includes('/models/minilm/')));
    await field.fill('The bird slept because it was tired.');
    await figure.locator('[part=word]', { hasText: 'bird' }).waitFor();
    // The word that was chosen is at another place now.
    assert.equal(await figure.getAttribute('token'), 'it');
    assert.deepEqual(errors, []);
  });

  test('has words beside it that its numbers bear out', () => {
    const largest = (head, query) =>
      shown.trained[head][query].indexOf(Math.max(...shown.trained[head][query]));
    const [sat, mat, tired] = [3, 6, 10];
    // “it” looks most at “cat” in head 12, at “tired” in head 10, at “mat” in head 4.
    assert.deepEqual([largest(11, it), largest(9, it), largest(3, it)], [cat, tired, mat]);
    // In head 12 almost every word looks most at “cat”.
    const words = Array.from({ length: 11 }, (_, index) => index + 1);
    assert.ok(words.filter((query) => largest(11, query) === cat).length >= 9);
    assert.deepEqual([largest(11, sat), largest(11, mat)], [cat, cat]);
    // Before training all weights of “it” are close to 1/13 = 0.08.
    assert.ok(shown.untrained[11][it].every((weight) => Math.abs(weight - 1 / 13) < 0.03));
  });
});
