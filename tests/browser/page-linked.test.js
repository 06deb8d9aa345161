/** Buttons of the prose and their figures: the changed part is in view after a press, on every screen. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, shared, test } from './fixtures.js';
import { arrive, drawn, eventually, site } from './support.js';

const server = serving(site);

/** Figure, text of a button, and the part that the button changes. */
const PRESSES = [
  ['qkv', 'softmax', '[role=tabpanel]'],
  ['eyes', 'head 3', '[part~=arcs-view]'],
  ['all', 'Head 2·9', '[part~=arcs-view]'],
  ['masked', 'window', '[part~=arcs-view]'],
  ['cost', 'one head', '[part~=stage]:has([aria-pressed=true])'],
  ['eyes', 'Put in', '[part~=arcs-view]'],
  ['training', 'hide “she”', '[part~=words]'],
];

/** Opens the disclosures that figures with buttons are in. */
const unfold = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('.calculate')) details.open = true;
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
      // In the dock it begins at the dock's edge.
      const header = document.querySelector('body > header').getBoundingClientRect().bottom;
      const ceiling = figure.matches('.held') ? figure.getBoundingClientRect().top : header;
      const middle = (Math.max(top, ceiling) + Math.min(bottom, innerHeight)) / 2;
      const there = document.elementFromPoint(innerWidth / 2, middle);
      return {
        seen: Math.min(bottom, innerHeight) - Math.max(top, ceiling),
        // As isSeen (web/tutorial/shown-part.ts), less the dock's edge: for two pixels it does not scroll.
        wanted: Math.min(height - 2, 0.38 * innerHeight - 34, 270),
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
          const { top, bottom } = await button.evaluate((one) => one.getBoundingClientRect());
          const free = await page.evaluate(
            () => document.querySelector('.dock-edge')?.getBoundingClientRect().top ?? innerHeight,
          );
          assert.ok(top >= 0 && bottom <= free + 1, `the button is from ${top} to ${bottom} of ${free} px`);
        });
        await page.keyboard.press('Escape');
        await eventually(async () => assert.equal(await page.locator('.held').count(), 0));
        assert.equal(await button.getAttribute('aria-pressed'), 'true', 'the state stays');
        assert.deepEqual(errors, []);
      });
    }
  });
}

test('on a first visit only the buttons of what the author wrote are pressed', async () => {
  const { page } = await openTab(`${server.url}/?lang=ko`);
  await arrive(page.locator('#eyes'), page.locator('#eyes [part]'));
  await page.locator('#chapter-6').scrollIntoViewIfNeeded();
  await eventually(async () => {
    const wrong = await page.locator('button[data-figure]').evaluateAll((all) =>
      all
        .filter((one) => {
          const figure = document.getElementById(one.dataset.figure);
          const property = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
          const isAuthored = [...new URLSearchParams(one.dataset.state)].every(
            ([name, text]) => String(figure[property(name)] || '') === (text === '0' ? '' : text),
          );
          return one.ariaPressed !== String(isAuthored);
        })
        .map(({ dataset }) => [dataset.figure, dataset.state]),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('the dock of a narrow screen', () => {
  const open = (lang = 'en') =>
    openTab(`${server.url}/?lang=${lang}`, {
      viewport: { width: 360, height: 740 },
      reducedMotion: 'reduce',
    });
  const held = (page) => page.locator('.held');
  /** Presses the first button of a figure, as far from the figure as its prose allows. */
  const ask = async (page, id) => {
    const button = page.locator(`button[data-figure=${id}]:visible`).first();
    await eventually(async () => {
      await button.evaluate((one) => one.scrollIntoView({ block: 'center' }));
      await button.press('Enter');
      assert.equal(await held(page).count(), 1);
    });
    return button;
  };

  test('opens only when asked for, on two fifths of the screen, below the pressed button', async () => {
    const { page } = await open();
    await drawn(page.locator('#cat'));
    for (const chapter of await page.locator('.chapter .prose').all()) {
      await chapter.evaluate((one) => one.scrollIntoView());
      assert.equal(await held(page).count(), 0);
    }
    const button = await ask(page, 'all');
    await eventually(async () => {
      const [edge, own] = await Promise.all(
        [page.locator('.dock-edge'), button].map((one) => one.evaluate((box) => box.getBoundingClientRect())),
      );
      assert.ok(edge.top >= 0.6 * 740, `from ${edge.top} px on`);
      assert.ok(own.top >= 44 && own.bottom <= edge.top, `the button at ${own.top} px`);
    });
  });

  for (const [lang, close, go] of [
    ['ko', '그림 닫기', '그림이 있는 곳으로 가기'],
    ['en', 'Close the figure', 'Go to the figure'],
  ]) {
    test(`closes with its button, Escape and at the figure’s own place, and moves nothing (${lang})`, async () => {
      const { page, errors } = await open(lang);
      await drawn(page.locator('#cat'));
      // Chapters are laid out anew with the page's fonts.
      await page.locator('html.fonts:not(.opens)').waitFor();
      const height = () => page.evaluate(() => document.documentElement.scrollHeight);
      const isClosed = () => eventually(async () => assert.equal(await held(page).count(), 0));
      const button = await ask(page, 'cat');
      const before = await height();
      await page.getByRole('button', { name: close }).press('Enter');
      await isClosed();
      assert.ok(await button.evaluate((one) => one === document.activeElement), 'the focus returns');
      assert.equal(await height(), before);

      await ask(page, 'cat');
      await page.keyboard.press('Escape');
      await isClosed();

      await ask(page, 'cat');
      await page.evaluate(() => scrollTo(0, 0));
      await isClosed();

      await ask(page, 'cat');
      await page.getByRole('button', { name: go }).press('Enter');
      await isClosed();
      await eventually(async () => {
        const top = await page.locator('#cat').evaluate((one) => one.getBoundingClientRect().top);
        assert.ok(top > 0 && top < 370, `the figure is at ${top} px`);
      });
      assert.deepEqual(errors, []);
    });
  }

  test('shows the word with the largest weight', async () => {
    const { page } = await open();
    await drawn(page.locator('#cat'));
    for (const state of ['head=9', 'head=3', 'untrained=true']) {
      const button = page.locator(`button[data-figure=cat][data-state="${state}"]:visible`).first();
      await button.press('Enter');
      await eventually(async () => {
        assert.equal(await button.getAttribute('aria-pressed'), 'true');
        const { top, bottom, from, to } = await page.locator('#cat').evaluate((figure) => {
          const words = [
            ...figure.shadowRoot.querySelector('mha-arcs').shadowRoot.querySelectorAll('[part~=word]'),
          ];
          const weights = words.map((word) => Number(word.querySelector('data').value));
          const word = words[weights.indexOf(Math.max(...weights))].getBoundingClientRect();
          const dock = figure.getBoundingClientRect();
          return { top: word.top, bottom: word.bottom, from: dock.top, to: dock.bottom };
        });
        assert.ok(top >= from - 1 && bottom <= to + 1, `${state}: ${top} to ${bottom} in ${from} to ${to}`);
      });
    }
  });

  test('never covers the focus', async () => {
    for (const id of ['all', 'masked']) {
      const { page, close } = await open();
      await ask(page, id);
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
