/** The page as a whole: it loads, speaks two languages, fits every screen, and stays readable when things fail. */
import assert from 'node:assert/strict';
import { describe, openPage, openTab, serving, shared, test } from './fixtures.js';
import { serve } from './server.js';
import { arrive, axeFindings, drawn, eventually, OF_COLOURS, site } from './support.js';

const server = serving(site);

/** Figures are drawn near the viewport: scrolls to each. */
const allDrawn = async (page) => {
  for (const explorer of await page.locator('mha-explorer').all()) {
    await drawn(explorer);
  }
};

/** Closed details of the prose. */
const openAll = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('.prose details')) details.open = true;
  });

const explorers = ['cat', 'all', 'eyes', 'masked', 'attention'];

for (const lang of ['ko', 'en']) {
  const tag = lang === 'ko' ? [] : '@thorough';
  describe(`a first visit to all that can be drawn or folded open (${lang})`, { tag }, () => {
    const visit = shared(async () => {
      const opened = await openPage('about:blank', { reducedMotion: 'reduce' });
      const { page } = opened;
      const origins = new Set();
      page.on('request', (request) => origins.add(new URL(request.url()).origin));
      await page.goto(`${server.url}/?lang=${lang}`);
      await allDrawn(page);
      await openAll(page);
      await page.locator('#cat [part=word]').nth(7).click();
      return { ...opened, origins };
    });

    test('loads without errors and draws all sentences', async () => {
      const { page, errors } = visit;
      for (const id of explorers) assert.equal(await page.locator(`mha-explorer#${id}`).count(), 1, id);
      assert.deepEqual(errors, []);
    });

    test('asks no other server for anything', async () => {
      const { page, origins } = visit;
      await page.evaluate(() => document.fonts.ready.then(() => true));
      origins.delete('null'); // data: URLs, as the icon's
      assert.deepEqual([...origins], [server.url]);
    });

    for (const [colorScheme, rules] of [
      ['light', undefined],
      ['dark', OF_COLOURS],
    ]) {
      test(`axe finds nothing (${lang}, ${colorScheme})`, async () => {
        const { page } = visit;
        await page.emulateMedia({ colorScheme });
        await eventually(async () => {
          assert.deepEqual(await axeFindings(page, rules), []);
        });
      });
    }
  });
}

describe('the page', () => {
  test('works under a strict content security policy', { tag: '@thorough' }, async () => {
    const strict = await serve(site, {
      headers: {
        'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:",
      },
    });
    const { page, errors, close } = await openPage(`${strict.url}/?lang=en`);
    await allDrawn(page);
    assert.deepEqual(errors, []);
    await close();
    await strict.close();
  });

  for (const lang of ['ko', 'en']) {
    const other = lang === 'ko' ? 'en' : 'ko';
    test(`shows every text in one language, and in that one (${lang})`, async () => {
      const { page } = await openTab(`${server.url}/?lang=${lang}`);
      const shown = (language) =>
        page.evaluate((wanted) => {
          const texts = document.querySelectorAll(
            `:is(h1, h2, h3, p, div, span, ul)[lang=${wanted}]:not(.sentence)`,
          );
          return [...texts].filter((text) => getComputedStyle(text).display !== 'none').length;
        }, language);
      assert.equal(await shown(other), 0);
      assert.ok((await shown(lang)) > 100);
    });
  }

  test('takes its language from the browser, then from the URL, then from the switch', async () => {
    for (const [locale, query, expected] of [
      ['ko-KR', '', 'ko'],
      ['en-GB', '', 'en'],
      ['de-DE', '', 'en'],
      ['en-GB', '?lang=ko', 'ko'],
      ['ko-KR', '?lang=en', 'en'],
    ]) {
      const { page, close } = await openPage('about:blank', { locale });
      // The language is set before any module runs.
      await page.route(/attention\/(?!first-language)/, (route) => route.abort());
      await page.goto(`${server.url}/${query}`);
      assert.equal(await page.locator('html').getAttribute('lang'), expected, `${locale} ${query}`);
      await close();
    }

    const { page, close } = await openPage(`${server.url}/?lang=ko#cat.head=1`);
    const cat = page.locator('#cat');
    await drawn(cat);
    assert.equal(await page.title(), '멀티헤드 어텐션, 헤드마다 들여다보기');
    await cat.getByText('사전 학습된 모델 all-MiniLM-L6-v2').first().waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.equal(await page.title(), 'Multi-head attention, head by head');
    assert.equal(new URL(page.url()).search, '?lang=en');
    await eventually(() => {
      assert.equal(new URL(page.url()).hash, '#cat.head=1');
    });
    await cat.getByText('all-MiniLM-L6-v2, a pretrained model').first().waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Attention is not an explanation' }).isVisible());
    assert.equal(await page.getByText('어텐션은 설명이 아니에요').isVisible(), false);
    await page.reload();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await close();
  });

  test('never scrolls sideways', { tag: '@thorough' }, async () => {
    const { page } = await openTab(`${server.url}/?lang=ko`);
    await allDrawn(page);
    await openAll(page);
    for (const lang of ['한국어', 'English']) {
      await page.getByRole('link', { name: lang, exact: true }).click();
      for (const width of [320, 360, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        for (const chapter of await page.locator('.hero, .chapter').all()) {
          await chapter.scrollIntoViewIfNeeded();
          await eventually(async () => {
            const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(sideways <= 0, `${sideways} px at ${width} px, ${lang}`);
          });
        }
      }
    }
  });

  test('shows its sentences’ weights while the computing module cannot be loaded, says so, and tries again', async () => {
    // A service worker would answer instead of the network.
    const { page } = await openPage('about:blank', { serviceWorkers: 'block' });
    await page.route('**/*.wasm', (route) => route.abort());
    await page.goto(`${server.url}/?lang=ko`);
    for (const id of ['cat', 'all', 'eyes']) await drawn(page.locator(`#${id}`));
    const steps = page.locator('#preview > *');
    await page.locator('#preview').scrollIntoViewIfNeeded();
    await arrive(steps, steps.getByText('계산 모듈을 불러오지 못했어요'));
    await page.unroute('**/*.wasm');
    await steps.getByRole('button', { name: '다시 시도' }).click();
    await drawn(steps);
  });
});
