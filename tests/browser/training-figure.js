/** `<mha-training>` on a page of its own: opening it, training, and reading what it shows. */
import assert from 'node:assert/strict';
import { openTab } from './fixtures.js';
import { arrive, eventually } from './support.js';

/** A page with the figure alone. */
export const page = (lang, attributes = '') => `<!doctype html><html lang="${lang}"><meta charset="utf-8">
  <meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { margin: 16px; background: Canvas }</style>
  <script type="module" src="standalone.js"></script>
  <body><main><h1>Training</h1><mha-training ${attributes}>…</mha-training></main>`;

/** A model that takes no time. */
export const SMALL = 'layers="1" heads="2" steps="40"';

/** Whoever waits for training waits as long as it takes. */
export const PATIENCE = 60_000;

/** Opens a page with the figure; `prepare` is called with the page before it is loaded. */
export async function openTraining(address, { prepare, ...options } = {}) {
  const { page, errors, close } = await openTab(prepare ? 'about:blank' : address, options);
  page.setDefaultTimeout(60_000);
  if (prepare) {
    await prepare(page);
    await page.goto(address);
  }
  const element = page.locator('mha-training');
  await arrive(element, element.locator('[data-do=start]'));
  return { page, element, errors, close };
}

/** Presses a button; one that keeps the model is behind “More”. */
export async function press(element, what) {
  if (what === 'save') await openMore(element);
  await element.locator(`[data-do=${what}]`).click();
}
export const openMore = (element) =>
  element.locator('details[part=more]').evaluate((details) => {
    details.open = true;
  });
/** All text of the figure. */
export const textOf = (element) => element.locator('[part=figure]').innerText();
export const label = (element) => element.locator('[part=label]').innerText();
export const stepOf = async (element) => element.locator('progress').evaluate((progress) => progress.value);

/** Waits until the planned steps are done. */
export const finished = (element) =>
  eventually(async () => {
    assert.equal(await element.locator('.primary').getAttribute('data-do'), 'resume');
    const { value, max } = await element
      .locator('progress')
      .evaluate((progress) => ({ value: progress.value, max: progress.max }));
    assert.equal(value, max);
  }, PATIENCE);

/** Trains to the end. */
export async function train(element) {
  await press(element, 'start');
  await finished(element);
}

/** What was measured, as exported: one object for each line. */
export async function measured(element) {
  const [head, ...lines] = (await element.evaluate((node) => node.toCSV())).trim().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
}
export const numbers = (rows, wanted) =>
  rows
    .filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
    .map(({ value }) => Number(value));

/** Opens a disclosure of the figure, and “More” around it, unless they are open. */
export async function unfold(element, part) {
  await openMore(element);
  await element.locator(`details[part=${part}]`).evaluate((details) => {
    details.open = true;
  });
}

/** The shown head's matrix, as numbers. */
export async function matrix(element) {
  await unfold(element, 'as-matrix');
  await element.locator('mha-matrix [part=cell]').first().waitFor();
  return element
    .locator('mha-matrix tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
    );
}

export const guesses = (element) =>
  element.locator('[part=guesses] li').evaluateAll((all) =>
    all.map((one) => ({
      word: one.querySelector('[lang]').innerText.split(/\s/)[0],
      probability: Number(one.querySelector('data').value),
    })),
  );
