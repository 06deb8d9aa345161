/** Figures of a million weights and more: exports are made in parts, or refused at once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { timeSlicedBlob } from '../../dist/elements/base/save.js';
import { TimeSlicedCache } from '../../dist/elements/base/time-sliced-cache.js';
import { Figure } from '../../dist/sources/figure.js';
import { addSummaryHeads, applyFilter } from '../../dist/elements/sentence-view/weight-filter.js';
import { describe, openTab, serving, test } from './fixtures.js';
import { dist, eventually, openMore } from './support.js';

/** Turns of the event loop during a task. */
async function turnsDuring(work) {
  let [turns, isDone] = [0, false];
  const count = () => {
    if (isDone) return;
    turns++;
    setTimeout(count);
  };
  setTimeout(count);
  const result = await work();
  isDone = true;
  return { turns, result };
}

describe('a large file', () => {
  const part = 'x'.repeat(2 ** 18);
  const parts = function* (count, made = []) {
    for (let index = 0; index < count; index++) {
      made.push(index);
      yield part;
    }
  };

  test('is made while the page has its turns, and is whole', async () => {
    const { signal } = new AbortController();
    const { turns, result } = await turnsDuring(() => timeSlicedBlob(parts(40), 'text/csv', signal));
    assert.ok(turns >= 9, `${turns} turns`);
    assert.equal(result.size, 40 * part.length);
    assert.equal(result.type, 'text/csv');
  });

  test('is cancelled when it is no longer needed', async () => {
    const controller = new AbortController();
    const made = [];
    const file = timeSlicedBlob(parts(1000, made), 'text/csv', controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(file, /enough/);
    assert.ok(made.length <= 8, `${made.length} parts`);
  });
});

test('many values are computed a few at a time, each once', async () => {
  let [computed, asked] = [0, 0];
  const names = Array.from({ length: 512 }, (_, index) => String(index));
  await new Promise((resolve) => {
    const values = new TimeSlicedCache(() => {
      const before = computed;
      asked++;
      const known = names.map((name) => values.get(name, 8192, () => ++computed));
      assert.ok(computed - before <= 256, `${computed - before} at once`);
      if (known.every(Boolean)) resolve();
    });
    for (const name of names) values.get(name, 8192, () => ++computed);
    assert.equal(computed, 256);
  });
  assert.equal(computed, 512);
  assert.equal(asked, 1);
});

/** The lens as documented: the heaviest weights, one after the other, until they make up the share. */
function shownOf(row, mass) {
  const order = row.map((weight, key) => ({ weight, key })).toSorted((a, b) => b.weight - a.weight);
  const limit = mass * row.reduce((sum, weight) => sum + weight, 0);
  const keys = new Set();
  let sum = 0;
  for (const { weight, key } of order) {
    if (sum >= limit - 1e-7) break;
    sum += weight;
    keys.add(key);
  }
  return row.map((weight, key) => (keys.has(key) ? weight : 0));
}

test('of a row the heaviest weights are left, of equal ones the first', () => {
  let seed = 1;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let trial = 0; trial < 300; trial++) {
    const size = 1 + (trial % 40);
    const sharpness = trial % 9;
    const data = Float32Array.from({ length: size * size }, () =>
      trial % 4 === 0 ? Math.ceil(3 * next()) : next() ** sharpness,
    );
    const tokens = Array.from({ length: size }, (_, place) => `w${place}`);
    for (const mass of [0.05, 0.5, 0.9, 0.999]) {
      const filter = { mass, exclude: '', renormalise: false, summary: false };
      const seen = applyFilter(new Figure(tokens, [0], data), filter).values();
      for (let query = 0; query < size; query++) {
        const row = [...data.subarray(query * size, (query + 1) * size)];
        const scale = row.reduce((sum, weight) => sum + weight, 0);
        const found = [...seen.subarray(query * size, (query + 1) * size)];
        const expected = shownOf(row, mass);
        if (String(found) === String(expected)) continue;
        // A share that is reached but for rounding may end one weight sooner or later.
        const sums = [found, expected].map((all) => all.reduce((sum, weight) => sum + weight, 0));
        assert.ok(
          sums.some((sum) => Math.abs(sum - mass * scale) < 1e-6 * scale),
          `${mass} of ${row}: ${found}, expected ${expected}`,
        );
      }
    }
  }
});

/** The strongest pairs as documented: per spelling the heaviest pair, of equal ones the first. */
function strongestOf(tokens, data) {
  const pairs = tokens.flatMap((_, query) =>
    tokens.flatMap((_, key) =>
      query === key ? [] : [{ query, key, weight: data[query * tokens.length + key] }],
    ),
  );
  const spellings = new Set();
  return pairs
    .toSorted((a, b) => b.weight - a.weight)
    .filter(({ query, key }) => {
      const spelling = `${tokens[query]} ${tokens[key]}`;
      return !spellings.has(spelling) && spellings.add(spelling);
    })
    .slice(0, 5);
}

test('the strongest pairs are the heaviest, of equal ones the first, one per spelling', () => {
  let seed = 1;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let trial = 0; trial < 300; trial++) {
    const size = 1 + (trial % 9);
    const tokens = Array.from({ length: size }, () => `w${Math.floor(next() * (1 + (trial % 5)))}`);
    const data = Float32Array.from({ length: size * size }, () => Math.floor(next() * (trial % 7)));
    assert.deepEqual(new Figure(tokens, [0], data).strongestPairs(0), strongestOf(tokens, data));
  }
});

test('the strongest pairs are found in a few rows, whatever the order of the weights', () => {
  const size = 200;
  const total = size * size;
  const places = Array.from({ length: total }, (_, place) => place);
  const words = [...Array(size).keys()];
  for (const weights of [places, places.toReversed(), places.map(() => 1)]) {
    for (const tokens of [words.map((place) => `w${place}`), words.map((place) => `w${place % 2}`)]) {
      const figure = new Figure(tokens, [0], Float32Array.from(weights));
      figure.extent(0);
      const read = [];
      const { readRow } = figure;
      figure.readRow = (head, query, row) => {
        read.push(query);
        readRow.call(figure, head, query, row);
      };
      figure.strongestPairs(0);
      assert.ok(weights[0] === 1 || read.length <= 6, `${read.length} rows`);
      assert.equal(new Set(read).size, read.length);
    }
  }
});

test('the summaries of heads are their mean and their largest weight', () => {
  const data = Float32Array.from([0.25, 0.75, 1, 0, 0.5, 0.5, 0, 1]);
  const figure = addSummaryHeads(new Figure(['a', 'b'], [0, 1], data));
  assert.deepEqual(figure.headNames, [0, 1, 'mean', 'max']);
  assert.deepEqual([...figure.values()].slice(8), [0.375, 0.625, 0.5, 0.5, 0.5, 0.75, 1, 1]);
});

describe('in the explorer', () => {
  const words = 1100;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>big</title><link rel="icon" href="data:,">
    <script type="module" src="standalone.js"></script><main><mha-explorer></mha-explorer></main>`;
  const server = serving(dist, { pages: { '/': page } });

  const show = (explorer, heads, size) =>
    explorer.evaluate(
      async (element, [heads, size]) => {
        const tokens = Array.from({ length: size }, (_, place) => `w${place}`);
        const data = new Float32Array(heads * size * size).fill(1 / size);
        for (let head = 0; head < heads; head++) data[head * size * size] += head / heads;
        element.data = { tokens, weights: { data, shape: [heads, size, size] } };
        await element.updateComplete;
      },
      [heads, size],
    );

  test('more rows than a spreadsheet takes are refused by toCSV() and saved by the button', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await show(explorer, 1, words);
    const said = await explorer.evaluate((element) => {
      try {
        return element.toCSV().length;
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    });
    assert.match(said, /^RangeError: toCSV\(\) gives at most 1048575 rows, these are 1210000: .*button/);
    await openMore(explorer);
    await explorer.locator('[part=tools] > summary').click();
    const download = page.waitForEvent('download', { timeout: 60_000 });
    await explorer.locator('[data-save=csv]').click();
    const text = readFileSync(await (await download).path(), 'utf8');
    assert.ok(text.startsWith('\ufeffhead,query,key,query word,key word,weight\r\n0,0,0,w0,w0,'));
    assert.equal(text.match(/\r\n/g).length, 1 + words * words);
    await explorer.locator('[part=roles] > summary').click();
    await explorer
      .getByText('Role scores are computed for texts of up to 1024 words; this one has 1100.')
      .waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  test('512 heads are compared a few at a time, and the others can be chosen meanwhile', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await show(explorer, 512, 64);
    await openMore(explorer);
    await explorer.locator('[part=tools] > summary').click();
    const options = explorer.locator('[name=compare] option');
    await eventually(async () => {
      const texts = await options.allInnerTexts();
      assert.equal(texts.length, 512);
      assert.ok(texts.slice(1).every((text) => /\d\.\d\d/.test(text)));
    }, 60_000);
    await explorer.locator('[name=compare]').selectOption('511');
    assert.match(await explorer.locator('.alike').innerText(), /similarity [01]\.\d\d/);
    assert.deepEqual(errors, []);
    await close();
  });

  test('a picture of 512 heads asks for its colours a few times, not once per head and shade', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await show(explorer, 512, 64);
    const asked = await explorer.evaluate((element) => {
      const { prototype } = CanvasRenderingContext2D;
      const { getImageData } = prototype;
      let asked = 0;
      prototype.getImageData = function (...box) {
        asked++;
        return getImageData.apply(this, box);
      };
      element.toSVG();
      prototype.getImageData = getImageData;
      return asked;
    });
    assert.ok(asked < 32, `${asked} times`);
    assert.deepEqual(errors, []);
    await close();
  });

  test('cells are made when their size is known', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await explorer.evaluate((element) => {
      element.views = 'arcs heads matrix';
      const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'clientWidth');
      Object.defineProperty(Element.prototype, 'clientWidth', {
        get() {
          const root = this.getRootNode();
          if (root.host?.localName === 'mha-matrix')
            window.cellsAtFirst ??= root.querySelectorAll('td').length;
          return get.call(this);
        },
      });
    });
    await show(explorer, 4, 64);
    await eventually(async () => assert.equal(await explorer.locator('mha-matrix td').count(), 64 * 64));
    assert.equal(await page.evaluate(() => window.cellsAtFirst), 0);
    assert.deepEqual(errors, []);
    await close();
  });

  test('a miniature that cannot be painted keeps no other waiting, and none is painted that is gone', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await page.evaluate(() => {
      const { prototype } = CanvasRenderingContext2D;
      const { putImageData } = prototype;
      window.painted = [];
      prototype.putImageData = function (...image) {
        window.painted.push(this.canvas);
        if (window.painted.length === 1) throw new Error('no memory');
        putImageData.apply(this, image);
      };
    });
    await explorer.evaluate(async (element) => {
      const tokens = Array.from({ length: 64 }, (_, place) => `w${place}`);
      for (const fill of [0.5, 0.25]) {
        element.data = {
          tokens,
          weights: { data: new Float32Array(2 ** 21).fill(fill), shape: [512, 64, 64] },
        };
        await element.updateComplete;
        await element.shadowRoot.querySelector('mha-heads').updateComplete;
      }
    });
    const blank = () =>
      explorer.evaluate((element) => {
        const canvases = [
          ...element.shadowRoot.querySelector('mha-heads').shadowRoot.querySelectorAll('canvas'),
        ];
        return canvases.filter((canvas) => !window.painted.includes(canvas)).length;
      });
    await eventually(async () => assert.equal(await blank(), 0), 20_000);
    const paintings = await page.evaluate(() => window.painted.length);
    assert.ok(paintings < 900, `${paintings} paintings`);
    assert.deepEqual(errors, ['Error: no memory']);
    await close();
  });

  test('summaries are made once for all that is looked at through a lens', async () => {
    const { page, errors, close } = await openTab(`${server.url}/`);
    const explorer = page.locator('mha-explorer');
    await page.waitForFunction(() => customElements.get('mha-explorer'));
    await show(explorer, 4, 64);
    const isSame = await explorer.evaluate(async (element) => {
      element.summary = true;
      await element.updateComplete;
      const { unfiltered } = element;
      element.mass = 0.5;
      await element.updateComplete;
      return unfiltered.heads === 6 && element.unfiltered === unfiltered;
    });
    assert.ok(isSame);
    assert.deepEqual(errors, []);
    await close();
  });
});

const MANY = 100;
const many = serving(dist, {
  pages: Object.fromEntries(
    ['arcs', 'explorer'].map((name) => [
      `/${name}`,
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>many</title><link rel="icon" href="data:,">
       <style>main > * { display: inline-block; width: 8rem; height: 4rem; overflow: hidden }</style>
       <script type="module" src="/standalone.js"></script><main>${Array.from(
         { length: MANY },
         (_, index) => `<mha-${name} sentence="the cat sat on mat ${index}"></mha-${name}>`,
       ).join('')}</main>`,
    ]),
  ),
});

describe('a hundred figures in view', () => {
  for (const name of ['arcs', 'explorer']) {
    test(`<mha-${name}> are drawn, and update in several tasks; to be printed, at once`, async () => {
      const { page, errors, close } = await openTab(`${many.url}/${name}`);
      const isDrawn = () =>
        [...document.querySelectorAll('main > *')].every(
          ({ shadowRoot }) =>
            shadowRoot?.querySelector('[part=word], [part~=cell], mha-arcs') &&
            !shadowRoot.querySelector('.waiting'),
        );
      await page.waitForFunction(isDrawn, null, { timeout: 90_000 });
      const updated = (prints) =>
        page.evaluate(async (prints) => {
          const all = [...document.querySelectorAll('main > *')];
          // The last updates of a task are over.
          await new Promise((resolve) => setTimeout(resolve, 100));
          if (prints) dispatchEvent(new Event('beforeprint'));
          for (const [index, element] of all.entries()) {
            element.sentence = `a dog ran to his bone ${index}`;
            element.scale = 'fixed';
          }
          // All that this task does comes before the next.
          const { port1, port2 } = new MessageChannel();
          port1.postMessage(0);
          await new Promise((resolve) => {
            port2.onmessage = resolve;
          });
          const first = all.filter(({ isUpdatePending }) => !isUpdatePending).length;
          await Promise.all(all.map(({ updateComplete }) => updateComplete));
          return [first, all.filter(({ isUpdatePending }) => !isUpdatePending).length];
        }, prints);
      const [first, last] = await updated(false);
      assert.ok(first > 0 && first < MANY, `${first} in the first task`);
      assert.equal(last, MANY);
      assert.deepEqual(await updated(true), [MANY, MANY]);
      assert.deepEqual(errors, []);
      await close();
    });
  }
});
