/** Chapter 2: a vector's way through the heads, drawn from computed numbers and moved by scrolling. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { dist, eventually, minilmFiles, site } from './support.js';

const server = serving(site);
const [it, cat] = [8, 2];
const ROWS = ['x', 'q', 'weights', 'context', 'output'];
/** Rows that are complete at each stage. */
const COMPLETE = [1, 2, 3, 4, 4, 5];

const open = (width, height, options) =>
  openTab(`${server.url}/?lang=ko`, { viewport: { width, height }, ...options });

/** Scrolls a text's start to a bit above the reading line, or so far that its stage is complete. */
const read = (page, stage) =>
  page
    .locator('.ribbon li')
    .nth(stage)
    .evaluate((text) => {
      const line = innerWidth < 1024 ? document.querySelector('.ribbon > figure').offsetHeight + 60 : 0;
      const { top, height } = text.getBoundingClientRect();
      const at = line + (innerWidth < 1024 ? 0.65 : 0.5) * (innerHeight - line);
      scrollBy({ top: top + 0.7 * height - at, behavior: 'instant' });
    });

/** Which text is active, how many rows are seen, and how far the strands are from their places. */
const stateOf = (page) =>
  page.locator('.ribbon').evaluate((ribbon) => {
    const away = (name) =>
      Math.max(
        ...[...ribbon.querySelectorAll(`[data-row=${name}] .moves`)].map((one) => {
          const { e, f } = new DOMMatrix(getComputedStyle(one).transform);
          return Math.hypot(e, f);
        }),
      );
    return {
      active: [...ribbon.querySelectorAll('li')].findIndex((one) => one.matches('.active')),
      rows: [...ribbon.querySelectorAll('[data-row]')].filter(
        (one) => getComputedStyle(one.querySelector('.moves')).opacity === '1',
      ).length,
      split: away('q'),
      join: away('context'),
    };
  });

async function assertStage(page, stage) {
  await eventually(async () => {
    await read(page, stage);
    const { active, rows, split, join } = await stateOf(page);
    assert.equal(active, stage);
    assert.equal(rows, COMPLETE[stage], `rows of stage ${stage}`);
    assert.equal(split === 0, stage >= 1, `the query is ${split} from its place`);
    assert.equal(join === 0, stage >= 4, `the context is ${join} from its place`);
  });
}

for (const [width, height] of [
  [360, 740],
  [1440, 900],
]) {
  describe(`the ribbon at ${width} px`, () => {
    for (const reducedMotion of ['no-preference', 'reduce']) {
      test(`follows the text forward and back (${reducedMotion})`, async () => {
        const { page, errors } = await open(width, height, { reducedMotion });
        for (const stage of [0, 1, 2, 3, 4, 5, 3, 1, 0]) await assertStage(page, stage);
        assert.deepEqual(errors, []);
      });
    }

    test('stays in view, and nothing else shifts', async () => {
      const { page } = await open(width, height);
      await assertStage(page, 0);
      await page.evaluate(() => {
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) globalThis.shifted += value;
        }).observe({ type: 'layout-shift' });
      });
      for (const stage of [1, 2, 3, 4]) {
        await assertStage(page, stage);
        const { top, bottom, below } = await page.locator('.ribbon > figure').evaluate((figure) => ({
          ...figure.getBoundingClientRect().toJSON(),
          below: document.querySelector('body > header').getBoundingClientRect().bottom,
        }));
        assert.ok(top >= below - 1, `${top} is below the header, ${below}`);
        assert.ok(bottom <= height, `ends at ${bottom}`);
        if (width < 1024) assert.ok(bottom - top <= 0.45 * height, `${bottom - top} px high`);
      }
      const shifted = await page.evaluate(() => globalThis.shifted);
      assert.ok(shifted < 0.01, `shifted by ${shifted}`);
    });

    for (const lang of ['ko', 'en']) {
      test(`has labels that are whole, apart and large enough (${lang})`, async () => {
        const { page } = await openTab(`${server.url}/?lang=${lang}`, { viewport: { width, height } });
        await assertStage(page, 5);
        const { boxes, frame } = await page.locator('.ribbon svg').evaluate((svg) => ({
          frame: svg.getBoundingClientRect().toJSON(),
          boxes: [...svg.querySelectorAll('text')]
            .filter((one) => one.checkVisibility())
            .map((one) => ({
              ...one.getBoundingClientRect().toJSON(),
              size: parseFloat(getComputedStyle(one).fontSize) * svg.getScreenCTM().a,
              text: one.textContent,
            })),
        }));
        // Each row has its name and its shape; one head is named, too.
        assert.equal(boxes.length, 2 * ROWS.length + 1);
        boxes.forEach((one, i) => {
          assert.ok(one.size >= (width < 1024 ? 12 : 14) - 0.01, `“${one.text}” has ${one.size} px`);
          assert.ok(one.left >= frame.left - 1 && one.right <= frame.right + 1, `“${one.text}” leaves`);
          for (const other of boxes.slice(i + 1)) {
            const isApart =
              one.right <= other.left ||
              other.right <= one.left ||
              one.bottom <= other.top ||
              other.bottom <= one.top;
            assert.ok(isApart, `“${one.text}” and “${other.text}”`);
          }
        });
      });
    }
  });
}

describe('the ribbon without script', () => {
  const numbers = {};
  beforeAll(async () => {
    const { loadModel } = await import(path.join(dist, 'models/index.js'));
    const model = await loadModel(minilmFiles());
    model.forward('The cat sat on the mat because it was tired.');
    const layer = model.attentionLayer(5);
    const input = model.attentionInput(5);
    const steps = layer.steps(input, model.attentionOptions(5));
    const [q, weights, context] = [steps.q, steps.weights, steps.context].map((one) => one.toNested()[0]);
    Object.assign(numbers, {
      x: input.toNested()[0][it],
      q: q.flatMap((head) => head[it]),
      context: context.flatMap((head) => head[it]),
      output: steps.output.toNested()[0][it],
      concat: steps.concat.toNested()[0][it],
      weights,
    });
    layer.dispose();
    model.dispose();
  });

  test('shows the whole way, drawn with the computed numbers', async () => {
    const { page } = await open(360, 740, { javaScriptEnabled: false });
    const paths = async (row, which) =>
      Promise.all(
        (await page.locator(`.ribbon [data-row=${row}] path${which}`).all()).map((one) =>
          one.getAttribute('d'),
        ),
      );
    assert.deepEqual(numbers.context, numbers.concat, 'heads joined in order');
    for (const row of ['x', 'q', 'context', 'output']) {
      const most = numbers[row].map(Math.abs).sort((a, b) => b - a)[3];
      const strands = await paths(row, '.numbers');
      assert.equal(strands.length, 12);
      const drawn = strands.flatMap((path) => {
        const strand = Array(32).fill(0);
        for (const [, x, v] of path.matchAll(/M([\d.]+) 0v(-?[\d.]+)/g))
          strand[Math.floor(Number(x) / 0.72)] = (-Number(v) / 13) * most;
        return strand;
      });
      numbers[row].forEach((number, i) => {
        const expected = Math.max(-most, Math.min(most, number));
        assert.ok(Math.abs(drawn[i] - expected) < 1e-3 * most, `${row} ${i}: ${drawn[i]}, not ${number}`);
      });
    }
    const rows = await paths('weights', '.row');
    assert.equal(rows.length, 12);
    rows.forEach((row, head) => {
      const sides = [...row.matchAll(/M[\d.]+ 14\.4h([\d.]+)/g)].map(([, side]) => (Number(side) / 1.8) ** 2);
      assert.equal(sides.length, 13);
      sides.forEach((weight, key) =>
        assert.ok(Math.abs(weight - numbers.weights[head][it][key]) < 1e-3, `head ${head + 1}, ${key}`),
      );
    });
    assert.equal(numbers.weights[11][it][cat].toFixed(2), '0.71');
    assert.equal(await page.locator('.ribbon li data').first().textContent(), '0.71');
  });
});
