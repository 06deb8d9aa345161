/** The steps of a pretrained model's layer: its numbers, formulas, wide tables, and layers that cannot be shown. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, inTab, shared, test } from './fixtures.js';
import { ABSENT, pagesOf, serveTinyModels, servingModels } from './model-server.js';
import { axeFindings, eventually, golden, openMore, repo } from './support.js';

const { loadModel } = await import(path.join(repo, 'dist/models/index.js'));
const { load } = await import(path.join(repo, 'dist/index.js'));

const STEPS = ['x', 'q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'context', 'concat', 'output'];
const TEXT = 'the cat sat on the mat';
const CAT = 'The cat sat on the mat because it was';
/** Tiny models with a vocabulary: of rotary embeddings and shared keys, learned positions, and normalised queries. */
const TINY = ['llama', 'gpt2', 'qwen3'];
const [{ tokens, attentions }] = golden('models/minilm.json').cases;

const bodies = {
  minilm: '<mha-steps model="minilm" document="004-sentence" layer="5" head="11" step="weights"></mha-steps>',
  stories: `<mha-steps model="stories15M" sentence="${CAT}" layer="2" head="1" step="q"></mha-steps>`,
};
for (const name of TINY)
  bodies[name] = `<mha-steps model="/tiny/${name}/" sentence="${TEXT}" layer="1" head="3"></mha-steps>`;
const module = await load();
const tiny = shared(() => serveTinyModels(TINY));
const server = servingModels({ pages: pagesOf(bodies) });

const using = (name, work, lang = 'en') =>
  inTab(`${server.url}/${lang}/${name}`, (page) => work(page.locator('mha-steps'), page), {
    allowed: ABSENT,
  });

const drawn = (steps) => steps.locator('[part=cell]').first().waitFor();
/** The numbers of the open step, as the figure exports them. */
const exported = async (steps) => {
  const csv = await steps.evaluate((element) => element.toCSV());
  const rows = csv.trim().split('\r\n').slice(1);
  return rows.map((row) => {
    // A word may be quoted, and hold a comma.
    const numbers = row.replace(/^("([^"]|"")*"|[^,]*),/, '');
    return numbers.split(',').map((text) => Number(text.replace('−', '-').replace('∞', 'Infinity')));
  });
};

/** Whether each number is within 1e-4 of that of `expected`. */
function assertNear(rows, expected, what) {
  for (const [row, numbers] of rows.entries()) {
    for (const [column, value] of numbers.entries()) {
      const wanted = expected(row, column);
      assert.ok(
        value === wanted || Math.abs(value - wanted) < 1e-4 * Math.max(1, Math.abs(wanted)),
        `${what}, row ${row}, column ${column}: ${value}, not ${wanted}`,
      );
    }
  }
}

/** Of a cell: its number, and what the terms of its formula sum to. */
const formula = (steps, step, cell) =>
  steps.evaluate(
    async (element, { step, cell }) => {
      Object.assign(element, { step, cell: null });
      await element.updateComplete;
      element.cell = cell;
      await element.updateComplete;
      const root = element.shadowRoot;
      root.querySelector('.more[aria-expanded=false]')?.click();
      await element.updateComplete;
      const terms = [...root.querySelectorAll('.terms data')].map(({ value }) => Number(value));
      const value = Number(root.querySelector('.math > p:last-child data').value);
      return { value, sum: terms.reduce((a, b) => a + b, 0), count: terms.length };
    },
    { step, cell },
  );

/** All steps of a layer, by the API. */
async function stepsOf(model, text, layer, headMask) {
  model.forward(text, headMask ? { headMask } : {});
  const attention = model.attentionLayer(layer);
  const x = model.attentionInput(layer);
  const steps = attention.steps(x, model.attentionOptions(layer));
  attention.dispose();
  return { x, ...steps };
}

/** The table of a step in one head. */
function tableOf(tensors, step, head, heads) {
  const tensor = tensors[step];
  if (tensor.shape.length === 3) return (row, column) => tensor.at(0, row, column);
  const own = Math.floor((head * tensor.shape[1]) / heads);
  return (row, column) => tensor.at(0, own, row, column);
}

const loadTiny = (name) => loadModel(pathToFileURL(`${path.join(tiny.folder, name)}/`), { module });

describe('MiniLM, layer 6, head 12', () => {
  test('has the weights of transformers, under the model’s name', () =>
    using('minilm', async (steps) => {
      await drawn(steps);
      const n = tokens.length;
      const at = (query, key) => attentions.data[((5 * 12 + 11) * n + query) * n + key];
      assertNear(await exported(steps), at, 'weights');
      assert.match(await steps.locator('[part=note]').innerText(), /^all-MiniLM-L6-v2.* layer 6 of 6/);
      const chosen = await steps.locator('[name=layer]').evaluate(async (list) => {
        list.value = '0';
        list.dispatchEvent(new Event('change'));
        const element = list.getRootNode().host;
        await element.updateComplete;
        // Another drawing, before the layer is there.
        element.requestUpdate();
        await element.updateComplete;
        return list.value;
      });
      assert.equal(chosen, '0');
      const first = (query, key) => attentions.data[(11 * n + query) * n + key];
      await eventually(async () => assertNear(await exported(steps), first, 'weights of layer 1'));
      assert.equal(await steps.evaluate(({ layer }) => layer), 0);
    }));

  test('every formula sums to its number', () =>
    using('minilm', async (steps) => {
      await drawn(steps);
      for (const [step, count] of [
        ['q', 385],
        ['k', 385],
        ['v', 385],
        ['scores', 32],
        ['context', 13],
        ['output', 385],
      ]) {
        const { value, sum, ...found } = await formula(steps, step, '8,2');
        assert.equal(found.count, count, step);
        assert.ok(Math.abs(value - sum) < 1e-4, `${step}: ${value}, not ${sum}`);
      }
    }));

  test('shows wide tables page by page', () =>
    using('minilm', async (steps, page) => {
      await drawn(steps);
      await steps.evaluate((element) => (element.step = 'x'));
      const columns = () =>
        steps
          .locator('[part=grid] tbody tr')
          .first()
          .locator('[part=cell]')
          .evaluateAll((cells) => [cells.at(0), cells.at(-1)].map((cell) => Number(cell.dataset.column)));
      await eventually(async () => assert.deepEqual(await columns(), [0, 63]));
      assert.match(await steps.locator('.pages').innerText(), /1–64 of 384/);
      assert.ok(await steps.locator('[data-page=earlier]').isDisabled());
      await steps.locator('[data-page=later]').click();
      await eventually(async () => assert.deepEqual(await columns(), [64, 127]));
      // The keyboard turns the pages, too.
      await steps.locator('[part=cell][tabindex="0"]').focus();
      await page.keyboard.press('ArrowLeft');
      await eventually(async () => assert.deepEqual(await columns(), [0, 63]));
      const focused = () =>
        steps.evaluate(({ shadowRoot }) => Number(shadowRoot.activeElement?.dataset.column));
      await eventually(async () => assert.equal(await focused(), 63));
      await page.keyboard.press('End');
      await eventually(async () => assert.equal(await focused(), 383));
      assert.deepEqual(await columns(), [320, 383]);
      // A locked cell is on the shown page.
      await steps.evaluate((element) => (element.cell = '2,200'));
      await eventually(async () => assert.deepEqual(await columns(), [192, 255]));
      const said = steps.locator('[part=formula] .spoken');
      assert.match(await said.innerText(), /it comes from the embeddings and the layers below/);
      // All numbers are exported.
      assert.equal((await exported(steps))[0].length, 384);
    }));

  for (const lang of ['en', 'ko']) {
    test(`axe finds nothing (${lang})`, () =>
      using(
        'minilm',
        async (steps, page) => {
          await drawn(steps);
          await steps.evaluate((element) => Object.assign(element, { step: 'x', cell: '2,200' }));
          await steps.locator('.pages').waitFor();
          assert.deepEqual(await axeFindings(page), []);
        },
        lang,
      ));
  }
});

describe('a layer of stories15M', { tag: '@thorough' }, () => {
  test('turns queries and keys by their position, and hides later words', () =>
    using('stories', async (steps) => {
      await drawn(steps);
      for (const [step, cell] of [
        ['q', '7,3'],
        ['q', '7,30'],
        ['k', '5,0'],
        ['k', '5,47'],
      ]) {
        const { value, sum, count } = await formula(steps, step, cell);
        assert.equal(count, 2);
        assert.ok(Math.abs(value - sum) < 1e-4, `${step} ${cell}: ${value}, not ${sum}`);
      }
      assert.match(await steps.locator('[part=formula] .spoken').innerText(), /here 5 \(RoPE\)/);
      await steps.evaluate((element) => Object.assign(element, { step: 'masked', cell: null }));
      await eventually(async () => assert.equal((await exported(steps))[2][3], -Infinity));
    }));

  test('of a text that is too long says so', () =>
    using('stories', async (steps) => {
      await drawn(steps);
      await steps.evaluate((element) => (element.sentence = 'the cat '.repeat(35).trim()));
      await steps
        .getByRole('status')
        .filter({ hasText: /up to 64 words; this sentence has 71/ })
        .waitFor();
    }));
});

describe('tiny models', () => {
  for (const name of ['llama', 'gpt2']) {
    test(`${name}: every step is that of the API, with and without a head`, () =>
      using(name, async (steps) => {
        await drawn(steps);
        const model = await loadTiny(name);
        const { numHeads } = model;
        for (const ablated of ['', '0.1 1.3']) {
          const headMask = [0, 1].map((layer) =>
            Array.from({ length: numHeads }, (_, head) =>
              ablated.split(' ').includes(`${layer}.${head}`) ? 0 : 1,
            ),
          );
          const expected = await stepsOf(model, TEXT, 1, headMask);
          await steps.evaluate((element, value) => (element.ablated = value), ablated);
          for (const step of STEPS) {
            // Without its head the layer's output is another than that of the attention with all heads.
            if (ablated && step === 'output') continue;
            await steps.evaluate((element, value) => (element.step = value), step);
            await eventually(async () =>
              assertNear(await exported(steps), tableOf(expected, step, 3, numHeads), `${step} ${ablated}`),
            );
          }
        }
        // The sum of the layer's output leaves the head out that is taken out.
        const { value, sum, count } = await formula(steps, 'output', '2,5');
        assert.ok(count > numHeads);
        assert.ok(Math.abs(value - sum) < 1e-5, `${value}, not ${sum}`);
        const terms = await steps
          .locator('.terms li:not(.bias) data')
          .evaluateAll((all) => all.map((term) => Number(term.value)));
        const size = terms.length / numHeads;
        assert.ok(terms.slice(3 * size).every((term) => term === 0));
        assert.ok(terms.slice(0, 3 * size).some((term) => term !== 0));
        model.dispose();
      }));
  }

  for (const [lang, words] of [
    ['en', /steps of this model’s layers cannot be shown: a layer of qwen3 normalises queries and keys/],
    ['ko', /이 모델의 층은 계산 과정을 보여 줄 수 없어요: a layer of qwen3 normalises/],
  ]) {
    test(`qwen3: says why its steps cannot be shown (${lang})`, () =>
      using(
        'qwen3',
        async (steps) => {
          const alert = steps.getByRole('alert').filter({ hasText: words });
          await alert.waitFor();
        },
        lang,
      ));
  }
});

test('other figures may compute other texts with the same model meanwhile', { tag: '@thorough' }, () =>
  using('llama', async (steps, page) => {
    await drawn(steps);
    await page.evaluate(async () => {
      const all = ['mat', 'cat sat', 'on the mat the cat sat on'].map((text) =>
        Object.assign(document.createElement('mha-steps'), {
          model: '/tiny/llama/',
          sentence: text,
          step: 'x',
        }),
      );
      document.querySelector('main').append(...all);
    });
    const model = await loadTiny('llama');
    for (const element of await page.locator('mha-steps').all()) {
      const text = await element.evaluate((node) => ((node.step = 'x'), node.sentence));
      const { x } = await stepsOf(model, text, await element.evaluate((node) => node.layer));
      await element.scrollIntoViewIfNeeded();
      await eventually(async () => {
        const rows = await exported(element);
        assert.equal(rows.length, x.shape[1]);
        assertNear(rows, (row, column) => x.at(0, row, column), text);
      });
    }
    model.dispose();
  }),
);

test('the explorer opens the steps of its chosen head', () =>
  using('minilm', async (_, page) => {
    await page.evaluate(() => {
      const explorer = document.createElement('mha-explorer');
      Object.assign(explorer, { model: 'minilm', document: '004-sentence', layer: 3, head: 1, token: 'it' });
      document.querySelector('mha-steps').replaceWith(explorer);
    });
    const explorer = page.locator('mha-explorer');
    await explorer.locator('mha-arcs [part=word]').first().waitFor();
    await openMore(explorer);
    await explorer.locator('details.steps > summary').filter({ hasText: 'Inside head 4·2' }).click();
    const steps = explorer.locator('mha-steps');
    await drawn(steps);
    await steps.evaluate((element) => (element.step = 'weights'));
    const n = tokens.length;
    const at = (layer, head) => (query, key) => attentions.data[((layer * 12 + head) * n + query) * n + key];
    await eventually(async () => assertNear(await exported(steps), at(3, 1), 'head 4·2'));
    assert.equal(await steps.locator('[data-word][aria-pressed=true]').innerText(), 'it');
    // Another head in the one is another in the other.
    await explorer.locator('mha-heads [role=gridcell]').nth(71).click();
    await eventually(async () => assertNear(await exported(steps), at(5, 11), 'head 6·12'));
    await steps.locator('[name=layer]').selectOption('0');
    await eventually(async () => assert.equal(await explorer.evaluate(({ layer }) => layer), 0));
  }));
