/**
 * Measures the built page's chapters and figures and writes web/tutorial/heights.css, so that nothing moves when they are laid
 * out or drawn:
 *
 *   npm run build && node scripts/bootstrap/provide.mjs chromium -- node scripts/page-heights.mjs
 */
/* global CSSStyleSheet, document, scrollTo */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { launch } from '../tests/browser/chromium.js';
import { serve } from '../tests/browser/server.js';

const repo = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Widths from which a height is used, up to the next one. */
const WIDTHS = [320, 360, 390, 430, 480, 600, 768, 900, 1024, 1152, 1280, 1316, 1440, 1680, 1920];

/** Sets all chapters in full, and figures at their own height. */
const NATURAL = `
  .chapter { content-visibility: visible !important; }
  main :is(mha-explorer, mha-steps, mha-shapes, mha-patches, mha-training)[id] { min-height: 0 !important; }
`;

/** Rounded heights by id: of chapters, and of figures that are not in a closed disclosure. */
function measure() {
  const heights = {};
  const all = [...document.querySelectorAll('main [id]')].filter(
    (one) => one.matches('.chapter') || one.localName.startsWith('mha-'),
  );
  for (const one of all) {
    const height = Math.round(one.getBoundingClientRect().height);
    if (height > 0 && one.localName !== 'mha-exercise') heights[one.id] = height;
  }
  return heights;
}

async function heightsIn(browser, url, lang) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('guess', ''));
  await page.goto(`${url}/?lang=${lang}`);
  // The page's policy admits no style element.
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, NATURAL);
  for (let at = 0; at < (await page.evaluate('document.documentElement.scrollHeight')); at += 500) {
    await page.evaluate((y) => scrollTo(0, y), at);
    await page.waitForTimeout(250);
  }
  const found = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    let last = '';
    for (;;) {
      await page.waitForTimeout(600);
      const now = await page.evaluate(measure);
      if (JSON.stringify(now) === last) break;
      last = JSON.stringify(now);
    }
    found.push([width, JSON.parse(last)]);
  }
  await page.close();
  return found;
}

const server = await serve(path.join(repo, 'build', 'site'));
const browser = await launch();
const rules = [];
for (const lang of ['ko', 'en']) {
  for (const [width, heights] of await heightsIn(browser, server.url, lang)) {
    const lines = Object.entries(heights).map(([id, height]) => {
      const property = /^(chapter-\d+|what-heads-do|the-end)$/.test(id)
        ? `contain-intrinsic-size: auto ${height}px`
        : `min-height: ${height}px`;
      return `  html:lang(${lang}) #${id} {\n    ${property};\n  }`;
    });
    rules.push(`@media screen and (min-width: ${width}px) {\n${lines.join('\n')}\n}`);
  }
}
await browser.close();
await server.close();
const head =
  '/* Written by scripts/page-heights.mjs: what chapters and figures will take, before they are laid out or drawn. */\n\n';
const text = await format(`${head}${rules.join('\n\n')}`, { parser: 'css' });
writeFileSync(path.join(repo, 'web', 'tutorial', 'heights.css'), text);
