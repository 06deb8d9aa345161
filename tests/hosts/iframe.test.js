/** Figures in frames, on a page of another origin. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { axeFindings, drawn, eventually, openPage, repo } from '../browser/support.js';
import { isNumPys, drawAll, instructionsFor, siteOf } from './hosts.js';

const EXAMPLE = 'https://example.org';
const BASE = '/guide';

/** The figures on their host, and the page on another that frames them. */
const figures = siteOf('iframe', ['files']);
const site = siteOf('iframe', ['site']);

let browser, figureServer, siteServer;
before(async () => {
  figureServer = await serve(figures.folder, { base: BASE });
  const page = path.join(site.folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replaceAll(EXAMPLE, figureServer.url + BASE));
  const unstyled = readFileSync(page, 'utf8').replace('<link rel="stylesheet" href="page.css">', '');
  writeFileSync(path.join(site.folder, 'unstyled.html'), unstyled);
  // What one origin may not ask of the other is not asked: a policy of the page allows the frames and their script.
  const { host } = new URL(figureServer.url);
  const policy = `default-src 'none'; script-src http://${host}; frame-src http://${host}; style-src 'self'; img-src data:`;
  siteServer = await serve(site.folder, { headers: { 'content-security-policy': policy } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await figureServer?.close();
  await siteServer?.close();
  figures.remove();
  site.remove();
});

const open = (options) => openPage(browser, `${siteServer.url}/`, options);

/** The document in a frame once its figure has drawn. */
async function figureIn(page, index, tag) {
  const frame = page.locator('iframe').nth(index);
  await frame.scrollIntoViewIfNeeded();
  const inner = await (await frame.elementHandle()).contentFrame();
  await eventually(async () => assert.equal(await drawAll(inner), 1));
  return { frame, inner, element: inner.locator(tag).first() };
}

/** Waits until a frame fits its content: nothing scrolls, and at most a line is empty. */
const fits = (frame, inner) =>
  eventually(async () => {
    const [given, { needed, scrolls }] = await Promise.all([
      frame.evaluate((node) => node.clientHeight),
      inner.evaluate(() => ({
        needed: Math.ceil(document.body.getBoundingClientRect().height),
        scrolls: document.documentElement.scrollHeight > document.documentElement.clientHeight,
      })),
    ]);
    assert.equal(given, needed);
    assert.equal(scrolls, false);
  });

const heightOf = (frame) => frame.evaluate((node) => node.clientHeight);

test('the page holds the lines of the documentation', () => {
  const source = readFileSync(path.join(repo, 'tests', 'hosts', 'sites', 'iframe', 'index.html'), 'utf8');
  const { code } = instructionsFor('iframe');
  assert.equal(code.length, 1);
  assert.ok(source.includes(code[0]));
});

describe('framed figures', () => {
  test('draw NumPy’s weights, in the language and theme of the address', async () => {
    const { page, errors, close } = await open({ colorScheme: 'light' });
    const first = await figureIn(page, 0, 'mha-explorer');
    const second = await figureIn(page, 1, 'mha-matrix');
    await isNumPys(first.element);
    await isNumPys(second.element);
    const look = (inner) =>
      inner.evaluate(() => ({
        lang: document.documentElement.lang,
        title: document.title,
        ink: getComputedStyle(document.body).color,
      }));
    assert.deepEqual(await look(first.inner), {
      ...{ lang: 'ko', title: '멀티헤드 어텐션', ink: 'rgb(0, 0, 0)' },
    });
    assert.deepEqual(await look(second.inner), {
      ...{ lang: 'en', title: 'Multi-head attention', ink: 'rgb(255, 255, 255)' },
    });
    assert.equal(await second.element.evaluate((element) => element.head), 1);
    assert.deepEqual(errors, []);
    await close();
  });

  test('have the height of their figure, and follow when it changes', async () => {
    const { page, errors, close } = await open();
    const { frame, inner } = await figureIn(page, 0, 'mha-explorer');
    await fits(frame, inner);
    const closed = await heightOf(frame);
    const summaryOf = (part) => inner.locator(`mha-explorer [part=${part}] > summary`).first();
    let height = closed;
    for (const part of ['more', 'numbers']) {
      await summaryOf(part).click();
      await eventually(async () => assert.ok((await heightOf(frame)) > height + 100));
      await fits(frame, inner);
      height = await heightOf(frame);
    }
    await summaryOf('more').click();
    await eventually(async () => assert.equal(await heightOf(frame), closed));
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(frame, inner);
    assert.notEqual(await heightOf(frame), closed);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.deepEqual(errors, []);
    await close();
  });

  for (const width of [360, 1280]) {
    test(`fill their column on a page that has no style for frames, ${width} pixels wide`, async () => {
      const { page, errors, close } = await openPage(browser, `${siteServer.url}/unstyled.html`, {
        viewport: { width, height: 800 },
      });
      const { frame, inner } = await figureIn(page, 0, 'mha-explorer');
      await fits(frame, inner);
      const { column, given, needed } = await frame.evaluate((node) => ({
        column: document.querySelector('p').getBoundingClientRect().width,
        given: node.getBoundingClientRect().width,
        needed: document.documentElement.scrollWidth,
      }));
      assert.equal(given, column);
      assert.equal(needed, width);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('have their height if the script runs after their report', async () => {
    const { page, close } = await openPage(browser, `${siteServer.url}/`);
    await page.route('**/fit.js', (route) => route.abort());
    await page.reload();
    const { frame, inner } = await figureIn(page, 0, 'mha-explorer');
    assert.equal(await heightOf(frame), 480);
    await page.unroute('**/fit.js');
    await page.evaluate((src) => {
      const script = document.createElement('script');
      script.src = src;
      document.head.append(script);
    }, `${figureServer.url}${BASE}/mha/fit.js`);
    await fits(frame, inner);
    await close();
  });

  test('are distinguished: messages of others and invalid messages change nothing', async () => {
    const { page, close } = await open();
    const { frame, inner } = await figureIn(page, 0, 'mha-explorer');
    await fits(frame, inner);
    const height = await heightOf(frame);
    await page.evaluate(() => {
      for (const data of [null, 'mha-height', { type: 'mha-height', height: 7 }]) postMessage(data, '*');
    });
    for (const height of [NaN, Infinity, '9px', null, {}]) {
      await inner.evaluate((value) => parent.postMessage({ type: 'mha-height', height: value }, '*'), height);
    }
    // A frame that has gone to another origin is no longer the author's.
    await page.evaluate(() => {
      const other = document.querySelectorAll('iframe')[2];
      other.contentWindow.location = 'about:blank';
    });
    const third = page.locator('iframe').nth(2);
    const before = await heightOf(third);
    const blank = await (await third.elementHandle()).contentFrame();
    await eventually(async () => assert.equal(blank.url(), 'about:blank'));
    await blank.evaluate(() => parent.postMessage({ type: 'mha-height', height: 77 }, '*'));
    // Messages come in order: when this one has changed the frame, the others have not.
    await inner.evaluate(() => parent.postMessage({ type: 'mha-height', height: 1234 }, '*'));
    await eventually(async () => assert.equal(await heightOf(frame), 1234));
    assert.equal(await heightOf(third), before);
    assert.notEqual(height, 1234);
    await close();
  });

  test('have their height beside frames whose page has no address, and so does a page in srcdoc', async () => {
    const { page, close } = await open({ bypassCSP: true });
    const thrown = [];
    page.on('pageerror', (error) => thrown.push(String(error)));
    const { frame: first, inner } = await figureIn(page, 0, 'mha-explorer');
    // Itself: it will not be the first any more.
    const frame = await first.elementHandle();
    await fits(frame, inner);
    await page.evaluate(() => {
      const addresses = ['', 'http://', 'about:blank', 'data:text/html,a'];
      const frames = addresses.map((src) => Object.assign(document.createElement('iframe'), { src }));
      const written = document.createElement('iframe');
      written.srcdoc = `<script>parent.postMessage({ type: 'mha-height', height: 321 }, '*')</script>`;
      for (const one of [...frames, written]) {
        one.dataset.mha = '';
        one.title = 'test';
      }
      document.body.prepend(...frames, written);
    });
    await eventually(async () => assert.equal(await heightOf(page.locator('iframe[srcdoc]')), 321));
    await inner.evaluate(() => parent.postMessage({ type: 'mha-height', height: 1234 }, '*'));
    await eventually(async () => assert.equal(await heightOf(frame), 1234));
    assert.deepEqual(thrown, []);
    await close();
  });

  test('refuse unknown tags, in the language of the address', async () => {
    const { page, errors, close } = await open();
    const frame = page.locator('iframe').nth(2);
    await frame.scrollIntoViewIfNeeded();
    const inner = await (await frame.elementHandle()).contentFrame();
    await eventually(async () =>
      assert.equal(await inner.locator('body').innerText(), '그릴 수 없는 태그예요: script'),
    );
    await fits(frame, inner);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.deepEqual(errors, []);
    await close();
  });

  test('load weights of their own host only', async () => {
    const figure = {
      tokens: ['가', '나'],
      weights: [
        [
          [0.75, 0.25],
          [0.5, 0.5],
        ],
      ],
    };
    writeFileSync(path.join(figures.folder, 'mha', 'weights.json'), JSON.stringify(figure));
    writeFileSync(path.join(site.folder, 'weights.json'), JSON.stringify(figure));
    const at = (src) =>
      openPage(
        browser,
        `${figureServer.url}${BASE}/mha/embed.html?tag=mha-matrix&lang=en&src=${encodeURIComponent(src)}`,
      );
    const own = await at('weights.json');
    await drawAll(own.page);
    assert.deepEqual(await own.page.locator('mha-matrix').evaluate((element) => element.toJSON()), figure);
    assert.deepEqual(own.errors, []);
    await own.close();
    const other = await at(`${siteServer.url}/weights.json`);
    await eventually(async () =>
      assert.match(
        await other.page.locator('mha-matrix [role=alert]').innerText(),
        /The file of weights cannot be drawn/,
      ),
    );
    assert.match(
      other.errors.join('\n'),
      /violates the following Content Security Policy directive: "connect-src/,
    );
    await other.close();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing in a frame (${colorScheme})`, async () => {
      const { page, close } = await open({ colorScheme, bypassCSP: true });
      const { inner, element } = await figureIn(page, 0, 'mha-explorer');
      await drawn(element);
      // The heading is that of the page around it.
      const findings = await axeFindings(inner);
      assert.deepEqual(
        findings.filter((finding) => !finding.startsWith('page-has-heading-one')),
        [],
      );
      await close();
    });
  }
});
