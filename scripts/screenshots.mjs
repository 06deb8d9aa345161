import { mkdirSync } from 'node:fs';
import { inRepo, main } from './bootstrap/basics.mjs';
import { launch } from '../tests/browser/chromium.js';
import { serve } from '../tests/browser/server.js';

const languages = ['ko', 'en'];
const colorSchemes = ['light', 'dark'];
const viewport = { width: 1120, height: 1000 };
/** Space around the figure, in CSS pixels. */
const margin = 24;

/** Each picture reaches from one element's top edge to another's bottom edge. */
const pictures = {
  // This picture has heading, arcs and strip of heads, as the page opens.
  explorer: { from: 'h1', to: '#cat mha-heads [role=radiogroup]' },
  steps: { from: 'mha-steps', to: 'mha-steps' },
};

/** Opens the page as after its first question, with the steps unfolded. */
async function openAnswered(context, address) {
  await context.addInitScript("localStorage.setItem('guess', '')");
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate("document.querySelector('.calculate').open = true");
  await page.locator('html.fonts').waitFor();
  return page;
}

/** The picture that a link to the page is shown with. */
async function shootCard(browser, url) {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 630 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await openAnswered(context, `${url}/?lang=ko`);
  await page.locator('#cat mha-arcs path').first().waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.screenshot({ path: inRepo('web', 'tutorial', 'og.png') });
  await context.close();
}

async function shoot(browser, url, name, { from, to }, lang, colorScheme) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  });
  const page = await openAnswered(context, `${url}/?lang=${lang}`);
  const [first, last] = [page.locator(from).first(), page.locator(to).first()];
  await first.scrollIntoViewIfNeeded();
  await last.locator('[part=formula], :scope').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
  // Waits two frames: fonts change sizes, then sizes change the arcs.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const { y: top } = await first.boundingBox();
  const { y, height } = await last.boundingBox();
  const scrolled = await page.evaluate('scrollY');
  await page.screenshot({
    path: inRepo('docs', `${name}-${lang}${colorScheme === 'dark' ? '-dark' : ''}.png`),
    fullPage: true,
    clip: { x: 0, y: scrolled + top - margin, width: viewport.width, height: y + height - top + 2 * margin },
  });
  await context.close();
}

await main(async () => {
  mkdirSync(inRepo('docs'), { recursive: true });
  const server = await serve(inRepo('build', 'site'));
  const browser = await launch();
  for (const lang of languages) {
    for (const colorScheme of colorSchemes) {
      for (const [name, picture] of Object.entries(pictures)) {
        await shoot(browser, server.url, name, picture, lang, colorScheme);
      }
    }
  }
  await shootCard(browser, server.url);
  await browser.close();
  await server.close();
});
