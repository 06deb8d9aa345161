/** In Chromium: elements that are attached and removed, at every stage of their life, leave nothing behind. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../browser/support.js';
import { ELEMENTS, launch, pageOf, startPackage } from './elements.js';
import { isFull } from './tally.js';

/** Of each tag. */
const ATTACHED = isFull ? 1000 : 200;
/** Tolerated growth of the JavaScript heap in bytes: engine caches and noise. */
const MOST_HEAP = isFull ? 3 * 2 ** 20 : 2 ** 20;
/** Attached at once. */
const BATCH = 20;

const script = `
  import 'multihead-attention/elements';
  import { load } from 'multihead-attention';
  await load();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const make = (tag, attributes) => {
    const template = document.createElement('template');
    template.innerHTML = '<' + tag + ' ' + attributes + '>…</' + tag + '>';
    const element = document.importNode(template.content.firstChild, true);
    // Stacked at the top: figures far below wait until they are near the viewport.
    element.style.cssText = 'position: absolute; top: 0; left: 0; width: 100%';
    return element;
  };
  const isDrawn = ({ hasUpdated, shadowRoot }) =>
    hasUpdated && shadowRoot.childElementCount > 0 && !shadowRoot.querySelector('[part=waiting]');
  const LATE = 60_000;
  /** When an element is removed: at each of its stages. */
  const STAGES = [
    () => {},
    () => Promise.resolve(),
    (element) => element.updateComplete,
    frame,
    async (element) => {
      await frame();
      await frame();
    },
    async (element) => {
      for (const limit = performance.now() + LATE; !isDrawn(element); await frame()) {
        if (performance.now() > limit) throw new Error(element.localName + ' is not drawn');
      }
      // The views inside have turns of their own, and then place what they have measured.
      await element.updateComplete;
      await frame();
      await frame();
    },
  ];
  const place = document.querySelector('main');
  globalThis.gone = [];
  globalThis.cycle = async (tag, attributes, count) => {
    const elements = Array.from({ length: count }, () => make(tag, attributes));
    let drawn = 0;
    await Promise.all(
      elements.map(async (element, i) => {
        place.append(element);
        await STAGES[i % STAGES.length](element);
        if (isDrawn(element)) ++drawn;
        element.remove();
        globalThis.gone.push(new WeakRef(element));
      }),
    );
    return drawn;
  };
  globalThis.alive = () => globalThis.gone.filter((each) => each.deref()).length;
  globalThis.isReady = true;`;

let browser, host, page, cdp;
const errors = [];
before(async () => {
  [browser, host] = await Promise.all([launch(), startPackage({ pages: { '/': pageOf('', { script }) } })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${host.url}/`);
  await page.waitForFunction(() => globalThis.isReady);
  cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
});
after(async () => {
  await browser?.close();
  await host?.close();
});

/** What the page holds when all that can be collected is. */
async function measure() {
  for (let i = 0; i < 4; ++i) {
    await cdp.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (wanted) => metrics.find((metric) => metric.name === wanted).value;
  const [nodes, listeners, heap] = ['Nodes', 'JSEventListeners', 'JSHeapUsedSize'].map(value);
  return { nodes, listeners, heap, alive: await page.evaluate(() => globalThis.alive()) };
}

describe('elements attached and removed', () => {
  for (const [name, attributes] of Object.entries(ELEMENTS)) {
    test(name, async () => {
      // What the tag before has left is not this one's.
      errors.length = 0;
      await page.evaluate(() => void (globalThis.gone = []));
      const cycle = (count) =>
        page.evaluate(
          ([tag, given, times]) => globalThis.cycle(tag, given, times),
          [name, attributes, count],
        );
      // What is loaded and cached once belongs to no element.
      await cycle(BATCH);
      await cycle(BATCH);
      /** Attaches and removes them all. @returns why something is held; null if nothing is */
      const leak = async () => {
        const first = await measure();
        let drawn = 0;
        for (let i = 0; i < ATTACHED / BATCH; ++i) drawn += await cycle(BATCH);
        assert.ok(drawn >= ATTACHED / 10, `${drawn} were drawn`);
        assert.deepEqual(errors, []);
        // The engine releases its references to the last ones after a while.
        return eventually(async () => {
          const last = await measure();
          const more = Object.fromEntries(Object.keys(last).map((key) => [key, last[key] - first[key]]));
          assert.equal(last.alive, 0, `${last.alive} elements are held`);
          assert.ok(more.nodes <= 0, `${more.nodes} nodes more`);
          assert.ok(more.listeners <= 0, `${more.listeners} listeners more`);
          assert.ok(more.heap < MOST_HEAP, `${more.heap} bytes more`);
        }, 10_000).then(
          () => null,
          (error) => error,
        );
      };
      // On a busy machine Lit may prepare a template, which it keeps, only after the first measurement: that grows once.
      const found = [];
      do found.push(await leak());
      while (found.at(-1) && found.length < 3);
      assert.equal(found.at(-1), null, `each time: ${found.map(String).join('; ')}`);
      assert.equal(page.workers().length, 0);
    });
  }
});
