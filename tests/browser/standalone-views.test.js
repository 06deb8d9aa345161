/** `standalone-views.js`: arcs, heads and matrix of given weights, alone in a static folder. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { serve } from './server.js';
import { assertMatrix, dist, drawn, eventually, matrixOf, repo } from './support.js';

const weights = [
  [
    [0.75, 0.25],
    [0.5, 0.5],
  ],
  [
    [1, 0],
    [0.125, 0.875],
  ],
];
const figure = JSON.stringify({ tokens: ['나는', '본다'], weights });
const html = (body, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>views</title><link rel="icon" href="data:,">
  <script type="module" src="standalone-views.js"></script>${body}`;
const inline = `<script type="application/json">${figure}</script>`;
const recipe = /```html\n(.*?)```/s.exec(readFileSync(path.join(repo, 'docs/embed.md'), 'utf8'))[1];
const long = Array.from({ length: 65 }, (_, word) => `w${word}`);
const pages = {
  '/': html(
    `<section><mha-matrix head="1">${inline}</mha-matrix></section>
    <mha-arcs>${inline}</mha-arcs><mha-heads>${inline}</mha-heads>
    <section><mha-matrix src="figure.json"></mha-matrix></section><mha-matrix id="set"></mha-matrix>`,
  ),
  '/recipe': `<!doctype html><html lang="en"><meta charset="utf-8"><title>recipe</title><link rel="icon" href="data:,">
  <section>${recipe}</section>`,
  '/refused': html(
    '<mha-matrix document="001-b"></mha-matrix><mha-arcs sentence="a b"></mha-arcs>' +
      `<mha-arcs model="minilm" sentence="a b"></mha-arcs><mha-heads sort="self">${inline}</mha-heads>`,
  ),
  '/head': html(
    ['matrix', 'arcs', 'heads'].map((view) => `<mha-${view} head="2">${inline}</mha-${view}>`).join(''),
  ),
  '/refused-ko': html('<mha-matrix document="001-b"></mha-matrix>', 'ko'),
};

let folder, server;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'standalone-views-'));
  copyFileSync(path.join(dist, 'standalone-views.js'), path.join(folder, 'standalone-views.js'));
  mkdirSync(path.join(folder, 'mha'));
  copyFileSync(path.join(dist, 'standalone-views.js'), path.join(folder, 'mha', 'standalone-views.js'));
  writeFileSync(path.join(folder, 'figure.json'), figure);
  server = await serve(folder, { pages });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('standalone-views.js, alone in a static folder', () => {
  test('draws given weights, long texts and pictures, and asks for nothing else', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    for (const view of ['mha-arcs', 'mha-heads'])
      await drawn(page.locator(view), page.locator(`${view} svg, ${view} canvas`));
    const matrices = page.locator('section');
    for (const [index, head] of [
      [0, 1],
      [1, 0],
    ]) {
      await drawn(matrices.nth(index));
      assertMatrix(await matrixOf(matrices.nth(index)), weights[head]);
    }
    const set = page.locator('#set');
    await set.evaluate((element, tokens) => {
      element.data = { tokens, weights: [tokens.map((_, i) => tokens.map((_, j) => Number(i === j)))] };
    }, long);
    await set.locator('canvas').waitFor();
    const svg = await set.evaluate(async (element) => {
      await element.updateComplete;
      return element.toSVG();
    });
    assert.match(svg, /^<svg/);
    const asked = server.answers.map(({ path }) => path);
    assert.deepEqual(new Set(asked), new Set(['/', '/standalone-views.js', '/figure.json']));
    assert.deepEqual(errors, []);
    await close();
  });

  test('draws the first recipe of docs/embed.md', async () => {
    const { page, errors, close } = await openTab(`${server.url}/recipe`);
    await drawn(page.locator('section'));
    assertMatrix(await matrixOf(page.locator('section')), weights[0]);
    assert.deepEqual(errors, []);
    await close();
  });

  test('says which head there is not, until another is chosen', async () => {
    const { page, close } = await openTab(`${server.url}/head`);
    const said = page.getByRole('alert').filter({
      hasText: /^The figure does not have this head: they count from 0 to 1\. Got 2\.$/,
    });
    await eventually(async () => assert.equal(await said.count(), 3));
    await page.evaluate(() => {
      for (const view of document.querySelectorAll('[head]')) view.head = 1;
    });
    await eventually(async () => assert.equal(await said.count(), 0));
    await close();
  });

  test('refuses what would have to be computed, by name', async () => {
    const { page, errors, close } = await openTab(`${server.url}/refused`);
    const refused = page
      .getByRole('alert')
      .filter({ hasText: 'For document, sentence, model and an order of heads' });
    await eventually(async () => assert.equal(await refused.count(), 4));
    await drawn(page.locator('mha-heads'), page.locator('mha-heads svg, mha-heads canvas'));
    assert.deepEqual(errors, []);
    await close();
    const korean = await openTab(`${server.url}/refused-ko`);
    await korean.page.getByRole('alert').filter({ hasText: '주어진 가중치만' }).waitFor();
    await korean.close();
  });
});
