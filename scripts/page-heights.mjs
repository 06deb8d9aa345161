/* global CSSStyleSheet, document, requestAnimationFrame, scrollTo */
/**
 * Measures the chapters and figures of the built page, and writes web/tutorial/heights.css: the heights that the page
 * reserves before they are laid out or drawn, so that nothing moves while a reader scrolls.
 *
 *   npm run build && node scripts/page-heights.mjs && npm run build:page
 */
import { writeFileSync } from 'node:fs';
import { inRepo, main } from './bootstrap/basics.mjs';
import { launch } from '../tests/browser/chromium.js';
import { serve } from '../tests/browser/server.js';

/** Where layouts change, and enough between to draw lines through. */
const WIDTHS = [320, 360, 420, 575, 576, 767, 768, 1023, 1024, 1280, 1600, 1920];
const VIEW_HEIGHT = 900;

/** Nothing is reserved or skipped while it is measured. */
const MEASURED = `
  .chapter { content-visibility: visible !important; }
  main :is(mha-explorer, mha-steps, mha-shapes, mha-patches, mha-training)[id] { min-height: 0 !important; }`;

/** Goes to every figure until it is drawn; they are drawn near the screen. */
async function drawAll(page) {
  for (let waits = true, round = 0; waits && round < 20; round++) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += VIEW_HEIGHT) {
      await page.evaluate((top) => scrollTo(0, top), y);
      await page.waitForTimeout(60);
    }
    await page.waitForTimeout(500);
    waits = await page.evaluate(() =>
      [...document.querySelectorAll('main [url-state]')].some(
        (figure) => !figure.shadowRoot || figure.shadowRoot.querySelector('[part=waiting]'),
      ),
    );
    if (waits && round === 19) throw new Error('some figures are not drawn');
  }
}

/** Returns the heights by id once they no longer change. */
async function heightsOf(page) {
  const measure = () =>
    page.evaluate(async () => {
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      const shown = [...document.querySelectorAll('.chapter[id], main [url-state][id]')].filter(
        (element) => element.getClientRects().length > 0,
      );
      return shown.map((element) => [element.id, Math.round(element.getBoundingClientRect().height)]);
    });
  for (let last = ''; ;) {
    const now = await measure();
    if (JSON.stringify(now) === last) return new Map(now);
    last = JSON.stringify(now);
  }
}

/** A length that is `from` at one width and `to` at another. */
function line(from, to, start, end) {
  const slope = end === start ? 0 : (to - from) / (end - start);
  const shift = from - slope * start;
  if (slope === 0) return `${from}px`;
  return `calc(${shift.toFixed(1)}px + ${(slope * 100).toFixed(2)}vw)`;
}

/** The rules of one language, by width. */
function rulesOf(lang, rows, chapters) {
  return rows.slice(0, -1).flatMap(([width, heights], i) => {
    const [next, after] = rows[i + 1];
    if (next === width + 1) return [];
    const from = i === 0 ? '' : `(min-width: ${width}px)`;
    const to =
      i === rows.length - 2 ? '' : `(max-width: ${next - 0.02 + (rows[i + 2]?.[0] === next + 1 ? 1 : 0)}px)`;
    const rules = [...heights].map(([id, height]) => {
      const length = line(height, after.get(id) ?? height, width, next);
      const rule = chapters.has(id)
        ? `contain-intrinsic-block-size: auto ${length}`
        : `min-height: ${length}`;
      return `  html:lang(${lang}) #${id} { ${rule}; }\n`;
    });
    return `@media screen and ${[from, to].filter(Boolean).join(' and ')} {\n${rules.join('')}}\n`;
  });
}

await main(async () => {
  const server = await serve(inRepo('build', 'site'));
  const browser = await launch();
  const texts = await Promise.all(
    ['ko', 'en'].map(async (lang) => {
      const context = await browser.newContext({
        viewport: { width: WIDTHS.at(-1), height: VIEW_HEIGHT },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(`${server.url}/?lang=${lang}`);
      await page.evaluate((rules) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(rules);
        document.adoptedStyleSheets.push(sheet);
      }, MEASURED);
      await drawAll(page);
      await page.locator('html.fonts').waitFor({ state: 'attached' });
      const rows = [];
      for (const width of WIDTHS.toReversed()) {
        await page.setViewportSize({ width, height: VIEW_HEIGHT });
        rows.unshift([width, await heightsOf(page)]);
      }
      const ids = await page.locator('.chapter[id]').evaluateAll((all) => all.map(({ id }) => id));
      await context.close();
      return rulesOf(lang, rows, new Set(ids)).join('');
    }),
  );
  await browser.close();
  await server.close();
  writeFileSync(
    inRepo('web', 'tutorial', 'heights.css'),
    `/* Written by scripts/page-heights.mjs: heights before chapters are laid out and figures are drawn. */\n${texts.join('')}`,
  );
});
