import assert from 'node:assert/strict';
import { load } from '../../dist/index.js';
import { openExample } from '../../dist/documents/examples.js';
import { documents } from '../../dist/documents/index.js';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const STEPS = [
  ...['x', 'q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'context', 'concat', 'output'],
];

const page = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width, initial-scale=1"><style>:root { color-scheme: light dark; background: Canvas; color: CanvasText }</style>
  <link rel="icon" href="data:,"><script type="module" src="standalone.js"></script>
  <body><main><h1>test</h1>${body}</main>`;

const many = Array.from({ length: 65 }, (_, index) => `w${index}`).join(' ');
const pages = {
  '/004-sentence': page('<mha-steps document="004-sentence"></mha-steps>'),
  '/000-sentence': page('<mha-steps document="000-sentence"></mha-steps>'),
  '/001-a': page('<mha-steps document="001-a"></mha-steps>'),
  '/001-f': page('<mha-steps document="001-f"></mha-steps>'),
  '/002-5': page('<mha-steps document="002-5"></mha-steps>'),
  '/en': page('<mha-steps document="000-sentence"></mha-steps>', 'en'),
  '/far': page('<mha-steps document="000-sentence" step="concat" cell="2,30"></mha-steps>'),
  '/url': page('<mha-steps url-state="s" document="004-sentence"></mha-steps>'),
  '/own': page('<mha-steps sentence="one two three two" heads="8" seed="3"></mha-steps>', 'en'),
  '/long': page(`<mha-steps sentence="${many}"></mha-steps>`),
  '/data': page('<mha-steps></mha-steps>'),
};

const server = serving(dist, { pages });
let module;
beforeAll(async () => {
  module = await load({ build: 'simd' });
});

/**
 * Relaxed SIMD rounds a multiply-add once, Node 20 does not have it: numbers agree to 1e-6 where both run the build
 * `simd`. So relaxed SIMD is disabled in the browser, unless a test uses the `fastest` build.
 */
function hideRelaxedSimd() {
  const { validate } = WebAssembly;
  WebAssembly.validate = (bytes) =>
    ![...new Uint8Array(bytes)].join().includes('253,128,2,') && validate(bytes);
}

async function open(name, { fastest = false, ...options } = {}) {
  const init = fastest ? undefined : hideRelaxedSimd;
  const opened = await openTab(`${server.url}/${name}`, { ...options, init });
  return { ...opened, element: opened.page.locator('mha-steps') };
}

async function openDrawn(name, options) {
  const opened = await open(name, options);
  await cellAt(opened.element, 0, 0).waitFor();
  return opened;
}

const cellAt = (element, row, column) => element.locator(`td[data-row="${row}"][data-column="${column}"]`);
const tab = (element, step) => element.locator(`[data-step="${step}"]`);
const set = (element, values) =>
  element.evaluate((one, values) => Object.assign(one, values).updateComplete, values);
const attribute = (element, name, expected) =>
  eventually(async () => assert.equal(await element.getAttribute(name), expected));

/** The open table as numbers, with its names. */
const tableOf = (element) =>
  element.locator('[part=grid]').evaluate((table) => ({
    rows: [...table.tBodies[0].rows].map((row) => row.cells[0].textContent.trim()),
    values: [...table.tBodies[0].rows].map((row) =>
      [...row.querySelectorAll('data')].map(({ value }) => Number(value)),
    ),
    texts: [...table.tBodies[0].rows].map((row) =>
      [...row.querySelectorAll('data')].map(({ textContent }) => textContent.trim()),
    ),
  }));

/** Every step of one head as nested numbers, computed by the package in this process. */
function expectedSteps(id, head, options = {}) {
  const { tokens, x, layer, single } = openExample(module, id);
  const plain = single !== undefined && head === 4;
  const steps = (plain ? single : layer).steps(x, x, x, options);
  layer.dispose();
  single?.dispose();
  const ofHead = (name) => {
    const nested = steps[name].toNested();
    return steps[name].shape.length === 3 ? nested[plain ? 0 : head] : nested;
  };
  return {
    tokens,
    ...Object.fromEntries(STEPS.map((name) => [name, name === 'x' ? x.toNested() : ofHead(name)])),
  };
}

function assertNear(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((row, i) => {
    assert.equal(actual[i].length, row.length, what);
    row.forEach((value, j) => {
      const same = actual[i][j] === value || Math.abs(actual[i][j] - value) < 1e-6;
      assert.ok(same, `${what} (${i}, ${j}): ${actual[i][j]}, expected ${value}`);
    });
  });
}

const written = (value) =>
  value === -Infinity
    ? '−∞'
    : value
        .toFixed(2)
        .replace(/^-(?=0\.00$)/, '')
        .replace('-', '−');

describe('numbers', () => {
  let shared;
  beforeAll(async () => {
    shared = await openDrawn('004-sentence');
  });
  afterAll(() => shared?.close());

  for (const [id, head] of [
    ['004-sentence', 3],
    ['000-sentence', 1],
    ['002-5', 1],
    ['001-f', 4],
  ]) {
    test(`of every step of ${id} are the module's`, async () => {
      const { element, errors } = shared;
      const expected = expectedSteps(id, head);
      for (const step of STEPS) {
        await set(element, { state: { document: id, head, step } });
        await eventually(async () => {
          const { rows, values, texts } = await tableOf(element);
          assert.deepEqual(rows, expected.tokens);
          assertNear(values, expected[step], `${step} of head ${head}`);
          assert.deepEqual(
            texts,
            values.map((row) => row.map(written)),
          );
        });
        const shape = await tab(element, step).locator('.shape').textContent();
        assert.equal(shape, `(${expected[step].length}, ${expected[step][0].length})`);
      }
      assert.deepEqual(errors, []);
    });
  }

  test('are those of the page’s own module, to the bit, in its fastest build', async () => {
    const { page, element, close } = await openDrawn('004-sentence', { fastest: true });
    const { weights, output } = await page.evaluate(async () => {
      const { bindDocuments, load } = await import('./standalone.js');
      const { weights, output } = bindDocuments(await load()).run('004-sentence').tensors;
      return { weights: weights.toNested(), output: output.toNested() };
    });
    await set(element, { head: 2, step: 'weights' });
    await eventually(async () => assert.deepEqual((await tableOf(element)).values, weights[2]));
    await set(element, { step: 'output' });
    await eventually(async () => assert.deepEqual((await tableOf(element)).values, output));
    await close();
  });

  test('of one’s own sentence follow its heads and its seed', async () => {
    const { element, close } = await openDrawn('own');
    const { weights } = documents.sentence('one two three two', { numHeads: 8, seed: 3 }).tensors;
    await set(element, { head: 7, step: 'weights' });
    await eventually(async () =>
      assertNear((await tableOf(element)).values, weights.toNested()[7], 'weights'),
    );
    assert.equal(await element.locator('input[type=radio]').count(), 8);
    await close();
  });
});

/** The text of the visible formula. */
const formulaOf = (element) =>
  element.locator('[part=formula]').evaluate((formula) => ({
    spoken: formula.querySelector('.spoken')?.textContent ?? null,
    value: Number(formula.querySelector('strong data')?.value),
    terms: [...formula.querySelectorAll('.term > data')].map(({ value }) => Number(value)),
    numbers: [...formula.querySelectorAll('.math > p > data')].map(({ value }) => Number(value)),
    more: formula.querySelector('.more')?.textContent.trim() ?? null,
  }));

const sum = (values) => values.reduce((total, value) => total + value, 0);

describe('a formula', () => {
  let shared;
  beforeAll(async () => {
    shared = await openDrawn('004-sentence', { fastest: true });
  });
  afterAll(() => shared?.close());

  for (const [id, head, words] of [
    ['004-sentence', 1, 10],
    ['000-sentence', 3, 5],
    ['002-5', 1, 8],
    ['001-a', 0, 16],
  ]) {
    test(`comes to the number in every step of ${id}`, async () => {
      const { element } = shared;
      const last = words - 1;
      for (const step of STEPS) {
        await set(element, { state: { document: id, head, step, cell: `${last},1` } });
        await eventually(async () => {
          assert.equal(await cellAt(element, last, 1).getAttribute('aria-selected'), 'true');
          const more = element.locator('.more[aria-expanded=false]');
          if ((await more.count()) > 0) await more.press('Enter');
          const { values } = await tableOf(element);
          const { value, terms, numbers, spoken } = await formulaOf(element);
          assert.equal(value, values[last][1]);
          assert.ok(spoken.includes(written(value)), spoken);
          const near = (actual) =>
            assert.ok(
              Math.abs(actual - value) <= 1e-5 * Math.max(1, Math.abs(value)),
              `${step}: ${actual}, ${value}`,
            );
          if (step === 'scaled') near(numbers[0] / numbers[1]);
          else if (step === 'masked') near(numbers[0] + numbers[1]);
          else if (step === 'weights') {
            assert.equal(terms.length, last + 1);
            near(terms[1] / sum(terms));
            near(numbers[0] / numbers[1]);
          } else if (terms.length > 0) near(sum(terms));
          else assert.ok(id === '001-a' || step === 'x' || step === 'concat', `${step} has no terms`);
        });
      }
    });
  }

  test('shows eight terms, the others on request, and highlights its inputs', async () => {
    const { element, close } = await openDrawn('004-sentence');
    const expected = expectedSteps('004-sentence', 0);
    await set(element, { step: 'output', cell: '7,3' });
    await eventually(async () => {
      const { terms, more } = await formulaOf(element);
      assert.deepEqual([terms.length, more], [8, '… 24개 더']);
    });
    await element.locator('.more').click();
    await eventually(async () => {
      const { terms, more } = await formulaOf(element);
      assert.deepEqual([terms.length, more], [32, '줄여 보기']);
      assert.ok(Math.abs(sum(terms) - expected.output[7][3]) < 1e-5);
    });
    assert.equal(await element.locator('rect.input').count(), 1);
    assert.equal(await tab(element, 'concat').locator('rect.input').getAttribute('y'), '7');

    await set(element, { step: 'scores', cell: '7,1' });
    await eventually(async () => {
      assert.equal(await tab(element, 'q').locator('rect.input').getAttribute('y'), '7');
      assert.equal(await tab(element, 'k').locator('rect.input').getAttribute('y'), '1');
      assert.equal(await element.locator('rect.input').count(), 2);
    });
    const { spoken } = await formulaOf(element);
    const score = written(expected.scores[7][1]);
    assert.equal(spoken, `점수 ‘it’ → ‘cat’ ${score}. 쿼리와 키를 차원 8개에서 곱해 모두 더했어요.`);
    await close();
  });

  test('of a softmax explains why the largest score is subtracted, in both languages', async () => {
    for (const [lang, words] of [
      ['ko', /가장 큰 점수를 빼요\. .* 가중치는 달라지지 않고, .* 오버플로하지 않게 해요/],
      ['en', /largest score subtracted: .* changes no weight .* from overflowing/],
    ]) {
      const { page, element, close } = await openDrawn('004-sentence');
      await page.evaluate((value) => (document.documentElement.lang = value), lang);
      await set(element, { step: 'weights', cell: '7,1' });
      const formula = element.locator('[part=formula]');
      await eventually(async () => assert.match(await formula.innerText(), words));
      await set(element, { step: 'scores' });
      await eventually(async () => assert.doesNotMatch(await formula.innerText(), words));
      await close();
    }
  });

  test('shows a note where there are no projections', async () => {
    const { element, close } = await openDrawn('001-a');
    await tab(element, 'q').click();
    await element.getByText('이 예제에는 투영이 없어요.').waitFor();
    await tab(element, 'output').click();
    await element.getByText('이 예제에는 W').waitFor();
    assert.equal(await element.locator('input[type=radio]').count(), 0);
    await close();
  });
});

describe('choosing', () => {
  test('pointing previews a cell, a click locks it, another or Escape releases it, with events', async () => {
    const { page, element, close } = await openDrawn('004-sentence');
    await page.evaluate(() => {
      globalThis.details = [];
      document.body.addEventListener('mha-select', ({ detail }) => globalThis.details.push({ ...detail }));
    });
    const expected = expectedSteps('004-sentence', 0);
    const shows = (value) =>
      eventually(async () => {
        const formula = await formulaOf(element);
        if (value === null) assert.equal(formula.spoken, null);
        else assert.ok(Math.abs(formula.value - value) < 1e-6);
      });
    await shows(null);
    await cellAt(element, 2, 5).hover();
    await shows(expected.scores[2][5]);
    assert.equal(await element.getAttribute('cell'), null);
    await page.mouse.move(2, 2);
    await shows(null);

    await cellAt(element, 7, 1).click();
    await attribute(element, 'cell', '7,1');
    await attribute(element, 'token', 'it');
    await cellAt(element, 2, 5).hover();
    await shows(expected.scores[2][5]);
    await page.mouse.move(2, 2);
    await page.evaluate(() => document.activeElement.blur());
    await shows(expected.scores[7][1]);

    // The pair stays through the steps that have pairs.
    await tab(element, 'weights').click();
    await attribute(element, 'cell', '7,1');
    await shows(expected.weights[7][1]);
    await tab(element, 'context').click();
    await attribute(element, 'cell', null);
    await shows(null);
    await tab(element, 'scaled').click();
    await shows(expected.scaled[7][1]);

    // Another word takes the formula along.
    await element.locator('[data-word="4"]').click();
    await attribute(element, 'cell', '4,1');
    await shows(expected.scaled[4][1]);

    await page.keyboard.press('Escape');
    await shows(null);
    await attribute(element, 'cell', null);
    await attribute(element, 'token', null);
    assert.deepEqual(await page.evaluate(() => globalThis.details), [
      { head: 0, query: 7, key: 1 },
      { head: 0, query: 4, key: 1 },
      { head: 0, query: null, key: null },
    ]);

    await cellAt(element, 3, 3).click();
    await attribute(element, 'cell', '3,3');
    await cellAt(element, 3, 3).click();
    await attribute(element, 'cell', null);
    await close();
  });

  test('a head is chosen by its number, a word by its button', async () => {
    const { element, close } = await openDrawn('004-sentence');
    await element.getByLabel('헤드 3').check();
    await attribute(element, 'head', '2');
    await eventually(async () =>
      assertNear((await tableOf(element)).values, expectedSteps('004-sentence', 2).scores, 'scores'),
    );
    await element.locator('[data-word="7"]').click();
    await attribute(element, 'token', 'it');
    await eventually(async () =>
      assert.equal(await element.locator('[data-word][aria-pressed=true]').innerText(), 'it'),
    );
    await element.locator('[data-word="7"]').click();
    await attribute(element, 'token', null);
    await close();
  });

  test('a cell that an attribute locks comes into view in its table', async () => {
    const { element, close } = await openDrawn('far', { viewport: { width: 320, height: 700 } });
    const inView = () =>
      element.evaluate((one) => {
        const [cell, frame] = ['[aria-selected=true]', '.frame'].map((selector) =>
          one.shadowRoot.querySelector(selector).getBoundingClientRect(),
        );
        return cell.left >= frame.left && cell.right <= frame.right + 1;
      });
    await eventually(async () => assert.ok(await inView()));
    await set(element, { cell: '2,0' });
    await eventually(async () => assert.ok(await inView()));
    await close();
  });

  test('needs no pointer at all', async () => {
    const { page, element, close } = await openDrawn('004-sentence');
    const focused = () =>
      page.evaluate(() => {
        const { localName, type, dataset } =
          document.activeElement.shadowRoot?.activeElement ?? document.body;
        return dataset.row
          ? `${dataset.row},${dataset.column}`
          : (dataset.step ?? dataset.word ?? type ?? localName);
      });
    const press = async (key, expected) => {
      await page.keyboard.press(key);
      await eventually(async () => assert.equal(await focused(), expected, key));
    };
    await press('Tab', 'radio');
    await press('ArrowRight', 'radio');
    await attribute(element, 'head', '1');
    await press('Tab', 'select-one');
    await press('Tab', '0');
    await press('End', '9');
    await press('ArrowLeft', '8');
    await press('Enter', '8');
    await attribute(element, 'token', 'was');
    await press('Tab', 'scores');
    await press('ArrowRight', 'scaled');
    await attribute(element, 'step', 'scaled');
    await press('End', 'output');
    await press('Home', 'x');
    await press('ArrowDown', 'q');
    await attribute(element, 'step', 'q');
    await press('Tab', '0,0');
    await press('End', '0,7');
    await press('ArrowRight', '0,7');
    await press('Control+End', '9,7');
    await press('ArrowUp', '8,7');
    const expected = expectedSteps('004-sentence', 1);
    await eventually(async () =>
      assert.ok(Math.abs((await formulaOf(element)).value - expected.q[8][7]) < 1e-6),
    );
    const label = await cellAt(element, 8, 7).getAttribute('aria-label');
    assert.equal(label, `‘was’의 차원 8, 쿼리 ${written(expected.q[8][7])}`);
    await press('Enter', '8,7');
    await attribute(element, 'cell', '8,7');
    await eventually(async () =>
      assert.match(await element.locator('.all > [role=status]').innerText(), /^‘was’의 차원 8, 쿼리 /),
    );
    assert.equal(await element.locator('[part=grid] [tabindex="0"]').count(), 1);
    await press('Tab', 'button');
    await press('Enter', 'button');
    await eventually(async () => assert.equal((await formulaOf(element)).terms.length, 32));
    await press('Shift+Tab', '8,7');
    await press('Escape', '8,7');
    await attribute(element, 'cell', null);
    await press('Control+Home', '0,0');
    await close();
  });

  for (const width of [360, 1440]) {
    test(`the focus goes from a cell into its formula and back, and is never lost (${width} px)`, async () => {
      const { page, element, close } = await openDrawn('004-sentence', { viewport: { width, height: 800 } });
      await element.evaluate((steps) => (steps.step = 'q'));
      const cell = cellAt(element, 0, 0);
      await cell.focus();
      await page.keyboard.press('Tab');
      const more = element.locator('[part=formula] button');
      const isFocused = (locator) =>
        eventually(async () => assert.ok(await locator.evaluate((one) => one.matches(':focus'))));
      await isFocused(more);
      // Two frames: nothing that is drawn later takes it away.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await isFocused(more);
      await page.keyboard.press('Enter');
      await eventually(async () => assert.equal((await formulaOf(element)).terms.length, 32));
      await page.keyboard.press('Escape');
      await isFocused(cell);
      await eventually(async () => assert.equal(await more.count(), 0));
      await close();
    });
  }
});

describe('a mask', () => {
  test('is chosen in the element, makes scores −∞ and weights 0', async () => {
    const { element, close } = await openDrawn('004-sentence');
    const { causal, slidingWindow } = module.masks;
    await set(element, { step: 'masked', cell: '2,5' });
    await element.getByText('지금은 마스크가 없어서').waitFor();
    for (const [name, mask, options] of [
      ['causal', 'causal', { attnMask: causal(10) }],
      ['window', 'window:1', { attnMask: slidingWindow(10, 1) }],
      ['padding', 'padding:1', { keyPaddingMask: { data: module.masks.padding([9], 10).data, shape: [10] } }],
    ]) {
      await element.getByLabel('마스크', { exact: true }).selectOption(name);
      await attribute(element, 'mask', mask);
      const expected = expectedSteps('004-sentence', 0, options);
      for (const step of ['masked', 'weights', 'output']) {
        await set(element, { step });
        await eventually(async () =>
          assertNear((await tableOf(element)).values, expected[step], `${step}, ${name}`),
        );
      }
      await set(element, { step: 'masked' });
    }
    const count = element.getByLabel('끝에서 가릴 단어 수');
    await count.fill('4');
    // A drawing leaves what is being typed.
    await element.evaluate((steps) => {
      steps.requestUpdate();
      return steps.updateComplete;
    });
    await count.press('Enter');
    await attribute(element, 'mask', 'padding:4');
    await set(element, { cell: '2,7' });
    await eventually(async () => {
      const { texts } = await tableOf(element);
      assert.deepEqual(texts[2].slice(5), [texts[2][5], '−∞', '−∞', '−∞', '−∞']);
      assert.equal((await formulaOf(element)).spoken, '‘sat’ → ‘it’ −∞. 마스크로 가려진 키예요.');
      assert.equal(await cellAt(element, 2, 7).getAttribute('aria-label'), '‘sat’ → ‘it’, 마스크 −∞');
    });
    await close();
  });

  test('of an author that readers are not offered is in the list', async () => {
    const { element, close } = await openDrawn('004-sentence');
    await set(element, { mask: 'trap' });
    const list = element.getByLabel('마스크', { exact: true });
    await eventually(async () => assert.equal(await list.inputValue(), 'trap'));
    await list.selectOption('none');
    await attribute(element, 'mask', 'none');
    await close();
  });

  test('of no meaning is answered, and the figure stays', async () => {
    const { element, close } = await openDrawn('004-sentence');
    await set(element, { mask: 'padding:99' });
    await element.locator('[role=alert]').waitFor();
    assertNear((await tableOf(element)).values, expectedSteps('004-sentence', 0).scores, 'scores');
    await set(element, { mask: 'none' });
    await eventually(async () => assert.equal(await element.locator('[role=alert]').count(), 0));
    await close();
  });
});

describe('state and export', () => {
  test('a state that names a cell and no word holds the cell, however often it is set', async () => {
    const { element, close } = await openDrawn('004-sentence');
    for (let time = 0; time < 3; time++) {
      await set(element, { state: { document: '004-sentence', step: 'scores', cell: '7,1' } });
      await attribute(element, 'token', 'it');
      await attribute(element, 'cell', '7,1');
    }
    await close();
  });

  test('heads that only sum up others are none of the steps', async () => {
    const { element, close } = await openDrawn('004-sentence');
    await set(element, { summary: true, mass: 0.5 });
    assert.equal(await element.locator('[name=head]').count(), 4);
    await close();
  });

  test('the state round-trips through JSON and the address', async () => {
    const { page, element, close } = await openDrawn('url');
    await set(element, { step: 'context', head: 2, mask: 'causal' });
    await cellAt(element, 7, 3).click();
    const state = {
      document: '004-sentence',
      step: 'context',
      head: 2,
      mask: 'causal',
      token: 'it',
      cell: '7,3',
    };
    await eventually(async () => assert.deepEqual(await element.evaluate((one) => one.state), state));
    const address = await eventually(async () => {
      assert.match(page.url(), /cell=7/);
      return page.url();
    });
    await element.evaluate((one) => {
      one.state = { document: '004-sentence' };
    });
    await attribute(element, 'cell', null);
    await attribute(element, 'head', '0');
    await element.evaluate((one, state) => {
      one.state = state;
    }, state);
    await eventually(async () =>
      assert.equal(await cellAt(element, 7, 3).getAttribute('aria-selected'), 'true'),
    );

    await page.goto('about:blank');
    await page.goto(address);
    await eventually(async () =>
      assert.equal(await cellAt(element, 7, 3).getAttribute('aria-selected'), 'true'),
    );
    assert.deepEqual(await element.evaluate((one) => one.state), state);
    await close();
  });

  test('SVG, PNG and CSV hold the open step', async () => {
    const { element, close } = await openDrawn('004-sentence');
    await set(element, { step: 'weights', cell: '7,1', mask: 'causal' });
    await eventually(async () => assert.equal(await element.locator('td.locked').count(), 1));
    const { svg, csv, png } = await element.evaluate(async (one) => {
      const blob = await one.toPNG(1);
      return { svg: one.toSVG(), csv: one.toCSV(), png: [blob.type, blob.size > 1000] };
    });
    const expected = expectedSteps('004-sentence', 0, { isCausal: true });
    const lines = csv
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(lines[0].slice(1), expected.tokens);
    assert.deepEqual(
      lines.slice(1).map(([name]) => name),
      expected.tokens,
    );
    assertNear(
      lines.slice(1).map((line) => line.slice(1).map(Number)),
      expected.weights,
      'csv',
    );
    assert.deepEqual(png, ['image/png', true]);
    for (const value of expected.weights.flat()) assert.ok(svg.includes(`>${written(value)}</text>`));
    assert.ok(svg.includes('가중치 ‘it’ → ‘cat’'));
    await close();
  });
});

describe('what cannot be shown', () => {
  test('shows a message: sentences of more than 64 words, and weights alone', async () => {
    const long = await open('long');
    await long.element.getByText('단어 64개까지').waitFor();
    await long.close();
    const { element, close } = await open('data');
    await element.evaluate((one) => {
      one.data = {
        tokens: ['a', 'b'],
        weights: [
          [
            [0.5, 0.5],
            [0.5, 0.5],
          ],
        ],
      };
    });
    await element.getByText('가중치만으로는').waitFor();
    await close();
  });
});

describe('for everyone', () => {
  for (const [name, colorScheme] of [
    ['000-sentence', 'light'],
    ['000-sentence', 'dark'],
    ['en', 'light'],
    ['en', 'dark'],
  ]) {
    test(`axe finds nothing (${name}, ${colorScheme})`, async () => {
      const { page, element, close } = await openDrawn(name, { colorScheme });
      for (const step of ['k', 'masked', 'weights', 'output']) {
        await set(element, { step, cell: '3,1', mask: 'causal' });
        await eventually(async () => assert.equal(await element.locator('td.locked').count(), 1));
        assert.deepEqual(await axeFindings(page), [], step);
      }
      await close();
    });
  }

  for (const [name, width] of [
    ['004-sentence', 320],
    ['001-f', 320],
    ['en', 768],
  ]) {
    test(`the page never scrolls sideways (${name}, ${width} px)`, async () => {
      const { page, element, close } = await openDrawn(name, { viewport: { width, height: 700 } });
      for (const step of ['x', 'k', 'scores', 'masked', 'weights', 'concat']) {
        await set(element, { step, cell: '2,1', mask: 'window:2' });
        await eventually(async () => assert.equal(await element.locator('td.locked').count(), 1));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), step);
      }
      const small = await element.evaluate((one) =>
        [
          ...one.shadowRoot.querySelectorAll(
            'button, label:has(input), select, input:not([type=radio]), td[data-row]',
          ),
        ]
          .map((target) => [target.outerHTML.slice(0, 60), target.getBoundingClientRect()])
          .filter(([, { width, height }]) => width < 24 || height < 24)
          .map(([html]) => html),
      );
      assert.deepEqual(small, []);
      await close();
    });
  }
});
