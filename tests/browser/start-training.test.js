/** Training of chapter 4: it starts by itself where that is fair, and only while its reader sees it. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { arrive, eventually, site, trainers } from './support.js';
import { label, press, stepOf } from './training-figure.js';

const server = serving(site);

/** The page at its figure, before which `init` has run. */
async function open({ lang = 'ko', hash = '', ...options } = {}) {
  const { page, errors, close } = await openTab(`${server.url}/?lang=${lang}${hash}`, options);
  const element = page.locator('#training');
  return { page, element, errors, close };
}

const phaseOf = (element) => element.evaluate((node) => node.phase);
const isIn = (element, phase) => eventually(async () => assert.equal(await phaseOf(element), phase));

/** Scrolls the figure's top to that of the screen, until it stays there. */
const goTo = (element) =>
  eventually(async () => {
    const isThere = (node) => {
      const { top } = node.getBoundingClientRect();
      if (top >= 0 && top < 100) return true;
      node.scrollIntoView({ behavior: 'instant' });
      return false;
    };
    await element
      .locator('[data-do]')
      .first()
      .waitFor({ state: 'attached', timeout: 500 })
      .catch(() => {});
    assert.ok(await element.evaluate(isThere));
    assert.ok(await element.locator('[data-do=load]').isVisible());
  });

const toTop = (page) => page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));

/** Waits until the page has linked its prose and the figure, which it does with the start of training. */
const isReady = (page) =>
  eventually(async () => assert.ok(await page.locator('#training').evaluate((node) => 'phase' in node)));

for (const lang of ['ko', 'en']) {
  describe(`training (${lang})`, () => {
    test('starts when its figure comes into view, pauses out of view, and goes on', async () => {
      const { page, element, errors, close } = await open({ lang });
      await isReady(page);
      assert.equal(await phaseOf(element), 'idle');
      assert.equal(trainers(page).length, 0);
      await goTo(element);
      await eventually(async () => assert.ok((await stepOf(element)) > 0));
      assert.equal(trainers(page).length, 1);
      assert.match(await label(element), lang === 'ko' ? /헤드 16개/ : /16 heads/);
      await toTop(page);
      await isIn(element, 'paused');
      const before = await stepOf(element);
      await goTo(element);
      await isIn(element, 'training');
      await eventually(async () => assert.ok((await stepOf(element)) > before));
      assert.deepEqual(errors, []);
      await close();
    });
  });
}

test('training rests while another tab is shown', async () => {
  const { page, element, close } = await open();
  await goTo(element);
  await isIn(element, 'training');
  const show = (isHidden) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await show(true);
  await isIn(element, 'paused');
  await show(false);
  await isIn(element, 'training');
  await close();
});

test('training that the reader has paused stays so, and what they have reset does not start again', async () => {
  const { page, element, close } = await open();
  await goTo(element);
  await isIn(element, 'training');
  await press(element, 'pause');
  await isIn(element, 'paused');
  for (const phase of ['paused', 'idle']) {
    await toTop(page);
    await eventually(async () =>
      assert.ok(await element.evaluate((node) => node.getBoundingClientRect().top > innerHeight)),
    );
    await goTo(element);
    assert.equal(await phaseOf(element), phase);
    if (phase === 'paused') await press(element, 'reset');
  }
  assert.equal(trainers(page).length, 0);
  await close();
});

test('the trained model can be loaded while another one trains, and has as many heads', async () => {
  const { element, errors, close } = await open({ lang: 'en' });
  await goTo(element);
  await isIn(element, 'training');
  const heads = await element.locator('[part=head]').count();
  await press(element, 'load');
  await eventually(async () =>
    assert.match(await label(element), /^Loaded from a file – trained for 2,000 steps/),
  );
  assert.equal(await element.locator('[part=head]').count(), heads);
  // Its training could go on, but nobody has asked for it.
  await isIn(element, 'paused');
  assert.deepEqual(errors, []);
  await close();
});

/** Where training waits for its reader. */
const WAITING = {
  'with less motion': { reducedMotion: 'reduce' },
  'with less data': {
    init: () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'where a link gives the figure a state': { hash: '#training.compare=true' },
};

for (const [where, options] of Object.entries(WAITING)) {
  test(`training waits for its reader ${where}`, async () => {
    const { page, element, close } = await open(options);
    await goTo(element);
    // Whatever starts by itself has done so before the page answers to its buttons.
    const button = page.getByRole('button', { name: '‘위에’를 가려' });
    await eventually(async () => assert.notEqual(await button.getAttribute('aria-pressed'), null));
    await goTo(element);
    assert.equal(await phaseOf(element), 'idle');
    assert.equal(trainers(page).length, 0);
    await press(element, 'start');
    await eventually(async () => assert.ok((await stepOf(element)) > 0));
    await close();
  });

  test(`a button of the prose starts training ${where}`, async () => {
    const { page, element, close } = await open(options);
    await goTo(element);
    const button = page.getByRole('button', { name: '‘위에’를 가려' });
    await eventually(async () => assert.notEqual(await button.getAttribute('aria-pressed'), null));
    await button.evaluate((one) => one.click());
    await eventually(async () => {
      assert.equal(await element.locator('[data-place][aria-pressed=true]').innerText(), '위에');
      assert.ok((await stepOf(element)) > 0);
    });
    await close();
  });
}

/** The height of the drawn figure, and what stands below its top. */
const placesIn = (element) =>
  element.evaluate((node) => {
    const { top } = node.getBoundingClientRect();
    const parts = ['controls', 'label', 'words', 'guesses', 'reason', 'time', 'head', 'more', 'note'];
    return parts.map((part) => {
      const box = node.shadowRoot.querySelector(`[part~=${part}]`).getBoundingClientRect();
      return [part, Math.round(box.top - top)];
    });
  });

for (const [lang, width] of [
  ['ko', 1440],
  ['en', 1440],
  ['ko', 768],
  ['en', 768],
  ['ko', 360],
  ['en', 360],
]) {
  test(`nothing moves when training starts (${lang}, ${width} pixels)`, async () => {
    const { page, element, close } = await open({
      lang,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await goTo(element);
    await element.locator('mha-arcs [part=arcs]').waitFor({ state: 'attached' });
    await page.locator('html.fonts:not(.opens)').waitFor();
    let before;
    await eventually(async () => {
      const last = before;
      before = await placesIn(element);
      assert.deepEqual(before, last);
    });
    await press(element, 'start');
    await eventually(async () => assert.ok((await stepOf(element)) > 20));
    assert.deepEqual(await placesIn(element), before);
    await close();
  });
}

test('button, predictions and arcs are on one screen of 1440 × 900', async () => {
  const { page, element, close } = await open({ viewport: { width: 1440, height: 900 } });
  await goTo(element);
  await isIn(element, 'training');
  const header = await page.locator('body > header').boundingBox();
  for (const part of ['controls', 'guesses', 'arcs']) {
    const box = await element.locator(`[part=${part}]`).first().boundingBox();
    assert.ok(
      box.y >= header.y + header.height && box.y + box.height <= 900,
      `${part} ${JSON.stringify(box)}`,
    );
  }
  await close();
});

test('the texts of the two charts have 12 pixels or more on a phone, and stand side by side from 768', async () => {
  const { page, close } = await open({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  await arrive(page.locator('#head-counts'), page.locator('#counts-document'));
  const sizes = await page.locator('#head-counts figure > svg').evaluateAll((all) =>
    all.map((drawing) => {
      const [text] = drawing.querySelectorAll('text');
      return parseFloat(getComputedStyle(text).fontSize) * drawing.getScreenCTM().a;
    }),
  );
  assert.equal(sizes.length, 2);
  for (const size of sizes) assert.ok(size >= 12, String(size));
  await page.setViewportSize({ width: 768, height: 900 });
  const [left, right] = await page.locator('#head-counts figure').evaluateAll((all) =>
    all.map((one) => {
      const { top, left: x } = one.getBoundingClientRect();
      return { top, x };
    }),
  );
  assert.equal(left.top, right.top);
  assert.ok(right.x > left.x);
  await close();
});
