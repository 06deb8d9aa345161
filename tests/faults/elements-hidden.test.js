/** In Chromium: pages that are hidden, frozen, or left and restored. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../browser/support.js';
import { ELEMENTS, pageOf, startPackage, tag } from './elements.js';
import { launchRaw } from './raw-chromium.js';
import { Tally } from './tally.js';

const PATIENCE = 60_000;
const all = Object.keys(ELEMENTS)
  .map((name) => `<section style="height: 40px; overflow: hidden">${tag(name)}</section>`)
  .join('');
const training = tag('mha-training', 'layers="1" heads="2" steps="100000"');

let browser, host;
before(async () => {
  [browser, host] = await Promise.all([
    launchRaw(),
    startPackage({
      pages: { '/all': pageOf(all), '/training': pageOf(training), '/other': '<!doctype html><p>other' },
    }),
  ]);
});
after(async () => {
  await browser?.close();
  await host?.close();
});

const DRAWN = `[...document.querySelectorAll('section > *')].filter((element) =>
  element.shadowRoot?.childElementCount > 0 && !element.shadowRoot.querySelector('[part=waiting]')).length`;
const tags = Object.keys(ELEMENTS).length;
const visibility = (page, state) =>
  eventually(async () => assert.equal(await page.evaluate('document.visibilityState'), state), PATIENCE);
const allDrawn = (page) => eventually(async () => assert.equal(await page.evaluate(DRAWN), tags), PATIENCE);
const csv = (page) =>
  page.evaluate(`[...document.querySelectorAll('section > *')].map((element) => {
    try { return element.toCSV() } catch (error) { return error.message } })`);
const stepOf = (page) =>
  page.evaluate(`document.querySelector('mha-training').shadowRoot.querySelector('progress')?.value ?? 0`);
const press = (page, what) =>
  eventually(
    () =>
      page.evaluate(
        `document.querySelector('mha-training').shadowRoot.querySelector('[data-do=${what}]').click()`,
      ),
    PATIENCE,
  );
/** Freezes a page, as browsers do with background tabs, and resumes it, both with their events. */
const freeze = async (page) => {
  await page.evaluate(`globalThis.told = [];
    document.onfreeze = document.onresume = ({ type }) => void told.push(type)`);
  const hears = (expected) =>
    eventually(async () => assert.deepEqual(await page.evaluate('told'), expected), PATIENCE);
  await page.call('Page.setWebLifecycleState', { state: 'frozen' });
  await hears(['freeze']);
  await page.call('Page.setWebLifecycleState', { state: 'active' });
  await hears(['freeze', 'resume']);
};
const trainsOn = async (page) => {
  const before = await stepOf(page);
  await eventually(async () => assert.ok((await stepOf(page)) > before), PATIENCE);
};

test('a tab in the background', async () => {
  const tally = new Tally();
  const seen = await browser.open(`${host.url}/all`);
  await allDrawn(seen);
  const right = await csv(seen);
  const shown = async (what, page) => {
    await allDrawn(page);
    const numbers = await csv(page);
    for (const [i, name] of Object.keys(ELEMENTS).entries()) {
      await tally.attempt(`${name}, ${what}`, () => assert.equal(numbers[i], right[i]));
    }
  };
  // Loaded behind another one, and brought to the front.
  const hidden = await browser.open('about:blank');
  await seen.toFront();
  await visibility(hidden, 'hidden');
  await hidden.call('Page.navigate', { url: `${host.url}/all` });
  await eventually(
    async () => assert.equal(await hidden.evaluate('document.readyState'), 'complete'),
    PATIENCE,
  );
  await tally.attempt('is hidden while it loads', async () =>
    assert.equal(await hidden.evaluate('document.visibilityState'), 'hidden'),
  );
  await hidden.toFront();
  await visibility(hidden, 'visible');
  await shown('loaded in the background', hidden);
  // Changed while hidden.
  await visibility(seen, 'hidden');
  await seen.evaluate(`document.querySelectorAll('section > mha-arcs, section > mha-matrix').forEach((element) => {
    element.document = '004-sentence'; })`);
  await seen.toFront();
  await visibility(seen, 'visible');
  for (const name of ['mha-arcs', 'mha-matrix']) {
    await tally.attempt(`${name} changed in the background`, () =>
      eventually(async () => {
        const tokens = await seen.evaluate(
          `document.querySelector('section > ${name}').figure.tokens.join(' ')`,
        );
        assert.match(tokens, /mat/);
      }, PATIENCE),
    );
  }
  await hidden.toFront();
  await visibility(seen, 'hidden');
  const changed = await csv(seen);
  for (let i = 0; i < 3; ++i) {
    await tally.attempt('frozen', async () => {
      await freeze(seen);
      await seen.toFront();
      await visibility(seen, 'visible');
      await allDrawn(seen);
      assert.deepEqual(await csv(seen), changed);
      await hidden.toFront();
      await visibility(seen, 'hidden');
    });
  }
  await seen.close();
  await hidden.close();
  tally.finish();
});

test('training in a tab in the background', async () => {
  const tally = new Tally();
  const page = await browser.open(`${host.url}/training`);
  await press(page, 'start');
  await eventually(async () => assert.ok((await stepOf(page)) > 0), PATIENCE);
  const other = await browser.open(`${host.url}/other`);
  await visibility(page, 'hidden');
  // A worker is not throttled: it continues while hidden, and the figure shows that afterwards.
  await tally.attempt('goes on when hidden', () => trainsOn(page));
  for (let i = 0; i < 3; ++i) {
    await tally.attempt('goes on after it was frozen', async () => {
      const before = await stepOf(page);
      await freeze(page);
      assert.ok((await stepOf(page)) >= before, 'it has begun anew');
      await trainsOn(page);
    });
  }
  await tally.attempt('pauses when hidden', async () => {
    await press(page, 'pause');
    await eventually(
      async () =>
        assert.ok(
          await page.evaluate(
            `!!document.querySelector('mha-training').shadowRoot.querySelector('[data-do=resume]')`,
          ),
        ),
      PATIENCE,
    );
    await press(page, 'resume');
    await trainsOn(page);
  });
  await tally.attempt('is seen again', async () => {
    await page.toFront();
    await visibility(page, 'visible');
    await trainsOn(page);
    const alerts = `[...document.querySelector('mha-training').shadowRoot.querySelectorAll('[role=alert]')].map((one) => one.innerText)`;
    assert.deepEqual(await page.evaluate(alerts), []);
  });
  await page.close();
  await other.close();
  tally.finish();
});

test('a page that is left and restored', async () => {
  const tally = new Tally();
  for (const address of ['/all', '/training']) {
    const page = await browser.open(host.url + address);
    if (address === '/all') await allDrawn(page);
    else {
      await press(page, 'start');
      await eventually(async () => assert.ok((await stepOf(page)) > 0), PATIENCE);
    }
    let kept = 0;
    for (let i = 0; i < 5; ++i) {
      await tally.attempt(`${address}, the ${i}th time`, async () => {
        await page.evaluate(`globalThis.isSame = true`);
        await page.call('Page.navigate', { url: `${host.url}/other` });
        const at = (path) =>
          eventually(async () => assert.equal(await page.evaluate('location.pathname'), path), PATIENCE);
        await at('/other');
        await page.evaluate('history.back()');
        await at(address);
        if (await page.evaluate('globalThis.isSame === true')) ++kept;
        if (address === '/all') await allDrawn(page);
        else if (await page.evaluate('globalThis.isSame === true')) await trainsOn(page);
        // After a reload there is no model yet, and one can be trained.
        else {
          await press(page, 'start');
          await eventually(async () => assert.ok((await stepOf(page)) > 0), PATIENCE);
        }
      });
    }
    console.log(`${address}: the very same page ${kept} times`);
    if (address === '/all') assert.ok(kept > 0, 'the page never came from the cache');
    await page.close();
  }
  tally.finish();
});
