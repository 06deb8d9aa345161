/** Navigation: chapters, the fragment, other folders; and printing. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { serve } from './server.js';
import { arrive, drawn, eventually, site } from './support.js';

const server = serving(site);

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
    const { page } = await openTab(`${server.url}/?lang=en`);
    const links = await page
      .locator('.chapters a')
      .evaluateAll((all) => all.map((link) => [link.hash, link.querySelector('.count').textContent]));
    const chapters = await page.locator('main > .chapter').evaluateAll((all) => all.map(({ id }) => id));
    const numbered = Array.from({ length: 10 }, (_, i) => `chapter-${i}`);
    assert.deepEqual(chapters, numbered.toSpliced(9, 0, 'the-end').toSpliced(4, 0, 'what-heads-do'));
    // The chapter about the first figure follows it and needs no link.
    assert.deepEqual(
      links,
      numbered.slice(1).map((id, i) => [`#${id}`, String(i + 1)]),
    );
  });

  test('a link goes to its chapter by keyboard, marks it, and keeps the figures’ state', async () => {
    const { page } = await openTab(`${server.url}/?lang=en`);
    await drawn(page.locator('#cat'));
    await page.locator('#cat [part=word]').nth(2).click();
    await eventually(() => {
      assert.equal(hash(page), '#cat.token=cat');
    });
    const link = page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: /Masks/ });
    await link.press('Enter');
    assert.equal(hash(page), '#chapter-5&cat.token=cat');
    await isAtTop(page, '#chapter-5');
    await eventually(async () => {
      assert.equal(await page.locator('.chapters [aria-current]').count(), 1);
      assert.equal(await link.getAttribute('aria-current'), 'location');
    });
    assert.equal(await page.evaluate(() => document.activeElement.id), 'chapter-5');
    await page.goBack();
    await eventually(() => {
      assert.equal(hash(page), '#cat.token=cat');
    });
  });

  test('a fragment of place and state opens both', async () => {
    const { page } = await openTab(`${server.url}/?lang=ko#chapter-3&eyes.head=2`);
    await isAtTop(page, '#chapter-3');
    const eyes = page.locator('#eyes');
    await drawn(eyes);
    await eventually(async () => {
      assert.equal(await eyes.getAttribute('head'), '2');
    });
    assert.equal(hash(page), '#chapter-3&eyes.head=2');
  });

  test('a plain place works as on any page', async () => {
    const { page } = await openTab(`${server.url}/?lang=en#chapter-4`);
    await isAtTop(page, '#chapter-4');
  });
});

describe('prose and figure', () => {
  test('stand beside each other on wide screens, and the shorter stays in view', async () => {
    const { page } = await openTab(`${server.url}/?lang=en`);
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
      // While its prose is read, the figure is held at the bottom of a narrow screen.
      await page
        .locator('#chapter-3 .beside:first-of-type')
        .evaluate((row) => row.scrollIntoView({ block: 'end' }));
      const [above, below] = await both();
      assert.ok(below.top >= above.top + above.height);
    });
  });
});

describe('the keyboard', () => {
  for (const [lang, words] of [
    ['ko', '본문으로 건너뛰기'],
    ['en', 'Skip to the content'],
  ]) {
    test(`begins with a link over the header (${lang})`, async () => {
      const { page } = await openTab(`${server.url}/?lang=${lang}`);
      await drawn(page.locator('#cat'));
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: words });
      assert.ok(await skip.evaluate((one) => one === document.activeElement));
      const { x, y, width, height } = await skip.boundingBox();
      assert.ok(x >= 0 && y >= 0 && width >= 24 && height >= 24);
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement.localName), 'main');
      await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(() => document.activeElement.closest('.hero') !== null));
    });
  }

  for (const width of [360, 1440]) {
    test(`meets each sentence once, however many words it has (${width} px)`, async () => {
      const { page } = await openTab(`${server.url}/?lang=en`, {
        viewport: { width, height: 800 },
      });
      const cat = page.locator('#cat');
      await drawn(cat);
      const word = (index) => cat.locator('[part=word]').nth(index);
      const stops = () => cat.locator('mha-arcs [part=words] [tabindex="0"]').count();
      await word(0).focus();
      await page.keyboard.press('End');
      assert.ok(await word(12).evaluate((one) => one.matches(':focus')));
      assert.equal(await stops(), 1);
      await page.keyboard.press('Tab');
      assert.equal(
        await page.evaluate(() => document.activeElement.shadowRoot.activeElement.localName),
        'mha-heads',
      );
      // A shorter sentence has no thirteenth word to stop at.
      await cat.evaluate((explorer) =>
        Object.assign(explorer, { sentence: 'the cat sat', weights: 'random' }),
      );
      await eventually(async () => assert.equal(await cat.locator('[part=word]').count(), 3));
      assert.equal(await stops(), 1);
      await cat.locator('mha-heads [tabindex="0"]').focus();
      await page.keyboard.press('Shift+Tab');
      assert.ok(await word(2).evaluate((one) => one.matches(':focus')));
    });
  }
});

describe('an exercise and its figure', () => {
  for (const width of [360, 1440]) {
    const tag = width === 360 ? [] : '@thorough';
    test(`the figure comes to the exercise, and Back leads there (${width} px)`, { tag }, async () => {
      const { page, errors } = await openTab(`${server.url}/?lang=en`, {
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      });
      const focus = () =>
        page.evaluate(() => {
          const { id, className, shadowRoot } = document.activeElement;
          return [id || className, shadowRoot?.activeElement?.dataset.action];
        });
      const seen = (locator) =>
        eventually(async () => {
          const { y, height } = await locator.boundingBox();
          assert.ok(y < 800 && y + height > 0, `${y} to ${y + height}`);
        });
      for (const [number, element] of [
        [3, 'mha-shapes'],
        [8, 'mha-steps'],
      ]) {
        const exercise = page.locator(`#exercise-${number}`);
        await page.locator('.exercise', { has: exercise }).locator('summary').first().click();
        const button = exercise.locator('[data-action=try]');
        await arrive(exercise, button);
        await button.press('Enter');
        const figure = page.locator(`#exercise-${number} + .tried ${element}`);
        await figure.locator('[part]').first().waitFor();
        assert.deepEqual(await focus(), ['tried', undefined]);
        await seen(figure);
        await page.goBack();
        await eventually(async () => {
          assert.equal(await page.locator('.tried').count(), 0);
          assert.deepEqual(await focus(), [`exercise-${number}`, 'try']);
        });
        assert.equal(hash(page), `#exercise-${number}`);
        await seen(button);

        await button.press('Enter');
        await figure.locator('[part]').first().waitFor();
        await page.getByRole('button', { name: 'Close' }).press('Enter');
        await eventually(async () => {
          assert.equal(await page.locator('.tried').count(), 0);
          assert.deepEqual(await focus(), [`exercise-${number}`, 'try']);
        });
      }
      assert.deepEqual(errors, []);
    });
  }
});

describe('elsewhere', () => {
  test('works from a folder below the root of a host', async () => {
    const deep = await serve(site, { base: '/some/folder' });
    const { page, errors, close } = await openTab(`${deep.url}/some/folder/`);
    await drawn(page.locator('#cat'));
    await drawn(page.locator('#masked'));
    assert.deepEqual(errors, []);
    await close();
    await deep.close();
  });

  test('prints as one column with every chapter, in ink', { tag: '@thorough' }, async () => {
    const { page } = await openTab(`${server.url}/?lang=ko`, { colorScheme: 'dark' });
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
      chapters: Array(12).fill('visible'),
      beside: 'static',
      words: 'none',
    });
    assert.ok((await page.pdf()).length > 50_000);
  });
});
