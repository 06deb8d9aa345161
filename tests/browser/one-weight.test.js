/** One weight by hand: the shown operands give the shown results, which are those of the model. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, openPage, openTab, serving, shared, test } from './fixtures.js';
import { dist, eventually, minilmFiles, site } from './support.js';

const server = serving(site);
const sentence = 'The cat sat on the mat because it was tired.';
const [layer, head, it, cat] = [5, 11, 8, 2];
const numberOf = (text) => Number(text.replace('−', '-'));
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

describe('one weight by hand', () => {
  const opened = shared(() => openPage(`${server.url}/?lang=ko`, { javaScriptEnabled: false }));

  const rowsOf = (page) =>
    page
      .locator('table.softmax tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

  test('the 32 products sum to the score', async () => {
    const { page } = opened;
    const text = await page.locator('.by-hand .products').textContent();
    const products = text.trim().split(' ').map(numberOf);
    assert.equal(products.length, 32);
    const score = await page.locator('.by-hand .after data').textContent();
    assert.equal(sumOf(products).toFixed(2), score);
  });

  test('the softmax of the scores is the weights, as shown', async () => {
    const { page } = opened;
    const rows = await rowsOf(page);
    assert.equal(rows.length, 13);
    const foot = await page
      .locator('table.softmax tfoot tr')
      .evaluate((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    const powers = rows.map(([, score, power]) => {
      assert.equal(Math.exp(numberOf(score)).toFixed(2), power);
      return numberOf(power);
    });
    assert.equal(sumOf(powers).toFixed(2), foot[2]);
    const weights = rows.map(([, , power, weight]) => {
      assert.equal((numberOf(power) / numberOf(foot[2])).toFixed(3), weight);
      return numberOf(weight);
    });
    assert.equal(sumOf(weights).toFixed(3), foot[3]);
    assert.equal(foot[3], '1.000');
    assert.equal(rows[cat][0], 'cat');
  });

  test('they are the model’s, and so is the context', async () => {
    const { page } = opened;
    const { loadModel } = await import(pathToFileURL(path.join(dist, 'models/index.js')).href);
    const model = await loadModel(minilmFiles());
    model.forward(sentence);
    const attention = model.attentionLayer(layer);
    const { q, k, v, scaled, weights, context } = attention.steps(
      model.attentionInput(layer),
      model.attentionOptions(layer),
    );
    const rows = await rowsOf(page);
    for (const [key, [, score, , weight]] of rows.entries()) {
      assert.equal(scaled.at(0, head, it, key).toFixed(3), String(score).replace('−', '-'));
      assert.equal(weights.at(0, head, it, key).toFixed(3), weight);
    }
    const heights = (name) =>
      page
        .locator(`.components.${name} rect`)
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute('height'))));
    const row = (step, place) => Array.from({ length: 32 }, (_, i) => step.at(0, head, place, i));
    const products = row(q, it).map((value, i) => value * row(k, cat)[i]);
    const mixed = Array.from({ length: 32 }, (_, i) =>
      sumOf(rows.map((_row, key) => weights.at(0, head, it, key) * v.at(0, head, key, i))),
    );
    row(context, it).forEach((value, i) => assert.ok(Math.abs(value - mixed[i]) < 1e-5));
    for (const [name, numbers] of [
      ['of-score', products],
      ['of-context', mixed],
    ]) {
      const drawn = await heights(name);
      const scale = Math.max(...drawn) / Math.max(...numbers.map(Math.abs));
      // A bar is at least 0.6 of 100 high, and its height has one decimal.
      numbers.forEach((value, i) =>
        assert.ok(Math.abs(drawn[i] - Math.max(0.6, Math.abs(value) * scale)) < 0.2, `${name} ${i}`),
      );
    }
    attention.dispose();
    model.dispose();
  });
});

for (const lang of ['ko', 'en'])
  test(`another key has its own products, score and row (${lang})`, async () => {
    const { page, errors } = await openTab(`${server.url}/?lang=${lang}`, { reducedMotion: 'reduce' });
    const { loadModel } = await import(pathToFileURL(path.join(dist, 'models/index.js')).href);
    const model = await loadModel(minilmFiles());
    model.forward(sentence);
    const attention = model.attentionLayer(layer);
    const { scores } = attention.steps(model.attentionInput(layer), model.attentionOptions(layer));
    await page.locator('.by-hand').scrollIntoViewIfNeeded();
    const select = page.locator('.by-hand .strip select');
    const heights = (name) =>
      page
        .locator(`.by-hand .${name} rect`)
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute('height'))));
    await eventually(async () => assert.equal(await select.inputValue(), String(cat)));
    const before = await heights('of-key');
    for (const key of [6, 0, cat]) {
      await select.selectOption(String(key));
      const score = await page.locator('.by-hand output').textContent();
      assert.equal(numberOf(score).toFixed(2), scores.at(0, head, it, key).toFixed(2));
      const products = await page.locator('.by-hand .products').textContent();
      assert.equal(sumOf(products.split(' ').map(numberOf)).toFixed(2), numberOf(score).toFixed(2));
      const [chosen, ...others] = await page
        .locator('table.softmax .chosen')
        .evaluateAll((all) => all.map((row) => row.rowIndex - 1));
      assert.deepEqual([chosen, others], [key, []]);
      assert.equal(
        (await heights('of-key')).every((height, i) => height === before[i]),
        key === cat,
      );
    }
    assert.deepEqual(errors, []);
    attention.dispose();
    model.dispose();
  });
