import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const fromDist = (file) => import(pathToFileURL(path.join(dist, file)).href);
const { load } = await fromDist('index.js');
const { HEAD_EXPERIMENT: experiment } = await fromDist('training/head-counts.js');
const { documents } = await load();
const { printed, computed } = documents.run('001-e');

const KINDS = ['neighbour', 'agreement', 'antecedent', 'rare'];
const HEADS = [1, 2, 4, 8, 16, 32];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const runsOf = (heads) => experiment.runs.filter((run) => run.heads === heads);
const accuracy = ({ right }) => mean(KINDS.map((kind) => right[kind] / experiment.questions[kind]));

const html = (lang, attributes = '') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark }</style>
  <script type="module" src="standalone.js"></script>
  <body><main><h1>test</h1><mha-head-counts ${attributes}></mha-head-counts></main>`;

const pages = {
  '/ko': html('ko'),
  '/en': html('en'),
  '/short': html('en', 'steps="2"'),
  '/long': html('en', 'steps="10000"'),
  '/wrong': html('en', 'steps="0"'),
};

const server = serving(dist, { pages });

/** A page whose figure has drawn all curves that come by themselves. */
async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  const figure = opened.page.locator('mha-head-counts');
  await figure.locator('.chart .printed .line[d^=M]').waitFor({ state: 'attached' });
  return { ...opened, figure };
}

const openTables = async (figure) => {
  await figure.locator('summary').click();
  await figure.locator('table').first().waitFor();
};

/** A table's numbers by row; null where there is none. */
const numbersOf = (table) =>
  table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll('td')].map((cell) => {
        const data = cell.querySelector('data');
        return data ? Number(data.value) : null;
      }),
    ),
  );

/** How many outlines a path has. */
const marks = (figure, selector) =>
  figure.locator(`.chart ${selector}`).evaluate((path) => path.getAttribute('d').split('M').length - 1);

const close = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, expected ${expected}`);

describe('without training', () => {
  let opened;
  beforeAll(async () => {
    opened = await open('en');
  });
  afterAll(() => opened?.close());

  test('three curves, with a mark for each number of heads, a bar and a ring for each seed', async () => {
    const { figure } = opened;
    assert.equal(await marks(figure, '.printed .marks'), 6);
    assert.equal(await marks(figure, '.computed .marks'), 6);
    assert.equal(await marks(figure, '.measured .marks'), 6);
    // A bar is two caps and a line.
    assert.equal(await marks(figure, '.measured .bars'), 3 * 6);
    assert.equal(await marks(figure, '.measured .rings'), experiment.runs.length);
    assert.equal(await marks(figure, '.chance .line'), 1);
    assert.equal(await figure.locator('.chart .here .line[d^=M]').count(), 0);
  });

  test('the tables have the document’s and the measured numbers', async () => {
    const { figure } = opened;
    await openTables(figure);
    const rows = await numbersOf(figure.locator('table').first());
    assert.equal(rows.length, 7);
    HEADS.forEach((heads, i) => {
      const values = runsOf(heads).map(accuracy);
      const variance = values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0) / (values.length - 1);
      const [printedValue, computedValue, middle, deviation, ...seeds] = rows[i];
      close(printedValue, printed[i].score);
      close(computedValue, computed[i].score);
      close(middle, mean(values));
      close(deviation, Math.sqrt(variance));
      assert.equal(seeds.length, values.length);
      values.forEach((value, seed) => close(seeds[seed], value));
    });
    close(rows[6][2], mean(Object.values(experiment.chance)));
    assert.deepEqual(rows[6].slice(0, 2), [null, null]);

    const byKind = await numbersOf(figure.locator('table').nth(1));
    HEADS.forEach((heads, i) => {
      KINDS.forEach((kind, column) => {
        const shares = runsOf(heads).map(({ right }) => right[kind] / experiment.questions[kind]);
        close(byKind[i][2 * column], mean(shares));
      });
    });
  });

  test('describes the chart in words, and that the document’s curves are no measurement', async () => {
    const { figure } = opened;
    const name = await figure.getByRole('img').getAttribute('aria-label');
    for (const { score } of [printed[0], printed[5], computed[0], computed[5]])
      assert.ok(name.includes(score.toFixed(3)), name);
    assert.match(name, /0\.\d{3} with 1 head, 0\.\d{3} with 32/);
    const legend = await figure.locator('[part=legend] li').allTextContents();
    assert.equal(legend.length, 4);
    assert.equal(legend.filter((line) => /nothing trained/.test(line)).length, 2);
    assert.equal(legend.filter((line) => /no unit/.test(line)).length, 2);
    assert.match(await figure.locator('[part=findings]').textContent(), /highest mean.*±.*Larger models/s);
  });

  test('exports the curves', async () => {
    const { figure, errors } = opened;
    const { svg, csv, type } = await figure.evaluate(async (element) => ({
      svg: element.toSVG(),
      csv: element.toCSV(),
      type: (await element.toPNG(1)).type,
    }));
    assert.match(svg, /^<svg .*document’s two curves/);
    assert.equal(type, 'image/png');
    const rows = csv
      .trim()
      .split('\r\n')
      .map((row) => row.split(','));
    assert.deepEqual(rows[0], ['source', 'heads', 'seed', 'steps', 'relation', 'value']);
    const measured = rows.filter(([source, , , , relation]) => source === 'measured' && relation === '');
    assert.equal(measured.length, experiment.runs.length);
    measured.forEach((row, i) => close(Number(row[5]), accuracy(experiment.runs[i])));
    assert.equal(rows.filter(([source]) => source === 'printed').length, 6);
    assert.deepEqual(errors, []);
  });
});

test('in Korean', async () => {
  const { figure, close } = await open('ko');
  assert.match(await figure.locator('figcaption').textContent(), /헤드 수에 따른/);
  assert.match(await figure.locator('[part=findings]').textContent(), /평균이 가장 높은 것은/);
  assert.equal(
    await figure
      .locator('[data-do=start]')
      .textContent()
      .then((text) => text.trim()),
    '여기서 짧게 학습하기',
  );
  await close();
});

for (const [width, options] of [
  [360, {}],
  [768, { colorScheme: 'dark' }],
  [1440, { forcedColors: 'active' }],
]) {
  test(`fits into ${width} px, and axe finds nothing ${JSON.stringify(options)}`, async () => {
    const { page, figure, close } = await open('ko', { viewport: { width, height: 900 }, ...options });
    await openTables(figure);
    assert.deepEqual(await axeFindings(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    const chart = await figure.locator('.chart svg').boundingBox();
    assert.ok(chart.x >= 0 && chart.x + chart.width <= width, JSON.stringify(chart));
    await close();
  });
}

describe('the short version', { tag: '@thorough' }, () => {
  test(
    'trains every number of heads, draws its points and says what they are worth',
    { timeout: 300_000 },
    async () => {
      const { page, figure, errors, close: leave } = await open('short');
      page.setDefaultTimeout(240_000);
      await figure.getByRole('button', { name: 'Train a short version here' }).click();
      await figure.getByRole('progressbar').waitFor();
      await figure.getByRole('button', { name: 'Train again' }).waitFor();
      assert.equal(await marks(figure, '.here .marks'), 6);
      assert.match(
        await figure.locator('[part=legend]').textContent(),
        /trained here, for 2 steps only.*no error bars/,
      );
      assert.match(await figure.locator('[part=label]').textContent(), /may be chance/);
      await openTables(figure);
      const rows = await numbersOf(figure.locator('table').first());
      const shown = rows.slice(0, 6).map((row) => row.at(-1));
      for (const value of shown) assert.ok(value >= 0 && value <= 1, String(value));
      const inCsv = await figure.evaluate((element) =>
        element
          .toCSV()
          .split('\r\n')
          .map((row) => row.split(','))
          .filter(([source]) => source === 'here'),
      );
      assert.deepEqual(
        inCsv.map(([, heads, seed, steps, , value]) => [heads, seed, steps, Number(value)]),
        HEADS.map((heads, i) => [String(heads), '0', '2', shown[i]]),
      );
      assert.match(
        await figure.getByRole('status').textContent(),
        /32 heads: accuracy 0\.\d{3}\. The short training is done/,
      );
      assert.deepEqual(errors, []);
      await leave();
    },
  );

  test('can be stopped, and started again', async () => {
    const { figure, errors, close: leave } = await open('long');
    await figure.locator('[data-do=start]').click();
    await eventually(async () => {
      const text = await figure.locator('[part=progress]').textContent();
      assert.match(
        text,
        /training the model with 1 head\s.*step [1-9][\d,]* of 60,000\s.*about \d+ (s|min) left/s,
      );
    }, 60_000);
    assert.equal(
      await figure
        .locator('[data-do=stop]')
        .evaluate((button) => button.getRootNode().activeElement === button),
      true,
    );
    await figure.getByRole('button', { name: 'Stop' }).click();
    await figure.getByRole('button', { name: 'Train again' }).waitFor();
    assert.equal(await figure.locator('[part=progress]').count(), 0);
    assert.match(await figure.getByRole('status').textContent(), /was stopped/);
    await figure.getByRole('button', { name: 'Train again' }).click();
    await figure.getByRole('progressbar').waitFor();
    // Out of the page it ends.
    const ended = await figure.evaluate(async (element) => {
      element.remove();
      await new Promise((resolve) => setTimeout(resolve));
      document.querySelector('main').append(element);
      await element.updateComplete;
      return element.shadowRoot.querySelector('[data-do]').dataset.do;
    });
    assert.equal(ended, 'start');
    assert.deepEqual(errors, []);
    await leave();
  });

  test('refuses a number of steps that is none, and offers the usual one', async () => {
    const { figure, close: leave } = await open('wrong');
    assert.equal(await figure.evaluate((element) => element.steps), 300);
    assert.match(await figure.getByRole('alert').textContent(), /from 1 to 10000/);
    await leave();
  });
});
