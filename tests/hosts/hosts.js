/** Sites as authors make them: the files of docs/embed.md, copied to the documented places, then built. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { arrive, goldenWeights, repo } from '../browser/support.js';

export const documentation = {
  en: readFileSync(path.join(repo, 'docs', 'embed.md'), 'utf8'),
  ko: readFileSync(path.join(repo, 'docs', 'embed.ko.md'), 'utf8'),
};

/** The sections about hosts, which come after the start of the page, the recipes and the files, in the order of `HOSTS`. */
const sections = (text) => text.split(/^## /m).slice(3);

/** A section's instructions: files with their places, and the code to write. */
function instructions(section) {
  const rows = section.matchAll(/^\| `([^`]+)` +\| `([^`]+)`/gm);
  return {
    files: Array.from(rows, ([, from, to]) => ({ from, to })),
    code: Array.from(section.matchAll(/^```\w+\n([\s\S]*?)^```$/gm), ([, code]) => code),
  };
}

export const HOSTS = ['hugo', 'jekyll', 'eleventy', 'sphinx', 'mkdocs', 'markdown', 'iframe'];

/** How the documentation, in either language, has a figure put into a site of this host. */
export const instructionsFor = (host, language = 'en') =>
  instructions(sections(documentation[language])[HOSTS.indexOf(host)]);

/** A copy of this host's site with the files that the documentation names. */
export function siteOf(host, parts = ['site', 'files']) {
  const folder = mkdtempSync(path.join(tmpdir(), `${host}-`));
  if (parts.includes('site'))
    cpSync(path.join(repo, 'tests', 'hosts', 'sites', host), folder, { recursive: true });
  if (parts.includes('files')) {
    for (const { from, to } of instructionsFor(host).files)
      cpSync(path.join(repo, from), path.join(folder, to));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What shows that an element has drawn. */
const DRAWN = {
  'mha-explorer': 'mha-arcs [part=word]',
  'mha-matrix': '[part=cell]',
  'mha-arcs': '[part=word]',
  'mha-steps': '[part=step]',
  'mha-exercise': '[part=question]',
};

/** Goes to every figure until it has drawn; resolves to how many there are. */
export async function drawAll(page) {
  let count = 0;
  for (const [tag, selector] of Object.entries(DRAWN)) {
    // XPath does not search shadow roots: figures contain other figures.
    const figures = page.locator(`xpath=//${tag}`);
    for (let i = 0; i < (await figures.count()); ++i, ++count) {
      const figure = figures.nth(i);
      await arrive(figure, figure.locator(selector));
    }
  }
  return count;
}

/** A drawn figure's weights must be NumPy's within 1e-6. */
export async function isNumPys(figure) {
  const { document, figure: drawn } = await figure.evaluate((element) => ({
    document: element.document,
    figure: element.toJSON(),
  }));
  const { tokens, weights } = goldenWeights[document];
  assert.deepEqual(
    drawn.tokens,
    tokens.map((token) => token.toLowerCase()),
  );
  const [ours, numpys] = [drawn.weights, weights].map((all) => all.flat(2));
  assert.equal(ours.length, numpys.length);
  const difference = Math.max(...numpys.map((weight, i) => Math.abs(ours[i] - weight)));
  assert.ok(difference < 1e-6, `${document} differs by ${difference}`);
}

/** All figures of a page that NumPy has computed, too: at least one. */
export async function isNumPysPage(page) {
  let count = 0;
  for (const figure of await page.locator('[document]').all()) {
    if (await figure.evaluate((element) => element.summary)) continue;
    await isNumPys(figure);
    ++count;
  }
  assert.ok(count >= 1);
}

/** Opens a page of a site; `errors` are the browser's, `scripts` the figures' scripts that it fetches. */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  // A browser asks every host for this picture; that a theme has none is no matter of ours.
  await context.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  const scripts = [];
  context.on('request', (request) => {
    if (/\/standalone(\.classic)?\.js$/.test(request.url())) scripts.push(new URL(request.url()).pathname);
  });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  return { page, errors, scripts, close: () => context.close() };
}
