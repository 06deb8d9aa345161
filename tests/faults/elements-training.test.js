/** In Chromium: the training worker dies, stops reporting or cannot be created. The element says so and can start again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../browser/support.js';
import { launch, pageOf, startPackage, tag, withPage } from './elements.js';
import { FAULTS } from './host.js';
import { isFull, Tally } from './tally.js';

const PATIENCE = 60_000;
const LANGUAGES = ['en', 'ko'];
const SAID = {
  en: { failed: /did not finish/, silent: /no response for a while/ },
  ko: { failed: /학습을 끝내지 못했어요/, silent: /한동안 응답이 없어요/ },
};
const long = tag('mha-training', 'layers="1" heads="2" steps="100000"');
const script = "import 'multihead-attention/elements/training';";
const pages = Object.fromEntries(LANGUAGES.map((lang) => [`/${lang}`, pageOf(long, { lang, script })]));

let browser, host;
before(async () => {
  [browser, host] = await Promise.all([launch(), startPackage({ pages })]);
});
after(async () => {
  await browser?.close();
  await host?.close();
});

async function open(lang, prepare) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  // The workers of the page, within reach.
  await page.addInitScript(() => {
    globalThis.made = [];
    const Native = globalThis.Worker;
    globalThis.Worker = class extends Native {
      constructor(...args) {
        super(...args);
        globalThis.made.push(this);
      }
    };
  });
  await prepare?.(page);
  await page.goto(`${host.url}/${lang}`);
  return { page, element: page.locator('mha-training'), close: () => context.close() };
}

const press = (element, what) => element.locator(`[data-do=${what}]`).click();
const trains = async (element) => {
  const step = () => element.locator('progress').evaluate(({ value }) => value);
  await eventually(async () => assert.ok((await step()) > 0), PATIENCE);
  const before = await step();
  await eventually(async () => assert.ok((await step()) > before), PATIENCE);
};
const told = (element, words) =>
  eventually(
    async () => assert.ok(await element.getByRole('alert').filter({ hasText: words }).isVisible()),
    PATIENCE,
  );
const silent = async (element) => assert.equal(await element.getByRole('alert').count(), 0);

test('the worker dies in the middle of training', async () => {
  const tally = new Tally();
  for (const lang of LANGUAGES) {
    await withPage(
      open(lang, (opened) => opened.clock.install()),
      async ({ page, element }) => {
        await press(element, 'start');
        for (let i = 0; i < (isFull || lang === 'en' ? 2 : 1); ++i) {
          await tally.attempt(`an error, the ${i}th, ${lang}`, async () => {
            await trains(element);
            await page.evaluate(() =>
              globalThis.made.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })),
            );
            await told(element, SAID[lang].failed);
            await eventually(() => assert.equal(page.workers().length, 0), PATIENCE);
            await press(element, 'retry');
            await trains(element);
            await silent(element);
          });
          await tally.attempt(`ended without a word, the ${i}th, ${lang}`, async () => {
            await page.evaluate(() => globalThis.made.at(-1).terminate());
            await page.clock.fastForward(30_000);
            await told(element, SAID[lang].silent);
            await press(element, 'reset');
            await silent(element);
            await press(element, 'start');
            await trains(element);
          });
          await tally.attempt(`its own end, the ${i}th, ${lang}`, async () => {
            // As an engine ends a worker that has no memory left: from within.
            await page
              .workers()
              .at(-1)
              .evaluate(() => close());
            await page.clock.fastForward(30_000);
            await told(element, SAID[lang].silent);
            await press(element, 'reset');
            await press(element, 'start');
            await trains(element);
          });
        }
        await tally.attempt(`one worker is left, ${lang}`, () =>
          eventually(() => assert.equal(page.workers().length, 1), PATIENCE),
        );
        await tally.attempt(`none when it is removed, ${lang}`, async () => {
          await element.evaluate((node) => node.remove());
          await eventually(() => assert.equal(page.workers().length, 0), PATIENCE);
        });
      },
    );
  }
  tally.finish();
});

test('a part of training fails, and later does not', async () => {
  const tally = new Tally();
  const parts = [/training-.*\.wasm$/, /training\/session\.js$/, /training\/binary\.js$/];
  // Without its script there is no worker, and the page itself trains.
  const workers = [/training\/worker\.js$/];
  for (const lang of LANGUAGES) {
    for (const part of [...parts, ...workers]) {
      for (const [what, fault] of Object.entries({
        missing: FAULTS.status(404),
        refused: FAULTS.refused(),
      })) {
        await tally.attempt(`${part} ${what}, ${lang}`, async () => {
          host.fault = (pathname) => (part.test(pathname) ? fault : undefined);
          await withPage(open(lang), async ({ element }) => {
            await press(element, 'start');
            if (parts.includes(part)) {
              await told(element, SAID[lang].failed);
              host.fault = () => undefined;
              await press(element, 'retry');
            }
            await trains(element);
            await silent(element);
          });
        });
      }
    }
  }
  host.fault = () => undefined;
  tally.finish();
});

test('the training worker runs out of memory', async () => {
  const tally = new Tally();
  for (const lang of LANGUAGES) {
    await tally.attempt(`no memory for the module, ${lang}`, async () => {
      const starving = (page) =>
        page.route(/training\/worker\.js$/, async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            body: `import '/starved.js'; ${await response.text()}`,
          });
        });
      await withPage(open(lang, starving), async ({ page, element }) => {
        let isStarved = true;
        await page.route('**/starved.js', (route) =>
          route.fulfill({
            contentType: 'text/javascript',
            body: isStarved
              ? `WebAssembly.instantiate = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory'));`
              : '',
          }),
        );
        await press(element, 'start');
        await told(element, SAID[lang].failed);
        assert.match(await element.getByRole('alert').innerText(), /Out of memory/);
        isStarved = false;
        await press(element, 'retry');
        await trains(element);
      });
    });
  }
  tally.finish();
});
