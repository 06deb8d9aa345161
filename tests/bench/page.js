/** Time until the page shows weights, and frame times under the pointer with long texts, in a real browser. */
import { fileURLToPath } from 'node:url';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { median } from './measure.js';

/**
 * Runs in every page before its own scripts: notes when the first figure's arcs are painted, and when numbers that
 * the module computed stand there (until then they come with the page).
 */
function watch() {
  globalThis.seen = {};
  const look = () => {
    const figure = document.querySelector('#cat');
    const arcs = figure?.shadowRoot?.querySelector('mha-arcs')?.shadowRoot?.querySelector('path');
    // What is in the document in one frame is seen with the next.
    if (arcs) globalThis.seen.weights ??= performance.now();
    if (figure?.shadowRoot?.querySelector('form')) globalThis.seen.computed ??= performance.now();
    if (!globalThis.seen.computed) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** One fresh visit, in ms from the start of the navigation. */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(url);
  await page.waitForFunction(() => globalThis.seen.computed);
  const times = await page.evaluate(() => ({
    ...globalThis.seen,
    load: performance.getEntriesByType('navigation')[0].loadEventEnd,
  }));
  await context.close();
  return times;
}

/** Medians of `visits` fresh visits. */
async function measureVisits(browser, url, visits) {
  const all = [];
  for (let i = 0; i < visits; i++) all.push(await visit(browser, url));
  const of = (name) => median(all.map((times) => times[name]));
  return { load: of('load'), weights: of('weights'), computed: of('computed') };
}

/** Frames while the pointer moves over an explorer of `words` words and `heads` heads, and its first draw; in ms. */
async function measureHover(browser, url, { words, heads, moves }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => customElements.get('mha-explorer'));
  const firstDraw = await page.evaluate(
    async ({ words, heads }) => {
      const weights = new Float32Array(heads * words * words);
      for (let row = 0; row < heads * words; row++) {
        for (let key = 0; key < words; key++) {
          weights[row * words + key] = (1 + ((row * 7 + key * 13) % 11)) / (6 * words);
        }
      }
      const tokens = Array.from({ length: words }, (_, i) => `word${i}`);
      const explorer = document.createElement('mha-explorer');
      document.body.replaceChildren(explorer);
      const begun = performance.now();
      explorer.data = { tokens, weights: { data: weights, shape: [heads, words, words] } };
      await explorer.updateComplete;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - begun;
    },
    { words, heads },
  );
  const matrix = page.locator('mha-matrix').first();
  await matrix.scrollIntoViewIfNeeded();
  const box = await matrix.boundingBox();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const next = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  for (let i = 0; i < moves; i++) {
    const x = box.x + box.width * (0.3 + (0.4 * i) / moves);
    const y = Math.min(box.y + 100 + (i % 50) * 8, 880);
    await page.mouse.move(x, y);
  }
  const frames = (await page.evaluate(() => globalThis.frames)).slice(2).sort((a, b) => a - b);
  await context.close();
  const at = (share) => frames[Math.min(frames.length - 1, Math.floor(share * frames.length))];
  return { words, heads, firstDraw, median: at(0.5), slow: at(0.95), longest: frames.at(-1) };
}

const VISITS = 5;

/** `{ visits, hovers }` of build/site. */
export async function measure() {
  const server = await serve(fileURLToPath(new URL('../../build/site', import.meta.url)));
  const browser = await launch();
  try {
    const visits = await measureVisits(browser, server.url, VISITS);
    const hovers = [];
    for (const words of [64, 512, 2048]) {
      hovers.push(await measureHover(browser, server.url, { words, heads: 4, moves: 200 }));
    }
    return { visits, hovers };
  } finally {
    await browser.close();
    await server.close();
  }
}

const ms = (time) => time.toFixed(1).padStart(8);

export const text = ({ visits, hovers }) =>
  [
    `A fresh visit, ms from the start of the navigation (median of ${VISITS})`,
    ...Object.entries(visits).map(([name, time]) => `${ms(time)}  ${name}`),
    '',
    'Frames while the pointer moves over the matrix, ms',
    '   words heads first draw   median     95 %  longest',
    ...hovers.map(({ words, heads, firstDraw, median, slow, longest }) => {
      const columns = [firstDraw, median, slow, longest].map(ms).join(' ');
      return `${String(words).padStart(8)} ${String(heads).padStart(5)}   ${columns}`;
    }),
  ].join('\n');
