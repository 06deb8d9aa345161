import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { serve } from '../browser/server.js';
import {
  arrive,
  assertMatrix,
  drawn,
  eventually,
  golden as goldenFile,
  goldenWeights,
  matrixOf,
  openMore,
  openPage,
} from '../browser/support.js';

/** The example that a consumer's figures show, and its weights as NumPy gives them. */
export const goldenOfExample = goldenWeights['001-b'].weights;
/** The weights that consumers compute from random vectors: those of this example. */
export const goldenOfVectors = goldenWeights['001-a'].weights;

/** Weights must be NumPy's within 1e-6. */
export function assertNumPys(weights, numpy = goldenOfVectors) {
  const expected = numpy.flat(2);
  const found = weights.flat(2);
  assert.equal(found.length, expected.length);
  const difference = Math.max(...found.map((weight, i) => Math.abs(weight - expected[i])));
  assert.ok(difference < 1e-6, `weights differ from NumPy's by ${difference}`);
}

/** Opens a page of one entry and waits until it shows its figure; NumPy's weights are compared where it has a matrix. */
export async function opensEntry(browser, url, shown) {
  const { page, errors, close } = await openPage(browser, 'about:blank');
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  await eventually(() => drawn(page.locator('body'), page.locator(shown)), PATIENCE);
  await assertPageNumPys(page);
  return { page, errors, requests, close };
}

/** The author names a model: a figure asks for it, and a worker starts. */
export async function startsModel(page) {
  const server = await serve(MODELS, { headers: { 'access-control-allow-origin': '*' } });
  try {
    const starting = page.waitForEvent('worker');
    await page.locator('mha-matrix').evaluate((matrix, model) => {
      Object.assign(matrix, { weights: 'model', model });
    }, `${server.url}/bert-10/`);
    await starting;
    await page.locator('mha-matrix [role=alert]').waitFor();
  } finally {
    await server.close();
  }
}

/** All weights that the page holds: those of its figures are `numpy`, those that it has written as text of random vectors. */
async function assertPageNumPys(page, numpy = goldenOfExample) {
  const { figures, texts } = await page.evaluate(() => ({
    figures: Array.from(
      document.querySelectorAll('mha-explorer, mha-matrix'),
      (figure) => JSON.parse(JSON.stringify(figure))?.weights,
    ),
    texts: Array.from(document.querySelectorAll('#weights'), ({ textContent }) =>
      JSON.parse(textContent || 'null'),
    ),
  }));
  for (const weights of figures) assertNumPys(weights ?? [], numpy);
  for (const weights of texts) assertNumPys(weights ?? []);
}

/** Whoever waits for a page that was built a moment ago waits as long as it takes. */
const PATIENCE = 60_000;

const nameOf = (url) => new URL(url).pathname.split('/').at(-1);

/**
 * Opens a page that shows the example, and compares all its weights. `said` are all console messages, `errors`
 * the errors among them; `binaries` the requested binaries, one entry per request. `prepare` is done with the empty page.
 */
export async function openExample(browser, url, numpy = goldenOfExample, prepare = () => {}) {
  const { page, errors, close } = await openPage(browser, 'about:blank');
  await prepare(page);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  // A development server compiles the page when it is asked for.
  await page.goto(url, { timeout: 3 * PATIENCE });
  await eventually(() => drawn(page.locator('body')), PATIENCE);
  await eventually(() => assertPageNumPys(page, numpy), PATIENCE);
  const explorer = page.locator('mha-explorer');
  if ((await explorer.count()) > 0) assertMatrix(await matrixOf(explorer), goldenOfExample[0]);
  const binaries = () => requests.filter((request) => /\.wasm$/.test(request)).map(nameOf);
  return { page, said, errors, close, binaries };
}

/** What the other pages of an application have written as texts: the state of their explorer. */
const others = [
  { document: '004-sentence', heads: 4, head: 1 },
  { document: '001-f', head: 3 },
];

/** Waits until the page's explorer has this state and NumPy's weights. */
async function isOther(page, expected) {
  const explorer = page.locator('mha-explorer');
  assert.deepEqual(await explorer.evaluate(({ state }) => state), expected);
  await openMore(explorer);
  const { weights } = goldenWeights[expected.document];
  await assertPageNumPys(page, weights);
  assertMatrix(await matrixOf(explorer), weights[expected.head ?? 0]);
}

/** Opens the other pages by their addresses, as from a bookmark; nothing is logged. */
export async function opensOthers(browser, urls) {
  assert.equal(urls.length, others.length);
  for (const [i, url] of urls.entries()) {
    const { page, errors, close } = await openPage(browser, url);
    await eventually(() => isOther(page, others[i]), PATIENCE);
    assert.deepEqual(errors, []);
    await close();
  }
}

/** Navigates to the other pages and back without reloading: all show NumPy's weights, and their own head. */
export async function navigates(page) {
  await page.evaluate(() => (globalThis.isSamePage = true));
  const explorer = page.locator('mha-explorer');
  const stateOf = () => explorer.evaluate(({ state }) => state);
  for (const expected of [...others, await stateOf()]) {
    await page.locator('#next').click();
    await eventually(() => isOther(page, expected), PATIENCE);
  }
  assert.equal(await page.evaluate(() => globalThis.isSamePage), true, 'the page was loaded anew');
}

/** A server answers with HTML for the binary: the figure shows that, and the console has the message once. */
export async function tellsOfPage(browser, url) {
  const { page, errors, close } = await openPage(browser, url);
  const detail = page.locator('mha-explorer [role=alert] .detail');
  await eventually(() => arrive(page.locator('mha-explorer'), detail), PATIENCE);
  const said = await detail.innerText();
  assert.match(
    said,
    /got a page \(HTML\) from http:.+\.wasm\..+optimizeDeps: \{ exclude: \['multihead-attention'\] \}/,
  );
  // The page itself asks for the module, too, and catches nothing.
  const [logged, ...thrown] = errors.toSorted((a, b) => b.length - a.length);
  assert.ok(logged.includes(`${said}\n`), logged);
  assert.deepEqual(thrown, [`WrongFile: ${said}`]);
  await close();
}

/** Selects a cell; a page that listens to `mha-select` shows the event. */
export async function choosesCell(page) {
  const cell = page.locator('mha-explorer mha-matrix [part=cell]').first();
  if (!(await cell.isVisible())) await page.locator('mha-explorer details.more > summary').first().click();
  await cell.click();
  await eventually(async () => {
    assert.deepEqual(JSON.parse(await page.locator('#selected').textContent()), {
      head: 0,
      query: 0,
      key: 0,
    });
  }, PATIENCE);
}

/** Shows the heads of the package's own model, whose files and binary are separate. */
export async function showsTrained(page) {
  const explorer = page.locator('mha-explorer');
  await explorer.evaluate((element) => {
    element.model = 'sentences';
  });
  await eventually(async () => {
    const { attentions } = await explorer.evaluate((element) => JSON.parse(JSON.stringify(element)) ?? {});
    assert.deepEqual(
      attentions?.map((heads) => heads.length),
      [16, 16],
    );
  }, PATIENCE);
}

/** Trains a model for some steps; resolves to whether a worker did, or the page itself. */
export async function trains(page) {
  // The small model has one.
  const before = page.workers().length;
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
  // By key: a site's own header may cover what is scrolled into view.
  await start.press('Enter');
  await eventually(async () => assert.equal(await training.getAttribute('data-step'), '20'), PATIENCE);
  return page.workers().length > before;
}

const tiny = goldenFile('models/bert-10/golden.json');
const MODELS = fileURLToPath(new URL('../golden/models/', import.meta.url));

/** Computes a pretrained model from another host; resolves to whether a worker did, or the page itself. */
export async function computesModel(page) {
  const server = await serve(MODELS, { headers: { 'access-control-allow-origin': '*' } });
  const before = page.workers().length;
  let workers = 0;
  page.on('worker', () => (workers += 1));
  const { input_ids: inputIds, attention_mask: attentionMask, token_type_ids: tokenTypeIds } = tiny.inputs;
  try {
    const { data, shape } = await page.evaluate(
      ([source, input]) => globalThis.compute(source, input),
      [`${server.url}/bert-10/`, { inputIds, attentionMask, tokenTypeIds }],
    );
    assert.deepEqual(shape, tiny.logits.shape);
    const most = Math.max(...tiny.logits.data.map(Math.abs));
    const worst = Math.max(...tiny.logits.data.map((value, i) => Math.abs(value - data[i])));
    assert.ok(worst <= 1e-5 * most, `logits differ by ${worst} of ${most}`);
    // Its worker ends.
    await eventually(async () => assert.equal(page.workers().length, before), PATIENCE);
    return workers === 1;
  } finally {
    await server.close();
  }
}
