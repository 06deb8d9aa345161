/** The four constructed heads over the picture of patches, against the same example computed in Node. */
import assert from 'node:assert/strict';
import { documents } from '../../dist/documents/index.js';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const SIDE = 14;
const PATCHES = SIDE * SIDE;

const page = (lang, attributes = '') => `<!doctype html><html lang="${lang}"><meta charset="utf-8">
  <meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { margin: 16px }</style>
  <script type="module" src="standalone.js"></script>
  <body><main><h1>Patches</h1><mha-patches ${attributes}>…</mha-patches></main>`;

const pages = {
  '/ko': page('ko', 'url-state="cat"'),
  '/en': page('en', 'patch="7,5" target="5,6" head="1"'),
  '/wrong': page('ko', 'patch="14,0" target="cls" head="9"'),
};

const server = serving(dist, { pages });
let result;
/** One page per language serves all tests that leave it as they found it. */
let korean, english;
beforeAll(async () => {
  result = documents.run('000-patches');
  [korean, english] = await Promise.all([open('ko'), open('en')]);
});

async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  const element = opened.page.locator('mha-patches');
  await element.locator('[part=cell]').first().waitFor();
  return { ...opened, element };
}

/** The token of a patch: CLS is 0. */
const token = (row, column) => row * SIDE + column + 1;
const expectedMap = (head, query) => {
  const { data } = result.tensors.weights;
  const first = (head * (PATCHES + 1) + query) * (PATCHES + 1);
  return Array.from(data.subarray(first + 1, first + 1 + PATCHES));
};
function near(actual, expected, what = '') {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((value, index) => {
    assert.ok(Math.abs(value - expected[index]) < 1e-6, `${what} ${index}: ${value}, not ${expected[index]}`);
  });
}

const patch = (element, row, column) => element.locator(`.picture [data-token="${token(row, column)}"]`);
const mapCell = (element, row, column) => element.locator(`.map [data-token="${token(row, column)}"]`);
const head = (element, index) => element.locator('[part=head]').nth(index);
const values = (locator) => locator.evaluateAll((all) => all.map(({ value }) => Number(value)));
const table = (element) => values(element.locator('[part=numbers] td data'));
const beside = (element) => values(element.locator('[part=head] data'));
const state = (element) => element.evaluate((node) => node.state);
const labels = (element) =>
  element.locator('.map [part=cell]').evaluateAll((all) => all.map((cell) => cell.ariaLabel));

/** The weights of all four heads, as the element exports them. */
async function csvMaps(element) {
  const lines = (await element.evaluate((node) => node.toCSV())).trim().split('\r\n');
  assert.equal(lines[0], 'head,pattern,query,key,row,column,weight');
  const rows = lines.slice(1).map((line) => line.split(','));
  rows.forEach(([, , , key, row, column], i) => {
    assert.deepEqual([key, row, column].map(Number), [
      (i % PATCHES) + 1,
      Math.floor((i % PATCHES) / SIDE),
      i % SIDE,
    ]);
  });
  return [0, 1, 2, 3].map((index) =>
    rows.slice(index * PATCHES, (index + 1) * PATCHES).map((row) => Number(row[6])),
  );
}

describe('the maps', () => {
  let element, errors;
  beforeAll(async () => {
    ({ element, errors } = korean);
    await element.evaluate(() => {
      globalThis.told = [];
      document.addEventListener('mha-select', ({ detail }) => globalThis.told.push(detail));
    });
    await element.locator('details.numbers > summary').click();
    await eventually(async () => assert.equal((await table(element)).length, PATCHES));
  });

  test('are the row of CLS, as the document takes it, until a patch is chosen', async () => {
    const { maps } = result.tensors;
    for (const index of [0, 1, 2, 3]) {
      await head(element, index).click();
      const expected = Array.from(maps.data.subarray(index * PATCHES, (index + 1) * PATCHES));
      await eventually(async () => near(await table(element), expected, `head ${index + 1}`));
      const spoken = await labels(element);
      spoken.forEach((label, i) => {
        assert.ok(label.startsWith(`헤드 ${index + 1} · `) && label.includes(': CLS → '), label);
        assert.ok(label.endsWith(` ${expected[i].toFixed(3)}`), label);
      });
      near((await csvMaps(element))[index], expected);
    }
    near(
      await beside(element),
      [0, 1, 2, 3].map((index) => Math.max(...expectedMap(index, 0))),
    );
    await head(element, 0).click();
  });

  test('of all four heads follow the clicked patch, and an event is fired', async () => {
    await element.evaluate(() => (globalThis.told = []));
    const drawings = () =>
      element.locator('[part=miniature]').evaluateAll((all) => all.map((one) => one.innerHTML));
    const before = await drawings();
    for (const [row, column] of [
      [12, 1],
      [0, 13],
    ]) {
      const query = token(row, column);
      await patch(element, row, column).click();
      await eventually(async () => {
        (await csvMaps(element)).forEach((map, index) => near(map, expectedMap(index, query)));
        near(await table(element), expectedMap(0, query));
        near(
          await beside(element),
          [0, 1, 2, 3].map((index) => Math.max(...expectedMap(index, query))),
        );
      });
      assert.deepEqual(await state(element), { patch: `${row},${column}` });
    }
    (await drawings()).forEach((drawing, index) => assert.notEqual(drawing, before[index]));
    assert.equal(await patch(element, 0, 13).getAttribute('aria-selected'), 'true');
    await patch(element, 0, 13).click();
    await eventually(async () => assert.deepEqual(await state(element), {}));
    assert.deepEqual(await element.evaluate(() => globalThis.told), [
      { head: 0, query: token(12, 1), key: null },
      { head: 0, query: token(0, 13), key: null },
      { head: 0, query: null, key: null },
    ]);
  });

  test('preview what is pointed at', async () => {
    await patch(element, 3, 3).hover();
    await eventually(async () => near(await table(element), expectedMap(0, token(3, 3))));
    assert.deepEqual(await state(element), {});
    await head(element, 2).hover();
    await eventually(async () => near(await table(element), expectedMap(2, 0)));
    await mapCell(element, 7, 7).hover();
    const description = element.locator('[part=description]');
    const weight = expectedMap(0, 0)[token(7, 7) - 1].toFixed(3);
    await eventually(async () =>
      assert.equal(
        await description.innerText(),
        `헤드 1 · 가까운 패치: CLS → 8행 8열 (고양이) ${weight}, 196개 가운데 1번째로 커요.`,
      ),
    );
    near(
      await beside(element),
      [0, 1, 2, 3].map((index) => expectedMap(index, 0)[token(7, 7) - 1]),
    );
    await element.locator('[part=label]').hover();
    await eventually(async () => near(await table(element), expectedMap(0, 0)));
  });

  test('lock a clicked pair, and explain its weight', async () => {
    await patch(element, 7, 5).click();
    await mapCell(element, 6, 5).click();
    await eventually(async () => {
      assert.deepEqual(await state(element), { patch: '7,5', target: '6,5' });
      const [score, highest, total, weight] = await values(element.locator('[part=why] data'));
      const expected = expectedMap(0, token(7, 5))[token(6, 5) - 1];
      near([weight], [expected]);
      // Near: −½ · distance² but for a term that the row shares.
      near([score - highest], [-0.5]);
      near([Math.exp(score - highest) / total], [expected]);
    });
    assert.deepEqual(await element.evaluate(() => globalThis.told.at(-1)), {
      head: 0,
      query: token(7, 5),
      key: token(6, 5),
    });
    await mapCell(element, 6, 5).press('Escape');
    await eventually(async () => assert.deepEqual(await state(element), {}));
  });

  test('run to their own maximum', async () => {
    const map = expectedMap(0, 0);
    const largest = Math.max(...map);
    const heights = () =>
      element
        .locator('.map [part=cell]')
        .evaluateAll((all) => all.map((cell) => Number(cell.style.getPropertyValue('--w'))));
    const expected = map.map((weight) => weight / largest);
    await eventually(async () => near(await heights(), expected));
    near(await values(element.locator('[part=legend] data')), [0, largest / 2, largest]);
    assert.deepEqual(errors, []);
  });
});

describe('beside the maps', () => {
  let element, errors;
  beforeAll(async () => {
    ({ element, errors } = korean);
    await element.locator('details.scores > summary').click();
  });

  test('the weights are called constructed', async () => {
    assert.ok(await element.getByText('손으로 만든 가중치예요. 학습된 값이 아니에요.').isVisible());
    assert.ok((await element.locator('[part=note]').innerText()).includes('학습된 ViT가 아니에요'));
  });

  test('the measures are the computed ones', async () => {
    const rows = await element
      .locator('[part=measures] tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
      );
    const expected = result.computed
      .filter(({ pattern }) => pattern)
      .map((row) => [row.within2, row.sameRowOrColumn, row.distance, row.colourDistance]);
    assert.equal(rows.length, 5);
    rows.forEach((row, i) => {
      row.forEach((value, j) => assert.ok(Math.abs(value - expected[i][j]) < 1e-5, `${i}, ${j}: ${value}`));
    });
  });

  test('the patches have the colours of the picture, and each head the one that it collects', async () => {
    const colours = (selector) =>
      element
        .locator(selector)
        .evaluateAll((all) =>
          all.map((one) => getComputedStyle(one).backgroundColor.match(/\d+/g).map(Number)),
        );
    const { image, output } = result.tensors;
    const rounded = (data) => Array.from(data, (channel) => Math.round(255 * channel));
    assert.deepEqual((await colours('.picture [part=cell]')).flat(), rounded(image.data));
    const collected = await colours('.swatch');
    collected.forEach((colour, index) => {
      const first = index * (PATCHES + 1) * 3;
      const expected = rounded(output.data.subarray(first, first + 3));
      colour.forEach((channel, i) => assert.ok(Math.abs(channel - expected[i]) <= 1, `${index}: ${colour}`));
    });
    assert.deepEqual(errors, []);
  });
});

describe('the keyboard', () => {
  let page, element, close;
  beforeAll(async () => {
    ({ page, element, close } = await open('ko'));
  });
  afterAll(() => close());

  const focused = () =>
    page.evaluate(() => {
      const active = document.querySelector('mha-patches').shadowRoot.activeElement;
      const { token, head } = active?.dataset ?? {};
      const grid = active?.closest('[role=grid]')?.part.value;
      return token === undefined ? (head ?? active?.name ?? active?.part.value) : [grid, Number(token)];
    });
  const press = async (key, expected) => {
    await page.keyboard.press(key);
    await eventually(async () => assert.deepEqual(await focused(), expected, key), 5000);
  };

  test('reaches everything, with one tab stop per grid', async () => {
    await element.locator('[part~=cls]').focus();
    await press('Tab', 'row');
    await press('Tab', 'column');
    await press('Tab', ['picture', 1]);
    await press('Tab', ['map', 1]);
    await press('Tab', '0');
    await press('Shift+Tab', ['map', 1]);
    await press('Shift+Tab', ['picture', 1]);
    for (const grid of ['picture', 'map']) {
      assert.equal(await element.locator(`.${grid} [tabindex="0"]`).count(), 1);
    }
  });

  test('walks the picture and holds a patch', async () => {
    await patch(element, 0, 0).focus();
    await press('ArrowRight', ['picture', token(0, 1)]);
    await press('ArrowDown', ['picture', token(1, 1)]);
    await press('End', ['picture', token(1, 13)]);
    await press('ArrowRight', ['picture', token(1, 13)]);
    await press('Control+End', ['picture', token(13, 13)]);
    await press('ArrowDown', ['picture', token(13, 13)]);
    await press('Home', ['picture', token(13, 0)]);
    await press('ArrowUp', ['picture', token(12, 0)]);
    await press('ArrowLeft', ['picture', token(12, 0)]);
    assert.equal(await patch(element, 12, 0).getAttribute('aria-label'), '13행 1열 (매트)');
    await press('Enter', ['picture', token(12, 0)]);
    await eventually(async () => {
      assert.deepEqual(await state(element), { patch: '12,0' });
      assert.equal(await patch(element, 12, 0).getAttribute('aria-selected'), 'true');
      assert.match(await element.locator('[role=status]').innerText(), /^헤드 1 · 가까운 패치: 13행 1열/);
    });
    await press('Control+Home', ['picture', token(0, 0)]);
    await press('Tab', ['map', 1]);
    await press('ArrowDown', ['map', token(1, 0)]);
    await press(' ', ['map', token(1, 0)]);
    await eventually(async () => assert.deepEqual(await state(element), { patch: '12,0', target: '1,0' }));
    await press('Escape', ['map', token(1, 0)]);
    await eventually(async () => assert.deepEqual(await state(element), {}));
    assert.equal(await element.locator('[aria-selected=true]').count(), 0);
  });

  test('chooses among the heads, round the ends', async () => {
    await head(element, 0).focus();
    await press('ArrowLeft', '3');
    await press('ArrowRight', '0');
    await press('ArrowDown', '1');
    assert.equal(await head(element, 1).getAttribute('aria-checked'), 'true');
    await press('Home', '0');
    assert.deepEqual(await state(element), {});
  });

  test('holds CLS, or a patch by its row and column', async () => {
    await element.locator('[part~=cls]').press('Enter');
    await eventually(async () => assert.deepEqual(await state(element), { patch: 'cls' }));
    assert.equal(await element.locator('[part~=cls]').getAttribute('aria-pressed'), 'true');
    await element.locator('[name=row]').selectOption({ value: '4' });
    await eventually(async () => assert.deepEqual(await state(element), { patch: '4,0' }));
    await element.locator('[name=column]').selectOption({ value: '3' });
    await eventually(async () => assert.deepEqual(await state(element), { patch: '4,3' }));
    assert.equal(await element.locator('[name=row]').inputValue(), '4');
    await element.locator('[name=column]').press('Escape');
    await eventually(async () => assert.equal(await element.locator('[name=column]').inputValue(), ''));
    assert.deepEqual(await state(element), {});
  });

  test('leaves Escape to the page where there is nothing to let go', async () => {
    await element.locator('[part~=cls]').focus();
    await element.locator('[part=label]').hover();
    const stopped = await page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('keydown', (event) => resolve(event.defaultPrevented), { once: true });
          const { activeElement } = document.querySelector('mha-patches').shadowRoot;
          activeElement.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
          );
        }),
    );
    assert.equal(stopped, false);
  });
});

describe('the state', () => {
  test('comes from the attributes, goes through JSON and back', async () => {
    const { element } = english;
    const written = { head: 1, patch: '7,5', target: '5,6' };
    assert.deepEqual(await state(element), written);
    await eventually(async () => {
      const pair = 'row 8, column 6 (cat) → row 6, column 7 (cat)';
      const text = await element.locator('[part=description]').innerText();
      assert.ok(text.startsWith(`Head 2 · same row or column: ${pair} 0.001, number `), text);
    });
    await element.evaluate((node) => (node.state = {}));
    await eventually(async () => near((await csvMaps(element))[0], expectedMap(0, 0)));
    await element.evaluate((node, json) => (node.state = JSON.parse(json)), JSON.stringify(written));
    await eventually(async () => near((await csvMaps(element))[3], expectedMap(3, token(7, 5))));
    assert.deepEqual(await state(element), written);
    assert.equal(await element.locator('.map .key').getAttribute('data-token'), String(token(5, 6)));
    assert.equal(await element.locator('.map .query').getAttribute('data-token'), String(token(7, 5)));
  });

  test('is written to the address, and is read from it', async () => {
    const { page, element, close } = await open('ko#cat.patch=2,10&cat.head=3');
    await eventually(async () => assert.deepEqual(await state(element), { patch: '2,10', head: 3 }));
    await patch(element, 9, 4).click();
    await eventually(async () =>
      assert.equal(decodeURIComponent(new URL(page.url()).hash), '#cat.head=3&cat.patch=9,4'),
    );
    await close();
  });

  test('that has no meaning shows the first head from CLS', async () => {
    const { element, errors, close } = await open('wrong');
    assert.equal(await head(element, 0).getAttribute('aria-checked'), 'true');
    near((await csvMaps(element))[0], expectedMap(0, 0));
    assert.equal(await element.locator('.grid .query, .grid .key').count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });
});

describe('exported', () => {
  test('it has a picture with the four maps, and notes that they are constructed', async () => {
    const { element } = english;
    const { name, cells, outlines, texts, png } = await element.evaluate(async (node) => {
      const { documentElement } = new DOMParser().parseFromString(node.toSVG(), 'image/svg+xml');
      const blob = await node.toPNG(1);
      const bitmap = await createImageBitmap(blob);
      return {
        name: documentElement.localName,
        cells: [...documentElement.querySelectorAll('rect:not([stroke])')].filter(
          (rect) => rect.getAttribute('width') === rect.getAttribute('height'),
        ).length,
        outlines: [...documentElement.querySelectorAll('path')].filter(
          (path) => path.getAttribute('d') === node.figure.contours,
        ).length,
        texts: [...documentElement.querySelectorAll('text')].map((one) => one.textContent),
        png: { type: blob.type, width: bitmap.width },
      };
    });
    assert.equal(name, 'svg');
    // The picture and the large map as cells, and the ground of the small maps; the outlines lie over all maps.
    assert.equal(cells, 2 * PATCHES + 4);
    assert.equal(outlines, 1 + 4);
    assert.ok(texts.includes('Constructed weights – not trained'), texts.join('; '));
    assert.ok(texts.includes('Head 4 · similar colour'), texts.join('; '));
    assert.equal(png.type, 'image/png');
    assert.ok(png.width > 5 * SIDE * 10);
  });
});

for (const lang of ['ko', 'en']) {
  describe(`for everyone (${lang})`, () => {
    let page, element, errors;
    beforeAll(async () => {
      ({ page, element, errors } = lang === 'ko' ? korean : english);
      await patch(element, 8, 5).click();
      await element.locator('[part=numbers]').evaluate((details) => (details.open = true));
      await element.locator('[part=numbers] td').first().waitFor();
    });

    for (const colorScheme of ['light', 'dark']) {
      test(`axe finds nothing (${colorScheme})`, async () => {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(errors, []);
      });
    }

    test('it fits 320 pixels, and the targets are large enough', async () => {
      await page.setViewportSize({ width: 320, height: 800 });
      await eventually(async () =>
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320),
      );
      const small = await element
        .locator('button, select, summary, label, [role=radio]')
        .evaluateAll((all) =>
          all
            .map((one) => ({ text: one.textContent.trim(), box: one.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 24 || box.height < 24),
        );
      assert.deepEqual(small, []);
      // Where patches are smaller than that, the two lists choose them as well.
      await page.setViewportSize({ width: 375, height: 800 });
      await eventually(async () => {
        const { width, height } = await patch(element, 0, 0).boundingBox();
        assert.ok(width >= 24 && height >= 24, `${width} × ${height}`);
      });
    });
  });
}
