/** The question before the first figure, and how the untrained head turns into the trained one. */
import assert from 'node:assert/strict';
import { describe, openPage, serving, test } from './fixtures.js';
import { eventually, site } from './support.js';

const server = serving(site);
const figureOf = (page) => page.locator('#cat');
const isAsked = (page) => page.evaluate(() => document.documentElement.classList.contains('asks'));
const answer = (page, word) => page.locator('.guess .words button', { hasText: word }).first().click();
const widest = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector('#cat').shadowRoot.querySelector('mha-arcs');
    const widths = [...shadowRoot.querySelectorAll('path:not(.tip)')].map((path) =>
      Number(path.getAttribute('stroke-width')),
    );
    return Math.max(0, ...widths);
  });
const asking = (path, options = {}) => openPage(`${server.url}/${path}`, { asks: true, ...options });

/** Waits until the page takes answers and the figure is drawn under the question. */
const ready = (page) =>
  eventually(async () => {
    assert.ok(await page.evaluate(() => document.documentElement.classList.contains('listens')));
    assert.ok((await widest(page)) > 0, 'the figure is drawn');
  });

const SAID = {
  ko: { right: /맞아요.*‘cat’.*0\.71/, wrong: /‘mat’에 0\.10, ‘cat’에 0\.71/, skipped: /‘cat’.*0\.71/ },
  en: {
    right: /^Right.*“cat”.*0\.71/,
    wrong: /“mat”, your choice, a weight of 0\.10, “cat” 0\.71/,
    skipped: /“cat” \(0\.71\)/,
  },
};

for (const lang of ['ko', 'en']) {
  describe(`the first question (${lang})`, () => {
    for (const [kind, word] of [
      ['right', 'cat'],
      ['wrong', 'mat'],
    ]) {
      test(`tells of the ${kind} answer what the head does`, async () => {
        const { page, errors } = await asking(`?lang=${lang}`, { reducedMotion: 'reduce' });
        await ready(page);
        await answer(page, word);
        await eventually(async () => assert.match(await page.locator('.told').innerText(), SAID[lang][kind]));
        assert.equal(await isAsked(page), false);
        assert.match(
          await page.locator(`#the-end [lang=${lang}] .recalled`).textContent(),
          kind === 'right' ? /cat.*0\.71/ : /mat.*0\.10/,
        );
        assert.match(await figureOf(page).locator('.description').innerText(), /6·12.*0\.71/);
        // What it says is of this head alone.
        await figureOf(page).locator('[name=head]').selectOption('3');
        await eventually(async () => assert.equal(await page.locator('.told').isVisible(), false));
        assert.deepEqual(errors, []);
      });
    }

    test('gives way to the figure when the reader scrolls on', async () => {
      const { page } = await asking(`?lang=${lang}`, { reducedMotion: 'reduce' });
      await ready(page);
      await page.evaluate(() => document.querySelector('#chapter-1').scrollIntoView());
      await eventually(async () => assert.equal(await isAsked(page), false));
      assert.equal(await figureOf(page).evaluate((figure) => figure.inert), false);
    });

    test('can be skipped, by keyboard too, and is not asked again', async () => {
      const { page } = await asking(`?lang=${lang}`, { reducedMotion: 'reduce' });
      await ready(page);
      await page.locator('.skip-guess').press('Enter');
      await eventually(async () => assert.match(await page.locator('.told').innerText(), SAID[lang].skipped));
      await page.reload();
      await eventually(async () => assert.ok((await widest(page)) > 0));
      assert.equal(await isAsked(page), false);
    });
  });
}

describe('the first figure after the question', () => {
  test('turns from before training into the trained head in one movement', async () => {
    const { page } = await asking('?lang=en');
    await ready(page);
    // Another font would set the words in another size, and the arcs with them.
    await page.locator('html.fonts').waitFor();
    const widths = await page.evaluate(async () => {
      const { shadowRoot } = document.querySelector('#cat').shadowRoot.querySelector('mha-arcs');
      const seen = [];
      document.querySelector('.guess .words button').click();
      const end = performance.now() + 3000;
      while (performance.now() < end) {
        await new Promise(requestAnimationFrame);
        const paths = [...shadowRoot.querySelectorAll('path:not(.tip)')];
        seen.push(Math.max(0, ...paths.map((path) => Number(path.getAttribute('stroke-width')))));
      }
      return seen;
    });
    const low = Math.min(...widths);
    const trained = widths.at(-1);
    assert.ok(low < trained / 3, `the widest arc begins at ${low} of ${trained}`);
    const between = new Set(widths.filter((width) => width > low * 1.2 && width < trained * 0.95));
    assert.ok(between.size >= 3, `${between.size} widths are seen on the way`);
    const turn = widths.slice(widths.indexOf(low));
    assert.deepEqual(
      turn,
      turn.toSorted((a, b) => a - b),
      'it only grows',
    );
    assert.equal(new URL(page.url()).hash, '', 'the address does not know of it');
  });

  test('is there at once for a link with its state, and after a button of the text', async () => {
    const { page } = await asking('?lang=en#cat.head=3');
    assert.equal(await isAsked(page), false);
    const other = await asking('?lang=en');
    await ready(other.page);
    await other.page.locator('button[data-figure=cat][aria-pressed]').first().waitFor({ state: 'attached' });
    await other.page.locator('button[data-figure=cat]:visible', { hasText: 'head 6·10' }).first().click();
    await eventually(async () => assert.equal(await isAsked(other.page), false));
  });

  test('asks for words of the sentence but “it”, and hides the figure from the keyboard', async () => {
    const { page } = await asking('?lang=en');
    await ready(page);
    const words = await page.locator('.guess .words button').allInnerTexts();
    assert.deepEqual(words, ['the', 'cat', 'sat', 'on', 'the', 'mat', 'because', 'was', 'tired']);
    assert.equal(await page.locator('.guess .words b').innerText(), 'it');
    assert.ok(await page.evaluate(() => document.querySelector('#cat').inert));
  });

  test('is shown without the question where scripts do not run, or the module does not come', async () => {
    const plain = await asking('?lang=en', { javaScriptEnabled: false });
    assert.ok(await plain.page.locator('#cat .weights').isVisible());
    assert.equal(await plain.page.locator('.guess').isVisible(), false);
    const { page } = await openPage('about:blank', { asks: true, serviceWorkers: 'block' });
    await page.route(/\.js$/, (route) =>
      route.request().url().includes('first-language') ? route.continue() : route.abort(),
    );
    await page.goto(`${server.url}/?lang=en`);
    await eventually(async () => assert.equal(await isAsked(page), false));
  });
});
