/** The first figure: a trained model's heads, there before anything is loaded, and the same heads before training. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, openPage, openTab, serving, test } from './fixtures.js';
import { dist, drawn, eventually, goldenWeights, matrixOf, site } from './support.js';

const fromDist = (file) => import(path.join(dist, file));
const { load } = await fromDist('index.js');
const { loadTraining } = await fromDist('training/index.js');
const { factsOf, cardFacts } = await fromDist('training/model-facts.js');
const { TrainedModel } = await fromDist('training/trained.js');

const module = await load();
const parameters = module.safetensors.read(readFileSync(path.join(dist, 'models/sentences.safetensors')));
const card = JSON.parse(readFileSync(path.join(dist, 'models/sentences.json'), 'utf8'));
const trained = new TrainedModel(await loadTraining(), factsOf(parameters, cardFacts(card)), parameters);
const { tokens } = goldenWeights['004-sentence'];
const weightsOf = (model, layer) => {
  const { layer: attention, x } = model.open(module, tokens, layer);
  try {
    return attention.forward(x, x, x).weights;
  } finally {
    attention.dispose();
  }
};
const shown = { trained: weightsOf(trained, 0), untrained: weightsOf(trained.untrained(), 0) };
const labels = {
  trained: /^Trained weights – layer 1 of 2, learned in 2,000 steps/,
  untrained: /^Weights before training – layer 1 of 2, random first values, not a learned pattern$/,
};

const server = serving(site);

/** Fails unless the figure's label and matrix are those of head 1. */
async function assertShows(cat, name, tolerance) {
  assert.match((await cat.locator('[part=label]').textContent()).trim(), labels[name]);
  const cells = await matrixOf(cat);
  assert.equal(cells.length, tokens.length);
  cells.forEach((row, query) =>
    row.forEach(({ value }, key) => {
      const expected = shown[name].at(0, query, key);
      assert.ok(Math.abs(value - expected) < tolerance, `${query}, ${key}: ${value}, expected ${expected}`);
    }),
  );
}

describe('the first figure', () => {
  test('shows a trained head before any binary or model is loaded, and says so', async () => {
    const { page, close } = await openPage('about:blank', { serviceWorkers: 'block' });
    await page.route(/\.(wasm|safetensors)$/, (route) => route.abort());
    await page.goto(`${server.url}/?lang=en`);
    const cat = page.locator('#cat');
    await drawn(cat);
    await assertShows(cat, 'trained', 5.1e-5);
    assert.equal(await cat.locator('mha-heads [role=radio]').count(), 16);
    await close();
  });

  for (const width of [360, 1440]) {
    test(`is switched between before and after training, by keyboard too (${width} px)`, async () => {
      const { page, errors, close } = await openTab(`${server.url}/?lang=en`, {
        viewport: { width, height: 800 },
      });
      const cat = page.locator('#cat');
      await drawn(cat);
      const choice = (name) => page.getByRole('radio', { name });
      assert.ok(await choice('After training').isChecked());
      await choice('Before training').check();
      await eventually(() => assertShows(cat, 'untrained', 1e-6));
      await eventually(() => {
        assert.equal(new URL(page.url()).hash, '#cat.weights=untrained');
      });
      await choice('Before training').press('ArrowRight');
      await eventually(() => assertShows(cat, 'trained', 1e-6));
      assert.ok(await choice('After training').isChecked());
      // The figure's own choice moves the switch, too.
      await cat.locator('[name=weights]').selectOption('random');
      await eventually(async () => {
        assert.equal(await page.getByRole('radio', { name: 'training', checked: true }).count(), 0);
      });
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('is there without a scroll: the sentence, its arcs and what they show', async () => {
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [1440, 900],
    ]) {
      const { page, close } = await openTab(`${server.url}/?lang=ko`, {
        viewport: { width, height },
      });
      const arcs = page.locator('#cat mha-arcs');
      await arcs.locator('path').first().waitFor({ state: 'attached' });
      await eventually(async () => {
        const { y, height: tall } = await arcs.locator('[part=words]').boundingBox();
        assert.ok(y + tall < height, `the words end at ${y + tall} of ${height} px`);
      });
      await close();
    }
  });

  test('has words around it that its numbers bear out', async () => {
    const { page, close } = await openPage(`${server.url}/?lang=en`, { javaScriptEnabled: false });
    const numbers = (selector) =>
      page
        .locator(`${selector} data`)
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))));
    const role = (name) => module.metrics.headRoles(shown[name], tokens)[0].previousToken;
    assert.deepEqual(await numbers('.lede[lang=en]'), [role('untrained'), role('trained')]);

    // “Only head 9 of layer 1 gives ‘cat’ the largest weight; head 9 of layer 2 gives it to ‘mat’.”
    const [it, cat, mat] = ['it', 'cat', 'mat'].map((word) => tokens.indexOf(word));
    const layers = [shown.trained, weightsOf(trained, 1)];
    const first = (target) =>
      layers.flatMap((weights, layer) =>
        Array.from({ length: 16 }, (_, head) => head)
          .filter((head) => {
            const row = tokens.map((_, key) => weights.at(head, it, key));
            return row.indexOf(Math.max(...row)) === target;
          })
          .map((head) => `${layer + 1}.${head + 1}`),
      );
    assert.deepEqual(first(cat), ['1.9']);
    assert.ok(first(mat).includes('2.9'));
    const [toCat, toMat] = await numbers('.caveat div[lang=en]');
    assert.deepEqual([toCat, toMat], [layers[0].at(8, it, cat), layers[1].at(8, it, mat)]);
    await close();
  });
});
