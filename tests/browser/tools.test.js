/** The explorer's tools: changes are computed, hidden parts are hidden, and saved states are restored. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openTab, serving, test } from './fixtures.js';
import { axeFindings, dist, eventually, goldenWeights, openMore } from './support.js';

const { load } = await import(pathToFileURL(path.join(dist, 'index.js')));
const { openExample } = await import(pathToFileURL(path.join(dist, 'documents', 'examples.js')));
const module = await load();

const html = (body, lang = 'ko') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>tools</title>
  <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
  <script type="module" src="standalone.js"></script><style>body{background:Canvas}</style><body><main><h1>tools</h1>${body}</main>`;

const { tokens, weights: golden } = goldenWeights['004-sentence'];
const size = tokens.length;
const own = {
  tokens: ['[CLS]', 'a', 'b', '.', '[PAD]'],
  weights: [0, 1].map((head) =>
    [0, 1, 2, 3, 4].map((query) =>
      [0, 1, 2, 3, 4].map((key) => (1 + ((query * 3 + key * 2 + head) % 5)) / 15),
    ),
  ),
};

const pages = {
  '/cat': html('<mha-explorer document="004-sentence" url-state="cat"></mha-explorer>'),
  '/cat-en': html('<mha-explorer document="004-sentence"></mha-explorer>', 'en'),
  '/bank': html('<mha-explorer document="001-b" token="cat" url-state="bank"></mha-explorer>'),
  '/plain': html('<mha-explorer document="001-a"></mha-explorer>'),
  '/src': html('<mha-explorer src="own.json"></mha-explorer>'),
  '/own.json': JSON.stringify(own),
  '/bad-src': html('<mha-explorer src="bad.json"><p>stand-in</p></mha-explorer>'),
  '/bad.json': '{"tokens": ["a", "b"], "weights": [[[1]]]}',
  '/no-src': html('<mha-explorer src="missing.json"></mha-explorer>'),
  '/bad-script': html(
    '<mha-explorer><script type="application/json">{"tokens":["a"],"weights":[[[1]],[[2,3]]]}</script></mha-explorer>',
  ),
  '/first': html(
    `<mha-explorer><script type="application/json">${JSON.stringify(own)}</script></mha-explorer>`,
  ),
};

const server = serving(dist, { pages });

async function open(name, options) {
  const opened = await openTab(`${server.url}/${name}`, options);
  const explorer = opened.page.locator('mha-explorer');
  await explorer.locator('details.more').first().waitFor();
  await openMore(explorer);
  return { ...opened, explorer };
}

const weightsOf = (explorer, view = 'mha-matrix[part=matrix-view]') =>
  explorer
    .locator(`${view} tbody tr`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('[part=cell] data')].map(({ value }) => Number(value))),
    );

function assertNear(actual, expected, tolerance = 1e-6) {
  assert.equal(actual.length, expected.length);
  expected.forEach((row, i) => {
    assert.equal(actual[i].length, row.length);
    row.forEach((value, j) => {
      assert.ok(
        Math.abs(actual[i][j] - value) < tolerance,
        `row ${i}, column ${j}: ${actual[i][j]}, not ${value}`,
      );
    });
  });
}

const shows = (explorer, expected, view) =>
  eventually(async () => assertNear(await weightsOf(explorer, view), expected));

const setState = (explorer, state) =>
  explorer.evaluate((element, value) => {
    element.state = { document: '004-sentence', ...value };
  }, state);

const fold = (explorer, name) => explorer.locator(`details.${name} > summary`).click();
const control = (explorer, name) => explorer.locator(`.toolbox [name=${name}]`);
/** Moves a slider by real input. */
const slide = (explorer, name, value) =>
  control(explorer, name).evaluate((input, to) => {
    input.value = String(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);

/** The documented computation in float64, from the queries and keys of the example's own layer. */
function attention({ id = '004-sentence', heads = 4, allowed = () => true } = {}) {
  const { layer, x } = openExample(module, id, { numHeads: heads });
  const { q, k } = layer.steps(x, x, x);
  layer.dispose();
  const [, n, d] = q.shape;
  const places = [...Array(n).keys()];
  return [...Array(heads).keys()].map((head) =>
    places.map((i) => {
      const exps = places.map((j) => {
        if (!allowed(i, j)) return 0;
        let score = 0;
        for (let c = 0; c < d; c++) score += q.at(head, i, c) * k.at(head, j, c);
        return Math.exp(score / Math.sqrt(d));
      });
      const sum = exps.reduce((total, value) => total + value, 0);
      return exps.map((value) => (sum === 0 ? 0 : value / sum));
    }),
  );
}

/** Of one row, the heaviest entries until `mass` of it is reached. */
function heaviest(row, mass) {
  const total = row.reduce((sum, value) => sum + value, 0);
  const order = row.map((_, index) => index).sort((a, b) => row[b] - row[a]);
  const kept = row.map(() => 0);
  let shown = 0;
  for (const index of order) {
    if (shown >= mass * total - 1e-7) break;
    shown += row[index];
    kept[index] = row[index];
  }
  return kept;
}

const divided = (row) => {
  const sum = row.reduce((total, value) => total + value, 0);
  return row.map((value) => (sum > 0 ? value / sum : 0));
};

describe('the lens', () => {
  let opened;
  beforeAll(async () => {
    opened = await open('cat');
    await shows(opened.explorer, golden[0]);
    await fold(opened.explorer, 'tools');
  });
  afterAll(() => opened.close());

  test('shows the largest weights up to a share, with a note', async () => {
    const { explorer } = opened;
    await slide(explorer, 'mass', 0.6);
    await shows(
      explorer,
      golden[0].map((row) => heaviest(row, 0.6)),
    );
    await explorer.getByText('큰 가중치부터 누적 60%까지, 정규화하지 않아').waitFor();
    await eventually(async () => assert.equal(await explorer.getAttribute('mass'), '0.6'));
  });

  test('renormalises the rest only on request', async () => {
    const { explorer } = opened;
    await control(explorer, 'exclude-self').check();
    await slide(explorer, 'mass', 1);
    const without = golden[0].map((row, query) => row.map((weight, key) => (key === query ? 0 : weight)));
    await shows(explorer, without);
    await control(explorer, 'renormalise').check();
    await shows(explorer, without.map(divided));
    await explorer.getByText('합이 1이 되도록 정규화함').waitFor();
    await explorer.locator('[data-reset]').click();
    await shows(explorer, golden[0]);
    await eventually(async () => assert.equal(await explorer.locator('.looking').isVisible(), false));
  });

  test('leaves out special tokens, padding and punctuation', async () => {
    const { explorer, close } = await open('src');
    for (const [exclude, hidden] of [
      ['special', [0]],
      ['padding', [4]],
      ['punctuation', [3]],
      ['special punctuation', [0, 3]],
    ]) {
      await explorer.evaluate((element, value) => {
        element.exclude = value;
      }, exclude);
      await shows(
        explorer,
        own.weights[0].map((row) => row.map((weight, key) => (hidden.includes(key) ? 0 : weight))),
      );
    }
    await close();
  });

  test('mean and maximum are those of whole heads, filtered like any other', async () => {
    const { explorer } = opened;
    await control(explorer, 'summary').check();
    const cell = (query, key) => golden.map((head) => head[query][key]);
    const mean = tokens.map((_, i) => tokens.map((_, j) => cell(i, j).reduce((a, b) => a + b) / 4));
    const most = tokens.map((_, i) => tokens.map((_, j) => Math.max(...cell(i, j))));
    const head = (index) => explorer.locator('mha-heads [role=radio]').nth(index);
    await eventually(async () => assert.equal(await explorer.locator('mha-heads [role=radio]').count(), 6));
    assert.match(await head(4).innerText(), /^평균/);
    await head(4).click();
    await shows(explorer, mean);
    await head(5).click();
    await shows(explorer, most);
    await control(explorer, 'exclude-self').check();
    await shows(
      explorer,
      most.map((row, query) => row.map((weight, key) => (key === query ? 0 : weight))),
    );
    await explorer.locator('[data-reset]').click();
    await eventually(async () => assert.equal(await explorer.locator('mha-heads [role=radio]').count(), 4));
  });
});

describe('computing again', () => {
  let opened;
  beforeAll(async () => {
    opened = await open('cat');
    await shows(opened.explorer, golden[0]);
    await fold(opened.explorer, 'tools');
  });
  afterAll(() => opened.close());

  test('with another number of heads at the same width', async () => {
    const { explorer } = opened;
    await slide(explorer, 'head-count', 8);
    await shows(explorer, attention({ heads: 8 })[0]);
    await explorer.getByText('32차원 ÷ 헤드 8개 = 헤드마다 4차원').waitFor();
    await eventually(async () => assert.equal(await explorer.locator('mha-heads [role=radio]').count(), 8));
  });

  test('a number of heads that does not divide is explained, and the nearest are offered', async () => {
    const { explorer } = opened;
    await slide(explorer, 'head-count', 5);
    await explorer.locator('.refused', { hasText: '32 ÷ 5 = 6.40' }).waitFor();
    assertNear(await weightsOf(explorer), attention({ heads: 8 })[0]);
    const offered = explorer.locator('.refused button');
    assert.deepEqual(await offered.allInnerTexts(), ['4', '8']);
    await offered.first().click();
    await shows(explorer, golden[0]);
  });

  test('a mask with a count begins at 2', async () => {
    const { explorer } = opened;
    const list = explorer.locator('select[name=mask]');
    await list.selectOption('window');
    await eventually(async () => assert.equal(await explorer.evaluate(({ mask }) => mask), 'window:2'));
    await setState(explorer, {});
    await shows(explorer, golden[0]);
  });

  for (const [mask, allowed] of [
    ['causal', (i, j) => j <= i],
    ['padding:3', (_, j) => j < size - 3],
    ['window:1', (i, j) => Math.abs(i - j) <= 1],
    ['trap', (i, j) => j > i],
  ]) {
    test(`under the mask ${mask}`, async () => {
      const { explorer } = opened;
      await setState(explorer, { mask });
      await shows(explorer, attention({ allowed })[0]);
      const hidden = await explorer
        .locator('mha-matrix[part=matrix-view] td.masked')
        .evaluateAll((cells) => cells.map((cell) => [cell.dataset.query, cell.dataset.key, cell.innerText]));
      const forbidden = tokens.flatMap((_, i) =>
        tokens.flatMap((_, j) => (allowed(i, j) ? [] : [[String(i), String(j), '']])),
      );
      assert.deepEqual(hidden, forbidden);
      if (mask === 'trap') {
        assert.deepEqual((await weightsOf(explorer))[size - 1], Array(size).fill(0));
        await explorer.locator('.toolbox').getByText('1.13에서 NaN').waitFor();
      }
      await setState(explorer, {});
      await shows(explorer, golden[0]);
    });
  }

  for (const state of [{ mask: 'padding' }, { mask: 'window:x' }, { mask: 'diagonal' }]) {
    test(`${JSON.stringify(state)} is refused, and the figure stays`, async () => {
      const { explorer } = opened;
      await setState(explorer, state);
      await explorer.locator('#problem', { hasText: '이 마스크는 이 문장에 쓸 수 없어요.' }).waitFor();
      assertNear(await weightsOf(explorer), golden[0]);
      await setState(explorer, {});
      await eventually(async () => assert.equal(await explorer.locator('#problem').innerText(), ''));
    });
  }

  test('an example with one plain head has no number of heads to choose', async () => {
    const { explorer, close } = await open('plain');
    await shows(explorer, goldenWeights['001-a'].weights[0]);
    await fold(explorer, 'tools');
    await explorer.getByText('이 예제의 헤드 수는 정해져 있어요.').waitFor();
    assert.equal(await control(explorer, 'head-count').count(), 0);
    await close();
  });
});

describe('comparing', () => {
  let opened;
  beforeAll(async () => {
    opened = await open('cat');
    await shows(opened.explorer, golden[0]);
    await fold(opened.explorer, 'tools');
  });
  afterAll(() => opened.close());

  const flat = { data: Float32Array.from(golden.flat(2)), shape: [4, size, size] };

  test('two heads: side by side, their signed difference, and their similarity', async () => {
    const { explorer } = opened;
    await control(explorer, 'compare').selectOption('2');
    await shows(explorer, golden[2], '[part=versus] mha-matrix >> nth=0 >> ');
    for (const [width, beside] of [
      [320, false],
      [640, true],
      [1280, true],
    ]) {
      await opened.page.setViewportSize({ width, height: 900 });
      await eventually(async () => {
        const [chosen, other] = await explorer
          .locator('mha-matrix')
          .evaluateAll((all) => all.map((matrix) => matrix.getBoundingClientRect()));
        if (beside) {
          assert.equal(other.top, chosen.top, `${width} px`);
          assert.ok(other.left >= chosen.right, `${width} px`);
        } else assert.ok(other.top >= chosen.bottom, `${width} px`);
      });
    }
    await shows(
      explorer,
      golden[0].map((row, i) => row.map((weight, j) => weight - golden[2][i][j])),
      '[part=versus] mha-matrix >> nth=1 >> ',
    );
    const alike = module.metrics.similarity(flat).at(0, 2);
    const shown = Number(await explorer.locator('.alike data').getAttribute('value'));
    assert.ok(Math.abs(shown - alike) < 1e-6, `${shown}, not ${alike}`);
    await eventually(async () => assert.equal(await explorer.getAttribute('compare'), '2'));
    await control(explorer, 'compare').selectOption('');
    await eventually(async () => assert.equal(await explorer.locator('[part=versus]').count(), 0));
  });

  test('role scores are the metrics’, beside an even look, with definitions', async () => {
    const { explorer } = opened;
    await fold(explorer, 'roles');
    const roles = module.metrics.headRoles(flat, tokens);
    const names = Object.keys(roles[0]);
    await explorer.locator('.roles tbody tr').first().waitFor();
    const rows = await explorer
      .locator('.roles tbody tr')
      .evaluateAll((all) =>
        all.map((row) =>
          Object.fromEntries(
            [...row.querySelectorAll('[data-role]')].map((cell) => [
              cell.dataset.role,
              Number(cell.querySelector('data').value),
            ]),
          ),
        ),
      );
    assert.equal(rows.length, 5);
    roles.forEach((role, head) => {
      for (const name of names) assert.ok(Math.abs(rows[head][name] - role[name]) < 1e-6, `${head} ${name}`);
    });
    assert.ok(Math.abs(rows[4].previousToken - 1 / size) < 1e-6);
    assert.equal(rows[4].entropy, 1);
    await explorer.locator('details.roles details > summary').click();
    assert.equal(await explorer.locator('.definitions dt').count(), names.length);
  });
});

describe('keeping', () => {
  let opened;
  beforeAll(async () => {
    opened = await open('cat', { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
    await shows(opened.explorer, golden[0]);
    await fold(opened.explorer, 'tools');
  });
  afterAll(() => opened.close());

  async function saved(kind) {
    const { page, explorer } = opened;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      explorer.locator(`[data-save=${kind}]`).click(),
    ]);
    assert.equal(download.suggestedFilename(), `attention.${kind}`);
    return readFileSync(await download.path());
  }

  test('a well-formed SVG with a description', async () => {
    const { page } = opened;
    const svg = (await saved('svg')).toString();
    const [root, title, failed] = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      const { documentElement } = parsed;
      return [
        documentElement.nodeName,
        parsed.querySelector('title').textContent,
        parsed.querySelectorAll('parsererror').length,
      ];
    }, svg);
    assert.deepEqual([root, failed], ['svg', 0]);
    assert.match(title, /헤드 1.*무작위 가중치/);
    for (const token of tokens) assert.ok(svg.includes(`>${token}</text>`), token);
    assert.ok(svg.includes(`>${golden[0][7][2].toFixed(2)}</text>`));
    assert.ok(!/light-dark|var\(|oklch/.test(svg), 'colours that only CSS knows');
  });

  test('a PNG of twice its size', async () => {
    const { explorer } = opened;
    const png = await saved('png');
    assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const [, width] = /width="(\d+)"/.exec(await explorer.evaluate((element) => element.toSVG()));
    assert.equal(png.readUInt32BE(16), 2 * Number(width));
  });

  test('a CSV with every weight of every head', async () => {
    const lines = (await saved('csv')).toString().replace('\ufeff', '').trimEnd().split('\r\n');
    assert.equal(lines[0], 'head,query,key,query word,key word,weight');
    assert.equal(lines.length, 1 + 4 * size * size);
    for (const line of lines.slice(1)) {
      const [head, query, key, queryToken, keyToken, weight] = line.split(',');
      assert.deepEqual([queryToken, keyToken], [tokens[query], tokens[key]]);
      assert.ok(Math.abs(Number(weight) - golden[head][query][key]) < 1e-6, line);
    }
  });

  test('a JSON file that `data` and `src` take back', async () => {
    const { tokens: words, weights } = JSON.parse((await saved('json')).toString());
    assert.deepEqual(words, tokens);
    weights.forEach((rows, head) => {
      assertNear(rows, golden[head]);
    });
  });

  test('the HTML of the figure in its state', async () => {
    const { page, explorer } = opened;
    await setState(explorer, { head: 2, token: 'it', mask: 'causal' });
    await explorer.locator('[data-copy]').click();
    await explorer.getByText('복사했어요.').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(
      text,
      '<script type="module" src="standalone.js"></script>\n' +
        '<mha-explorer document="004-sentence" head="2" token="it" mask="causal"></mha-explorer>',
    );
    await setState(explorer, {});
  });
});

describe('the state', () => {
  const everything = {
    document: '001-b',
    heads: 8,
    head: 3,
    token: 'cat',
    target: 'mat',
    mass: 0.9,
    exclude: 'self',
    renormalise: true,
    summary: true,
    mask: 'window:2',
    compare: 5,
  };

  test('round-trips through JSON and the address, field by field', async () => {
    const { page, explorer, errors, close } = await open('cat');
    await shows(explorer, golden[0]);
    await explorer.evaluate((element, state) => {
      element.state = JSON.parse(JSON.stringify(state));
    }, everything);
    await eventually(async () =>
      assert.deepEqual(await explorer.evaluate((element) => element.state), everything),
    );
    await eventually(async () => {
      const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
      for (const [name, value] of Object.entries(everything)) {
        assert.equal(fields.get(`cat.${name}`), String(value), name);
      }
    });
    const before = await weightsOf(explorer);
    await page.reload();
    await explorer.locator('mha-arcs [part=word]').first().waitFor();
    await openMore(explorer);
    await shows(explorer, before);
    await eventually(async () =>
      assert.deepEqual(await page.locator('mha-explorer').evaluate((element) => element.state), everything),
    );
    assert.deepEqual(errors, []);
    await close();
  });

  test('of the address is separate from the author’s attributes, and keeps other fragments', async () => {
    const { page, explorer, close } = await open('bank#chapter-3&bank.token=&other.x=1');
    await explorer.locator('mha-arcs [part=word]').first().waitFor();
    await eventually(async () => assert.equal(await explorer.getAttribute('token'), null));
    await explorer.locator('mha-arcs [part=word]').nth(5).click();
    await eventually(async () =>
      assert.equal(new URL(page.url()).hash, '#chapter-3&other.x=1&bank.token=on'),
    );
    await explorer.locator('mha-arcs [part=word]').nth(1).click();
    await eventually(async () => assert.equal(new URL(page.url()).hash, '#chapter-3&other.x=1'));
    await page.evaluate(() => {
      location.hash = '#bank.head=2';
    });
    await eventually(async () => assert.equal(await explorer.getAttribute('head'), '2'));
    await close();
  });

  test('of the wrong form is refused by name', async () => {
    const { explorer, close } = await open('cat');
    await shows(explorer, golden[0]);
    const refusal = (state) =>
      explorer.evaluate((element, value) => {
        try {
          element.state = value;
          return 'taken';
        } catch (error) {
          return `${error.name}: ${error.message}`;
        }
      }, state);
    assert.match(
      await refusal({ colour: 'red' }),
      /^TypeError: `state` must have no fields but .*got "colour"$/,
    );
    assert.equal(await refusal({ head: '2' }), 'TypeError: `state.head` must be a number, got a string');
    assertNear(await weightsOf(explorer), golden[0]);
    await close();
  });

  test('of a hostile address stays text', async () => {
    const { page, explorer, errors, close } = await open(
      `cat#cat.sentence=${encodeURIComponent('<img/src=x/onerror=globalThis.hit=1> b')}&cat.head=x&cat.mask=%E0%A4%A`,
    );
    await eventually(async () =>
      assert.match((await explorer.locator('#problem').innerText()).trim(), /마스크/),
    );
    await setState(explorer, { sentence: '<img/src=x/onerror=globalThis.hit=1> b' });
    await explorer.locator('[part=word]', { hasText: '<img' }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.deepEqual(errors, []);
    await close();
  });
});

describe('other weights', () => {
  test('come from a file', async () => {
    const { explorer, errors, close } = await open('src');
    await shows(explorer, own.weights[0]);
    await explorer.locator('[part=label]', { hasText: '파일이나 스크립트로 받은 가중치' }).waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  test('have a precedence: properties, then the file', async () => {
    const { explorer, close } = await open('src');
    await shows(explorer, own.weights[0]);
    const given = {
      tokens: ['x', 'y'],
      weights: [
        [
          [1, 0],
          [0.25, 0.75],
        ],
      ],
    };
    const handIn = (data) =>
      explorer.evaluate((element, value) => {
        element.data = value;
      }, data);
    await handIn(given);
    await shows(explorer, given.weights[0]);
    await handIn(null);
    await shows(explorer, own.weights[0]);
    await explorer.evaluate((element) => {
      element.src = null;
      element.document = '004-sentence';
    });
    await shows(explorer, golden[0]);
    await close();
  });

  test('that are handed in are not replaced by a file that comes later', async () => {
    const { page, explorer, close } = await open('src');
    await shows(explorer, own.weights[0]);
    const asked = new Promise((resolve) => void page.route('**/late.json', resolve));
    const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/late.json'));
    await explorer.evaluate((element) => (element.src = 'late.json'));
    await asked;
    const given = { tokens: ['x'], weights: [[[1]]] };
    await explorer.evaluate((element, data) => (element.data = data), given);
    await shows(explorer, given.weights[0]);
    await cancelled;
    assert.equal(await explorer.locator('#problem').innerText(), '');
    await close();
  });

  const file = '가중치 파일을 그림으로 그릴 수 없어요.';
  for (const [name, sentence, message] of [
    ['bad-src', file, '모양이 (헤드 수, 2, 2)인 weights가 필요해요.'],
    ['no-src', file, 'HTTP 404'],
    ['bad-script', '받은 데이터를 그림으로 그릴 수 없어요.', 'weights의 행은 길이가 모두 같아야 해요.'],
  ]) {
    test(`of ${name} are refused with the reason`, async () => {
      const { explorer, close } = await open(name);
      await explorer.locator('[role=alert]', { hasText: sentence }).waitFor();
      await explorer.locator('[role=alert]', { hasText: message }).waitFor();
      await close();
    });
  }

  test('stand in the element itself, before anything is computed', async () => {
    const { explorer, close } = await open('first');
    await shows(explorer, own.weights[0]);
    await close();
  });
});

describe('the tools', () => {
  for (const name of ['cat', 'cat-en']) {
    for (const colorScheme of ['light', 'dark']) {
      test(`have no fault that axe finds (${name}, ${colorScheme})`, { tag: '@thorough' }, async () => {
        const { page, explorer, close } = await open(name, { colorScheme });
        await shows(explorer, golden[0]);
        await setState(explorer, { compare: 1, exclude: 'self', summary: true });
        for (const part of ['roles', 'numbers', 'tools']) await fold(explorer, part);
        await control(explorer, 'mask').waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await close();
      });
    }
  }

  test('do not make a narrow page scroll sideways', async () => {
    const { page, explorer, close } = await open('cat', { viewport: { width: 320, height: 800 } });
    await explorer.locator('mha-matrix [part=cell]').first().waitFor();
    await setState(explorer, { compare: 1 });
    for (const part of ['roles', 'numbers', 'tools']) await fold(explorer, part);
    await control(explorer, 'mask').waitFor();
    await eventually(async () =>
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)),
    );
    await close();
  });
});
