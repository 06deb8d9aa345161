/** At every width nothing on the page is squashed, cut off, out of reach or too small to be met. */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, openPage, serving, test } from './fixtures.js';
import { faultsOf } from './layout-faults.js';
import { eventually, site } from './support.js';

const server = serving(site);

/** Opens the disclosures of the page and its figures; returns how many were closed. */
function openDisclosures() {
  let count = 0;
  const open = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.localName === 'details' && !element.open) {
        // Of those with the same name only one can be open.
        element.name = '';
        element.open = true;
        count++;
      }
      if (element.shadowRoot) open(element.shadowRoot);
    }
  };
  open(document);
  return count;
}

/** Adds rules to a page whose policy allows no style element. */
const addStyle = (page, rules) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, rules);

/** The page with all of its figures drawn, and with all that can be opened open if `isOpen`. */
async function openAll(lang, isOpen) {
  // Scroll bars take room, as on most desktops.
  const opened = await openPage(`${server.url}/?lang=${lang}`, { reducedMotion: 'reduce' });
  const { page } = opened;
  for (const chapter of await page.locator('.hero, .chapter').all()) {
    await chapter.scrollIntoViewIfNeeded();
    for (const figure of await chapter.locator(':is(.figure, .exercises) > *, mha-explorer').all())
      if (await figure.isVisible()) await figure.scrollIntoViewIfNeeded();
  }
  await addStyle(
    page,
    '.chapter { content-visibility: visible !important } html { padding-inline-end: 15px }',
  );
  await eventually(async () => {
    if (isOpen) assert.equal(await page.evaluate(openDisclosures), 0);
    // Figures are drawn once they are near.
    const waiting = page.locator('[part=waiting]:visible');
    if ((await waiting.count()) > 0) await waiting.first().scrollIntoViewIfNeeded({ timeout: 5000 });
    assert.equal(await waiting.count(), 0);
  }, 120_000);
  return opened;
}

for (const lang of ['ko', 'en']) {
  for (const isOpen of [false, true]) {
    describe(`the layout (${lang}, details ${isOpen ? 'open' : 'closed'})`, { tag: '@thorough' }, () => {
      let page, close;
      beforeAll(async () => {
        ({ page, close } = await openAll(lang, isOpen));
      });
      afterAll(() => close?.());

      for (const width of [320, 360, 768, 1024, 1366, 1440, 1920]) {
        test(`has no fault at ${width} px`, async () => {
          await page.setViewportSize({ width, height: 900 });
          await eventually(async () => {
            const faults = await page.evaluate(faultsOf);
            assert.deepEqual(faults, []);
          });
        });
      }

      test('does not scroll sideways with text twice as large at 360 px', async () => {
        await addStyle(page, ':root { font-size: 200% }');
        await page.setViewportSize({ width: 360, height: 800 });
        await eventually(async () => {
          const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.equal(sideways, 0);
        });
        await page.evaluate(() => void document.adoptedStyleSheets.pop());
      });
    });
  }
}
