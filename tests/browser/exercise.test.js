import assert from 'node:assert/strict';
import { describe, newContext, openPage, serving, shared, test } from './fixtures.js';
import { axeFindings, dist, OF_COLOURS, eventually, golden } from './support.js';

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const exercises = NUMBERS.map((number) => `<mha-exercise number="${number}"></mha-exercise>`).join('');
const page = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <style>
    :root {
      color-scheme: light dark;
      --mha-paper: light-dark(#fbfaf6, #16171c);
      background: var(--mha-paper);
      color: light-dark(#1f1d1a, #e9e6df);
    }
  </style>
  <script type="module" src="standalone.js"></script>
  <body><main><h1>1</h1><h2>2</h2>${body}</main>`;

const pages = {
  '/ko': page(exercises),
  '/en': page(exercises, 'en'),
  '/one': page('<mha-exercise number="2" url-state="two"></mha-exercise>', 'en'),
  '/try': page(
    `<mha-exercise number="5" for="figure"></mha-exercise><mha-exercise number="2"></mha-exercise>
    <p id="text">text</p><mha-exercise number="3" for="text"></mha-exercise>
    <div style="height: 200vh"></div><mha-explorer id="figure" document="004-sentence" head="1"></mha-explorer>`,
  ),
  '/figures': page(
    `${exercises}<mha-shapes id="mha-shapes"></mha-shapes><mha-steps id="mha-steps"></mha-steps>
    <mha-explorer id="mha-explorer"></mha-explorer>`,
  ),
  '/bad': page('<mha-exercise number="9"></mha-exercise>', 'en'),
};

/** The document's answers, and for each part a wrong one with the kind of its mistake. */
const right = {
  1: 'd-7_x-1.3.0.6.4...',
  2: 'q-n.k_k-n.k_v-n.v_size-64',
  3: 'scores-n.n_weights-n.n_attention-n.v_growth-four',
  4: 'scaledName-scores_scaledMeaning-scores_weightsName-weights_weightsMeaning-weights_contextName-attention_contextMeaning-attention',
  5: 'row-r4_column-c1_cell-1.4_sum-1_read-share',
  6: 'head-n.v_concat-n.hv_wo-hv.d_y-n.d_entries-42',
  7: 'x-n.d_y-n.d_rows-8_read-sequence',
  8: 'why-relations_order-project.scores.softmax.values.concat.output_meet-output_sum-0.251',
};
const wrong = {
  1: [
    ['d-8_x-0.1.2.3.4...', 'length', 'sentenceOrder'],
    ['d-5_x-13.3.0.6.4...', 'words', 'twoOnes'],
    ['d-6_x-1.3..6.4...', 'below', 'noOne'],
    ['d-seven_x-1.3.0.6.4.0..', 'notNumber', 'padding'],
  ],
  2: [
    ['q-n.d_k-k.n_v-n.k_size-512', 'input', 'transposed', 'queries', 'whole'],
    ['q-d.k_k-n.h_v-n.hv_size-4096', 'queryWeights', 'headCount', 'allHeads', 'times'],
  ],
  3: [
    ['scores-k.k_weights-n.k_attention-n.n_growth-rows', 'inner', 'queries', 'scores', 'rows'],
    ['scores-n.k_weights-n.v_attention-v.n_growth-same', 'queries', 'values', 'transposed', 'same'],
  ],
  4: [
    [
      'scaledName-weights_scaledMeaning-attention_weightsName-scores_weightsMeaning-attention_contextName-weights_contextMeaning-scores',
      ...['weights', 'attention', 'scores', 'attention', 'weights', 'scores'],
    ],
  ],
  5: [
    ['row-c4_column-r1_cell-4.1_sum-8_read-column', 'column', 'row', 'turned', 'all', 'column'],
    ['row-4.0_column-c0_cell-r1_sum-100_read-raw', 'cell', 'other', 'row', 'percent', 'raw'],
    ['row-r1_column-0.1_cell-0.0_sum-0.9_read-vector', 'other', 'cell', 'other', 'column', 'vector'],
  ],
  6: [
    [
      'head-n.hv_concat-n.v_wo-d.hv_y-n.hv_entries-49',
      ...['allHeads', 'values', 'transposed', 'allHeads', 'square'],
    ],
    ['head-n.k_concat-h.v_wo-v.d_y-h.d_entries-21', 'queries', 'headCount', 'rows', 'headCount', 'oneHead'],
  ],
  7: [
    ['x-d.n_y-n.hv_rows-5_read-weights', 'transposed', 'allHeads', 'words', 'weights'],
    ['x-n.k_y-n.n_rows-6_read-next', 'queries', 'scores', 'translated', 'next'],
  ],
  8: [
    ['why-wider_order-project.softmax_meet-concat_sum-0.126', 'wider', 'softmax', 'concat', 'mean'],
    ['why-cheaper_order-concat_meet-softmax_sum-0.302', 'cheaper', 'concat', 'softmax', 'firstOnly'],
  ],
};

const server = serving(dist, { pages });

const open = (path, options) => openPage(`${server.url}/${path}`, options);

const nth = (page, number) => page.locator('mha-exercise').nth(number - 1);

/** Waits until an exercise can be answered. */
async function ready(exercise) {
  await exercise.scrollIntoViewIfNeeded();
  await exercise.locator('form').waitFor();
  return exercise;
}

const button = (exercise, name) =>
  exercise.locator(name === 'check' ? 'button.primary' : `[data-action=${name}]`);

/** The verdict of each part: kind and text. */
const feedback = (exercise) =>
  exercise
    .locator('[part=feedback]')
    .evaluateAll((all) =>
      all.map(({ dataset, innerText }) => ({ kind: dataset.kind, text: innerText.trim() })),
    );

/** Answers by the attribute, checks, and waits for the verdicts of all parts. */
async function check(exercise, answer) {
  await exercise.evaluate((element, text) => element.setAttribute('answer', text), answer);
  await button(exercise, 'check').click();
  const parts = answer.split('_').length;
  return eventually(async () => {
    const verdicts = await feedback(exercise);
    assert.equal(verdicts.length, parts);
    return verdicts;
  });
}

for (const lang of ['ko', 'en']) {
  describe(`answers, ${lang}`, () => {
    const opened = shared(() => open(lang));

    for (const number of NUMBERS) {
      test(`exercise ${number}: each wrong answer has its own words, the right one is accepted`, async () => {
        const exercise = await ready(nth(opened.page, number));
        const told = [];
        for (const [answer, ...kinds] of wrong[number]) {
          const verdicts = await check(exercise, answer);
          assert.deepEqual(
            verdicts.map(({ kind }) => kind),
            kinds,
          );
          for (const { text } of verdicts) {
            assert.ok(text.length > 12, text);
            assert.doesNotMatch(text, /\{|\}|`|undefined|NaN/);
          }
          told.push(...verdicts.map(({ kind, text }, part) => `${part} ${kind} ${text}`));
          assert.equal(await exercise.locator('.solved').count(), 0);
        }
        assert.equal(new Set(told).size, told.length);

        const verdicts = await check(exercise, right[number]);
        assert.deepEqual(new Set(verdicts.map(({ kind }) => kind)), new Set(['right']));
        await exercise.locator('.solved').waitFor();
        assert.deepEqual(opened.errors, []);
      });
    }
  });
}

describe('what is shown', () => {
  const opened = shared(() => open('en'));

  test('an answer that was changed since the check is not judged', async () => {
    const exercise = await ready(nth(opened.page, 2));
    await check(exercise, right[2]);
    await exercise.locator('input').fill('63');
    await eventually(async () => assert.equal((await feedback(exercise)).length, 3));
    assert.match(await exercise.getAttribute('answer'), /size-63/);
    await button(exercise, 'check').click();
    await eventually(async () => assert.equal((await feedback(exercise)).at(-1).kind, 'below'));
    await eventually(async () => assert.match(await exercise.locator('.result').innerText(), /3 of 4/));
  });

  test('the solution comes after a try; its shapes are those of the golden runs', async () => {
    const exercise = await ready(nth(opened.page, 3));
    assert.equal(await button(exercise, 'solution').count(), 0);
    await check(exercise, wrong[3][0][0]);
    await button(exercise, 'solution').click();
    const rows = exercise.locator('#more tbody tr');
    await rows.first().waitFor();
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [...row.cells].slice(1).map(({ textContent }) => textContent.trim())),
    );
    const { dimension_table_instances: instances } = golden('seed002_exercises.json');
    const expected = instances.map(({ n, d, h, k, v, dims }) => [
      ...[n, d, h, k, v].map(String),
      ...['Q K^T', 'softmax(QK^T/sqrt(k))', 'Attention(Q,K,V)'].map((name) => dims[name].replace('x', '×')),
    ]);
    assert.deepEqual(shown, expected);
    assert.deepEqual(await exercise.locator('#more thead th').allInnerTexts(), [
      ...['n', 'd', 'h', 'k', 'v'],
      ...['Q KT', 'softmax(Q KT / √k)', 'softmax(Q KT / √k) V'],
    ]);
    await button(exercise, 'solution').click();
    await eventually(async () => assert.equal(await rows.count(), 0));
  });

  test('matrices to read are those of the golden run', async () => {
    const exercise = await ready(nth(opened.page, 5));
    const { Q, QKt, attn } = golden('seed002_exercises.json').numeric_configs[2];
    const numbers = (locator) =>
      locator.evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('data')].map((data) => [Number(data.value), data.textContent]),
        ),
      );
    for (const [selector, matrix] of [
      ['[data-part=row] tbody tr', Q[0]],
      ['[data-part=column] tbody tr', Q[0]],
      ['[data-part=cell] tbody tr', QKt[0]],
      ['.questions > .table tbody tr', attn[0]],
    ]) {
      const rows = await numbers(exercise.locator(selector));
      assert.equal(rows.length, 8);
      rows.forEach((row, i) => {
        assert.equal(row.length, matrix[i].length);
        row.forEach(([value, text], j) => {
          assert.ok(Math.abs(value - matrix[i][j]) < 1e-5, `${selector} ${i} ${j}: ${value}`);
          assert.equal(text, value.toFixed(2).replace('-', '−'));
        });
      });
    }
  });

  test('hints say something of each exercise; that of exercise 4 has computed rows', async () => {
    const hints = [];
    for (const number of NUMBERS) {
      const exercise = await ready(nth(opened.page, number));
      await button(exercise, 'hint').click();
      await exercise.locator('#more .more').waitFor();
      assert.equal(await button(exercise, 'hint').getAttribute('aria-expanded'), 'true');
      hints.push(await exercise.locator('#more p').first().innerText());
    }
    assert.equal(new Set(hints).size, 8);
    const { scaled_scores: scores, attn } = golden('seed002_exercises.json').numeric_configs[2];
    const rows = await nth(opened.page, 4)
      .locator('#more tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
      );
    [scores[0][0], attn[0][0]].forEach((row, i) => {
      row.forEach((value, j) => assert.ok(Math.abs(value - rows[i][j]) < 1e-6));
    });
    assert.deepEqual(
      rows.map(({ length }) => length),
      [9, 9, 4],
    );
  });

  test('a picture and a table of the answers can be taken away', async () => {
    const exercise = await ready(nth(opened.page, 1));
    await check(exercise, 'd-8_x-1.3.0.6.4...');
    const { svg, csv, type } = await exercise.evaluate(async (element) => ({
      svg: element.toSVG(),
      csv: element.toCSV(),
      type: (await element.toPNG(1)).type,
    }));
    assert.match(svg, /^<svg .*Exercise 1 Fill the input matrix/);
    assert.match(svg, />8<\/text>.*>→<\/text>/);
    // Of 56 entries five are 1, each with a ring around it.
    assert.equal(svg.match(/>0<\/text>/g)?.length, 51);
    assert.equal(svg.match(/stroke="#\w+" stroke-width="2"/g)?.length, 5);
    assert.equal(type, 'image/png');
    const lines = csv.trimEnd().split('\r\n');
    assert.equal(lines[0], 'exercise,question,answer,verdict');
    assert.equal(lines[1], '1,"The dimension of a token vector, d",8,wrong');
    assert.match(lines[2], /1: attention, 2: is, 3: all, 4: you, 5: need, 6: 0.*right$/);
  });

  test('an unknown exercise shows a message', async () => {
    const { page, errors } = await open('bad');
    await page.locator('mha-exercise [role=alert]').waitFor();
    assert.deepEqual(errors, []);
  });
});

describe('by keyboard alone', () => {
  const opened = shared(() => open('en'));
  const press = async (...keys) => {
    for (const key of keys) await opened.page.keyboard.press(key);
  };

  test('a matrix is filled with one tab stop, arrows, Home, End and Space', async () => {
    const exercise = await ready(nth(opened.page, 1));
    assert.equal(await exercise.locator('[role=grid] [tabindex="0"]').count(), 1);
    await exercise.locator('input').focus();
    await opened.page.keyboard.type('7');
    await press('Tab', 'ArrowRight', 'Space');
    await press('ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter');
    await press('ArrowDown', 'Home', 'Space', 'ArrowDown', 'End', 'Space');
    await press('ArrowDown', 'ArrowLeft', 'ArrowLeft', 'Space');
    await eventually(async () => assert.equal(await exercise.getAttribute('answer'), right[1]));
    assert.equal(await exercise.locator('[role=grid] [tabindex="0"]').count(), 1);
    await press('Control+End', 'Space');
    await eventually(async () => assert.equal(await exercise.getAttribute('answer'), `${right[1]}6`));
    await press('Space', 'Tab', 'Enter');
    await exercise.locator('.solved').waitFor();
  });

  test('shapes and numbers are typed, and Enter checks', async () => {
    const exercise = await ready(nth(opened.page, 2));
    await exercise.locator('select').first().focus();
    for (const letters of ['nk', 'nk', 'nv']) {
      for (const letter of letters) {
        await opened.page.keyboard.type(letter);
        await press('Tab');
      }
    }
    await opened.page.keyboard.type('64');
    await press('Enter');
    await exercise.locator('.solved').waitFor();
    assert.equal(await exercise.getAttribute('answer'), right[2]);
  });

  test('whole rows, whole columns and single numbers are picked', async () => {
    const exercise = await ready(nth(opened.page, 5));
    const stops = exercise.locator('[role=grid] [tabindex="0"]');
    assert.equal(await stops.count(), 3);
    await stops.first().focus();
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Space');
    await press('Tab', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'Enter');
    await press('Tab', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Space');
    await eventually(async () =>
      assert.equal(await exercise.getAttribute('answer'), 'row-r4_column-c1_cell-1.4'),
    );
    await press('Space');
    await eventually(async () => assert.equal(await exercise.getAttribute('answer'), 'row-r4_column-c1'));
  });

  test('steps are put into order, and the moved one keeps the focus', async () => {
    const exercise = await ready(nth(opened.page, 8));
    const order = () =>
      exercise.locator('.order li').evaluateAll((all) => all.map(({ dataset }) => dataset.step));
    assert.deepEqual(await order(), ['concat', 'softmax', 'project', 'output', 'values', 'scores']);
    const move = async (step, direction, times) => {
      await exercise.locator(`[data-step=${step}] .${direction}`).focus();
      for (let time = 0; time < times; ++time) {
        const place = (await order()).indexOf(step);
        await press('Enter');
        await eventually(async () =>
          assert.equal((await order()).indexOf(step), place + (direction === 'up' ? -1 : 1)),
        );
        await eventually(async () =>
          assert.equal(
            await exercise.evaluate(
              (element) => element.shadowRoot.activeElement?.closest('li')?.dataset.step,
            ),
            step,
          ),
        );
      }
    };
    await move('project', 'up', 2);
    await move('scores', 'up', 4);
    await move('concat', 'down', 3);
    await eventually(async () => {
      const now = await order();
      assert.deepEqual(now.slice(0, 3), ['project', 'scores', 'softmax']);
    });
    await move('output', 'down', 5 - (await order()).indexOf('output'));
    await move('values', 'up', (await order()).indexOf('values') - 3);
    await eventually(async () =>
      assert.deepEqual(await order(), ['project', 'scores', 'softmax', 'values', 'concat', 'output']),
    );
    // At the end, there is nowhere to go: the button stays, and does nothing.
    const last = exercise.locator('[data-step=output] .down');
    assert.equal(await last.getAttribute('aria-disabled'), 'true');
    await last.focus();
    await press('Enter');
    assert.equal((await order()).at(-1), 'output');
  });
});

const progress = (page) => page.evaluate(async () => (await import('./standalone.js')).exerciseProgress());

describe('progress', () => {
  test('survives a reload, fires an event, and can be undone', async () => {
    const { page, errors } = await open('en');
    await page.evaluate(() => {
      globalThis.told = [];
      addEventListener('mha-progress', ({ detail }) => globalThis.told.push(detail.solved));
    });
    for (const number of [7, 2]) {
      const exercise = await ready(nth(page, number));
      await check(exercise, right[number]);
      await exercise.locator('.solved').waitFor();
      // Right a second time is no news.
      await button(exercise, 'check').click();
    }
    assert.deepEqual(await progress(page), { solved: [2, 7], total: 8 });
    assert.deepEqual(await page.evaluate(() => globalThis.told), [[7], [2, 7]]);

    await page.reload();
    await ready(nth(page, 2));
    await nth(page, 2).locator('.solved').waitFor();
    assert.equal(await nth(page, 3).locator('.solved').count(), 0);
    assert.deepEqual(await progress(page), { solved: [2, 7], total: 8 });

    await nth(page, 2).evaluate((element) => element.setAttribute('answer', 'size-1'));
    await button(nth(page, 2), 'reset').click();
    await eventually(async () => assert.equal(await nth(page, 2).locator('.solved').count(), 0));
    assert.equal(await nth(page, 2).getAttribute('answer'), null);
    assert.deepEqual(await progress(page), { solved: [7], total: 8 });
    await page.reload();
    assert.deepEqual(await progress(page), { solved: [7], total: 8 });
    assert.deepEqual(errors, []);
  });

  test('works where storage is forbidden, for as long as the page is open', async () => {
    const context = await newContext();
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    });
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${server.url}/one`);
    const exercise = await ready(page.locator('mha-exercise'));
    await check(exercise, right[2]);
    await exercise.locator('.solved').waitFor();
    assert.deepEqual(await progress(page), { solved: [2], total: 8 });
    await button(exercise, 'reset').click();
    await eventually(async () => assert.deepEqual((await progress(page)).solved, []));
    assert.deepEqual(errors, []);
    await context.close();
  });
});

describe('state', () => {
  test('goes into JSON, into the address and back', async () => {
    const { page, errors } = await open('one');
    const exercise = await ready(page.locator('mha-exercise'));
    await exercise.locator('[data-part=v] select').first().selectOption('n');
    await exercise.locator('[data-part=v] select').last().selectOption('hv');
    await exercise.locator('input').fill('6,4');
    await eventually(async () => assert.equal(new URL(page.url()).hash, '#two.answer=v-n.hv_size-6%252C4'));
    const state = await exercise.evaluate((element) => element.state);
    assert.deepEqual(state, { number: 2, answer: 'v-n.hv_size-6%2C4' });

    await page.reload();
    await ready(exercise);
    assert.equal(await exercise.locator('[data-part=v] select').last().inputValue(), 'hv');
    assert.equal(await exercise.locator('input').inputValue(), '6,4');
    assert.equal(await exercise.locator('[data-part=q] select').last().inputValue(), '');

    await exercise.evaluate((element) => {
      element.state = { number: 3, answer: 'growth-four' };
    });
    await exercise.locator('[value=four]:checked').waitFor();
    assert.deepEqual(await exercise.evaluate((element) => element.state), {
      number: 3,
      answer: 'growth-four',
    });
    assert.deepEqual(errors, []);
  });
});

describe('try it in the figure', () => {
  test('fires an event, sets the figure’s state, and scrolls there', async () => {
    const { page, errors } = await open('try', { reducedMotion: 'reduce' });
    await page.evaluate(() => {
      globalThis.tries = [];
      addEventListener('mha-try', ({ detail }) => globalThis.tries.push(detail));
    });
    const exercise = nth(page, 1);
    await ready(exercise);
    await button(exercise, 'try').click();
    await eventually(async () =>
      assert.deepEqual(await page.evaluate(() => document.querySelector('#figure').state), {
        document: '002-5',
        token: 'is',
      }),
    );
    await eventually(async () =>
      assert.equal(await page.evaluate(() => document.activeElement.id), 'figure'),
    );
    await eventually(async () => {
      const top = await page.evaluate(() => document.querySelector('#figure').getBoundingClientRect().top);
      assert.ok(top >= -1 && top < 900, String(top));
    });
    // Without a figure of its own, an exercise only tells; one of another kind is shown, not set.
    await ready(nth(page, 2));
    await button(nth(page, 2), 'try').click();
    await ready(nth(page, 3));
    await button(nth(page, 3), 'try').click();
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.id), 'text'));
    const tries = await page.evaluate(() => globalThis.tries);
    assert.deepEqual(
      tries.map(({ element }) => element),
      ['mha-explorer', 'mha-shapes', 'mha-shapes'],
    );
    assert.equal(tries[1].state.stage, 'split');
    assert.equal(tries[2].state.stage, 'scores');
    assert.deepEqual(errors, []);
  });
});

describe('figures', () => {
  test('every exercise can be tried in shapes, steps and explorer: each takes the state and keeps it', async () => {
    const { page, errors } = await open('figures', { reducedMotion: 'reduce' });
    for (const figure of ['mha-shapes', 'mha-steps', 'mha-explorer']) {
      for (const number of NUMBERS) {
        const exercise = await ready(nth(page, number));
        const detail = await exercise.evaluate(
          (element, id) =>
            new Promise((resolve) => {
              element.setAttribute('for', id);
              element.addEventListener('mha-try', (event) => resolve(event.detail), { once: true });
              element.shadowRoot.querySelector('[data-action=try]').click();
            }),
          figure,
        );
        assert.equal(detail.element, figure);
        await page.locator(`${figure} [part]`).first().waitFor();
        const names = Object.keys(detail.state);
        await eventually(async () =>
          assert.deepEqual(
            await page.evaluate(
              ([id, all]) => {
                const element = document.getElementById(id);
                const property = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
                return Object.fromEntries(all.map((name) => [name, element[property(name)]]));
              },
              [figure, names],
            ),
            detail.state,
          ),
        );
        assert.equal(await page.locator(`${figure} [role=alert]:not(:empty)`).count(), 0);
      }
    }
    assert.deepEqual(errors, []);
  });
});

describe('for everyone', () => {
  for (const lang of ['ko', 'en']) {
    test(
      `axe finds nothing in ${lang}, light and dark, with all that can be open`,
      { tag: '@thorough' },
      async () => {
        const { page, close } = await open(lang);
        for (const number of NUMBERS) {
          const exercise = await ready(nth(page, number));
          await check(exercise, wrong[number][0][0]);
          await button(exercise, number % 2 === 0 ? 'hint' : 'solution').click();
          await exercise.locator('#more .more').waitFor();
        }
        await check(nth(page, 7), right[7]);
        for (const [colorScheme, rules] of [['light'], ['dark', OF_COLOURS]]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await eventually(async () => assert.deepEqual(await axeFindings(page, rules), []));
        }
        await close();
      },
    );
  }

  test('fits 320 pixels without sideways scrolling, with targets of 24 pixels', async () => {
    for (const lang of ['ko', 'en']) {
      const { page, close } = await open(lang, { viewport: { width: 320, height: 800 } });
      for (const number of NUMBERS) {
        const exercise = await ready(nth(page, number));
        await check(exercise, wrong[number][0][0]);
        await button(exercise, 'solution').click();
        await exercise.locator('#more .more').waitFor();
      }
      const { scrollWidth, small } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        small: [...document.querySelectorAll('mha-exercise')].flatMap(({ shadowRoot }) =>
          [...shadowRoot.querySelectorAll('button, select, input[type=text], label.check, [data-row]')]
            .map((target) => ({ text: target.outerHTML.slice(0, 80), box: target.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 24 || box.height < 24)
            .map(({ text }) => text),
        ),
      }));
      assert.equal(scrollWidth, 320);
      assert.deepEqual(small, []);
      await close();
    }
  });
});
