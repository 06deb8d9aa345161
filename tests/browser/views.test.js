import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const html = (lang) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>views</title><link rel="icon" href="data:,"><script type="module" src="standalone.js"></script>
  <style>:root { color-scheme: light dark } body { margin: 16px; font: 16px sans-serif }</style><main><h1>views</h1></main>`;
const pages = { '/ko': html('ko'), '/en': html('en') };

const server = serving(dist, { pages });

const WORDS =
  '고양이는 the 어제 mat 매트 위에 sat 그리고 a 밥을 먹었다 because 너무 tired, 배가 고파서'.split(' ');

/** Words and weights like those of attention: every head prefers other positions, every row sums to 1. */
function textOf(size, heads) {
  let state = size;
  const random = () => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296;
  const tokens = Array.from({ length: size }, () => WORDS[Math.floor(random() * WORDS.length)]);
  const weights = Array.from({ length: heads }, (_, head) =>
    tokens.map((_, query) => {
      const row = tokens.map((_, key) => Math.exp(3 * random() - Math.abs(query - head - key) / (head + 2)));
      const sum = row.reduce((total, value) => total + value, 0);
      return row.map((value) => Math.fround(value / sum));
    }),
  );
  return { tokens, weights };
}

/** A page with the named views of `data`, which share one selection. */
async function open(names, data, { lang = 'ko', properties = {}, ...options } = {}) {
  const opened = await openTab(`${server.url}/${lang}`, options);
  await opened.page.evaluate(
    ([names, data, properties]) => {
      const views = names.map((name) => document.createElement(name));
      for (const view of views) {
        Object.assign(
          view,
          { data, ...properties },
          view === views[0] ? {} : { selection: views[0].selection },
        );
      }
      document.querySelector('main').append(...views);
    },
    [names, data, properties],
  );
  const [view] = names.map((name) => opened.page.locator(name));
  return { ...opened, view };
}

const VIEWS = ['mha-arcs', 'mha-heads', 'mha-matrix'];
const dataOf = (locator) =>
  locator.locator('data').evaluateAll((all) => all.map(({ value }) => Number(value)));
const sentence = (name, { tokens }, query, key, weight) =>
  `${name}: ‘${tokens[query]}’ → ‘${tokens[key]}’ ${weight.toFixed(2)}`;

/** The painted cell's colour, and the colour that the element's own style gives to the value, by channel. */
const coloursAt = (view, query, key, value) =>
  view.evaluate(
    ({ renderRoot }, [query, key, value]) => {
      const canvas = renderRoot.querySelector('canvas');
      const pixel = [...canvas.getContext('2d').getImageData(key, query, 1, 1).data];
      const probe = document.createElement('span');
      probe.className = value < 0 ? 'ramp minus' : 'ramp';
      probe.style.setProperty('--w', String(Math.min(1, Math.abs(value))));
      probe.style.background = 'var(--_color)';
      renderRoot.append(probe);
      const drawn = document.createElement('canvas').getContext('2d');
      drawn.fillStyle = getComputedStyle(probe).backgroundColor;
      drawn.fillRect(0, 0, 1, 1);
      probe.remove();
      return { pixel, ramp: [...drawn.getImageData(0, 0, 1, 1).data] };
    },
    [query, key, value],
  );
const scaleOf = async (view) => Number(await view.locator('.ticks span').last().textContent());

/** A step of the picture's 255 shades may lie between the two. */
function assertClose({ pixel, ramp }) {
  pixel.forEach((channel, index) => assert.ok(Math.abs(channel - ramp[index]) <= 3, `${pixel} for ${ramp}`));
}

describe('a matrix of 200 words', () => {
  const data = textOf(200, 3);
  const rows = data.weights[0];
  let page, view, errors, close;
  beforeAll(async () => {
    ({ page, view, errors, close } = await open(['mha-matrix'], data));
    await view.locator('canvas').waitFor();
  });
  afterAll(() => close?.());

  const active = () =>
    view.locator('[role=gridcell]').evaluate((cell) => ({
      place: [Number(cell.dataset.query), Number(cell.dataset.key)],
      indices: [
        Number(cell.parentElement.getAttribute('aria-rowindex')) - 1,
        Number(cell.getAttribute('aria-colindex')) - 1,
      ],
      label: cell.getAttribute('aria-label'),
      focused: cell.getRootNode().activeElement === cell,
    }));

  test('has a pixel per weight, in the colour that the legend gives it', async () => {
    const size = await view.locator('canvas').evaluate(({ width, height }) => [width, height]);
    assert.deepEqual(size, [200, 200]);
    const scale = await scaleOf(view);
    const above = rows.flat().filter((weight) => weight > scale).length;
    assert.ok(above <= 0.003 * 200 * 200, `${above} weights above the scale of ${scale}`);
    for (const [query, key] of [
      [0, 0],
      [7, 8],
      [100, 101],
      [199, 0],
      [50, 50],
    ]) {
      assertClose(await coloursAt(view, query, key, rows[query][key] / scale));
    }
  });

  test('is a keyboard grid, whose current cell names words and weight', async () => {
    const grid = view.locator('[role=grid]');
    assert.equal(await grid.getAttribute('aria-rowcount'), '200');
    assert.equal(await grid.getAttribute('aria-colcount'), '200');
    assert.equal(await view.locator('[role=gridcell]').count(), 1);
    await view.locator('[role=gridcell]').focus();
    for (const [press, query, key] of [
      ['ArrowRight', 0, 1],
      ['ArrowDown', 1, 1],
      ['PageDown', 11, 1],
      ['End', 11, 199],
      ['ArrowRight', 11, 199],
      ['PageUp', 1, 199],
      ['Control+End', 199, 199],
      ['ArrowUp', 198, 199],
      ['Home', 198, 0],
      ['Control+Home', 0, 0],
      ['ArrowDown', 1, 0],
    ]) {
      await page.keyboard.press(press);
      await eventually(async () => {
        assert.deepEqual(await active(), {
          place: [query, key],
          indices: [query, key],
          label: sentence('헤드 1', data, query, key, rows[query][key]),
          focused: true,
        });
        assert.deepEqual(await dataOf(view.locator('.readout')), [rows[query][key]]);
      });
    }
    await page.keyboard.press('Enter');
    await eventually(async () =>
      assert.equal(await view.locator('[role=gridcell]').getAttribute('aria-selected'), 'true'),
    );
    assert.equal(await view.getAttribute('token'), data.tokens[1]);
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await view.getAttribute('token'), null));
  });

  test('shows the words and the weight under the pointer', async () => {
    const canvas = view.locator('canvas');
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const cell = box.width / 200;
    assert.ok(cell >= 1);
    for (const [query, key] of [
      [3, 150],
      [120, 119],
    ]) {
      const y = box.y + (query + 0.5) * cell;
      await page.mouse.move(box.x + (key + 0.5) * cell, y);
      await eventually(async () => {
        assert.deepEqual(await dataOf(view.locator('.readout')), [rows[query][key]]);
        const words = view.locator('.readout :is(.query, .key)');
        assert.deepEqual(await words.allTextContents(), [data.tokens[query], data.tokens[key]]);
      });
    }
    await page.mouse.click(box.x + 10.5 * cell, box.y + 20.5 * cell);
    await page.mouse.move(1, 1);
    await page.evaluate(() => document.activeElement.blur());
    await eventually(async () => assert.deepEqual(await dataOf(view.locator('.readout')), [rows[20][10]]));
    await page.evaluate(() => document.querySelector('mha-matrix').removeAttribute('token'));
    await eventually(async () => assert.deepEqual(await dataOf(view.locator('.readout')), []));
  });

  test('is repainted for another head and for another theme', async () => {
    await page.evaluate(() => document.querySelector('mha-matrix').setAttribute('head', '2'));
    const scale = await scaleOf(view);
    const value = data.weights[2][30][28] / scale;
    await eventually(async () => assertClose(await coloursAt(view, 30, 28, value)));
    const light = await coloursAt(view, 30, 28, value);
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => {
      const dark = await coloursAt(view, 30, 28, value);
      assert.notDeepEqual(dark.ramp, light.ramp);
      assertClose(dark);
    });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(() => document.querySelector('mha-matrix').setAttribute('head', '0'));
    await eventually(async () => assertClose(await coloursAt(view, 30, 28, rows[30][28] / scale)));
  });

  test('has a table of the locked word', async () => {
    await page.evaluate(() => document.querySelector('mha-matrix').setAttribute('token', '42'));
    await view.locator('summary').click();
    await eventually(async () => assert.deepEqual(await dataOf(view.locator('tbody')), rows[42]));
    assert.deepEqual(errors, []);
  });
});

describe('the other views of 200 words', () => {
  const data = textOf(200, 3);
  let page, errors, close;
  beforeAll(async () => {
    ({ page, errors, close } = await open(VIEWS, data));
    await page.locator('mha-arcs [part=word]').last().waitFor();
  });
  afterAll(() => close?.());
  const word = (index) => page.locator(`mha-arcs [data-index="${index}"]`);
  const focused = () =>
    page.evaluate(() => Number(document.querySelector('mha-arcs').renderRoot.activeElement?.dataset.index));

  test('set the sentence in lines, and paint what the pointed word looks at', async () => {
    assert.deepEqual(await page.locator('mha-arcs [part=word]').allTextContents(), data.tokens);
    const scale = await scaleOf(page.locator('mha-matrix'));
    await word(12).hover();
    await eventually(async () => {
      const shades = await page
        .locator('mha-arcs [part=word]')
        .evaluateAll((all) => all.map((one) => Number(/shade-(\d+)/.exec(one.className)?.[1] ?? 0)));
      const expected = data.weights[0][12].map((weight) => Math.round(Math.min(1, weight / scale) * 40));
      assert.deepEqual(shades, expected);
    });
    assert.match(await word(12).getAttribute('class'), /\bquery\b/);
    await page.mouse.move(1, 1);
    await eventually(async () => assert.equal(await page.locator('mha-arcs .ramp').count(), 0));
  });

  test('are one tab stop each, walked by arrows along and between lines', async () => {
    assert.equal(await page.locator('mha-arcs [tabindex="0"]').count(), 1);
    await word(0).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 1);
    await page.keyboard.press('ArrowDown');
    const below = await focused();
    const [first, second] = [await word(1).boundingBox(), await word(below).boundingBox()];
    assert.ok(second.y > first.y && second.y < first.y + 2 * first.height, 'the next line');
    assert.ok(Math.abs(second.x - first.x) < first.width + second.width, 'the same place in it');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    assert.equal(await focused(), 199);
    await page.keyboard.press('Enter');
    await eventually(async () => assert.equal(await word(199).getAttribute('aria-pressed'), 'true'));
    const [weight, key] = data.weights[0][199].reduce(
      (best, weight, key) => (key !== 199 && weight > best[0] ? [weight, key] : best),
      [0, 0],
    );
    const label = await word(199).getAttribute('aria-label');
    assert.ok(
      label.endsWith(`200번째 단어, 가장 많이 보는 단어 ‘${data.tokens[key]}’ ${weight.toFixed(2)}`),
      label,
    );
    assert.equal(await page.locator('mha-arcs [aria-label*="번째 단어"]').count(), 1);
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await word(199).getAttribute('aria-pressed'), 'false'));
  });

  test('paint every head’s miniature', async () => {
    const scale = await scaleOf(page.locator('mha-matrix'));
    for (const [head, rows] of data.weights.entries()) {
      const canvas = page.locator('mha-heads canvas').nth(head);
      const brightness = await canvas.evaluate((one) => {
        const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);
        return [0, 90, 199].map((query) => {
          const row = Array.from({ length: 200 }, (_, key) => data[4 * (query * 200 + key)]);
          return row.indexOf(Math.min(...row));
        });
      });
      const largest = [0, 90, 199].map((query) => {
        const row = rows[query].map((weight) => Math.min(weight, scale));
        return row.indexOf(Math.max(...row));
      });
      assert.deepEqual(brightness, largest);
    }
    assert.deepEqual(errors, []);
  });

  for (const [lang, colorScheme, width] of [
    ['ko', 'light', 1280],
    ['en', 'dark', 320],
  ]) {
    test(`are accessible in ${lang}, ${colorScheme}, at ${width} px`, async () => {
      await page.evaluate((lang) => (document.documentElement.lang = lang), lang);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => {
        document.querySelector('mha-arcs').selection.lock({ query: 3, key: 2 });
      });
      await page.locator('mha-arcs .ramp').first().waitFor();
      assert.deepEqual(await axeFindings(page), []);
      await eventually(async () => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px wide`);
        const picture = await page.locator('mha-matrix canvas').boundingBox();
        assert.ok(
          picture.width <= width && picture.width + 200 > Math.min(800, width),
          `${picture.width} px`,
        );
      });
    });
  }
});

describe('exports', () => {
  const data = textOf(10, 4);
  const rows = data.weights[0];
  /** Name and texts of the exported SVG as XML has them, and the size of the PNG. */
  const exported = (view) =>
    view.evaluate(async (element) => {
      await element.updateComplete;
      const svg = element.toSVG();
      const { documentElement: root } = new DOMParser().parseFromString(svg, 'image/svg+xml');
      const { width, height } = await createImageBitmap(await element.toPNG(2));
      return {
        root: root.localName,
        title: root.querySelector('title')?.textContent,
        texts: [...root.querySelectorAll('text')].map(({ textContent }) => textContent),
        images: [...root.querySelectorAll('image')].map((image) => image.getAttribute('href')),
        size: [Number(root.getAttribute('width')), Number(root.getAttribute('height'))],
        png: [width, height],
      };
    });
  const csv = async (view) =>
    (await view.evaluate((element) => element.toCSV()))
      .trimEnd()
      .split('\r\n')
      .map((line) => [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell]) => cell));
  const plain = (cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

  test('of the matrix hold its names, numbers and legend', async () => {
    const { view, errors, close } = await open(['mha-matrix'], data);
    await view.locator('[part=cell]').first().waitFor();
    const { root, title, texts, size, png } = await exported(view);
    assert.equal(root, 'svg');
    assert.match(title, /^헤드 1에서 가장 큰 가중치/);
    const numbers = texts.filter((text) => /^\d\.\d\d$/.test(text));
    const ticks = ['0.25', '0.75'];
    assert.deepEqual(
      numbers.slice(0, 100),
      rows.flat().map((weight) => weight.toFixed(2)),
    );
    assert.deepEqual(numbers.slice(100), ticks);
    for (const token of data.tokens) assert.ok(texts.filter((text) => text === token).length >= 2, token);
    assert.deepEqual(
      png,
      size.map((length) => 2 * length),
    );

    const [header, ...lines] = await csv(view);
    assert.deepEqual(header, ['head', 'query', 'key', 'query word', 'key word', 'weight']);
    assert.equal(lines.length, 100);
    for (const [head, query, key, queryWord, keyWord, weight] of lines) {
      assert.equal(head, '0');
      assert.deepEqual([queryWord, keyWord].map(plain), [data.tokens[query], data.tokens[key]]);
      assert.equal(Number(weight), rows[query][key]);
    }
    assert.deepEqual(errors, []);
    await close();
  });

  test('of the arcs hold the chosen word’s weights', async () => {
    const { view, close } = await open(['mha-arcs'], data, { properties: { token: '4', head: 1 } });
    await view.locator('[aria-pressed=true]').waitFor();
    const { texts, size, png } = await exported(view);
    const shown = data.tokens.flatMap((token, key) => [token, data.weights[1][4][key].toFixed(2)]);
    assert.deepEqual(texts.slice(0, shown.length), shown);
    assert.match(texts.slice(shown.length).join(' '), /헤드 2/);
    assert.deepEqual(
      png,
      size.map((length) => 2 * length),
    );
    const [, ...lines] = await csv(view);
    assert.deepEqual(
      lines.map((line) => Number(line.at(-1))),
      data.weights[1].flat(),
    );
    await close();
  });

  test('of the heads hold every head', async () => {
    const { view, close } = await open(['mha-heads'], data);
    await view.locator('[role=radio]').first().waitFor();
    const { texts } = await exported(view);
    assert.deepEqual(
      texts.filter((text) => /^헤드 \d$/.test(text)),
      ['헤드 1', '헤드 2', '헤드 3', '헤드 4'],
    );
    const [, ...lines] = await csv(view);
    assert.deepEqual(
      lines.map((line) => Number(line.at(-1))),
      data.weights.flat(2),
    );
    await close();
  });

  test('of a text of 600 words are one picture, and every number', async () => {
    const long = textOf(600, 1);
    const { page, view, errors, close } = await open(['mha-matrix', 'mha-arcs'], long);
    await view.locator('canvas').waitFor();
    const scale = await scaleOf(view);
    assertClose(await coloursAt(view, 599, 598, long.weights[0][599][598] / scale));
    const { images, size, png } = await exported(view);
    assert.equal(images.length, 1);
    assert.deepEqual(
      png,
      size.map((length) => 2 * length),
    );
    const pixel = await page.evaluate(async (href) => {
      const image = new Image();
      image.src = href;
      await image.decode();
      const context = document.createElement('canvas').getContext('2d');
      context.drawImage(image, -598, -599);
      return [image.naturalWidth, ...context.getImageData(0, 0, 1, 1).data];
    }, images[0]);
    const { pixel: painted } = await coloursAt(view, 599, 598, 0);
    assert.deepEqual(pixel, [600, ...painted]);
    const { count, last } = await view.evaluate((element) => {
      const lines = element.toCSV().trimEnd().split('\r\n');
      return { count: lines.length, last: lines.at(-1) };
    });
    assert.equal(count, 600 * 600 + 1);
    assert.equal(Number(last.split(',').at(-1)), long.weights[0][599][599]);
    const { texts } = await exported(page.locator('mha-arcs'));
    assert.deepEqual(texts.slice(0, 600), long.tokens);
    assert.deepEqual(errors, []);
    await close();
  });
});

describe('the difference of two heads', () => {
  const data = textOf(10, 4);
  const difference = (query, key) => data.weights[0][query][key] - data.weights[2][query][key];

  test('has a sign, two hues, and a sentence that names the larger head', async () => {
    const { view, errors, close } = await open(['mha-matrix'], data, { properties: { difference: 2 } });
    await view.locator('[part=cell]').first().waitFor();
    const cells = await view.locator('[part=cell]').evaluateAll((all) =>
      all.map((cell) => ({
        value: Number(cell.querySelector('data').value),
        text: cell.textContent.trim(),
        label: cell.getAttribute('aria-label'),
        minus: cell.classList.contains('minus'),
      })),
    );
    cells.forEach(({ value, text, label, minus }, index) => {
      const [query, key] = [Math.floor(index / 10), index % 10];
      const expected = difference(query, key);
      const size = Math.abs(expected).toFixed(2);
      assert.ok(Math.abs(value - expected) < 1e-12);
      assert.equal(minus, expected < 0);
      const pair = `‘${data.tokens[query]}’ → ‘${data.tokens[key]}’`;
      if (size === '0.00') {
        assert.equal(text, '0.00');
        assert.equal(label, `${pair}: 차이 0.00, 두 헤드가 같아요`);
      } else {
        assert.equal(text, `${expected < 0 ? '−' : '+'}${size}`);
        const [larger, smaller] = expected < 0 ? [3, 1] : [1, 3];
        assert.equal(label, `${pair}: 헤드 ${larger} 쪽이 헤드 ${smaller}보다 ${size} 더 커요`);
      }
    });
    assert.match(await view.locator('[part=legend]').innerText(), /헤드 1 − 헤드 3/);
    assert.match(await view.locator('[part=description]').innerText(), /^가장 큰 차이는/);
    const lines = (await view.evaluate((element) => element.toCSV())).trimEnd().split('\r\n');
    assert.equal(Number(lines[1].split(',').at(-1)), difference(0, 0));
    assert.match(await view.evaluate((element) => element.toSVG()), />−0\.\d\d</);
    await view.evaluate((element) => (element.difference = null));
    await eventually(async () => assert.equal(await view.locator('.minus').count(), 0));
    assert.deepEqual(errors, []);
    await close();
  });

  test('is painted for a long text', async () => {
    const long = textOf(100, 3);
    const { view, close } = await open(['mha-matrix'], long, { properties: { difference: 1 } });
    await view.locator('canvas').waitFor();
    const scale = await scaleOf(view);
    for (const [query, key] of [
      [10, 10],
      [10, 9],
      [60, 58],
    ]) {
      const value = (long.weights[0][query][key] - long.weights[1][query][key]) / scale;
      assertClose(await coloursAt(view, query, key, value));
    }
    await close();
  });
});

describe('views of ten words', () => {
  const tokens = ['the', 'cat', 'sat', 'on', 'the', 'mat', 'because', 'it', 'was', 'tired.'];
  const data = { ...textOf(10, 4), tokens };

  test('stand alone with a description, a table and (matrix, heads) a legend', async () => {
    const { page, close } = await open(VIEWS, data);
    for (const name of VIEWS) {
      const view = page.locator(name);
      await eventually(async () => {
        assert.match(await view.locator('[part=description]').innerText(), /^헤드 1에서 가장 큰 가중치/);
      });
      await view.locator('summary').click();
      const shown = name === 'mha-heads' ? data.weights : [data.weights[0]];
      await eventually(async () =>
        assert.deepEqual(await dataOf(view.locator('details tbody')), shown.flat(2)),
      );
      assert.equal(await view.locator('[part=legend]').count(), name === 'mha-arcs' ? 0 : 1);
    }
    assert.deepEqual(await axeFindings(page), []);
    await page.evaluate(() => {
      for (const view of document.querySelectorAll('main > :not(h1)')) view.embedded = true;
    });
    await eventually(async () => {
      assert.equal(await page.locator('details, [part=description], [part=legend]').count(), 0);
    });
    await close();
  });

  test('are drawn without an error where a ResizeObserver calls back', async () => {
    const { page, close } = await open([], data);
    const errors = await page.evaluate(
      ([names, data]) =>
        new Promise((resolve) => {
          const errors = [];
          addEventListener('error', ({ message }) => errors.push(message));
          // Deeper than what the views observe: a new observation there is too late for this round of callbacks.
          const deep = document.createElement('p');
          const boxes = Array.from({ length: 20 }, () => document.createElement('div'));
          boxes.reduce((outer, inner) => outer.appendChild(inner), document.body).append(deep);
          new ResizeObserver(async (_, observer) => {
            observer.disconnect();
            const views = names.map((name) => Object.assign(document.createElement(name), { data }));
            document.querySelector('main').append(...views);
            for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
            resolve(errors);
          }).observe(deep);
        }),
      [VIEWS, data],
    );
    for (const part of ['word', 'miniature', 'cell'])
      await page.locator(`[part=${part}]`).first().waitFor({ timeout: 1000 });
    assert.deepEqual(errors, []);
    await close();
  });

  test('of the matrix find their sizes at once at every width', async () => {
    const { view, close } = await open(['mha-matrix'], data, { viewport: { width: 500, height: 800 } });
    try {
      await view.locator('[part=cell]').first().waitFor();
      const counts = await view.evaluate(async (element) => {
        let count = 0;
        new MutationObserver(() => count++).observe(element.renderRoot, {
          subtree: true,
          attributeFilter: ['class', 'style'],
        });
        const found = [];
        for (let width = 460; width >= 240; width -= 4) {
          count = 0;
          element.style.width = `${width}px`;
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          found.push(count);
        }
        return found;
      });
      assert.ok(Math.max(...counts) >= 1 && Math.max(...counts) <= 2, `drawn ${counts} times`);
    } finally {
      await close();
    }
  });

  test('fit into prose of 360 px, with cells that a finger can meet', async () => {
    const { view, close } = await open(['mha-matrix'], data, { viewport: { width: 360, height: 800 } });
    await eventually(async () => {
      const { scroll, client, cell } = await view.evaluate(({ renderRoot }) => {
        const frame = renderRoot.querySelector('.frame');
        const { width, height } = renderRoot.querySelector('td').getBoundingClientRect();
        return { scroll: frame.scrollWidth, client: frame.clientWidth, cell: Math.min(width, height) };
      });
      assert.ok(scroll <= client, `${scroll} px in ${client}`);
      assert.ok(cell >= 24, `${cell} px`);
    });
    await close();
  });

  test('keep the focus in a frame that ceases to scroll', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`);
    const weights = words.map((_, query) => words.map((_, key) => (query === key ? 1 : 0)));
    const { page, view, close } = await open(
      ['mha-matrix'],
      { tokens: words, weights: [weights] },
      { viewport: { width: 360, height: 800 } },
    );
    const frame = view.locator('.frame[tabindex="0"]');
    await frame.focus();
    await page.setViewportSize({ width: 2400, height: 800 });
    const state = () =>
      view.evaluate(async ({ renderRoot }) => {
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        const { activeElement: one } = renderRoot;
        return one && [one.className.includes('frame'), one.scrollWidth <= one.clientWidth];
      });
    await eventually(async () => assert.deepEqual(await state(), [true, true]));
    await page.keyboard.press('Tab');
    await eventually(async () => assert.equal(await frame.count(), 0));
    await close();
  });

  for (const token of [null, '0']) {
    test(`draw an arc as strong as its weight, and none below 0.02 (${token === null ? 'overview' : 'a word'})`, async () => {
      const row = [0.5, 0.3, 0.1, 0.06, 0.021, 0.019, 0, 0, 0, 0];
      const weights = tokens.map((_, query) => row.map((_, key) => (query === 0 ? row[key] : 0)));
      const { view, close } = await open(
        ['mha-arcs'],
        { tokens, weights: [weights] },
        { properties: { token } },
      );
      await view
        .locator(token === null ? 'path' : '[aria-pressed=true]')
        .first()
        .waitFor();
      const { drawn, exported } = await view.evaluate(({ renderRoot }) => {
        const arcsIn = (root) =>
          [...root.querySelectorAll('path[stroke-width]')].map((arc) => [
            // That of line and arrow head together.
            Number(arc.closest('[opacity]')?.getAttribute('opacity')),
            Number(arc.getAttribute('stroke-width')),
          ]);
        const svg = new DOMParser().parseFromString(renderRoot.host.toSVG(), 'image/svg+xml');
        return { drawn: arcsIn(renderRoot), exported: arcsIn(svg) };
      });
      for (const arcs of [drawn, exported]) {
        assert.equal(arcs.length, 5, JSON.stringify(arcs));
        arcs.forEach(([opacity, width], key) => {
          assert.ok(opacity <= 1 && width > 0, `${opacity}, ${width}`);
          const [nextOpacity, nextWidth] = arcs[key + 1] ?? [0, 0];
          assert.ok(opacity > nextOpacity && width > nextWidth, JSON.stringify(arcs));
        });
        // The lightest one must be lighter by far, not a third of full strength.
        assert.ok(arcs[4][0] < 0.35 * arcs[0][0], JSON.stringify(arcs));
      }
      assert.deepEqual(
        (await dataOf(view.locator('[part=words]'))).map((value) => Number(value.toFixed(3))),
        token === null ? [] : row,
      );
      await close();
    });
  }

  test('keep the words of a row apart at every width', async () => {
    const { page, view, close } = await open(['mha-arcs'], data, { properties: { token: 'it' } });
    let rows = 0;
    for (let width = 340; width <= 900; width += 20) {
      await page.setViewportSize({ width, height: 700 });
      rows += await eventually(() =>
        view.evaluate(async ({ renderRoot }, width) => {
          const frame = renderRoot.querySelector('.frame');
          if (frame.clientWidth !== width - 32) throw new Error('not laid out yet');
          // A frame for the figure to see its new width, another to draw for it.
          for (let i = 0; i < 2; ++i) await new Promise((done) => requestAnimationFrame(done));
          if (frame.scrollWidth > frame.clientWidth) throw new Error(`scrolls at ${width} px`);
          const inRow = renderRoot.querySelector('.column') === null;
          const boxes = [...renderRoot.querySelectorAll('[part=word]')].map((one) =>
            one.getBoundingClientRect(),
          );
          boxes.slice(1).forEach((box, index) => {
            const apart = inRow ? box.left - boxes[index].right : box.top - boxes[index].bottom;
            if (apart < 1) throw new Error(`words ${index} and ${index + 1} touch at ${width} px`);
          });
          return inRow ? 1 : 0;
        }, width),
      );
    }
    assert.ok(rows > 5 && rows < 29, `${rows} of 29 widths in a row`);
    await close();
  });
});
