import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { assertMatrix, dist, drawn, goldenWeights, matrixOf, openMore } from './support.js';

const page = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <link rel="icon" href="data:,"><script type="module" src="standalone.js"></script><body>${body}`;

const pages = {
  '/002': page('<mha-explorer sentence="attention is all you need"></mha-explorer>'),
  '/cat': page('<mha-explorer document="004-sentence"></mha-explorer>'),
  '/cat-en': page('<mha-explorer document="004-sentence"></mha-explorer>', 'en'),
  '/word': page('<mha-explorer document="004-sentence" head="2" token="it"></mha-explorer>'),
  '/unknown': page('<mha-explorer document="999"></mha-explorer>'),
  '/table': page('<mha-explorer document="000-parameters"></mha-explorer>'),
  '/empty': page('<mha-explorer></mha-explorer>'),
  '/bare': page(
    '<mha-explorer></mha-explorer><mha-arcs></mha-arcs><mha-matrix></mha-matrix><mha-heads></mha-heads>',
  ),
  '/mixed': page('<div lang="en"><mha-explorer document="001-a"></mha-explorer></div>'),
};
for (const id of Object.keys(goldenWeights)) {
  pages[`/${id}`] = page(`<mha-explorer document="${id}" note="on"></mha-explorer>`);
}

const server = serving(dist, { pages });

async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  const explorer = opened.page.locator('mha-explorer');
  return { ...opened, explorer };
}

async function openDrawn(name, options) {
  const opened = await open(name, options);
  await drawn(opened.explorer);
  return opened;
}

const head = (explorer, index) => explorer.locator('mha-heads [role=radio]').nth(index);
const word = (explorer, index) => explorer.locator('mha-arcs [part=word]').nth(index);
const cell = (explorer, query, key) => explorer.locator(`[data-query="${query}"][data-key="${key}"]`);
const pressed = (explorer) => explorer.locator('mha-arcs [aria-pressed=true] .word').allTextContents();
const wordWeights = (explorer) =>
  explorer.locator('mha-arcs data').evaluateAll((all) => all.map(({ value }) => Number(value)));
const near = (actual, expected) => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < 1e-6, `${index}: ${value}`));
};

describe('numbers', () => {
  for (const [id, { tokens, weights }] of Object.entries(goldenWeights)) {
    test(`of ${id} equal NumPy's in every head, in matrix, arcs and table`, async () => {
      const { explorer, errors, close } = await openDrawn(id);
      assert.deepEqual(await explorer.locator('mha-arcs .word').allTextContents(), tokens);
      await explorer.locator('details.numbers summary').click();
      for (const [index, expected] of weights.entries()) {
        if (weights.length > 1) await head(explorer, index).click();
        assertMatrix(await matrixOf(explorer), expected);
        const table = await explorer
          .locator('details.numbers tbody tr')
          .evaluateAll((rows) =>
            rows.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
          );
        table.forEach((row, query) => near(row, expected[query]));
        for (const query of [0, tokens.length - 1]) {
          await word(explorer, query).click();
          near(await wordWeights(explorer), expected[query]);
        }
      }
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('the strip names each head’s strongest look for the chosen word', async () => {
    const { explorer, close } = await openDrawn('004-sentence');
    await word(explorer, 7).click();
    const { tokens, weights } = goldenWeights['004-sentence'];
    const notes = await explorer.locator('mha-heads .note').allInnerTexts();
    weights.forEach((rows, index) => {
      const row = rows[7].map((weight, key) => (key === 7 ? -1 : weight));
      const best = row.indexOf(Math.max(...row));
      assert.equal(notes[index].replace('\n', ' '), `${tokens[best]} ${row[best].toFixed(2)}`);
    });
    await close();
  });
});

describe('choosing', () => {
  test('hover previews a word, click locks it, a second click or Escape releases it', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    const { weights } = goldenWeights['004-sentence'];
    assert.deepEqual(await wordWeights(explorer), []);
    await word(explorer, 1).hover();
    near(await wordWeights(explorer), weights[0][1]);
    assert.deepEqual(await pressed(explorer), []);
    await page.mouse.move(2, 2);
    assert.deepEqual(await wordWeights(explorer), []);

    await word(explorer, 7).click();
    await page.mouse.move(2, 2);
    await page.evaluate(() => document.activeElement.blur());
    near(await wordWeights(explorer), weights[0][7]);
    assert.deepEqual(await pressed(explorer), ['it']);
    // Hovering another word previews it; leaving restores the locked one.
    await word(explorer, 1).hover();
    near(await wordWeights(explorer), weights[0][1]);
    await page.mouse.move(2, 2);
    near(await wordWeights(explorer), weights[0][7]);

    await word(explorer, 7).click();
    assert.deepEqual(await pressed(explorer), []);
    await word(explorer, 7).click();
    assert.deepEqual(await pressed(explorer), ['it']);
    await page.keyboard.press('Escape');
    assert.deepEqual(await pressed(explorer), []);
    assert.deepEqual(await wordWeights(explorer), []);
    await close();
  });

  test('a head is previewed by pointing, chosen by a click, and keeps the held word', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    const { weights } = goldenWeights['004-sentence'];
    await word(explorer, 7).click();
    await head(explorer, 2).hover();
    near(await wordWeights(explorer), weights[2][7]);
    await page.mouse.move(2, 2);
    near(await wordWeights(explorer), weights[0][7]);
    await head(explorer, 1).click();
    await page.mouse.move(2, 2);
    near(await wordWeights(explorer), weights[1][7]);
    assert.equal(await head(explorer, 1).getAttribute('aria-checked'), 'true');
    assert.equal(await explorer.getAttribute('head'), '1');
    assert.equal(await explorer.getAttribute('token'), 'it');
    await close();
  });

  test('a held pair has a bar below every head, as long as its weight', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    const { weights } = goldenWeights['004-sentence'];
    await cell(explorer, 7, 5).click();
    await page.mouse.move(2, 2);
    const shown = await explorer.locator('mha-heads [role=radio]').evaluateAll((heads) =>
      heads.map((one) => ({
        weight: Number(one.querySelector('data').value),
        bar: Number(one.querySelector('.strength').style.getPropertyValue('--look')),
        opacity: getComputedStyle(one.querySelector('svg')).opacity,
      })),
    );
    near(
      shown.map(({ weight }) => weight),
      weights.map((rows) => rows[7][5]),
    );
    assert.deepEqual(
      shown.map(({ bar }) => bar),
      shown.map(({ weight }) => weight),
    );
    // Fading would contradict the legend.
    assert.ok(shown.every(({ opacity }) => opacity === '1'));
    await close();
  });

  test('attributes choose head and word, and can be changed later', async () => {
    const { page, explorer, close } = await openDrawn('word');
    assert.equal(await head(explorer, 2).getAttribute('aria-checked'), 'true');
    assert.deepEqual(await pressed(explorer), ['it']);
    await page.evaluate(() => document.querySelector('mha-explorer').setAttribute('token', '4'));
    await explorer.locator('[data-index="4"][aria-pressed=true]').waitFor();
    await page.evaluate(() => document.querySelector('mha-explorer').removeAttribute('token'));
    await explorer.locator('mha-arcs:not(:has([aria-pressed=true]))').waitFor();
    assert.deepEqual(await pressed(explorer), []);
    await close();
  });

  test('fires one event per choice', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    await page.evaluate(() => {
      globalThis.details = [];
      document.body.addEventListener('mha-select', ({ detail, composed }) => {
        globalThis.details.push({ ...detail, composed });
      });
    });
    await word(explorer, 7).click();
    await head(explorer, 3).click();
    await cell(explorer, 2, 5).click();
    await page.keyboard.press('Escape');
    assert.deepEqual(await page.evaluate(() => globalThis.details), [
      { head: 0, query: 7, key: null, composed: true },
      { head: 3, query: 7, key: null, composed: true },
      { head: 3, query: 2, key: 5, composed: true },
      { head: 3, query: null, key: null, composed: true },
    ]);
    await close();
  });

  test('a tap holds a word', async () => {
    const { explorer, close } = await openDrawn('cat', {
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await word(explorer, 7).tap();
    assert.deepEqual(await pressed(explorer), ['it']);
    await word(explorer, 7).tap();
    assert.deepEqual(await pressed(explorer), []);
    await close();
  });
});

describe('keyboard', () => {
  const focused = (page) =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const { query, key, index, head } = element.dataset;
      return query ? [Number(query), Number(key)] : (index ?? head ?? element.localName);
    });

  test('words, heads and matrix are one tab stop each', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    const stops = [];
    for (let step = 0; step < 7; step++) {
      await page.keyboard.press('Tab');
      stops.push(await focused(page));
    }
    // Words, heads, “More”; in it weights, head, sentence, the reader's own sentence.
    assert.deepEqual(stops, ['0', '0', 'summary', 'select', 'select', 'select', 'input']);
    await explorer.locator('details.tools > summary').focus();
    await page.keyboard.press('Tab');
    assert.deepEqual(await focused(page), [0, 0]);
    await close();
  });

  test('arrows move along the words, Enter locks, Escape releases', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(page), '7');
    near(await wordWeights(explorer), goldenWeights['004-sentence'].weights[0][7]);
    await page.keyboard.press('Enter');
    assert.deepEqual(await pressed(explorer), ['it']);
    assert.equal(
      await explorer
        .locator('figure [role=status]')
        .textContent()
        .then((text) => text.trim()),
      '헤드 1의 ‘it’에서는 ‘was’의 가중치가 0.20으로 가장 커요.',
    );
    await page.keyboard.press('Escape');
    assert.deepEqual(await pressed(explorer), []);
    await close();
  });

  test('arrows choose among the heads, round the ends', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    await head(explorer, 0).focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await head(explorer, 3).getAttribute('aria-checked'), 'true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), '1');
    assertMatrix(await matrixOf(explorer), goldenWeights['004-sentence'].weights[1]);
    await close();
  });

  test('the matrix is a grid: arrows, Home, End, Ctrl+Home, Ctrl+End, Enter', async () => {
    const { page, explorer, close } = await openDrawn('cat');
    await cell(explorer, 0, 0).focus();
    const press = async (key, expected) => {
      await page.keyboard.press(key);
      assert.deepEqual(await focused(page), expected, key);
    };
    await press('ArrowRight', [0, 1]);
    await press('ArrowDown', [1, 1]);
    await press('End', [1, 9]);
    await press('ArrowRight', [1, 9]);
    await press('Home', [1, 0]);
    await press('ArrowLeft', [1, 0]);
    await press('Control+End', [9, 9]);
    await press('ArrowDown', [9, 9]);
    await press('ArrowUp', [8, 9]);
    await press('Control+Home', [0, 0]);
    await press('ArrowRight', [0, 1]);
    assert.equal(await cell(explorer, 0, 1).getAttribute('aria-label'), '헤드 1: ‘the’ → ‘cat’ 0.01');
    await press('Enter', [0, 1]);
    assert.equal(await cell(explorer, 0, 1).getAttribute('aria-selected'), 'true');
    assert.equal(await explorer.locator('mha-matrix [tabindex="0"]').count(), 1);
    await press('Escape', [0, 1]);
    assert.equal(await explorer.locator('mha-matrix [aria-selected=true]').count(), 0);
    await close();
  });
});

/** Chooses the sentence of document 001 from the list. */
async function chooseCat(explorer) {
  const option = explorer.locator('[name=example] option', { hasText: 'The cat that was' });
  await explorer.locator('[name=example]').selectOption(await option.getAttribute('value'));
}

describe('a custom sentence', () => {
  const type = async (explorer, text) => {
    await explorer.locator('[name=sentence]').fill(text);
  };
  const words = (explorer) => explorer.locator('mha-arcs .word').allTextContents();
  const rowSums = async (explorer) =>
    (await matrixOf(explorer)).map((row) => row.reduce((sum, { value }) => sum + value, 0));

  test('is computed while it is typed, in Korean too, with as many heads as asked for', async () => {
    const { explorer, errors, close } = await openDrawn('cat');
    await type(explorer, '  나는 오늘   책을 읽었다 ');
    await explorer.evaluate((element) => Object.assign(element, { heads: 8 }));
    await explorer.locator('[part=word]', { hasText: '나는' }).waitFor();
    assert.deepEqual(await words(explorer), ['나는', '오늘', '책을', '읽었다']);
    await explorer.locator('[role=radio]').nth(7).waitFor();
    for (const sum of await rowSums(explorer)) assert.ok(Math.abs(sum - 1) < 1e-5);
    assert.equal(await explorer.getAttribute('sentence'), '  나는 오늘   책을 읽었다 ');
    assert.equal(await explorer.getAttribute('document'), null);
    assert.deepEqual(errors, []);
    await close();
  });

  test('given as an attribute follows the same pipeline as the documents', async () => {
    const { explorer, close } = await openDrawn('002');
    const { weights } = goldenWeights['000-sentence'];
    assertMatrix(await matrixOf(explorer), weights[0]);
    await close();
  });

  test('another seed gives other weights', async () => {
    const { explorer, close } = await openDrawn('cat');
    await type(explorer, 'all is well');
    await explorer.locator('[part=word]', { hasText: 'well' }).waitFor();
    const before = await matrixOf(explorer);
    await explorer.locator('details.tools > summary').click();
    await explorer.locator('[name=seed]').fill('7');
    await explorer.locator('[name=seed]').press('Enter');
    await explorer.and(explorer.page().locator('[seed="7"]')).waitFor();
    assert.notDeepEqual(await matrixOf(explorer), before);
    await close();
  });

  test('with markup in it is text', async () => {
    const { page, explorer, errors, close } = await openDrawn('cat');
    await type(
      explorer,
      '<img src=x onerror="globalThis.hit=1"> <b>bold</b> &amp; <script>globalThis.hit=1</script>',
    );
    await explorer.locator('[part=word]', { hasText: '<img' }).waitFor();
    assert.deepEqual(await words(explorer), [
      '<img',
      'src=x',
      'onerror="globalthis.hit=1">',
      '<b>bold</b>',
      '&amp;',
      '<script>globalthis.hit=1</script>',
    ]);
    await explorer.locator('details.numbers summary').click();
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.equal(await explorer.locator('img, b, script').count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });

  for (const [name, text, message] of [
    ['cat', '   ', '단어를 1개 이상, 512개 이하로 써 주세요. 한 단어는 256자까지예요.'],
    ['cat-en', '', 'Write at least one word and at most 512, each of at most 256 characters.'],
    ['cat', 'a '.repeat(513), '단어를 1개 이상, 512개 이하로 써 주세요. 한 단어는 256자까지예요.'],
  ]) {
    test(`that cannot be drawn is answered, and the figure stays (${message}, ${text.length} characters)`, async () => {
      const { explorer, close } = await openDrawn(name);
      const before = await matrixOf(explorer);
      await type(explorer, text);
      await explorer.locator('[role=alert]', { hasText: message }).waitFor();
      assert.equal(await explorer.locator('[name=sentence]').getAttribute('aria-invalid'), 'true');
      assert.equal(await explorer.locator('[name=sentence]').inputValue(), text);
      assert.deepEqual(await matrixOf(explorer), before);
      await type(explorer, 'all is well');
      await explorer.locator('[part=word]', { hasText: 'well' }).waitFor();
      assert.equal(await explorer.locator('#problem').innerText(), '');
      await close();
    });
  }

  for (const seed of ['-1', '1.5', '4294967296']) {
    test(`with the seed “${seed}” is answered beside the figure`, async () => {
      const { explorer, close } = await openDrawn('cat');
      await type(explorer, 'all is well');
      await explorer.locator('details.tools > summary').click();
      await explorer.locator('[name=seed]').fill(seed);
      await explorer.locator('[name=seed]').press('Enter');
      await explorer.locator('[role=alert]', { hasText: '4294967295' }).waitFor();
      assert.equal(await explorer.locator('[name=sentence]').getAttribute('aria-invalid'), 'false');
      await close();
    });
  }

  test('and the documents’ can be chosen from the list', async () => {
    const { explorer, close } = await open('empty');
    await explorer.getByText('문장을 고르거나 직접 써 보세요.').waitFor();
    const offered = explorer.locator('[name=example] option:not([value=own])');
    assert.equal(await offered.count(), Object.keys(goldenWeights).length);
    assert.equal(await explorer.getByText(/문서 ?\d/).count(), 0, 'no talk of documents');
    await chooseCat(explorer);
    assert.equal(await explorer.getAttribute('document'), '001-b');
    await drawn(explorer);
    assertMatrix(await matrixOf(explorer), goldenWeights['001-b'].weights[0]);
    const text = await explorer.locator('[name=sentence]').inputValue();
    assert.equal(text, 'The cat that was sleeping on the mat suddenly woke up');
    await close();
  });
});

describe('an element of the page', () => {
  test('draws data of one’s own, in any of the four forms', async () => {
    const { page, explorer, errors, close } = await open('bare');
    const nested = [
      [
        [0.25, 0.75],
        [0.5, 0.5],
      ],
      [
        [1, 0],
        [0.125, 0.875],
      ],
    ];
    for (const weights of [
      nested,
      { data: Float32Array.from(nested.flat(2)), shape: [2, 2, 2] },
      { data: Float32Array.from(nested.flat(2)), dims: [1, 2, 2, 2] },
      // As ONNX Runtime gives it: 0.25, 0.75, 0.5, 0.5, 1, 0, 0.125, 0.875.
      {
        type: 'float16',
        data: [0x3400, 0x3a00, 0x3800, 0x3800, 0x3c00, 0, 0x3000, 0x3b00],
        dims: [1, 2, 2, 2],
      },
    ]) {
      await page.evaluate((given) => {
        for (const element of document.body.children) {
          const List = given.type === 'float16' ? Uint16Array : Float32Array;
          const revived = Array.isArray(given)
            ? given
            : { ...given, data: List.from(Object.values(given.data)) };
          element.data = { tokens: ['하나', 'two'], weights: revived };
        }
      }, weights);
      await drawn(explorer);
      assertMatrix(await matrixOf(explorer), nested[0]);
      assert.equal(await page.locator('body > mha-matrix [part=cell]').count(), 4);
      assert.equal(await page.locator('body > mha-arcs [part=word]').count(), 2);
      assert.equal(await page.locator('body > mha-heads [role=radio]').count(), 2);
    }
    assert.equal(await explorer.getByText('무작위 가중치').count(), 0, 'nothing is known about them');
    assert.deepEqual(errors, []);
    await close();
  });

  test('keeps its figure and shows a message where the data does not fit', async () => {
    const { page, explorer, close } = await open('bare');
    await page.evaluate(() => {
      document.querySelector('mha-explorer').data = { tokens: ['a', 'b'], weights: [[[1]]] };
    });
    await explorer.locator('[role=alert]', { hasText: '받은 데이터를 그림으로 그릴 수 없어요.' }).waitFor();
    await explorer
      .getByText('단어 2개에는 모양이 (헤드 수, 2, 2)인 weights가 필요해요. 받은 모양: (1, 1, 1).')
      .waitFor();
    await close();
  });

  test('refuses 16 bits of an unknown type, and numbers that are not finite, by name', async () => {
    const { page, explorer, close } = await open('bare');
    for (const [given, message] of [
      [
        {},
        "weights.data가 Uint16Array예요. type을 'float16'으로 적어야 16비트 값을 읽을 수 있어요. type이 없어요.",
      ],
      [{ type: 'bfloat16' }, '받은 type: bfloat16.'],
      [{ type: 'uint16' }, '받은 type: uint16.'],
      [{ type: 'float16' }, '헤드 1, 1번째 단어 → 1번째 단어의 가중치가 유한한 수가 아니에요: Infinity.'],
    ]) {
      for (const name of ['weights', 'attentions']) {
        await page.evaluate(
          ({ name, given }) => {
            const weights = { ...given, data: Uint16Array.of(0x7c00), dims: [1, 1, 1] };
            const data = { tokens: ['a'], [name]: name === 'weights' ? weights : [weights] };
            document.querySelector('mha-explorer').data = data;
          },
          { name, given },
        );
        await explorer.locator('[role=alert]', { hasText: message }).waitFor();
      }
    }
    await close();
  });

  test('answers an unknown document in words', async () => {
    const { explorer, close } = await open('unknown');
    await explorer.locator('[role=alert]', { hasText: '이런 이름의 예제는 없어요: ' }).waitFor();
    await close();
  });

  test('shows that an example without a sentence cannot be drawn, and offers the others', async () => {
    const { explorer, errors, close } = await open('table');
    await explorer.locator('[role=alert]', { hasText: '그릴 문장이 없어요: 000-parameters.' }).waitFor();
    await openMore(explorer);
    await chooseCat(explorer);
    await drawn(explorer);
    assert.equal(await explorer.locator('[role=alert]').innerText(), '');
    assert.deepEqual(errors, []);
    await close();
  });

  test('draws an exercise’s sentence with what the document says of it', async () => {
    const { explorer, errors, close } = await openDrawn('002-5');
    assert.match(await explorer.locator('[part=note]').innerText(), /massOnPadding/);
    assert.deepEqual(errors, []);
    await close();
  });

  test('uses the language of the nearest ancestor', async () => {
    const { page, explorer, close } = await openDrawn('mixed');
    assert.ok(await explorer.getByText('Random weights – not a learned pattern').isVisible());
    await page.evaluate(() => document.querySelector('div').setAttribute('lang', 'ko'));
    await explorer.getByText('학습하지 않은 무작위 가중치예요').waitFor();
    await page.evaluate(() => document.querySelector('mha-explorer').setAttribute('lang', 'en'));
    await explorer.getByText('Random weights – not a learned pattern').waitFor();
    await close();
  });

  test('moves nothing where less motion is asked for', async () => {
    const { explorer, close } = await openDrawn('cat', { reducedMotion: 'reduce' });
    const durations = await explorer.evaluate((root) => {
      const all = [];
      const visit = (node) => {
        for (const element of node.querySelectorAll('*')) {
          all.push(getComputedStyle(element).transitionDuration);
          if (element.shadowRoot) visit(element.shadowRoot);
        }
      };
      visit(root.shadowRoot);
      return [...new Set(all)];
    });
    assert.deepEqual(durations, ['0s']);
    await close();
  });

  test('has targets of at least 24 by 24 pixels', async () => {
    const { explorer, close } = await openDrawn('001-f', { viewport: { width: 320, height: 700 } });
    const small = await explorer
      .locator('[part=word], [part=cell], [role=radio], summary, input, select, button')
      .evaluateAll((all) =>
        all
          .map((element) => ({ text: element.textContent.trim(), box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ text }) => text),
      );
    assert.deepEqual(small, []);
    await close();
  });
});
