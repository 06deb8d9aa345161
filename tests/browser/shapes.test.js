import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, newContext, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually } from './support.js';

const fromDist = (file) => import(pathToFileURL(path.join(dist, file)).href);
const { load, Tensor } = await fromDist('index.js');
const module = await load();

const html = (body) =>
  `<!doctype html><html lang="ko"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <script type="module" src="standalone.js"></script><body><main><h1>test</h1>${body}</main>`;

const pages = {
  '/ko': html('<mha-shapes></mha-shapes>'),
  '/two': html('<mha-shapes></mha-shapes><mha-shapes model="gpt-3"></mha-shapes>'),
  '/kept': html('<mha-shapes url-state="s"></mha-shapes>'),
};
/** Pages that allow no inline styles and no eval. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; connect-src 'none'",
};

const server = serving(dist, { pages, headers });

async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  const shapes = opened.page.locator('mha-shapes').first();
  await shapes.locator('[part=stage]').first().waitFor();
  await shapes.locator('details.costs > summary').click();
  return { ...opened, shapes };
}

const setState = (shapes, state) =>
  shapes.evaluate(async (element, given) => {
    element.state = given;
    await element.updateComplete;
  }, state);

const numbers = (locator) =>
  locator.locator('data').evaluateAll((all) => all.map(({ value }) => Number(value)));

/** Every stage's shapes, from the numbers in its buttons. */
const shownShapes = (shapes) =>
  shapes
    .locator('[part=stage]')
    .evaluateAll((stages) =>
      Object.fromEntries(
        stages.map((stage) => [
          stage.dataset.stage,
          [...stage.querySelectorAll('[part=tensor]')].map((tensor) =>
            [...tensor.querySelectorAll('data')].map(({ value }) => Number(value)),
          ),
        ]),
      ),
    );

/** A list of costs, by the name of the line. */
const shownCosts = (shapes, part) =>
  shapes
    .locator(`[part=${part}] [data-cost]`)
    .evaluateAll((lines) =>
      Object.fromEntries(lines.map((line) => [line.dataset.cost, Number(line.querySelector('data').value)])),
    );

/** The layer that a state describes, and its sizes. */
function layerOf(state) {
  const embedDim = state['embed-dim'] ?? 768;
  const numHeads = state['num-heads'] ?? 12;
  const headDim = state['head-dim'] ?? embedDim / numHeads;
  const length = state.length ?? 197;
  return {
    embedDim,
    length,
    keys: state.keys ?? length,
    batch: state.batch ?? 1,
    create: () =>
      new module.MultiHeadAttention({
        embedDim,
        numHeads,
        headDim,
        numKvHeads: state['kv-heads'] ?? numHeads,
        valueHeadDim: state['value-head-dim'] ?? headDim,
        bias: !state['without-bias'],
      }),
  };
}

/** What a real layer has, computed here. */
function truthOf(state, withShapes = true) {
  const { embedDim, length, keys, batch, create } = layerOf(state);
  const layer = create();
  try {
    const counts = { parameters: layer.parameterCount, flops: layer.flops(length, keys, batch) };
    const dict = layer.stateDict();
    if (!withShapes) return { ...counts, dict };
    const input = (rows) => new Tensor(new Float32Array(batch * rows * embedDim), [batch, rows, embedDim]);
    const x = input(length);
    const steps = layer.steps(x, 'keys' in state ? input(keys) : x);
    const merged = ({ shape: [b, h, n, d] }) => [b, n, h * d];
    const { q, k, v, scores, weights, context, concat, output } = steps;
    return {
      ...counts,
      dict,
      shapes: {
        input: 'keys' in state ? [x.shape, [batch, keys, embedDim]] : [x.shape],
        projections: [q, k, v].map(merged),
        split: [q, k, v].map(({ shape }) => shape),
        scores: [scores.shape],
        weights: [weights.shape],
        context: [context.shape],
        concat: [concat.shape],
        output: [output.shape],
      },
    };
  } finally {
    layer.dispose();
  }
}

/** The attributes of sizes. */
const stateOf = (sizes) =>
  Object.fromEntries(
    Object.entries(sizes)
      .filter(([, size]) => size !== null && size !== false)
      .map(([name, size]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), size]),
  );

const plain = (value) => JSON.parse(JSON.stringify(value));

async function assertCosts(shapes, { parameters, flops, dict }) {
  const ofParameters = await shownCosts(shapes, 'parameters');
  assert.equal(ofParameters.total, parameters);
  const { total, ...parts } = ofParameters;
  assert.equal(
    Object.values(parts).reduce((sum, part) => sum + part, 0),
    total,
  );
  assert.equal(ofParameters.output, dict['out_proj.weight'].size);
  const ofOperations = await shownCosts(shapes, 'multiply-adds');
  const { query, key, value, output } = ofOperations;
  assert.equal(query + key + value + output, flops.projections);
  assert.equal(ofOperations.scores, flops.scores);
  assert.equal(ofOperations.context, flops.context);
  assert.equal(ofOperations.total, flops.projections + flops.scores + flops.context);
  assert.equal(ofOperations.softmax, flops.softmax);
}

describe('the formulas', () => {
  test('equal a real layer in hundreds of configurations', async () => {
    const { costsOf, dimensionsOf, problemOf, shapeOf, tensorsOf } =
      await fromDist('elements/shapes/layer.js');
    const generator = module.random.RandomState(7);
    const drawnNumbers = generator.random([4000]).data;
    generator.dispose();
    let at = 0;
    const among = (...choices) => choices[Math.floor(drawnNumbers[at++] * choices.length)];
    let checked = 0;
    for (let trial = 0; trial < 300; trial++) {
      const numHeads = among(1, 2, 3, 4, 6, 8, 12);
      const sizes = {
        embedDim: numHeads * among(1, 2, 5, 8),
        numHeads,
        kvHeads: among(null, 1, ...[2, 3, 4].filter((heads) => numHeads % heads === 0)),
        headDim: among(null, null, 3, 7),
        valueHeadDim: among(null, 1, 6),
        length: among(1, 2, 9),
        keys: among(null, 1, 5),
        batch: among(1, 3),
        withoutBias: among(true, false),
      };
      assert.equal(problemOf(sizes), null);
      const dimensions = dimensionsOf(sizes);
      const costs = costsOf(dimensions, sizes.withoutBias);
      const { shapes, parameters, flops } = truthOf(stateOf(sizes));
      assert.equal(costs.parameterCount, parameters);
      assert.equal(costs.multiplyAdds, flops.projections + flops.scores + flops.context);
      assert.equal(costs.operations.scores.value, flops.scores);
      assert.equal(costs.operations.context.value, flops.context);
      assert.equal(costs.weights.value, flops.softmax);
      for (const [id, tensors] of Object.entries(tensorsOf(dimensions, sizes.keys !== null))) {
        assert.deepEqual(tensors.map(shapeOf), plain(shapes[id]), JSON.stringify({ id, sizes }));
      }
      checked++;
    }
    assert.equal(checked, 300);
  });

  test('know which sizes make no layer', async () => {
    const { problemOf, nearestDivisors, middleKvHeads } = await fromDist('elements/shapes/layer.js');
    const fitting = {
      ...{ embedDim: 768, numHeads: 12, kvHeads: null, headDim: null, valueHeadDim: null },
      ...{ length: 197, keys: null, batch: 1, withoutBias: false },
    };
    assert.equal(problemOf(fitting), null);
    for (const [patch, kind] of [
      [{ numHeads: 10 }, 'heads'],
      [{ numHeads: 10, headDim: 77 }, undefined],
      [{ kvHeads: 5 }, 'kvHeads'],
      [{ embedDim: 0 }, 'range'],
      [{ embedDim: 1.5 }, 'range'],
      [{ length: NaN }, 'range'],
      [{ batch: 1025 }, 'range'],
      [{ embedDim: 32768, numHeads: 1 }, 'range'],
      [{ embedDim: 32768, numHeads: 512, length: 131072, batch: 1024 }, 'tooLarge'],
    ]) {
      assert.equal(problemOf({ ...fitting, ...patch })?.kind, kind, JSON.stringify(patch));
    }
    assert.deepEqual(nearestDivisors(768, 10), [8, 12]);
    assert.deepEqual(nearestDivisors(7, 3), [1, 7]);
    assert.deepEqual([12, 64, 32, 7, 1].map(middleKvHeads), [4, 8, 8, null, null]);
  });
});

describe('the pipeline', () => {
  let page, shapes, errors, close;
  beforeAll(async () => {
    ({ page, shapes, errors, close } = await open('ko'));
  });
  afterAll(async () => {
    assert.deepEqual(errors, []);
    await close();
  });

  for (const [name, state] of Object.entries({
    'ViT-Base, the default': {},
    GQA: { 'embed-dim': 64, 'num-heads': 8, 'kv-heads': 2, length: 10, batch: 2 },
    MQA: { 'embed-dim': 96, 'num-heads': 3, 'kv-heads': 1, length: 49 },
    'a free head width': { 'embed-dim': 30, 'num-heads': 4, 'head-dim': 9, length: 6 },
    'other values than keys': { 'embed-dim': 12, 'num-heads': 3, 'value-head-dim': 5, length: 4, keys: 7 },
    'no biases': { 'embed-dim': 512, 'num-heads': 8, length: 10, batch: 2, 'without-bias': true },
  })) {
    test(`shows the shapes and counts of a real layer: ${name}`, async () => {
      await setState(shapes, state);
      const truth = truthOf(state);
      await eventually(async () => {
        assert.deepEqual(await shownShapes(shapes), plain(truth.shapes));
        await assertCosts(shapes, truth);
      });
    });
  }

  test('counts a layer that is too large to compute', async () => {
    const state = { 'embed-dim': 768, 'num-heads': 12, length: 1024 };
    await setState(shapes, state);
    const truth = truthOf(state, false);
    await eventually(async () => {
      assert.deepEqual((await shownShapes(shapes)).scores, [[1, 12, 1024, 1024]]);
      await assertCosts(shapes, truth);
    });
  });

  test('fills the formulas of a stage with its numbers', async () => {
    await setState(shapes, {});
    const line = (name) => shapes.locator(`[part=explanation] [data-line=${name}]`);
    const text = async (name) => (await line(name).innerText()).replace(/\s+/g, ' ');
    await shapes.locator('[data-stage=split][part=stage]').click();
    await eventually(async () => {
      assert.equal(await text('width'), 'H × d = 12 × 64 = 768');
      assert.deepEqual(await numbers(line('width')), [768]);
    });
    await shapes.locator('[data-stage=scores][part=stage]').click();
    await eventually(async () => {
      assert.equal(await text('numbers'), 'B × H × L × S = 1 × 12 × 197 × 197 = 465,708');
      assert.deepEqual(await numbers(line('multiplyAdds')), [29_805_312]);
      assert.equal(await text('scale'), '√d = √64 = 8');
    });
    await page.mouse.move(1, 1);
  });

  test('pointing previews, a click locks, a second click releases', async () => {
    await setState(shapes, {});
    const shown = () => shapes.locator('[part=explanation]').getAttribute('data-stage');
    await page.evaluate(() => document.activeElement?.blur());
    await shapes.locator('[data-stage=context][part=stage]').hover();
    await eventually(async () => assert.equal(await shown(), 'context'));
    await page.mouse.move(1, 1);
    await eventually(async () => assert.equal(await shown(), null));
    await shapes.locator('[data-stage=concat][part=stage]').click();
    await page.mouse.move(1, 1);
    await eventually(async () => {
      assert.equal(await shapes.getAttribute('stage'), 'concat');
      assert.equal(await shown(), 'concat');
    });
    await shapes.locator('[data-stage=concat][part=stage]').click();
    await eventually(async () => assert.equal(await shapes.getAttribute('stage'), null));
  });

  test('compares the caches of MHA, GQA and MQA', async () => {
    await setState(shapes, { model: 'llama-2-70b' });
    const bytes = (sharing) => numbers(shapes.locator(`[part=cache] [data-sharing=${sharing}]`));
    const perToken = (kvHeads) => [2, 4, 2 * 80, 4 * 80].map((size) => kvHeads * (128 + 128) * size);
    await eventually(async () => {
      assert.deepEqual(await bytes('MHA'), perToken(64));
      assert.deepEqual(await bytes('GQA'), perToken(8));
      assert.deepEqual(await bytes('MQA'), perToken(1));
    });
  });
});

describe('models', () => {
  let shapes, errors, close;
  beforeAll(async () => {
    ({ shapes, errors, close } = await open('ko'));
  });
  afterAll(async () => {
    assert.deepEqual(errors, []);
    await close();
  });

  /** E, H, H_kv, d, L, B as the documents and papers have them. */
  const published = {
    'vit-small': [384, 6, 6, 64, 197, 1],
    'vit-base': [768, 12, 12, 64, 197, 1],
    'vit-large': [1024, 16, 16, 64, 197, 1],
    'swin-t-1': [96, 3, 3, 32, 49, 64],
    'swin-t-2': [192, 6, 6, 32, 49, 16],
    'swin-t-3': [384, 12, 12, 32, 49, 4],
    'swin-t-4': [768, 24, 24, 32, 49, 1],
    transformer: [512, 8, 8, 64, 10, 2],
    'bert-base': [768, 12, 12, 64, 512, 1],
    'bert-large': [1024, 16, 16, 64, 512, 1],
    'gpt-2': [768, 12, 12, 64, 1024, 1],
    'gpt-3': [12288, 96, 96, 128, 2048, 1],
    'llama-2-7b': [4096, 32, 32, 128, 4096, 1],
    'llama-2-70b': [8192, 64, 8, 128, 4096, 1],
    'palm-540b': [18432, 48, 1, 256, 2048, 1],
  };

  test('have their published sizes', async () => {
    const offered = await shapes
      .locator('select[name=model] option:not([value=""])')
      .evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(offered, Object.keys(published));
    for (const [id, [embed, heads, kvHeads, head, length, batch]] of Object.entries(published)) {
      await shapes.locator('select[name=model]').selectOption(id);
      await eventually(async () => {
        const { input, split, output } = await shownShapes(shapes);
        assert.deepEqual(input, [[batch, length, embed]]);
        assert.deepEqual(split, [
          [batch, heads, length, head],
          [batch, kvHeads, length, head],
          [batch, kvHeads, length, head],
        ]);
        assert.deepEqual(output, input);
      });
      assert.deepEqual(await shapes.evaluate((element) => element.state), { model: id });
      assert.match(await shapes.locator('[part=source]').innerText(), /\d{4}/);
    }
  });

  test('become one’s own sizes when one of them is changed', async () => {
    await shapes.locator('select[name=model]').selectOption('bert-base');
    await shapes.locator('input[name=numHeads]').fill('6');
    await shapes.locator('input[name=numHeads]').press('Enter');
    await eventually(async () => {
      assert.deepEqual(await shapes.evaluate((element) => element.state), { 'num-heads': 6, length: 512 });
      assert.deepEqual((await shownShapes(shapes)).split[0], [1, 6, 512, 128]);
      assert.equal(await shapes.locator('select[name=model]').inputValue(), '');
    });
  });

  test('of unknown name are answered in words', async () => {
    await setState(shapes, { model: 'nobody' });
    await shapes.locator('[role=alert]', { hasText: '이런 이름의 모델은 없어요.' }).waitFor();
  });
});

describe('sizes that do not fit', () => {
  let shapes, close;
  beforeAll(async () => {
    ({ shapes, close } = await open('ko'));
  });
  afterAll(() => close());
  const alert = () => shapes.locator('[role=alert]').innerText();

  test('a number of heads that does not divide is explained, and mended by its neighbours', async () => {
    await setState(shapes, {});
    await shapes.locator('input[name=heads]').fill('10');
    await eventually(async () => {
      assert.match(await alert(), /768 \/ 10 = 76\.8: 헤드 차원은 정수여야 해요/);
      assert.match(await alert(), /E 768, H 12, d 64/);
      assert.equal(await shapes.locator('input[name=numHeads]').getAttribute('aria-invalid'), 'true');
      assert.deepEqual((await shownShapes(shapes)).split[0], [1, 12, 197, 64], 'the last figure stays');
    });
    assert.deepEqual(await shapes.locator('[part=way]').allInnerTexts(), [
      '헤드 8개 (d = 96)',
      '헤드 12개 (d = 64)',
      '헤드 차원 정하기: 77',
    ]);
    await shapes.locator('[part=way]').first().click();
    await eventually(async () => {
      assert.equal(await alert(), '');
      assert.deepEqual((await shownShapes(shapes)).split[0], [1, 8, 197, 96]);
    });
    await setState(shapes, { 'num-heads': 10 });
    await shapes.locator('[part=way]').nth(2).click();
    await eventually(async () => {
      assert.deepEqual((await shownShapes(shapes)).split[0], [1, 10, 197, 77]);
      assert.match(await shapes.locator('[part=split]').innerText(), /H 10 × d 77 = 770 ≠ E 768/);
    });
  });

  test('key/value heads that cannot be shared are explained', async () => {
    await setState(shapes, { 'kv-heads': 5 });
    await eventually(async () => assert.match(await alert(), /12의 약수여야 해요/));
    assert.deepEqual(await shapes.locator('[part=way]').allInnerTexts(), [
      '키·값 헤드 4개',
      '키·값 헤드 6개',
    ]);
    await shapes.locator('[part=way]').last().click();
    await eventually(async () => assert.deepEqual((await shownShapes(shapes)).split[1], [1, 6, 197, 64]));
  });

  test('the choice of MHA, GQA and MQA changes key/value heads', async () => {
    await setState(shapes, {});
    const choice = shapes.getByLabel('키·값 헤드 수');
    const names = await choice.locator('option').allInnerTexts();
    assert.deepEqual(
      names.slice(0, 2).map((name) => name.trim()),
      ['12 · MHA', '6 · GQA: 쿼리 헤드 2개마다 하나'],
    );
    for (const [heads, attribute] of [
      [4, '4'],
      [1, '1'],
      [12, null],
    ]) {
      await choice.selectOption(String(heads));
      await eventually(async () => {
        assert.deepEqual((await shownShapes(shapes)).split[1], [1, heads, 197, 64]);
        assert.equal(await shapes.getAttribute('kv-heads'), attribute);
      });
    }
  });

  for (const [field, text] of [
    ['embedDim', '0'],
    ['embedDim', '32769'],
    ['embedDim', ''],
    ['length', '1.5'],
    ['length', 'abc'],
    ['numHeads', '-3'],
  ]) {
    test(`“${text}” for ${field} is explained and kept out of the state`, async () => {
      await setState(shapes, { 'embed-dim': 64, 'num-heads': 4, length: 5 });
      const field_ = shapes.locator(`input[name=${field}]`);
      await field_.fill(text);
      await field_.press('Tab');
      await eventually(async () => {
        assert.match(await alert(), /1부터 \d+까지의 정수여야 해요/);
        assert.equal(await field_.getAttribute('aria-invalid'), 'true');
        assert.equal(await field_.inputValue(), text);
      });
      assert.deepEqual(await shapes.evaluate((element) => element.state), {
        'embed-dim': 64,
        'num-heads': 4,
        length: 5,
      });
      assert.deepEqual((await shownShapes(shapes)).split[0], [1, 4, 5, 16]);
      await setState(shapes, {});
      await eventually(async () => assert.equal(await alert(), ''));
    });
  }
});

describe('for everyone', () => {
  let page, shapes, errors, close;
  beforeAll(async () => {
    ({ page, shapes, errors, close } = await open('ko'));
  });
  afterAll(async () => {
    assert.deepEqual(errors, []);
    await close();
  });

  test('the keyboard reaches and holds every stage with one tab stop', async () => {
    const focused = () =>
      shapes.evaluate(
        ({ shadowRoot }) => shadowRoot.activeElement?.closest('[data-stage]')?.dataset.stage ?? null,
      );
    await shapes.locator('.more summary').focus();
    await page.keyboard.press('Tab');
    await eventually(async () => assert.equal(await focused(), 'input'));
    for (const [key, stage] of [
      ['ArrowRight', 'projections'],
      ['ArrowDown', 'split'],
      ['ArrowLeft', 'projections'],
      ['End', 'output'],
      ['ArrowRight', 'output'],
      ['Home', 'input'],
      ['ArrowRight', 'projections'],
    ]) {
      await page.keyboard.press(key);
      await eventually(async () => {
        assert.equal(await focused(), stage);
        assert.equal(await shapes.locator('[part=explanation]').getAttribute('data-stage'), stage);
      });
    }
    assert.equal(await shapes.locator('[part=stage] button[tabindex="0"]').count(), 1);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      assert.equal(await shapes.getAttribute('stage'), 'projections');
      assert.match(await shapes.locator('[role=status]').innerText(), /116,195,328/);
    });
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await shapes.getAttribute('stage'), null));
    await page.keyboard.press('Tab');
    await eventually(async () => assert.equal(await focused(), null));
  });

  test('the state goes through JSON and the page’s fragment', async () => {
    const { page: pair, close: closePair } = await open('two');
    const states = [
      { 'embed-dim': 64, 'num-heads': 8, 'kv-heads': 2, length: 10, keys: 3, batch: 2, stage: 'scores' },
      { 'head-dim': 20, 'value-head-dim': 9, 'without-bias': true },
      { model: 'swin-t-2', stage: 'input' },
      {},
    ];
    for (const state of states) {
      const [first, second] = await pair.evaluate(async (given) => {
        const [one, other] = document.querySelectorAll('mha-shapes');
        one.state = given;
        await one.updateComplete;
        other.state = JSON.parse(JSON.stringify(one.state));
        await other.updateComplete;
        return [one, other].map((element) => [element.state, element.toCSV()]);
      }, state);
      assert.deepEqual(first[0], state);
      assert.deepEqual(second, first);
    }
    await closePair();

    const kept = await open('kept');
    await kept.shapes.locator('input[name=numHeads]').fill('6');
    await kept.shapes.locator('input[name=numHeads]').press('Tab');
    await kept.shapes.locator('[data-stage=weights][part=stage]').click();
    await eventually(async () => assert.match(kept.page.url(), /#s\.num-heads=6&s\.stage=weights$/));
    await kept.page.reload();
    await eventually(async () => {
      assert.deepEqual((await shownShapes(kept.shapes)).split[0], [1, 6, 197, 128]);
      assert.equal(await kept.shapes.getAttribute('stage'), 'weights');
    });
    await kept.close();
  });

  test('the figure can be exported', async () => {
    await setState(shapes, { 'embed-dim': 64, 'num-heads': 8, 'kv-heads': 2, length: 10 });
    const { shapes: real, parameters } = truthOf({
      'embed-dim': 64,
      'num-heads': 8,
      'kv-heads': 2,
      length: 10,
    });
    const csv = await shapes.evaluate((element) => element.toCSV());
    const rows = csv.trim().split('\r\n');
    const stages = rows.filter((row) => row.startsWith('split,'));
    assert.deepEqual(
      stages.map((row) =>
        row
          .match(/"\(([\d, ]+)\)"/)[1]
          .split(', ')
          .map(Number),
      ),
      real.split.map((shape) => [...shape]),
    );
    assert.ok(rows.includes(`parameters,total,,,${parameters}`));
    const { texts, error } = await shapes.evaluate((element) => {
      const parsed = new DOMParser().parseFromString(element.toSVG(), 'image/svg+xml');
      return {
        texts: [...parsed.querySelectorAll('text')].map((one) => one.textContent),
        error: parsed.querySelector('parsererror')?.textContent ?? null,
      };
    });
    assert.equal(error, null);
    // Each number, and under it the letter of its axis.
    assert.match(texts.join(' '), /K \( 1 , B 2 , H kv 10 , S 8 \) d/);
    const png = await shapes.evaluate(async (element) => (await element.toPNG(1)).type);
    assert.equal(png, 'image/png');
  });

  test('a page without WebAssembly draws', async () => {
    const context = await newContext();
    await context.addInitScript(() => {
      WebAssembly.compile = WebAssembly.instantiate = () => Promise.reject(new Error('no module'));
      WebAssembly.validate = () => false;
    });
    const lonely = await context.newPage();
    await lonely.goto(`${server.url}/ko`);
    const drawn = lonely.locator('mha-shapes');
    await eventually(async () => {
      assert.deepEqual((await shownShapes(drawn)).split[0], [1, 12, 197, 64]);
    });
    await context.close();
  });

  for (const lang of ['ko', 'en']) {
    for (const scheme of ['light', 'dark']) {
      test(`axe finds nothing (${lang}, ${scheme})`, async () => {
        await setState(shapes, { 'num-heads': 10, stage: 'split' });
        await shapes.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
        await page.evaluate(
          ([language, colours]) => {
            const { documentElement: root } = document;
            root.lang = language;
            root.style.colorScheme = colours;
            root.style.background = 'light-dark(#fbfaf6, #16171c)';
            root.style.color = 'light-dark(#1f1d1a, #e9e6df)';
          },
          [lang, scheme],
        );
        const said = { ko: '헤드 차원은 정수여야 해요', en: 'the head dimension must be a whole number' };
        await shapes.locator('[role=alert]', { hasText: said[lang] }).waitFor();
        await shapes.locator('[part=numbers] table').waitFor();
        assert.deepEqual(await axeFindings(page), []);
      });
    }
  }

  test('nothing scrolls sideways at 320 pixels, and targets are large enough', async () => {
    const {
      page: narrow,
      shapes: first,
      close: closeNarrow,
    } = await open('two', { viewport: { width: 320, height: 700 } });
    for (const summary of await narrow.locator('mha-shapes summary').all()) await summary.click();
    await setState(first, { 'num-heads': 10, stage: 'projections' });
    await first.locator('[part=way]').first().waitFor();
    const width = await narrow.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${width}`);
    await eventually(async () =>
      assert.ok(await first.locator('[part=pipeline] [data-line=multiplyAddsQuery]').isVisible()),
    );
    const small = await narrow
      .locator(
        'mha-shapes :is(button, summary, select, input:not([type=radio], [type=checkbox]), label.check)',
      )
      .evaluateAll((all) =>
        all
          .map((element) => ({ name: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ name }) => name),
      );
    assert.deepEqual(small, []);
    await closeNarrow();
  });
});
