import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, openPage, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, drawn, eventually, goldenWeights, matrixOf } from './support.js';

const fromDist = (file) => import(path.join(dist, file));
const { loadTraining } = await fromDist('training/index.js');
const { maskedBatch } = await fromDist('training/language/batch.js');
const { MAX_LENGTH } = await fromDist('training/language/corpus.js');
const { mulberry32 } = await fromDist('training/language/mulberry.js');
const { idsOf, VOCABULARY } = await fromDist('training/language/vocabulary.js');

const sizes = { numLayers: 2, numHeads: 4, embedDim: 32, seed: 1 };
const STEPS = 20;
const { writeModel } = await fromDist('training/model-file.js');
const training = await loadTraining();
const begin = () => new training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes });
const [first, encoder] = [begin(), begin()];

/** A model that has made its first steps: its weights are neither random nor good. */
function trainedModel() {
  const uniform = mulberry32(1);
  for (let step = 0; step < STEPS; ++step) {
    const { tokens, targets, keyPaddingMask, shape } = maskedBatch(uniform, 16);
    const asked = [tokens, targets].map((data) => ({ data, shape }));
    encoder.trainStep(...asked, { keyPaddingMask: { data: keyPaddingMask, shape }, learningRate: 0.01 });
  }
  return writeModel({
    ...{ plan: { ...sizes, steps: STEPS }, step: STEPS, tokens: 1, optimizer: null },
    parameters: encoder.stateDict(),
  });
}

const bytes = trainedModel();

const page = (body, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
  <link rel="icon" href="data:,"><script type="module" src="standalone.js"></script>
  <body><main><h1>test</h1>${body}</main>`;

/** Readers of `standalone.js` are offered a model that is named. */
const model = 'model="models/sentences.safetensors"';
const pages = {
  '/models/sentences.safetensors': Buffer.from(bytes),
  '/other.safetensors': Buffer.from('no model'),
  '/random': page(`<mha-explorer document="004-sentence" ${model}></mha-explorer>`),
  '/ko': page(`<mha-explorer document="004-sentence" ${model}></mha-explorer>`, 'ko'),
  '/trained': page('<mha-explorer document="004-sentence" weights="trained"></mha-explorer>'),
  '/made': page('<mha-explorer document="004-sentence" weights="constructed"></mha-explorer>'),
  '/unknown': page('<mha-explorer sentence="the quokka sat" weights="trained"></mha-explorer>'),
  '/missing': page(
    '<mha-explorer document="004-sentence" weights="trained" model="missing.safetensors"></mha-explorer>',
  ),
  '/other': page(
    '<mha-explorer document="004-sentence" weights="trained" model="other.safetensors"></mha-explorer>',
  ),
  '/wrong': page('<mha-explorer document="004-sentence" weights="learned"></mha-explorer>'),
  '/views': page(
    ['arcs', 'matrix', 'heads', 'steps']
      .map((name) => `<mha-${name} document="004-sentence" weights="trained" layer="1"></mha-${name}>`)
      .join(''),
  ),
  '/steps': page(
    '<mha-steps document="004-sentence" weights="trained" layer="1" step="x" cell="9,1"></mha-steps>',
  ),
};

const server = serving(dist, { pages });

const { tokens, weights: golden } = goldenWeights['004-sentence'];

async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  return { ...opened, explorer: opened.page.locator('mha-explorer') };
}
async function openDrawn(name, options) {
  const opened = await open(name, options);
  await drawn(opened.explorer);
  return opened;
}

const labelOf = (explorer) => explorer.locator('[part=label]').first().innerText();
const choose = (explorer, weights) => explorer.locator('[name=weights]').selectOption({ value: weights });

/** The encoder's own weights (H,L,L) of one layer, as nested arrays. */
function expectedOf(layer, words = tokens, of = encoder) {
  const { data, shape } = of.forward([[...idsOf(words)]]).weights[layer];
  const [, heads, length] = shape;
  return Array.from({ length: heads }, (_, head) =>
    Array.from({ length }, (_, query) =>
      Array.from(data.subarray((head * length + query) * length, (head * length + query + 1) * length)),
    ),
  );
}

async function assertShows(explorer, weights) {
  const cells = await matrixOf(explorer);
  assert.equal(cells.length, weights.length);
  weights.forEach((row, query) => {
    row.forEach((weight, key) => {
      const { value } = cells[query][key];
      assert.ok(Math.abs(value - weight) < 1e-4, `row ${query}, column ${key}: ${value}, expected ${weight}`);
    });
  });
}

const RANDOM = 'Random weights – not a learned pattern';
const BEFORE = 'Weights before training – layer 2 of 2, random initial values, not a learned pattern';
const MADE = 'Constructed weights – not trained';
const trainedLabel = (layer) =>
  `Trained weights – layer ${layer + 1} of 2, trained for ${STEPS} steps to predict hidden words of generated ` +
  'English and Korean sentences';

describe('the explorer', () => {
  test('shows random weights, made ones and trained ones, each under its own label', async () => {
    const { explorer, errors, close } = await openDrawn('random');
    assert.equal(await explorer.locator('[name=weights]').inputValue(), 'random');
    assert.equal(await labelOf(explorer), RANDOM);
    await assertShows(explorer, golden[0]);

    await choose(explorer, 'trained');
    await eventually(async () => assert.match(await labelOf(explorer), /^Trained weights/));
    // The model begins with a sentence, a layer and a head of its own.
    await explorer.locator('[name=example]').selectOption({ label: 'The cat sat on the mat …' });
    for (const name of ['layer', 'head'])
      await explorer.locator(`[name=${name}]`).selectOption({ value: '0' });
    await eventually(async () => {
      assert.equal(await labelOf(explorer), trainedLabel(0));
      await assertShows(explorer, expectedOf(0)[0]);
    });
    await explorer.locator('[name=layer]').selectOption({ value: '1' });
    await explorer.locator('mha-heads [role=radio]').nth(2).click();
    await eventually(async () => {
      assert.equal(await labelOf(explorer), trainedLabel(1));
      await assertShows(explorer, expectedOf(1)[2]);
    });

    await explorer.locator('[name=untrained]').check();
    await eventually(async () => {
      assert.equal(await labelOf(explorer), BEFORE);
      await assertShows(explorer, expectedOf(1, tokens, first)[2]);
    });

    await choose(explorer, 'constructed');
    await eventually(async () => {
      assert.equal(await labelOf(explorer), MADE);
      const [first, second] = await matrixOf(explorer);
      // Head 3 attends to the same word: “the” has two positions, “cat” one.
      assert.ok(Math.abs(first[0].value - first[4].value) < 1e-6 && first[0].value > 0.49);
      assert.ok(second[1].value > 0.97);
    });

    await choose(explorer, 'random');
    await eventually(async () => {
      assert.equal(await labelOf(explorer), RANDOM);
      await assertShows(explorer, golden[2]);
    });
    assert.deepEqual(errors, []);
    await close();
  });

  test('loads no model before it is wanted', async () => {
    const { page: tab, close } = await openPage(`${server.url}/random`);
    const explorer = tab.locator('mha-explorer');
    await drawn(explorer);
    const loaded = () =>
      tab.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => /sentences/.test(name)).length,
      );
    assert.equal(await loaded(), 0);
    await choose(explorer, 'trained');
    await eventually(async () => assert.equal(await loaded(), 1));
    await close();
  });

  test('keeps the choice in its state', async () => {
    const { explorer, close } = await openDrawn('random');
    await explorer.evaluate((element) => {
      element.state = { document: '004-sentence', weights: 'trained', layer: 1 };
    });
    await eventually(async () => assert.equal(await labelOf(explorer), trainedLabel(1)));
    assert.equal(await explorer.getAttribute('weights'), 'trained');
    assert.deepEqual(await explorer.evaluate((element) => element.state), {
      document: '004-sentence',
      weights: 'trained',
      layer: 1,
    });
    await close();
  });

  test('masks trained weights by really computing them again', async () => {
    const { explorer, close } = await openDrawn('trained');
    await eventually(async () => assert.equal(await labelOf(explorer), trainedLabel(0)));
    const before = await matrixOf(explorer);
    await explorer.evaluate((element) => Object.assign(element, { mask: 'causal' }));
    await eventually(async () => {
      const cells = await matrixOf(explorer);
      cells.forEach((row, query) => {
        const sum = row.reduce((total, { value }) => total + value, 0);
        assert.ok(Math.abs(sum - 1) < 1e-5);
        // The allowed ones, normalised again.
        const kept = before[query].map(({ value }, key) => (key <= query ? value : 0));
        const total = kept.reduce((all, weight) => all + weight, 0);
        row.forEach(({ value }, key) => assert.ok(Math.abs(value - kept[key] / total) < 1e-4));
      });
    });
    await close();
  });

  test('names the words that the model does not know', async () => {
    const { explorer, close } = await openDrawn('unknown');
    await eventually(async () =>
      assert.match(await explorer.locator('figcaption').innerText(), /does not know: “quokka”/),
    );
    await assertShows(explorer, expectedOf(0, ['the', 'quokka', 'sat'])[0]);
    assert.match(
      await explorer.evaluate((element) => element.toSVG()),
      /Trained weights – layer 1 of 2.*“quokka”/s,
    );
    await close();
  });

  test('shows that a model is missing, and keeps the figure under its own label', async () => {
    const { explorer, close } = await openDrawn('random');
    await explorer.evaluate((element) => {
      Object.assign(element, { weights: 'trained', model: 'missing.safetensors' });
    });
    const alert = explorer.getByRole('alert').filter({ hasText: 'The trained model is not there' });
    await alert.waitFor();
    assert.match(await alert.innerText(), /HTTP 404/);
    assert.equal(await labelOf(explorer), RANDOM);
    await assertShows(explorer, golden[0]);
    await choose(explorer, 'random');
    await eventually(async () => assert.equal(await alert.count(), 0));
    await close();
  });

  for (const [name, message] of [
    ['missing', /not there, or it cannot be read.*HTTP 404/s],
    ['other', /not there, or it cannot be read/],
    ['wrong', /Weights are one of random, constructed, untrained, trained/],
  ]) {
    test(`shows why nothing is drawn: ${name}`, async () => {
      const { explorer, close } = await open(name);
      await eventually(async () => assert.match(await explorer.getByRole('alert').innerText(), message));
      assert.equal(await explorer.locator('[part=label]').count(), 0);
      await close();
    });
  }

  test('refuses a sentence that is too long for the model', async () => {
    const { explorer, close } = await openDrawn('trained');
    await explorer.evaluate((element, sentence) => {
      Object.assign(element, { sentence });
    }, Array(21).fill('the').join(' '));
    await eventually(async () =>
      assert.match(await explorer.getByRole('alert').innerText(), /too long for the trained model/),
    );
    assert.equal(await labelOf(explorer), trainedLabel(0));
    await close();
  });

  test('is available in Korean', async () => {
    const { explorer, close } = await openDrawn('ko');
    assert.equal(await labelOf(explorer), '무작위 가중치 – 학습된 패턴이 아님');
    await choose(explorer, 'constructed');
    await eventually(async () =>
      assert.equal(await labelOf(explorer), '손으로 만든 가중치 – 학습된 값이 아님'),
    );
    await choose(explorer, 'trained');
    await eventually(async () =>
      assert.match(await labelOf(explorer), /^학습된 가중치 – 2개 층 가운데 [12]번째/),
    );
    await close();
  });

  for (const forcedColors of ['none', 'active']) {
    test(`axe finds nothing, forced colours ${forcedColors}`, async () => {
      const { page: tab, explorer, close } = await openDrawn('trained', { forcedColors });
      await eventually(async () => assert.equal(await labelOf(explorer), trainedLabel(0)));
      assert.deepEqual(await axeFindings(tab), []);
      await close();
    });
  }

  for (const width of [360, 768, 1440]) {
    test(`fits ${width} pixels`, async () => {
      const { page: tab, explorer, close } = await openDrawn('trained', { viewport: { width, height: 800 } });
      await eventually(async () => assert.equal(await labelOf(explorer), trainedLabel(0)));
      const { scrollWidth } = await tab.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
      }));
      assert.ok(scrollWidth <= width, `${scrollWidth} > ${width}`);
      await close();
    });
  }
});

describe('the single views', () => {
  test('say where their weights come from', async () => {
    const { page: tab, close } = await open('views');
    for (const name of ['arcs', 'matrix', 'heads', 'steps']) {
      const view = tab.locator(`mha-${name}`);
      await eventually(async () => {
        await view.scrollIntoViewIfNeeded();
        const said = await view.locator('[part=label], [part=note]').innerText();
        assert.ok(said.includes(trainedLabel(1)), `${name}: ${said}`);
      });
    }
    await close();
  });

  test('the formulas of the steps come to the numbers, with the biases of the model', async () => {
    const { page: tab, close } = await open('steps');
    const element = tab.locator('mha-steps');
    const formula = element.locator('[part=formula]');
    const numberOf = (locator) => locator.evaluateAll((all) => all.map(({ value }) => Number(value)));
    for (const step of ['q', 'k', 'v', 'output']) {
      await element.evaluate((view, state) => {
        view.state = { document: '004-sentence', weights: 'trained', layer: 1, step: state, cell: '9,1' };
      }, step);
      await eventually(async () => {
        const open = element.locator(`[data-step=${step}][aria-selected=true]`);
        assert.equal(await open.count(), 1);
        const more = formula.locator('.more[aria-expanded=false]');
        if ((await more.count()) > 0) await more.press('Enter');
        const terms = await numberOf(formula.locator('.term > data'));
        const [value] = await numberOf(formula.locator('strong data'));
        assert.equal(terms.length, sizes.embedDim + 1);
        assert.equal((await numberOf(formula.locator('.bias data'))).length, 1);
        const sum = terms.reduce((total, term) => total + term, 0);
        assert.ok(Math.abs(sum - value) < 1e-4, `${step}: ${sum}, ${value}`);
        assert.match(await formula.innerText(), /and the bias b/);
      });
    }
    await close();
  });
});
