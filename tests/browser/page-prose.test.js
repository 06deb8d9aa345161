/** Buttons of the prose: what a button's sentence says is what its figure shows, whatever was pressed before. */
import assert from 'node:assert/strict';
import { mulberry32 } from '../mulberry32.js';
import { describe, openTab, serving, shared, test } from './fixtures.js';
import { drawn, eventually, laidOut, site } from './support.js';

const server = serving(site);

/** The numbers 0 to `count` - 1 in another order. */
function shuffled(count, seed) {
  const next = mulberry32(seed);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Opens the disclosures with buttons. */
const unfold = (page) =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll('main details:has(button[data-figure])')) one.open = true;
  });

const linked = (page) => page.locator('button[data-figure]:visible');

/** Of a button: its figure, and the numbers with two decimals between it and the end of its sentence or the next button. */
const saidBy = (button) =>
  button.evaluate((own) => {
    const block = own.closest('p, li, td, figcaption') ?? own.parentElement;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    walker.currentNode = own;
    const numbers = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (own.contains(node)) continue;
      if (node.localName === 'button') break;
      if (node.localName === 'data') numbers.push(node.textContent.trim());
      // Not the dot in a number: those are in <data>.
      else if (
        node.nodeType === Node.TEXT_NODE &&
        !node.parentElement.closest('data') &&
        /[.?!](\s|$)/.test(node.data)
      )
        break;
    }
    return {
      text: own.textContent.trim(),
      id: own.dataset.figure,
      numbers: numbers.filter((number) => /^[-−]?\d+\.\d\d$/.test(number)),
    };
  });

/** All numbers with two decimals that a figure shows, in all of its shadow trees. */
const shownBy = (page, id) =>
  page.evaluate((name) => {
    const numbers = new Set();
    const read = (root) => {
      for (const node of root.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) {
          const { parentElement } = node;
          if (parentElement && !parentElement.checkVisibility({ visibilityProperty: true })) continue;
          for (const number of node.data.match(/[-−]?\d+\.\d\d(?!\d)/g) ?? []) numbers.add(number);
        }
        if (node.localName !== 'style' && node.localName !== 'script') read(node);
      }
      if (root.shadowRoot) read(root.shadowRoot);
    };
    read(document.getElementById(name).shadowRoot);
    return [...numbers];
  }, id);

const plain = (number) => number.replace('−', '-');

for (const lang of ['ko', 'en']) {
  describe(`buttons of the prose (${lang})`, () => {
    const opened = shared(() =>
      openTab(`${server.url}/?lang=${lang}`, {
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      }),
    );

    for (const seed of [1, 2]) {
      test(`say what their figures show, in any order (${seed})`, async () => {
        test.slow();
        const { page, errors } = opened;
        const weights = [];
        page.on('request', (request) => {
          if (/models\/.*safetensors/.test(request.url())) weights.push(request.url());
        });
        await drawn(page.locator('#cat'));
        // Its calculator comes with its reader.
        await page.locator('#chapter-6').scrollIntoViewIfNeeded();
        await eventually(async () =>
          assert.equal(await page.locator('button[data-figure]:not([aria-pressed])').count(), 0),
        );
        await unfold(page);
        const count = await linked(page).count();
        assert.ok(count > 20, `${count} buttons`);
        let compared = 0;
        for (const index of shuffled(count, seed)) {
          const button = linked(page).nth(index);
          const { text, id, numbers } = await saidBy(button);
          // Not where the pointer would then point at a word of a figure in the dock.
          await button.press('Enter');
          await eventually(async () => {
            assert.equal(await button.getAttribute('aria-pressed'), 'true', `“${text}” is not pressed`);
            const shown = (await shownBy(page, id)).map(plain);
            const missing = numbers.filter((number) => !shown.includes(plain(number)));
            assert.deepEqual(missing, [], `“${text}” speaks of numbers that ${id} does not show`);
          });
          compared += numbers.length;
        }
        assert.ok(compared > 12, `${compared} numbers compared`);
        assert.deepEqual(weights, [], 'a button loads a model');
        assert.deepEqual(errors, []);
      });
    }
  });
}

describe('a button of the prose', () => {
  test('returns what it does not name to the author’s value, also where the address had another', async () => {
    const { page } = await openTab(`${server.url}/?lang=en#cat.head=2&cat.token=mat&cat.mass=0.5`);
    const cat = page.locator('#cat');
    await drawn(cat);
    assert.equal(await cat.getAttribute('head'), '2');
    const button = page.locator('button[data-figure=cat][data-state="untrained=true"]:visible').first();
    await button.press('Enter');
    await eventually(async () => {
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      assert.deepEqual(
        await cat.evaluate(({ untrained, head, token, mass, layer }) => ({
          untrained,
          head,
          token,
          mass,
          layer,
        })),
        { untrained: true, head: 11, token: 'it', mass: 1, layer: 5 },
      );
    });
    // A second press keeps the state; another state releases the button.
    await button.press('Enter');
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await cat.evaluate((figure) => (figure.head = 3));
    await eventually(async () => assert.equal(await button.getAttribute('aria-pressed'), 'false'));
  });

  test('is told from a link by its look', async () => {
    const { page } = await openTab(`${server.url}/?lang=ko`);
    const styleOf = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { textDecorationLine, backgroundColor } = getComputedStyle(one);
          return { textDecorationLine, isTinted: backgroundColor !== 'rgba(0, 0, 0, 0)' };
        });
    assert.deepEqual(await styleOf('.prose a:visible'), { textDecorationLine: 'underline', isTinted: false });
    assert.deepEqual(await styleOf('.prose button[data-figure]:visible'), {
      textDecorationLine: 'none',
      isTinted: true,
    });
  });

  for (const width of [360, 1440]) {
    test(`is at least 24 px high and on one line or a few (${width} px)`, async () => {
      const { page } = await openTab(`${server.url}/?lang=ko`, { viewport: { width, height: 900 } });
      await laidOut(page);
      const small = await linked(page).evaluateAll((all) =>
        all
          .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 24 || box.width < 24)
          .map(([text]) => text),
      );
      assert.deepEqual(small, []);
    });
  }
});
