/** Where the reader is: chapters, the fragment, other folders, no network, and paper. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch } from './chromium.js';
import { serve } from './server.js';
import { drawn, eventually, openPage, site } from './support.js';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const hash = (page) => new URL(page.url()).hash;
/** How far an element's top is from the top of the screen. */
const top = (page, selector) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);

const isAtTop = (page, selector) =>
  eventually(async () => {
    const distance = await top(page, selector);
    assert.ok(Math.abs(distance) < 150, `${selector} is ${distance} px from the top`);
  });

describe('chapters', () => {
  test('the list names every chapter in order', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en`);
    const links = await page
      .locator('.chapters a')
      .evaluateAll((all) => all.map((link) => [link.hash, link.querySelector('.count').textContent]));
    const chapters = await page.locator('main > .chapter').evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(chapters.length, 9);
    assert.deepEqual(
      links,
      chapters.map((id, i) => [`#${id}`, String(i + 1)]),
    );
    await close();
  });

  test('a link goes to its chapter by keyboard, marks it, and keeps the figures’ state', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en`);
    await drawn(page.locator('#cat'));
    await page.locator('#cat [part=word]').nth(7).click();
    await eventually(() => {
      assert.equal(hash(page), '#cat.token=it');
    });
    const link = page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: /Masks/ });
    await link.press('Enter');
    assert.equal(hash(page), '#chapter-4&cat.token=it');
    await isAtTop(page, '#chapter-4');
    await eventually(async () => {
      assert.equal(await page.locator('.chapters [aria-current]').count(), 1);
      assert.equal(await link.getAttribute('aria-current'), 'location');
    });
    assert.equal(await page.evaluate(() => document.activeElement.id), 'chapter-4');
    await page.goBack();
    await eventually(() => {
      assert.equal(hash(page), '#cat.token=it');
    });
    await close();
  });

  test('a fragment of place and state opens both', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=ko#chapter-3&eyes.head=2`);
    await isAtTop(page, '#chapter-3');
    const eyes = page.locator('#eyes');
    await drawn(eyes);
    await eventually(async () => {
      assert.equal(await eyes.getAttribute('head'), '2');
    });
    assert.equal(hash(page), '#chapter-3&eyes.head=2');
    await close();
  });

  test('a plain place works as on any page', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en#chapter-7`);
    await isAtTop(page, '#chapter-7');
    await close();
  });
});

describe('prose and figure', () => {
  test('stand beside each other on wide screens, and the shorter stays in view', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=en`);
    await drawn(page.locator('#cat'));
    const eyes = page.locator('#eyes');
    await drawn(eyes);
    const box = (selector) =>
      page.locator(selector).evaluate((element) => {
        const { left, top, height } = element.getBoundingClientRect();
        return { left, top, height };
      });
    const both = () =>
      Promise.all([
        box('#chapter-3 .beside:first-of-type > .prose'),
        box('#chapter-3 .beside:first-of-type > .figure'),
      ]);
    await eventually(async () => {
      const [prose, figure] = await both();
      assert.ok(figure.left > prose.left + 300);
      assert.ok(Math.abs(prose.height - figure.height) > 100);
    });
    const [prose, figure] = await both();
    const shorter = prose.height < figure.height ? '.prose' : '.figure';
    const selector = `#chapter-3 .beside:first-of-type > ${shorter}`;
    const before = await box('#chapter-3 .beside:first-of-type');
    await page.mouse.wheel(0, before.top + 100);
    await eventually(async () => {
      const row = await box('#chapter-3 .beside:first-of-type');
      assert.ok(row.top < -50, `scrolled to ${row.top}`);
      const { top, height } = await box(selector);
      assert.ok(top > 0 || top + height > 600, `${shorter} at ${top}`);
    });
    await page.setViewportSize({ width: 768, height: 900 });
    await eventually(async () => {
      const [above, below] = await both();
      assert.ok(below.top >= above.top + above.height);
    });
    await close();
  });
});

describe('elsewhere', () => {
  test('works from a folder below the root of a host', async () => {
    const deep = await serve(site, { base: '/some/folder' });
    const { page, errors, close } = await openPage(browser, `${deep.url}/some/folder/`);
    await drawn(page.locator('#cat'));
    await drawn(page.locator('#bank'));
    assert.deepEqual(errors, []);
    await close();
    await deep.close();
  });

  test('is read offline once it was read, from a folder too', async () => {
    const deep = await serve(site, { base: '/some/folder' });
    const { page, close } = await openPage(browser, `${deep.url}/some/folder/?lang=en`);
    await drawn(page.locator('#cat'));
    await eventually(async () => {
      const kept = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        const [name] = await caches.keys();
        return [
          registration?.scope,
          registration?.active?.state,
          navigator.serviceWorker.controller !== null,
          (await (await caches.open(name)).keys()).some(({ url }) => url.endsWith('.woff2')),
        ];
      });
      assert.deepEqual(kept, [`${deep.url}/some/folder/`, 'activated', true, true]);
    });
    await deep.close();
    await page.reload();
    await drawn(page.locator('#cat'));
    const figure = page.locator('#preview > *');
    // The preview has no first data: this was computed.
    await drawn(figure);
    await close();
  });

  test('prints as one column with every chapter, in ink', async () => {
    const { page, close } = await openPage(browser, `${server.url}/?lang=ko`, { colorScheme: 'dark' });
    await drawn(page.locator('#cat'));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const styles = await page.evaluate(() => ({
      scheme: getComputedStyle(document.documentElement).colorScheme,
      header: getComputedStyle(document.querySelector('body > header')).position,
      nav: getComputedStyle(document.querySelector('.chapters')).display,
      chapters: [...document.querySelectorAll('.chapter')].map(
        (chapter) => getComputedStyle(chapter).contentVisibility,
      ),
      beside: getComputedStyle(document.querySelector('.beside > .figure')).position,
      words: getComputedStyle(document.querySelector('p > button[data-figure]')).textDecorationLine,
    }));
    assert.deepEqual(styles, {
      scheme: 'light',
      header: 'static',
      nav: 'none',
      chapters: Array(9).fill('visible'),
      beside: 'static',
      words: 'none',
    });
    assert.ok((await page.pdf()).length > 50_000);
    await close();
  });
});
