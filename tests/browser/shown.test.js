/** What heads pass on and rollout in the views: the numbers of the API, in words, in exports, and refused where unknown. */
import assert from 'node:assert/strict';
import { load } from '../../dist/index.js';
import { loadModel } from '../../dist/models/index.js';
import { beforeAll, describe, inTab, openTab, serving, test } from './fixtures.js';
import { ABSENT, importMap, servingModels } from './model-server.js';
import { axeFindings, dist, eventually, minilmFiles, openMore } from './support.js';

const SENTENCE = 'The cat sat on the mat because it was tired.';

const html = (lang, script, body = '') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>test</title><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { margin: 16px; background: Canvas; color: CanvasText }</style>
  ${script}<body><main><h1>test</h1>${body}</main>`;
const explorer = (attributes) =>
  `<mha-explorer views="arcs heads matrix" controls="full" model="minilm" sentence="${SENTENCE}" layer="2" head="3" ${attributes}></mha-explorer>`;
const withModels = `<script type="importmap">${importMap('')}</script><script type="module">
    import { configure } from 'multihead-attention/models';
    configure({ models: { minilm: '/minilm/' } });
    await import('multihead-attention/elements');
  </script>`;

const models = servingModels({
  pages: {
    '/en': html('en', withModels, explorer('')),
    '/ko': html('ko', withModels, explorer('show="value-weighted" token="mat"')),
  },
});
const standalone = serving(dist, {
  pages: Object.fromEntries(
    ['ko', 'en'].map((lang) => [
      `/${lang}`,
      html(lang, '<script type="module" src="standalone.js"></script>'),
    ]),
  ),
});

/** Two layers of two heads of three words, with lengths of what is passed on. */
const data = {
  tokens: ['the', 'cat', 'sat'],
  attentions: [
    [
      [
        [1, 0, 0],
        [0.5, 0.5, 0],
        [0.2, 0.3, 0.5],
      ],
      [
        [1, 0, 0],
        [0.25, 0.75, 0],
        [0.1, 0.1, 0.8],
      ],
    ],
    [
      [
        [0.5, 0.25, 0.25],
        [0.125, 0.75, 0.125],
        [0, 0, 1],
      ],
      [
        [0.6, 0.2, 0.2],
        [0.4, 0.4, 0.2],
        [0.3, 0.3, 0.4],
      ],
    ],
  ],
};
const LENGTHS = [0.1, 2, 5];
const valueWeighted = data.attentions.map((layer) =>
  layer.map((head) => head.map((row) => row.map((weight, key) => weight * LENGTHS[key]))),
);

const shares = (layers) =>
  layers.map((layer) =>
    layer.map((head) =>
      head.map((row) => {
        const sum = row.reduce((total, value) => total + value, 0);
        return row.map((value) => value / sum);
      }),
    ),
  );

function near(actual, expected, place = '') {
  if (typeof expected === 'number') {
    assert.ok(Math.abs(actual - expected) < 1e-5, `${place}: ${actual}, not ${expected}`);
    return;
  }
  assert.equal(actual.length, expected.length, place);
  expected.forEach((value, i) => near(actual[i], value, `${place}[${i}]`));
}

async function open(tag, properties, lang = 'en') {
  const opened = await openTab(`${standalone.url}/${lang}`);
  await opened.page.evaluate(
    ([tag, properties]) => {
      document.querySelector('main').append(Object.assign(document.createElement(tag), properties));
    },
    [tag, properties],
  );
  return { ...opened, view: opened.page.locator(tag) };
}

const json = (view) => view.evaluate((element) => element.toJSON());

describe('given weights', () => {
  test('with the lengths of what is passed on are shown as shares of it', async () => {
    const { view, page, errors } = await open('mha-matrix', {
      data: { ...data, valueWeighted },
      show: 'value-weighted',
      token: 'sat',
    });
    await eventually(async () => near((await json(view)).attentions, shares(valueWeighted)));
    const description = await view.locator('[part=description]').innerText();
    const [[row]] = [shares(valueWeighted)[0][0].slice(2)];
    assert.equal(
      description,
      `In head 1·1, “sat” takes most from itself (${row[2].toFixed(2)}). Of the other words, “cat” is largest with ${row[1].toFixed(2)}. ` +
        `“sat” gets 0.50 of the weight of “sat”, and gives ${row[2].toFixed(2)} of what is passed on to it.`,
    );
    assert.match(await view.locator('[part=legend]').innerText(), /^Share of what is passed on/);
    assert.deepEqual(await axeFindings(page), []);
    await view.evaluate((element) => (element.show = 'weights'));
    await eventually(async () => near((await json(view)).attentions, data.attentions));
    assert.match(await view.locator('[part=legend]').innerText(), /^Weight/);
    assert.deepEqual(errors, []);
  });

  test('are followed through the layers', async () => {
    const { metrics } = await load();
    const expected = metrics.rollout(data.attentions).map((layer) => [layer.toNested()]);
    const { view } = await open('mha-heads', { data, show: 'rollout' });
    await eventually(async () => near((await json(view)).attentions, expected));
    assert.equal(
      (await view.evaluate((element) => element.toCSV())).split('\r\n')[1].split(',')[1],
      'rollout',
    );
    const { view: arcs } = await open('mha-arcs', { data, show: 'rollout', layer: 1, token: 'cat' });
    await arcs.locator('[part=word]').first().waitFor();
    await eventually(async () =>
      assert.match(
        await arcs.locator('[part=description]').innerText(),
        /^In rollout of layer 2, “cat” takes most from itself/,
      ),
    );
  });

  for (const [lang, show, message] of [
    ['en', 'value-weighted', /These weights do not tell what is passed on/],
    ['ko', 'value-weighted', /이 가중치로는 무엇이 전해지는지 알 수 없어요/],
    ['en', 'sums', /The attribute show takes weights, value-weighted, rollout\..*sums/],
  ]) {
    test(`without them say so, and stay weights (${lang}, ${show})`, async () => {
      const { view } = await open('mha-matrix', { data, show }, lang);
      await eventually(async () => assert.match(await view.locator('.problem').innerText(), message));
      near((await json(view)).attentions, data.attentions);
      assert.match(await view.locator('[part=legend]').innerText(), lang === 'ko' ? /^가중치/ : /^Weight/);
    });
  }

  test('of a file are shown in the same way', async () => {
    const { view, page } = await open('mha-heads', { show: 'value-weighted' });
    await page.route('**/figure.json', (route) => route.fulfill({ json: { ...data, valueWeighted } }));
    await view.evaluate((element) => element.setAttribute('src', 'figure.json'));
    await eventually(async () => near((await json(view)).attentions, shares(valueWeighted)));
    await page.route('**/wrong.json', (route) =>
      route.fulfill({ json: { ...data, valueWeighted: valueWeighted.slice(1) } }),
    );
    await view.evaluate((element) => element.setAttribute('src', 'wrong.json'));
    await eventually(async () => assert.match(await view.locator('.problem').innerText(), /\S/));
  });

  test('of two texts have no rollout', async () => {
    const two = { queryTokens: ['a', 'b'], keyTokens: ['c'], weights: [[[1], [1]]] };
    const { view } = await open('mha-matrix', { data: two, show: 'rollout' });
    await eventually(async () =>
      assert.match(
        await view.locator('.problem').innerText(),
        /Rollout needs the weights of one text in all layers/,
      ),
    );
  });
});

describe('a model’s heads', () => {
  const expected = {};
  beforeAll(async () => {
    const model = await loadModel(await minilmFiles());
    const output = model.forward(SENTENCE, { valueWeighted: true });
    const { metrics } = await load();
    const nested = (tensors) => tensors.map((tensor) => tensor.toNested()[0]);
    Object.assign(expected, {
      shown: output.shown,
      weights: nested(output.attentions),
      shares: shares(nested(output.valueWeighted)),
      rollout: nested(metrics.rollout(output.attentions)).map((layer) => [layer]),
    });
    model.dispose();
  });

  test('are shown by what they pass on and through the layers, chosen in the explorer', () =>
    inTab(
      `${models.url}/en`,
      async (page) => {
        const view = page.locator('mha-explorer');
        await view.locator('mha-matrix [part=cell]').first().waitFor();
        await openMore(view);
        const list = view.locator('[name=show]');
        await list.selectOption('value-weighted');
        await eventually(async () => near((await json(view)).attentions, expected.shares));
        const query = expected.shown.indexOf('mat');
        await view.locator('mha-arcs [part=word]').nth(query).click();
        const row = expected.weights[2][3][query];
        const key = row.indexOf(Math.max(...row));
        const share = expected.shares[2][3][query][key];
        await eventually(async () =>
          assert.ok(
            (await view.locator('.description').first().innerText()).endsWith(
              `“${expected.shown[key]}” gets ${row[key].toFixed(2)} of the weight of “mat”, and gives ${share.toFixed(2)} of what is passed on to it.`,
            ),
          ),
        );
        assert.equal((await view.evaluate((element) => element.state)).show, 'value-weighted');
        // Nothing in the miniatures calls shares weights.
        const heads = view.locator('mha-heads').first();
        const called = await heads.evaluate(({ shadowRoot }) => shadowRoot.textContent);
        assert.doesNotMatch(called, /weight/i);
        assert.match(called, /the chosen word’s largest share/);
        await list.selectOption('rollout');
        await eventually(async () => near((await json(view)).attentions, expected.rollout));
        await list.selectOption('weights');
        await eventually(async () => near((await json(view)).attentions, expected.weights));
        assert.deepEqual(await axeFindings(page), []);
      },
      { allowed: ABSENT },
    ));

  test('are told of in Korean', () =>
    inTab(
      `${models.url}/ko`,
      async (page) => {
        const view = page.locator('mha-explorer');
        await eventually(async () =>
          assert.match(
            await view.locator('.description').first().innerText(),
            /받는 몫이 .*가장 커요\. .*‘mat’에서 본 ‘.*’의 몫: 가중치는 0\.\d\d, 전해 받는 값은 0\.\d\d\./,
          ),
        );
        assert.match(await view.locator('[part=legend]').first().innerText(), /전해지는 값의 몫/);
      },
      { allowed: ABSENT },
    ));
});
