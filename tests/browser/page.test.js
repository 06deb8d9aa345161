import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch } from './chromium.js';
import { serve } from './server.js';
import { axeFindings, drawn, goldenWeights, openPage, site } from './support.js';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const allDrawn = async (page) => {
  for (const explorer of await page.locator('mha-explorer').all()) await drawn(explorer);
};

describe('the page', () => {
  for (const lang of ['ko', 'en']) {
    test(`loads without errors and draws all five sentences (${lang})`, async () => {
      const { page, errors, close } = await openPage(browser, `${server.url}/?lang=${lang}`);
      await allDrawn(page);
      assert.equal(await page.locator('mha-explorer').count(), 5);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('asks no other server for anything', async () => {
    const { page, close } = await openPage(browser, 'about:blank');
    const hosts = new Set();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`${server.url}/`);
    await allDrawn(page);
    await page.evaluate(() => document.fonts.ready);
    hosts.delete('null'); // data: URLs, as the icon's
    assert.deepEqual([...hosts], [server.url]);
    await close();
  });

  test('works from a folder below the root of a host', async () => {
    const deep = await serve(site, { base: '/some/folder' });
    const { page, errors, close } = await openPage(browser, `${deep.url}/some/folder/`);
    await allDrawn(page);
    assert.deepEqual(errors, []);
    await close();
    await deep.close();
  });

  test('shows heading and sentence before any script has run', async () => {
    const { page, close } = await openPage(browser, `${server.url}/`, { javaScriptEnabled: false });
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
    assert.ok(await page.getByText('The cat sat on the mat because it was tired.').isVisible());
    await close();
  });

  test('takes its language from the browser, then from the URL, then from the switch', async () => {
    for (const [locale, query, expected] of [
      ['ko-KR', '', 'ko'],
      ['en-GB', '', 'en'],
      ['de-DE', '', 'en'],
      ['en-GB', '?lang=ko', 'ko'],
      ['ko-KR', '?lang=en', 'en'],
    ]) {
      const { page, close } = await openPage(browser, `${server.url}/${query}`, { locale });
      assert.equal(await page.locator('html').getAttribute('lang'), expected, `${locale} ${query}`);
      await close();
    }

    const { page, close } = await openPage(browser, `${server.url}/?lang=ko#korean`);
    await allDrawn(page);
    const cat = page.locator('#cat');
    assert.equal(await page.title(), '멀티헤드 어텐션, 헤드마다 들여다보기');
    assert.ok(await cat.getByText('무작위 가중치 – 학습된 패턴이 아님').isVisible());
    await page.getByRole('link', { name: 'English' }).click();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.equal(await page.title(), 'Multi-head attention, head by head');
    assert.equal(new URL(page.url()).search, '?lang=en');
    assert.equal(new URL(page.url()).hash, '#korean');
    await cat.getByText('Random weights – not a learned pattern').waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Attention is not an explanation' }).isVisible());
    assert.equal(await page.getByText('어텐션은 설명이 아니에요').isVisible(), false);
    await page.reload();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await close();
  });

  for (const lang of ['ko', 'en']) {
    for (const colorScheme of ['light', 'dark']) {
      test(`axe finds nothing (${lang}, ${colorScheme})`, async () => {
        const { page, close } = await openPage(browser, `${server.url}/?lang=${lang}`, {
          colorScheme,
          reducedMotion: 'reduce',
        });
        await allDrawn(page);
        assert.deepEqual(await axeFindings(page), []);
        // The same with a locked word, an open table and a message.
        await page.locator('#cat [part=word]').nth(7).click();
        await page.locator('#cat summary').click();
        await page.locator('#cat input[name=sentence]').fill('');
        await page.locator('#cat form button').click();
        await page.locator('#cat [role=alert]').filter({ hasText: /./ }).waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await close();
      });
    }
  }

  for (const width of [320, 360, 768, 1440]) {
    test(`never scrolls sideways at ${width} px`, async () => {
      for (const lang of ['ko', 'en']) {
        const { page, close } = await openPage(browser, `${server.url}/?lang=${lang}`, {
          viewport: { width, height: 800 },
        });
        await allDrawn(page);
        await page.locator('#cat [part=word]').nth(7).click();
        await page.locator('#cat summary').click();
        await page.evaluate(() => document.fonts.ready);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(sideways, 0, lang);
        await close();
      }
    });
  }

  test('every number in the prose is the one that NumPy gives', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en`);
    const numbers = await page
      .locator('[data-of]')
      .evaluateAll((all) => all.map((element) => [element.dataset.of, element.textContent]));
    assert.equal(numbers.length, 8);
    for (const [of, text] of numbers) {
      const [id, head, query, key] = of.split(' ');
      assert.equal(text, goldenWeights[id].weights[head][query][key].toFixed(2), of);
    }
    await close();
  });

  test('buttons in the prose drive the figures', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=ko`);
    await allDrawn(page);
    await page.getByRole('button', { name: '‘it’부터 볼까요?' }).click();
    await page.locator('#cat [part=word][aria-pressed=true]', { hasText: 'it' }).waitFor();

    const korean = page.locator('#korean');
    const numbers = () =>
      korean.locator('mha-matrix data').evaluateAll((all) => all.map(({ value }) => Number(value)));
    const before = await numbers();
    await page.getByRole('button', { name: '‘attention is all you need’ 넣기' }).click();
    await korean.locator('[part=word]', { hasText: 'attention' }).waitFor();
    assert.deepEqual(await numbers(), before, 'five other words give the same numbers, as the prose says');
    await page.getByRole('button', { name: '고양이 문장으로 돌아오기' }).click();
    await korean.locator('[part=word]', { hasText: '고양이가' }).waitFor();
    await close();
  });

  test('the snippet is copied', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(
      copied,
      /<script type="module" src="standalone\.js"><\/script>\n<mha-explorer document="001-b">/,
    );
    await close();
  });

  test('says so when the computing module cannot be loaded, and tries again', async () => {
    const { page, close } = await openPage(browser, 'about:blank');
    await page.route('**/*.wasm', (route) => route.abort());
    await page.goto(`${server.url}/?lang=ko`);
    const cat = page.locator('#cat');
    await cat.getByText('계산 모듈을 불러오지 못했어요').waitFor();
    assert.ok(await cat.getByText('The cat sat on the mat because it was tired.').isVisible());
    assert.deepEqual(await axeFindings(page), []);
    await page.unroute('**/*.wasm');
    await cat.getByRole('button', { name: '다시 시도' }).click();
    await drawn(cat);
    await close();
  });
});
