import assert from 'node:assert/strict';
import {
  arrive,
  assertMatrix,
  drawn,
  eventually,
  goldenWeights,
  matrixOf,
  openPage,
} from '../browser/support.js';

/** The example that every consumer shows, and its weights as NumPy gives them. */
const golden = goldenWeights['001-b'].weights;

/** The largest difference of any weight from NumPy's; fails where it is 1e-6 or more. */
export function differenceOf(weights) {
  const expected = golden.flat(2);
  const found = weights.flat(2);
  assert.equal(found.length, expected.length);
  const difference = Math.max(...found.map((weight, i) => Math.abs(weight - expected[i])));
  assert.ok(difference < 1e-6, `weights differ from NumPy's by ${difference}`);
  return difference;
}

/** All weights that the page holds: those of its figures, and those that it has written as text. */
const weightsOn = (page) =>
  page.evaluate(() => {
    const figures = [...document.querySelectorAll('mha-explorer, mha-matrix')];
    const texts = [...document.querySelectorAll('#weights')];
    return [
      ...figures.map((figure) => JSON.parse(JSON.stringify(figure))?.weights),
      ...texts.map(({ textContent }) => JSON.parse(textContent || 'null')),
    ];
  });

/** Whoever waits for a page that was built a moment ago waits as long as it takes. */
const PATIENCE = 60_000;

const nameOf = (url) => new URL(url).pathname.split('/').at(-1);

/** Opens a page that shows the example, and compares all its weights. `errors` is what it has said in its console. */
export async function openExample(browser, url) {
  const { page, errors, close } = await openPage(browser, 'about:blank');
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  await eventually(() => drawn(page.locator('body')), PATIENCE);
  const difference = await eventually(async () => {
    const all = await weightsOn(page);
    assert.ok(all.every(Boolean), 'a figure or text of the page has no weights yet');
    return Math.max(...all.map(differenceOf));
  }, PATIENCE);
  const explorer = page.locator('mha-explorer');
  if ((await explorer.count()) > 0) assertMatrix(await matrixOf(explorer), golden[0]);
  const binaries = () => [...new Set(requests.filter((request) => /\.wasm$/.test(request)).map(nameOf))];
  return { page, errors, close, difference, binaries };
}

/** A reader chooses a cell; a page that listens to `mha-select` writes what it hears. */
export async function choosesCell(page) {
  await page.locator('mha-explorer mha-matrix [part=cell]').first().click();
  await eventually(async () => {
    assert.deepEqual(JSON.parse(await page.locator('#selected').textContent()), {
      head: 0,
      query: 0,
      key: 0,
    });
  }, PATIENCE);
}

/** Shows the trained heads, which are in files of their own. */
export async function showsTrained(page) {
  await page.locator('mha-explorer').evaluate((explorer) => {
    explorer.weights = 'trained';
  });
  await eventually(async () => {
    const [explorer] = await weightsOn(page);
    // The package's own model has 16 heads in a layer, the example 4.
    assert.equal(explorer.length, 16);
  }, PATIENCE);
}

/** Trains a model for some steps; resolves to whether a worker did, or the page itself. */
export async function trains(page) {
  await page.evaluate(() => {
    const training = Object.assign(document.createElement('mha-training'), { steps: 20, id: 'training' });
    document.body.prepend(training);
    training.addEventListener('mha-progress', ({ detail }) => {
      training.dataset.step = detail.step;
    });
  });
  const training = page.locator('#training');
  const start = training.locator('[data-do=start]');
  await eventually(() => arrive(training, start), PATIENCE);
  await start.click();
  await eventually(async () => assert.equal(await training.getAttribute('data-step'), '20'), PATIENCE);
  return page.workers().length > 0;
}
