/** The article: its numbers, tables and formulas, also without JavaScript, and the buttons that control the figures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, openPage, openTab, serving, shared, test } from './fixtures.js';
import { serve } from './server.js';
import { arrive, dist, drawn, eventually, goldenWeights, minilmFiles, repo, site } from './support.js';

const server = serving(site);
const fromDist = (...file) => import(pathToFileURL(path.join(dist, ...file)).href);
const { documents } = await fromDist('documents', 'index.js');
const library = await (await fromDist('index.js')).load();

/** Attributes that say where a number of the prose comes from; each is checked below. */
const ORIGINS = [
  ...['data-of', 'data-cell', 'data-layer', 'data-pretrained', 'data-steps', 'data-weight-step'],
  ...['data-translated', 'data-translation'],
  // Of tables and strips: strips.test.js.
  ...['data-claims', 'data-later'],
  // what-heads-do.test.js
  ...['data-does', 'data-says', 'data-names'],
];

const textOf = (value, digits = 2) =>
  (Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(digits)).replace('-', '−');

/** How many parameters a layer has, 512 wide with 8 query heads. */
function parameters(numKvHeads) {
  const layer = new library.MultiHeadAttention({ embedDim: 512, numHeads: 8, numKvHeads });
  const { parameterCount } = layer;
  layer.dispose();
  return parameterCount;
}

/** The prose's numbers: source attribute, digits, value, text. */
const numbersOf = (page, attribute) =>
  page.locator(`data[${attribute}]`).evaluateAll(
    (all, name) =>
      all.map((data) => ({
        of: data.getAttribute(name),
        digits: Number(data.dataset.digits ?? 2),
        value: Number(data.value),
        text: data.textContent,
      })),
    attribute,
  );

describe('without JavaScript', () => {
  const opened = shared(() => openPage(`${server.url}/?lang=en`, { javaScriptEnabled: false }));

  test('heading, sentences and all twelve chapters are there', async () => {
    const { page } = opened;
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
    const sentence = page.getByText('The cat sat on the mat because it was tired.').first();
    assert.ok(await sentence.isVisible());
    const headings = page.getByRole('heading', { level: 2 });
    assert.equal(await headings.count(), 12);
    const exercises = page.locator('mha-exercise details');
    assert.equal(await exercises.count(), 8);
    await exercises.first().locator('summary').click();
    assert.ok(await exercises.first().locator('p:visible').isVisible());
  });

  test('every weight in the prose is the one that NumPy gives', async () => {
    const numbers = await numbersOf(opened.page, 'data-of');
    assert.ok(numbers.length >= 8);
    for (const { of, digits, value, text } of numbers) {
      const [id, head, query, key] = of.split(' ');
      const weight = goldenWeights[id].weights[head][query][key];
      assert.ok(Math.abs(value - weight) < 1e-6, `${of}: ${value}, expected ${weight}`);
      assert.equal(text, weight.toFixed(digits), of);
    }
  });

  test('every other number in the prose is the library’s', async () => {
    const { page } = opened;
    const cells = await numbersOf(page, 'data-cell');
    assert.ok(cells.length >= 15);
    for (const { of, digits, value, text } of cells) {
      const [id, row, column] = of.split(' ');
      const expected = documents.run(id).computed[row][column];
      assert.deepEqual([value, text], [expected, textOf(expected, digits)], of);
    }
    const counts = await numbersOf(page, 'data-layer');
    assert.ok(counts.length >= 4);
    for (const { of, value, text } of counts) {
      const numKvHeads = Number(/numKvHeads=(\d+)$/.exec(of)[1]);
      assert.equal(of, `parameterCount embedDim=512 numHeads=8 numKvHeads=${numKvHeads}`);
      const expected = parameters(numKvHeads);
      assert.deepEqual([value, text], [expected, textOf(expected)], of);
    }
    // Bars: later-words and what-heads-do.
    const all = await page.locator('.prose :is(p, h3, li:not(.bars li)) data').count();
    const named = await page
      .locator(`.prose :is(p, h3, li) data:is(${ORIGINS.map((name) => `[${name}]`).join()})`)
      .count();
    assert.equal(all, named, 'a number of unknown origin');
  });

  test('every weight of the pretrained model is the model’s, before and after training', async () => {
    const { loadModel } = await import(pathToFileURL(path.join(dist, 'models/index.js')).href);
    const files = minilmFiles();
    const attentions = {};
    for (const name of ['trained', 'untrained']) {
      const model = await loadModel(files, { untrained: name === 'untrained' });
      attentions[name] = model.forward('The cat sat on the mat because it was tired.').attentions;
      model.dispose();
    }
    const numbers = await numbersOf(opened.page, 'data-pretrained');
    assert.ok(numbers.length >= 20);
    for (const { of, value, text } of numbers) {
      const [name, id, layer, ...place] = of.split(' ');
      assert.equal(id, '004-sentence');
      const weight = attentions[name][layer].at(0, ...place.map(Number));
      assert.ok(Math.abs(value - weight) < 1e-6, `${of}: ${value}, expected ${weight}`);
      assert.equal(text, weight.toFixed(2), of);
    }
    assert.equal(attentions.trained[5].at(0, 11, 8, 2).toFixed(2), '0.71');
  });

  test('every weight between two texts is the model’s, and what is said of it is measured', async () => {
    const { loadModel } = await import(pathToFileURL(path.join(dist, 'models/index.js')).href);
    const model = await loadModel('translation');
    const weights = await numbersOf(opened.page, 'data-translated');
    assert.ok(weights.length >= 8);
    for (const { of, value, text } of weights) {
      const [words, layer, head, query, key] = of.split(' ');
      const { tokens, crossAttentions } = await model.generate(words.replaceAll('-', ' '), {
        attentions: true,
      });
      const read = model.tokenize(words.replaceAll('-', ' ')).tokens;
      const place = [tokens.indexOf(query) - 1, read.indexOf(key)];
      assert.ok(Math.min(...place) >= 0, of);
      const row = read.map((_, i) => crossAttentions[layer].at(0, Number(head), place[0], i));
      assert.ok(Math.abs(value - row[place[1]]) < 1e-6, of);
      assert.equal(value, Math.max(...row.map((weight) => Math.fround(weight))), `${of} is the largest`);
      assert.equal(text, value.toFixed(2), of);
    }
    model.dispose();
    const measures = JSON.parse(readFileSync(path.join(repo, 'data/translation/measures.json'), 'utf8'));
    const facts = await numbersOf(opened.page, 'data-translation');
    assert.ok(facts.length >= 12);
    for (const { of, digits, value, text } of facts) {
      const expected = of.split(' ').reduce((part, name) => part[name], measures);
      assert.deepEqual([value, text], [expected, textOf(expected, digits)], of);
    }
  });

  test('tables of the pretrained model’s heads: the best one, and where they look', async () => {
    const rows = await opened.page.locator('table[data-claims] tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        name: row.cells[0].querySelector('[lang=en]').textContent,
        head: row.cells[1].textContent,
        numbers: [...row.querySelectorAll('data')].map(({ value }) => Number(value)),
      })),
    );
    const rowOf = (name) => rows.find((row) => row.name === name);
    const sentences = await opened.page
      .locator('ul[data-claims] i')
      .evaluateAll((all) => all.map(({ textContent }) => /^(.*\.) \((.*)\)$/.exec(textContent).slice(1)));
    assert.equal(sentences.length, 12);
    const { loadModel } = await import(pathToFileURL(path.join(dist, 'models/index.js')).href);
    const model = await loadModel(minilmFiles());
    const perHead = () => Array.from({ length: 6 }, () => new Array(12).fill(0));
    const [previous, first, hits] = [perHead(), perHead(), perHead()];
    let pairs = 0;
    for (const [text, marked] of sentences) {
      const { attentions } = model.forward(text);
      const { shown, words } = model.tokenize(text);
      // The tokens of each word; only one word of the sentences has two.
      const groups = [];
      for (const [token, word] of words.entries()) {
        if (word >= 0 && word === words[token - 1]) groups.at(-1).push(token);
        else groups.push([token]);
      }
      const size = groups.length;
      const texts = groups.map((tokens) => tokens.map((token) => shown[token]).join(''));
      const determiners = marked
        .split(', ')
        .map((pair) => pair.split(' → ').map((word) => texts.indexOf(word.toLowerCase())))
        .filter(([query]) => !['he', 'she', 'it', 'they'].includes(texts[query]));
      pairs += determiners.length;
      for (const [layer, attention] of attentions.entries()) {
        for (let head = 0; head < 12; head++) {
          const weight = (from, to) =>
            groups[from]
              .flatMap((query) => groups[to].map((key) => attention.at(0, head, query, key)))
              .reduce((sum, one) => sum + one, 0) / groups[from].length;
          for (let i = 1; i < size; i++) {
            previous[layer][head] += weight(i, i - 1) / (size - 1) / 12;
            first[layer][head] += weight(i, 0) / (size - 1) / 12;
          }
          for (const [query, key] of determiners) {
            const others = Array.from({ length: size - 2 }, (_, i) => i + 1).filter((i) => i !== query);
            const heaviest = others.toSorted((a, b) => weight(query, b) - weight(query, a))[0];
            hits[layer][head] += Number(heaviest === key);
          }
        }
      }
    }
    model.dispose();
    const shares = hits.map((heads) => heads.map((count) => count / pairs));
    for (const [name, means] of [
      ['the previous word', previous],
      ['the first token, [CLS]', first],
      ['determiner → noun', shares],
    ]) {
      const { head, numbers } = rowOf(name);
      const best = Math.max(...means.flat());
      const [layer, index] = head.split('·').map((number) => Number(number) - 1);
      assert.ok(Math.abs(numbers[0] - best) < 1e-5 && Math.abs(means[layer][index] - best) < 1e-6, name);
      const mean = means.flat().reduce((a, b) => a + b) / 72;
      assert.ok(Math.abs(numbers[1] - mean) < 1e-5, name);
    }
  });

  test('the chart of head counts has its numbers, in its drawing, its table and its sentence', async () => {
    const { page } = opened;
    const { HEAD_EXPERIMENT: experiment } = await import(
      pathToFileURL(path.join(dist, 'training/head-counts.js')).href
    );
    const chart = page.locator('#head-counts');
    const drawing = (id, selector) =>
      chart.locator(`#counts-${id} > svg ${selector}`).evaluate((one) => one.getAttribute('d'));
    const marks = async (id, selector) => (await drawing(id, selector)).split('M').length - 1;
    // One chart for each unit.
    for (const name of ['printed', 'formula']) assert.equal(await marks('document', `.${name} .marks`), 6);
    assert.equal(await marks('measured', '.measured .marks'), 6);
    assert.equal(await marks('measured', '.measured .rings'), experiment.runs.length);
    assert.equal(await chart.locator('#counts-document > svg .measured').count(), 0);
    assert.equal(await chart.locator('#counts-measured > svg :is(.printed, .formula)').count(), 0);
    /** The values of a line's points, by the chart's scale. */
    const valuesOf = async (id, name) => {
      const lines = await chart
        .locator(`#counts-${id} > svg :is(.axis, .tick)`)
        .evaluateAll((all) => all.map((line) => Number(line.getAttribute('y1'))));
      const [zero, one] = [Math.max(...lines), Math.min(...lines)];
      return [...(await drawing(id, `.${name} .line`)).matchAll(/[ML]\S+ ([\d.]+)/g)].map(
        ([, y]) => (zero - Number(y)) / (zero - one),
      );
    };
    const rows = await chart
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('data')].map(({ value }) => Number(value))),
      );
    const { computed, printed } = documents.run('001-e');
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const kinds = Object.keys(experiment.questions);
    const accuracy = ({ right }) => mean(kinds.map((kind) => right[kind] / experiment.questions[kind]));
    for (const [i, { heads, score }] of computed.entries()) {
      const models = experiment.runs.filter((run) => run.heads === heads).map(accuracy);
      const middle = mean(models);
      const deviation = Math.sqrt(
        mean(models.map((x) => (x - middle) ** 2)) * (models.length / (models.length - 1)),
      );
      const expected = [heads, printed[i].score, score, middle, deviation, ...models];
      assert.equal(rows[i].length, expected.length);
      expected.forEach((value, column) =>
        assert.ok(Math.abs(rows[i][column] - value) < 1e-12, `${heads} ${column}`),
      );
    }
    // A tenth of a unit of the drawing.
    const areDrawn = (drawn, column) =>
      computed.forEach((_, i) =>
        assert.ok(Math.abs(drawn[i] - rows[i][column]) < 1e-3, `${i}: ${drawn[i]}, ${rows[i][column]}`),
      );
    areDrawn(await valuesOf('document', 'printed'), 1);
    areDrawn(await valuesOf('document', 'formula'), 2);
    areDrawn(await valuesOf('measured', 'measured'), 3);
    const [, , , best] = rows;
    const text = `헤드 8개예요(${(100 * best[3]).toFixed(1)}% ± ${(100 * best[4]).toFixed(1)}%p)`;
    assert.equal(await chart.getByRole('img', { name: text }).count(), 1);
    const [from, to] = [printed[0], printed.at(-1)].map(({ score }) => score.toFixed(3));
    assert.equal(await chart.getByRole('img', { name: `${from}에서 ${to}까지` }).count(), 1);
    assert.equal(await chart.locator('text:visible', { hasText: 'heads' }).count(), 0);
  });

  test('the example of query, key and value is right by hand', async () => {
    const numbers = await numbersOf(opened.page, 'data-steps');
    const found = (step, row, column) =>
      numbers.find((number) => number.of === `cat-mat-it 16 35 ${step} 14 ${row} ${column}`);
    /** What a reader has: numbers with the shown digits. */
    const of = (step, row, column) => Number(found(step, row, column).text.replace('−', '-'));
    const score = of('q', 2, 0) * of('k', 0, 0) + of('q', 2, 1) * of('k', 0, 1);
    assert.equal(score.toFixed(2), of('scores', 2, 0).toFixed(2));
    const keys = [0, 1, 2];
    for (const key of keys)
      assert.equal((of('scores', 2, key) / 1.41).toFixed(2), of('scaled', 2, key).toFixed(2));
    const powers = keys.map((key) => Math.exp(of('scaled', 2, key)));
    const sum = powers.reduce((total, x) => total + x, 0);
    for (const key of keys) assert.equal((powers[key] / sum).toFixed(2), of('weights', 2, key).toFixed(2));
    assert.equal(keys.reduce((total, key) => total + of('weights', 2, key), 0).toFixed(2), '1.00');
    for (const { value, text } of numbers) assert.equal(text, textOf(value));
  });

  test('every table of the documents shows computed and printed values side by side', async () => {
    const tables = await opened.page.locator('table[data-example]').evaluateAll((all) =>
      all.map((table) => ({
        ...table.dataset,
        shown: [...table.tBodies[0].rows].map((row) =>
          [...row.cells].map((cell) => {
            const number = cell.querySelector('data')?.getAttribute('value');
            if (number !== undefined) return Number(number);
            // Of a text in two languages, the English one.
            return (cell.querySelector('[lang=en]') ?? cell).textContent;
          }),
        ),
      })),
    );
    assert.deepEqual(
      new Set(tables.map(({ example }) => example)),
      new Set([
        ...'000-cost 000-masks 000-models 000-patches 001-a 001-b 001-c 001-d 001-e 001-f'.split(' '),
        ...'003-relu 004-class 004-models'.split(' '),
      ]),
    );
    for (const { example, rows, columns = '', compare = '', shown } of tables) {
      const { computed, printed = [], verdicts = [] } = documents.run(example);
      const [from, to] = rows?.split(' ').map(Number) ?? [0, computed.length];
      assert.equal(shown.length, to - from, example);
      const names = (list) => list.split(' ').filter(Boolean);
      shown.forEach((cells, i) => {
        const row = from + i;
        const values = [
          ...names(columns).map((name) => computed[row][name]),
          ...names(compare).map((name) => computed[row][name]),
          ...names(compare).map((name) => printed[row]?.[name]),
        ];
        values.forEach((value, column) => {
          const where = `${example}, row ${row}, column ${column}`;
          if (typeof value === 'number') assert.equal(cells[column], value, where);
          else if (value === undefined) assert.equal(cells[column], '–', where);
          else if (typeof value === 'boolean') assert.equal(cells[column], value ? 'yes' : 'no', where);
          else assert.notEqual(cells[column], '', where);
        });
        const verdict = { true: '✓ same', false: '✗ differs' }[verdicts[row]] ?? '–';
        if (compare !== '') assert.equal(cells.at(-1), verdict, `${example}, row ${row}`);
      });
    }
  });

  test('a table counts what shared keys and values save', async () => {
    const rows = await opened.page
      .locator('table[data-layers] tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [
          row.cells[0].textContent,
          ...[...row.querySelectorAll('data')].map(({ value }) => value),
        ]),
      );
    assert.deepEqual(
      rows.map(([kind, ...numbers]) => [kind, ...numbers.map(Number)]),
      [
        ['MHA', 8, parameters(8), 1024],
        ['GQA', 4, parameters(4), 512],
        ['GQA', 2, parameters(2), 256],
        ['MQA', 1, parameters(1), 128],
      ],
    );
  });

  test('every heading has both languages, and something to say', async () => {
    const headings = await opened.page.locator('main .prose > h3').evaluateAll((all) =>
      all.map((heading) => ({
        name: heading.textContent.trim(),
        languages: [...heading.children].map(({ lang }) => lang),
        // Until the next source or heading.
        hasText: heading.nextElementSibling?.matches('div, p:not(.source), ul, table, details') ?? false,
      })),
    );
    assert.ok(headings.length >= 8);
    for (const { name, languages, hasText } of headings) {
      assert.deepEqual(languages, ['ko', 'en'], name);
      assert.ok(hasText, `nothing stands under “${name}”`);
    }
  });

  test('text beside a figure does not say that the figure is above or below it', async () => {
    const texts = await opened.page
      .locator('.beside .prose :is(p, figcaption, caption)')
      .evaluateAll((all) => all.map((one) => one.textContent.replaceAll(/\s+/g, ' ')));
    assert.ok(texts.length >= 50);
    const directions =
      /아래|위에서|위의|위 (표|그림)|왼쪽|오른쪽|맨 끝의|\babove\b|\bbelow\b(?! 0)|\bat the end of\b|\bon the (left|right)\b/;
    for (const text of texts) assert.doesNotMatch(text, directions);
  });

  test('formulas are the browser’s own', async () => {
    const { page } = opened;
    const formulas = await page.locator('.tex').count();
    assert.ok(formulas >= 4);
    assert.equal(await page.locator('.tex > math').count(), formulas);
    assert.equal(await page.locator('[style]').count(), 0, 'inline styles');
  });
});

describe('buttons in the prose', () => {
  const opened = shared(() => openPage(`${server.url}/?lang=en`));

  test('every button controls a figure of the page', async () => {
    const { page } = opened;
    const missing = await page
      .locator('button[data-figure]')
      .evaluateAll((all) =>
        all
          .map(({ dataset }) => dataset.figure)
          .filter((id) => !document.getElementById(id)?.localName.startsWith('mha-')),
      );
    assert.deepEqual(missing, []);
  });

  test('set the figure and show its state, both ways', async () => {
    const { page } = opened;
    const cat = page.locator('#cat');
    await arrive(cat, cat.locator('[part=word]'));
    const button = page.getByRole('button', { name: 'Before training' });
    const isPressed = async (expected) => {
      await eventually(async () => {
        assert.equal(await button.getAttribute('aria-pressed'), String(expected));
      });
    };
    await isPressed(false);
    await button.click();
    await cat.getByText('all-MiniLM-L6-v2 before training').waitFor();
    await isPressed(true);
    // The figure changes its state itself: the button follows.
    await cat.locator('.toolbar [name=untrained]').uncheck();
    await isPressed(false);
    await cat.locator('.toolbar [name=untrained]').check();
    await isPressed(true);
  });

  test('put other words in the place of the cat, and the numbers stay', async () => {
    const { page } = opened;
    const korean = page.locator('#eyes');
    await drawn(korean);
    // A pointer that happens to lie on a head would show that head until it moves.
    await page.mouse.move(0, 0);
    const numbers = () =>
      korean.locator('mha-matrix data').evaluateAll((all) => all.map(({ value }) => Number(value)));
    // The first data have four decimals: waits for the numbers of the module.
    const exact = await eventually(async () => {
      const all = await numbers();
      assert.ok(all.some((value) => Math.abs(value - Number(value.toFixed(4))) > 1e-9));
      return all;
    });
    await page.getByRole('button', { name: 'Put in “attention is all you need”' }).click();
    await korean.locator('[part=word]', { hasText: 'attention' }).waitFor();
    await eventually(async () => {
      assert.deepEqual(await numbers(), exact);
    });
    await page.getByRole('button', { name: 'Back to the cat' }).click();
    await korean.locator('[part=word]', { hasText: '고양이가' }).waitFor();
  });
});

describe('the snippet', () => {
  test('is written as asked, shown, and copied so that it works', async () => {
    const { page, close } = await openPage(`${server.url}/?lang=en`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const form = page.locator('form.snippet');
    await form.scrollIntoViewIfNeeded();
    await form.locator('[name=element]').selectOption('mha-matrix');
    await form.locator('[name=sentence]').fill('so "it" <goes>');
    await form.locator('[name=sentence]').press('Tab');
    await form.locator('[name=heads]').selectOption('2');
    await form.locator('[name=lang]').selectOption('ko');
    await eventually(async () => {
      for (const name of ['controls', 'caption'])
        assert.ok(await form.locator(`[name=${name}]`).isDisabled(), name);
    });
    const preview = page.locator('#preview > mha-matrix');
    await preview.locator('[part=cell]').first().waitFor();
    await form.getByRole('button', { name: 'Copy' }).click();
    await form.getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(
      copied,
      '<script type="module" src="standalone.js"></script>\n' +
        '<mha-matrix lang="ko" sentence="so &quot;it&quot; &lt;goes>" heads="2"></mha-matrix>',
    );
    await close();

    const own = await serve(dist, {
      pages: { '/own.html': `<!doctype html><title>own</title><link rel="icon" href="data:," />${copied}` },
    });
    const host = await openPage(`${own.url}/own.html`);
    await host.page.locator('mha-matrix [part=cell]').first().waitFor();
    assert.equal(await host.page.locator('mha-matrix [part=cell]').count(), 9);
    assert.deepEqual(host.errors, []);
    await host.close();
    await own.close();
  });

  test('carries the controls, the caption and a real model, whose number of heads is its own', async () => {
    const { page, errors } = await openPage(`${server.url}/?lang=en`);
    const form = page.locator('form.snippet');
    await form.scrollIntoViewIfNeeded();
    await form.locator('[name=sentence]').fill('the cat sat');
    await form.locator('[name=controls]').selectOption('full');
    await form.locator('[name=caption]').fill('Who looks at "cat"?');
    await form.locator('[name=model]').check();
    assert.ok(await form.locator('[name=heads]').isDisabled());
    assert.equal(
      await form.locator('code').textContent(),
      '<script type="module" src="standalone.js"></script>\n' +
        '<mha-explorer model="minilm" sentence="the cat sat" controls="full" caption="Who looks at &quot;cat&quot;?"></mha-explorer>',
    );
    const preview = page.locator('#preview > mha-explorer');
    await preview.getByText('Who looks at "cat"?').waitFor();
    await preview.locator('[part=toolbar]').waitFor();
    assert.equal(await preview.locator('mha-heads [part=head]').count(), 12);
    assert.deepEqual(errors, []);
  });
});

test('Korean particles fit the numbers before them as they are read', async () => {
  const { page } = await openTab(`${server.url}/?lang=ko`);
  const wrong = await page.evaluate(() => {
    // 영, 일, 삼, 육, 칠, 팔 end in a consonant; after ㄹ (일, 칠, 팔) it is 로, too.
    const closed = '013678';
    const after = {
      true: /^(이에요|이었|이고|은(?=\s)|을(?=\s)|과(?=\s))/,
      false: /^(예요|였|고(?=[\s,])|는(?=\s)|를(?=\s)|와(?=\s))/,
    };
    return [...document.querySelectorAll('[lang=ko] data, [lang=ko] > data')].flatMap((data) => {
      const [digit] = /\d$/.exec(data.textContent.trim()) ?? [];
      const next = data.nextSibling?.nodeType === Node.TEXT_NODE ? data.nextSibling.data : '';
      if (digit === undefined) return [];
      const isClosed = closed.includes(digit);
      const hasTo = /^(으로|로)(?=\s)/.exec(next)?.[1];
      const needsTo = '178'.includes(digit) || !isClosed ? '로' : '으로';
      const isWrong = hasTo ? hasTo !== needsTo : after[!isClosed].test(next);
      return isWrong ? [data.textContent + next.slice(0, 8)] : [];
    });
  });
  assert.deepEqual(wrong, []);
});
