/** The package's small model in the figures: an ordinary model folder, whose label says what it was trained on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, drawn, eventually, matrixOf, openMore } from './support.js';

const fromDist = (file) => import(path.join(dist, file));
const { loadModel } = await fromDist('models/index.js');
const { modelFiles, readModel } = await fromDist('training/model-file.js');
const { SHOWN_FIRST } = await fromDist('training/language/shown-first.js');

const CAT = 'the cat sat on the mat because it was tired';
const POSTER = '{"tokens": ["the", "cat", "sat"], "weights": [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]}';
const explorer = (attributes) =>
  `<mha-explorer controls="full" views="arcs heads matrix" ${attributes}></mha-explorer>`;
const bodies = {
  '/random': explorer('document="004-sentence"'),
  '/small': explorer('model="sentences" document="004-sentence"'),
  '/untrained': explorer('model="sentences" untrained layer="1" document="004-sentence"'),
  '/unknown': explorer('model="sentences" sentence="the quokka sat"'),
  '/unknown-korean': explorer('model="sentences" sentence="고양이가 매트 위에 앉았다"'),
  '/long': explorer(`model="sentences" sentence="${'the '.repeat(21)}"`),
  '/click': `<section><mha-matrix model="sentences" load="click" sentence="the cat sat"><script type="application/json">
    ${POSTER}</script></mha-matrix></section>
    <mha-explorer model="sentences" load="click" sentence="the cat"><script type="application/json">${POSTER}</script></mha-explorer>
    <mha-arcs model="sentences" load="later" sentence="the cat sat"></mha-arcs>`,
  ...Object.fromEntries(
    ['matrix', 'arcs', 'explorer'].map((name) => [
      `/reserved-${name}`,
      `<mha-${name} style="display: block; min-height: 90rem" model="sentences" sentence="the cat sat on the mat">
        </mha-${name}><p>${'Text below. '.repeat(100)}</p>`,
    ]),
  ),
  '/views': ['arcs', 'matrix', 'heads', 'steps']
    .map((name) => `<mha-${name} model="sentences" layer="1" document="004-sentence"></mha-${name}>`)
    .join(''),
};
const page = (body, lang) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
  <link rel="icon" href="data:,"><script type="module" src="/standalone.js"></script>
  <body><main><h1>test</h1>${body}</main>`;
const server = serving(dist, {
  pages: Object.fromEntries(
    Object.entries(bodies).flatMap(([address, body]) => [
      [address, page(body, 'en')],
      [`/ko${address}`, page(body, 'ko')],
    ]),
  ),
});

async function using(address, work, options) {
  const { page: tab, errors, close } = await openTab(server.url + address, options);
  await work(tab.locator('mha-explorer').first(), tab);
  assert.deepEqual(errors, []);
  await close();
}

const caption = (element) => element.locator('figcaption').innerText();
const isLabelled = (element, label) => eventually(async () => assert.match(await caption(element), label));
const choose = (element, name, value) => element.locator(`[name=${name}]`).selectOption(value);

const TRAINED =
  /^sentences, a pretrained model – layer 1 of 2, trained to predict hidden words of generated English and Korean sentences/m;
const BEFORE = /^sentences before training – layer 2 of 2, random initial values, not a learned pattern/m;
const LIMITS = /None of its heads reliably tells whether “it”/;

describe('load="click"', () => {
  test('shows the script of the element, and loads the model at the click', async () => {
    const { page: tab, errors, close } = await openTab(`${server.url}/click`);
    const section = tab.locator('section');
    await drawn(section);
    assert.equal((await matrixOf(section))[0][0].value, 1);
    const button = section.getByRole('button', { name: 'Load' });
    await button.waitFor();
    const isAsked = () => server.answers.some(({ path: asked }) => asked.includes('/data/sentences/'));
    const explored = tab.locator('mha-explorer');
    await openMore(explored);
    for (const panel of ['steps', 'predictions'])
      await explored.locator(`details.${panel} > summary`).click();
    await explored.locator('mha-explorer-predictions').getByRole('button').first().waitFor();
    assert.doesNotMatch(await caption(explored), /still shows/);
    assert.ok(!isAsked());
    await button.click();
    await section.getByText('sentences, a pretrained model').waitFor();
    assert.ok(isAsked() && (await matrixOf(section))[0][0].value < 1);
    await tab
      .getByRole('alert')
      .filter({ hasText: 'The attribute load takes view, click. Got later.' })
      .waitFor();
    assert.deepEqual(errors, []);
    await close();
  });
});

/** The page's layout shift (https://web.dev/articles/cls), without the windows of one second. */
const observeShift = () => {
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
};

describe('a figure with a reserved height', () => {
  for (const name of ['matrix', 'arcs', 'explorer']) {
    for (const width of [360, 768, 1440]) {
      test(`mha-${name} moves nothing at ${width} pixels`, async () => {
        const { page: tab, close } = await openTab(`${server.url}/reserved-${name}`, {
          viewport: { width, height: 800 },
          init: observeShift,
        });
        const figure = tab.locator(`mha-${name}`);
        await figure
          .getByText(/^sentences, a pretrained model/)
          .first()
          .waitFor();
        await figure.locator('svg, [role=grid], table').first().waitFor();
        assert.ok((await figure.evaluate((node) => node.shadowRoot.firstElementChild.offsetHeight)) > 100);
        const shift = await tab.evaluate(() => globalThis.shift);
        assert.ok(shift <= 0.02, String(shift));
        await close();
      });
    }
  }
});

describe('the numbers', () => {
  let models;
  beforeAll(async () => {
    models = await Promise.all([false, true].map((untrained) => loadModel('sentences', { untrained })));
  });
  afterAll(() => models?.forEach((model) => model.dispose()));

  const shows = (element, untrained, layer, head) =>
    eventually(async () => {
      const weights = models[Number(untrained)].forward(CAT).attentions[layer];
      const cells = await matrixOf(element);
      assert.equal(cells.length, 10);
      cells.forEach((row, query) =>
        row.forEach(({ value }, key) => assert.ok(Math.abs(value - weights.at(0, head, query, key)) < 1e-4)),
      );
    });

  test('are those of the model, trained and before training', () =>
    using('/random', async (element) => {
      await drawn(element);
      assert.match(await caption(element), /^Random weights – not a learned pattern/m);
      await choose(element, 'weights', 'model:sentences');
      await isLabelled(element, TRAINED);
      assert.match(await caption(element), LIMITS);
      await shows(element, false, 0, 0);
      await choose(element, 'layer', '1');
      await element.locator('mha-heads [role=radio]').nth(2).click();
      await shows(element, false, 1, 2);
      await element.locator('[name=untrained]').check();
      await isLabelled(element, BEFORE);
      assert.doesNotMatch(await caption(element), LIMITS);
      await shows(element, true, 1, 2);
      const { controls, views, ...state } = await element.evaluate((node) => node.state);
      assert.deepEqual([controls, views], ['full', 'arcs heads matrix']);
      assert.deepEqual(state, {
        ...{ document: '004-sentence', model: 'sentences', untrained: true, layer: 1, head: 2 },
      });
      await element.locator('[name=untrained]').uncheck();
      await shows(element, false, 1, 2);
      await choose(element, 'weights', 'random');
      await isLabelled(element, /^Random weights/m);
      assert.equal(await element.locator('[name=untrained]').count(), 0);
    }));

  test('begin with the first layer where the chosen one is of a larger model', () =>
    using('/random', async (element) => {
      await drawn(element);
      await element.evaluate((node) => (node.layer = 5));
      await choose(element, 'weights', 'model:sentences');
      await shows(element, false, 0, 0);
      await eventually(async () =>
        assert.equal((await element.locator('[role=alert]').allInnerTexts()).join('').trim(), ''),
      );
    }));

  test('before training are there at once where an author asks for them', () =>
    using('/untrained', async (element) => {
      await isLabelled(element, BEFORE);
      await shows(element, true, 1, 0);
    }));
});

test('the list has its sentences above those of the documents, in the page’s language first', async () => {
  for (const [prefix, [lang, other]] of [
    ['', ['en', 'ko']],
    ['/ko', ['ko', 'en']],
  ]) {
    await using(`${prefix}/small`, async (element) => {
      const listed = element.locator('[name=example] option');
      const expected = [...SHOWN_FIRST[lang], ...SHOWN_FIRST[other]].map(({ text }) => text);
      await drawn(element);
      const texts = (await listed.allInnerTexts()).map((text) => text.trim());
      for (const [index, text] of expected.entries())
        assert.ok(text.startsWith(texts[index].replace(/ …$/, '')), texts[index]);
      await choose(element, 'example', '0');
      await eventually(async () =>
        assert.equal((await element.locator('mha-arcs .word').allInnerTexts()).join(' '), expected[0]),
      );
      await choose(element, 'weights', 'random');
      await eventually(async () => assert.equal(await listed.count(), texts.length - expected.length));
    });
  }
});

test('nothing of it is loaded before it is chosen', () =>
  using('/random', async (element, tab) => {
    await drawn(element);
    const files = () => tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    assert.ok(!(await files()).some((name) => /sentences|standalone-models/.test(name)));
  }));

test('words outside its vocabulary are marked and counted', () =>
  using('/unknown', async (element) => {
    await isLabelled(element, /1 token stands for text that it cannot read/);
    assert.deepEqual(await element.locator('mha-arcs .unknown .word').allInnerTexts(), ['[UNK]']);
  }));

test('a Korean word outside its vocabulary does not make it an English model', () =>
  using('/unknown-korean', async (element) => {
    await isLabelled(element, /1 token stands for text that it cannot read/);
    assert.equal(await element.locator('[part=advice]').count(), 0);
  }));

test('a sentence of more words than it reads is refused in words', () =>
  using('/long', async (element) => {
    const alert = element.getByRole('alert');
    await eventually(async () =>
      assert.match(
        await alert.innerText(),
        /too long for the model: it reads 20 tokens at most, this has 21/,
      ),
    );
  }));

test('single views say where their weights come from', () =>
  using('/views', async (_, tab) => {
    for (const name of ['arcs', 'matrix', 'heads', 'steps']) {
      const view = tab.locator(`mha-${name}`);
      await view.scrollIntoViewIfNeeded();
      await eventually(async () => {
        const label = await view.locator('[part=label], [part=note]').innerText();
        assert.match(label, /^sentences, a pretrained model – layer 2 of 2, trained to predict hidden words/);
      });
    }
  }));

describe('what mha-training saves', () => {
  const saved = readModel(readFileSync(path.join(dist, 'data/sentences/model.safetensors')));
  const opened = async (element, model) => {
    await openMore(element);
    await element.locator('details.other-model > summary').click();
    await element
      .locator('.files input')
      .last()
      .setInputFiles(
        Object.entries(modelFiles(model)).map(([name, content]) => ({
          ...{ name, mimeType: '', buffer: Buffer.from(content) },
        })),
      );
  };

  for (const [step, label] of [
    [2000, /trained to predict hidden words of generated/],
    [0, /before training – layer 1 of 2, random initial values/],
  ])
    test(`opens in an explorer as any model’s files, after ${step} steps`, () =>
      using('/random', async (element) => {
        await drawn(element);
        await opened(element, { ...saved, step });
        await isLabelled(element, label);
      }));
});

for (const forcedColors of ['none', 'active'])
  test(`axe finds nothing, forced colours ${forcedColors}`, () =>
    using(
      '/small',
      async (element, tab) => {
        await isLabelled(element, TRAINED);
        assert.deepEqual(await axeFindings(tab), []);
      },
      { forcedColors },
    ));
