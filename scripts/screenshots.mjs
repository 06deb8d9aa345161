import { mkdirSync } from 'node:fs';
import { ensureBrowser } from './lib/browser.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { main } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';

const languages = ['ko', 'en'];
const colorSchemes = ['light', 'dark'];
const viewport = { width: 1120, height: 1000 };
/** Space around the figure, in CSS pixels. */
const margin = 24;

/** The top of the page as a reader finds it: the heading, the arcs, and the strip of heads. */
async function shoot(browser, url, lang, colorScheme) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${url}/?lang=${lang}`);
  const heads = page.locator('#cat mha-heads');
  await heads.waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
  // Two frames: fonts change sizes, sizes change the arcs.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const { y: top } = await page.locator('h1').boundingBox();
  const { y, height } = await heads.locator('[role=radiogroup]').boundingBox();
  await page.screenshot({
    path: inRepo('docs', `explorer-${lang}${colorScheme === 'dark' ? '-dark' : ''}.png`),
    clip: { x: 0, y: top - margin, width: viewport.width, height: y + height - top + 2 * margin },
  });
  await context.close();
}

await main(async () => {
  await ensureBuilt();
  process.env.CHROME_PATH = await ensureBrowser();
  const { launch } = await import('../tests/browser/chromium.js');
  const { serve } = await import('../tests/browser/server.js');
  mkdirSync(inRepo('docs'), { recursive: true });
  const server = await serve(inRepo('build', 'site'));
  const browser = await launch();
  for (const lang of languages) {
    for (const colorScheme of colorSchemes) await shoot(browser, server.url, lang, colorScheme);
  }
  await browser.close();
  await server.close();
});
