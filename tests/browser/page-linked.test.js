/** Buttons of the prose and their figures: the changed part is in view after a press, on every screen. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, shared, test } from './fixtures.js';
import { arrive, eventually, site } from './support.js';

const server = serving(site);

/** Figure, text of a button, and the part that the button changes. */
const PRESSES = [
  ['qkv', 'softmax', '[role=tabpanel]'],
  ['eyes', 'head 3', '[part~=arcs-view]'],
  ['all', 'Head 2·9', '[part~=arcs-view]'],
  ['masked', 'window', '[part~=arcs-view]'],
  ['eyes', 'Put in', '[part~=arcs-view]'],
  ['training', 'hide “she”', '[part~=words]'],
];

/** Opens the disclosure that a figure with buttons is in. */
const unfold = (page) =>
  page.evaluate(() => {
    document.querySelector('.calculate').open = true;
  });

const buttonOf = (page, id, name) =>
  page.locator(`button[data-figure=${id}]:visible`, { hasText: name }).first();

/** How much of a figure's part is on the screen below the header, and how much is to be, in pixels. */
const seenOf = (page, id, part) =>
  page.evaluate(
    ([id, part]) => {
      const figure = document.getElementById(id);
      const shown = part === ':scope' ? figure : figure.shadowRoot.querySelector(part);
      const { top, bottom, height } = shown.getBoundingClientRect();
      const ceiling = document.querySelector('body > header').getBoundingClientRect().bottom;
      const middle = (Math.max(top, ceiling) + Math.min(bottom, innerHeight)) / 2;
      const there = document.elementFromPoint(innerWidth / 2, middle);
      return {
        seen: Math.min(bottom, innerHeight) - Math.max(top, ceiling),
        // As bringIntoView (web/tutorial/shown-part.ts): for two pixels it does not scroll.
        wanted: Math.min(height - 2, 0.38 * innerHeight, 270),
        isUncovered: figure.contains(there) || (there?.contains(figure) ?? false),
      };
    },
    [id, part],
  );

for (const [width, height] of [
  [360, 740],
  [1440, 900],
]) {
  describe(`buttons of the prose at ${width} px`, () => {
    const opened = shared(async () => {
      const tab = await openTab(`${server.url}/?lang=en`, {
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await unfold(tab.page);
      return tab;
    });

    for (const [id, name, part] of PRESSES) {
      test(`what “${name}” changes in ${id} is in view`, async () => {
        const { page, errors } = opened;
        const button = buttonOf(page, id, name);
        await arrive(page.locator(`#${id}`), page.locator(`#${id} [part]`));
        // Figures above it that are drawn meanwhile would push away what the press brings into view.
        await eventually(async () => {
          const height = () => page.evaluate(() => document.documentElement.scrollHeight);
          const before = await height();
          await page.waitForTimeout(500);
          assert.equal(await height(), before, 'the page is still growing');
        });
        await button.scrollIntoViewIfNeeded();
        await eventually(async () =>
          assert.equal(await button.getAttribute('aria-pressed'), 'false', 'before the first press'),
        );
        await button.press('Enter');
        await eventually(async () => {
          assert.equal(await button.getAttribute('aria-pressed'), 'true');
          const { seen, wanted, isUncovered } = await seenOf(page, id, part);
          assert.ok(seen >= wanted, `${seen} px of ${wanted} are seen`);
          assert.ok(isUncovered, 'something covers it');
        });
        await button.press('Enter');
        await eventually(async () =>
          assert.equal(await button.getAttribute('aria-pressed'), 'false', 'pressed once more'),
        );
        assert.deepEqual(errors, []);
      });
    }
  });
}

test('no button is pressed on a first visit', async () => {
  const { page } = await openTab(`${server.url}/?lang=ko`);
  await unfold(page);
  for (const id of ['qkv', 'all', 'eyes', 'masked', 'cost']) {
    await arrive(page.locator(`#${id}`), page.locator(`#${id} [part]`));
  }
  const pressed = await page
    .locator('button[data-figure]')
    .evaluateAll((all) =>
      all.filter((one) => one.ariaPressed !== 'false').map(({ dataset }) => dataset.state),
    );
  assert.deepEqual(pressed, []);
});

describe('on a narrow screen', () => {
  const open = () =>
    openTab(`${server.url}/?lang=en`, {
      viewport: { width: 360, height: 740 },
      reducedMotion: 'reduce',
    });
  const column = (page, id) => page.locator('.figure', { has: page.locator(`#${id}`) });
  const isHeld = (page, id) => column(page, id).evaluate((one) => one.classList.contains('held'));

  test('a figure is held while its prose is read, on two fifths of the screen at most, then has its own place', async () => {
    const { page } = await open();
    await arrive(page.locator('#eyes'), page.locator('#eyes [part=word]'));
    await page.locator('#chapter-3 h3').nth(1).scrollIntoViewIfNeeded();
    const box = () => column(page, 'eyes').evaluate((one) => one.getBoundingClientRect().top / innerHeight);
    await page
      .locator('#chapter-3 h3')
      .nth(1)
      .evaluate((one) => one.scrollIntoView());
    await eventually(async () => {
      assert.ok(await isHeld(page, 'eyes'));
      const top = await box();
      assert.ok(top >= 0.6 && top < 0.7, `held from ${top} of the screen`);
    });
    await page.locator('#eyes').evaluate((one) => one.scrollIntoView());
    await eventually(async () => assert.equal(await isHeld(page, 'eyes'), false));
  });

  test('it never covers the focus, and is released for keyboard navigation', async () => {
    for (const id of ['qkv', 'eyes', 'masked']) {
      const { page, close } = await open();
      await arrive(page.locator(`#${id}`), page.locator(`#${id} [part]`));
      const buttons = page.locator(`button[data-figure=${id}]:visible`);
      const goToFirst = async () => {
        await buttons.first().evaluate((one) => one.scrollIntoView({ block: 'end' }));
        await buttons.first().focus();
      };
      const inProse = await page
        .locator('.beside', { has: page.locator(`#${id}`) })
        .locator('.prose')
        .evaluate(
          (prose) =>
            [...prose.querySelectorAll('button, a, [tabindex="0"]')].filter((one) => one.checkVisibility())
              .length,
        );
      for (let i = 0; i < inProse + 4; i++) {
        await eventually(async () => {
          // Figures above that are still being drawn push it out of sight again.
          if (i === 0) await goToFirst();
          const { covered, inside } = await page.evaluate(() => {
            let target = document.activeElement;
            while (target.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
            const { left, right, top, bottom } = target.getBoundingClientRect();
            const below = document.querySelector('body > header').getBoundingClientRect().bottom;
            let there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            while (there?.shadowRoot) {
              const deeper = there.shadowRoot.elementFromPoint((left + right) / 2, (top + bottom) / 2);
              if (!deeper || deeper === there) break;
              there = deeper;
            }
            return {
              covered: !there || !(target.contains(there) || there.contains(target)),
              inside: bottom <= innerHeight && top >= below - 1,
            };
          });
          assert.ok(inside && !covered, `stop ${i} of ${id} is covered`);
        });
        await page.keyboard.press('Tab');
      }
      await close();
    }
  });
});
