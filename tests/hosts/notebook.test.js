/** Figures of mha_view.py: in a notebook that Debian's Jupyter runs, in a file of their own, and as an anywidget. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { launch } from '../browser/chromium.js';
import { axeFindings, dist, drawn, errorsOf, eventually, goldenWeights, repo } from '../browser/support.js';

const python = process.env.NOTEBOOK_PYTHON;
const here = path.join(repo, 'tests', 'hosts');
const folder = mkdtempSync(path.join(tmpdir(), 'notebook-'));
/** Two layers: NumPy's weights, and the same heads the other way round. */
const { tokens, weights } = goldenWeights['001-b'];
const attentions = [weights, weights.toReversed()];
/** A weight of a figure is wrong by at most this, and by what float32 adds. */
const TOLERANCE = 1 / 120_000 + 1e-7;

const run = (...args) => execa(python, args, { cwd: folder, env: { PYTHONPATH: dist } });
const convert = (file, ...options) =>
  run('-m', 'nbconvert', '--to', 'html', '--output', file, ...options, 'executed.ipynb');

let browser;
before(async () => {
  cpSync(path.join(here, 'sites', 'notebook'), folder, { recursive: true });
  copyFileSync(path.join(dist, 'mha_view.py'), path.join(folder, 'mha_view.py'));
  writeFileSync(path.join(folder, 'weights.json'), JSON.stringify({ tokens, attentions }));
  await run(
    '-m',
    'nbconvert',
    '--to',
    'notebook',
    '--execute',
    '--output',
    'executed.ipynb',
    'figures.ipynb',
  );
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a file without a server or a network. Jupyter's own scripts, which Debian's pages name, need not be there. */
async function open(file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 900 },
    offline: true,
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const errors = errorsOf(page, /Failed to load resource: net::ERR_FILE_NOT_FOUND|MathJax|require/);
  await page.goto(pathToFileURL(path.join(folder, file)).href);
  return { page, errors, close: () => context.close() };
}

/** The document in the n-th frame of a page. */
const frameOf = async (page, index) =>
  (await page.locator('iframe').nth(index).elementHandle()).contentFrame();

/** The cells of a drawn matrix must have these weights and say them. */
async function isMatrix(matrix, expected) {
  await drawn(matrix, matrix.locator('[part=cell]'));
  const cells = await matrix.locator('[part=cell]').evaluateAll((all) =>
    all.map((cell) => ({
      value: Number(cell.querySelector('data').value),
      text: cell.textContent.trim(),
      label: cell.getAttribute('aria-label'),
    })),
  );
  const all = expected.flat();
  assert.equal(cells.length, all.length);
  for (const [i, { value, text, label }] of cells.entries()) {
    assert.ok(Math.abs(value - all[i]) < TOLERANCE, `${value} is not ${all[i]}`);
    assert.equal(text, all[i].toFixed(2));
    assert.ok(label.includes(all[i].toFixed(2)), label);
  }
}

/** A frame shows its whole document, without scroll bars. */
const isFitted = (page, index) =>
  eventually(async () => {
    const frame = page.locator('iframe').nth(index);
    const { content, height } = await frame.evaluate((element) => ({
      content: element.contentDocument.querySelector('main').getBoundingClientRect().height,
      height: element.clientHeight,
    }));
    assert.ok(content > 200, String(content));
    assert.ok(height >= content && height < content + 1, `${height} for ${content}`);
  });

test('mha_view.py refuses by name, and codes weights as it says', async () => {
  const { stderr } = await run(path.join(here, 'mha_view_test.py'));
  assert.match(stderr, /Ran (1[5-9]|[2-9]\d) tests/);
});

describe('a notebook as HTML', () => {
  for (const theme of ['light', 'dark']) {
    test(`draws the figures of two cells (${theme})`, async () => {
      await convert(`${theme}.html`, `--HTMLExporter.theme=${theme}`);
      const { page, errors, close } = await open(`${theme}.html`);
      assert.equal(await page.locator('iframe').count(), 2);
      const [heads, matrix] = [await frameOf(page, 0), await frameOf(page, 1)];
      await isMatrix(matrix.locator('mha-matrix'), attentions[1][2]);
      await drawn(heads.locator('mha-arcs'), heads.locator('mha-arcs [part=word]'));
      for (const tag of ['mha-arcs', 'mha-heads']) {
        const given = await heads.locator(tag).evaluate((element) => element.toJSON());
        assert.deepEqual(given.tokens, tokens);
        for (const [i, weight] of given.attentions.flat(3).entries()) {
          assert.ok(Math.abs(weight - attentions.flat(3)[i]) < TOLERANCE);
        }
      }
      assert.equal(await heads.locator('.mha-title').textContent(), 'Heads of a small model');
      assert.equal(await page.locator('.mha-fallback').count(), 0);
      for (const index of [0, 1]) {
        await isFitted(page, index);
        const frame = await frameOf(page, index);
        const colours = await frame.evaluate(() => {
          const { colorScheme, backgroundColor } = getComputedStyle(document.documentElement);
          return { colorScheme, backgroundColor };
        });
        assert.deepEqual(colours, { colorScheme: theme, backgroundColor: 'rgba(0, 0, 0, 0)' });
        // What is behind the frame axe does not see.
        await frame.evaluate(() => (document.documentElement.style.background = 'var(--mha-paper)'));
        const findings = await axeFindings(frame);
        // The headings are those of the notebook.
        assert.deepEqual(
          findings.filter((finding) => !finding.startsWith('page-has-heading-one')),
          [],
        );
      }
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('a chosen head is drawn as arcs, and choices of layer and head are followed', async () => {
    await convert('choice.html');
    const { page, errors, close } = await open('choice.html');
    const [heads, matrix] = [await frameOf(page, 0), await frameOf(page, 1)];
    await isMatrix(matrix.locator('mha-matrix'), attentions[1][2]);
    await matrix.locator('.mha-choice select').nth(0).selectOption({ label: '1' });
    await eventually(() => isMatrix(matrix.locator('mha-matrix'), attentions[0][2]));
    await matrix.locator('.mha-choice select').nth(1).selectOption({ label: '4' });
    await eventually(() => isMatrix(matrix.locator('mha-matrix'), attentions[0][3]));
    await heads.locator('mha-heads [role=radio], mha-heads [role=gridcell]').nth(5).click();
    await eventually(async () => {
      const shown = await heads
        .locator('mha-arcs')
        .evaluate(({ selection: { head, layer } }) => ({ head, layer }));
      assert.deepEqual(shown, { head: 1, layer: 1 });
    });
    assert.deepEqual(errors, []);
    await close();
  });

  test('a sanitized one shows the largest weights as text', async () => {
    await convert('sanitized.html', '--HTMLExporter.sanitize_html=True');
    const { page, close } = await open('sanitized.html');
    assert.equal(await page.locator('iframe').count(), 0);
    const tables = page.locator('.mha-fallback');
    assert.equal(await tables.count(), 2);
    const largest = Math.max(...weights[0].flatMap((row, q) => row.filter((_, k) => k !== q)));
    assert.equal(await tables.nth(0).locator('tbody td').nth(2).textContent(), largest.toFixed(4));
    assert.match(await tables.nth(0).innerText(), /trust the notebook/);
    assert.match(await tables.nth(1).innerText(), /2층 헤드 3: .*가장 큰 가중치/);
    await close();
  });
});

describe('a saved file', () => {
  before(async () => {
    const lines = [
      'import json, mha_view',
      'given = json.load(open("weights.json", encoding="utf-8"))',
      'mha_view.matrix(given["tokens"], given["attentions"]).save("matrix.html")',
      'rows = [[0.5, 0.25, 0.25], [0, 1, 0]]',
      'two = (["die", "Katze"], ["the", "cat", "sat"], rows)',
      'mha_view.pair(*two).save("pair.html")',
      'mha_view.pair(*two, view="arcs").save("pair-arcs.html")',
      'words = ["나는", "은행에", "갔다"]',
      'rows = [[0.5, 0.25, 0.25], [0, 1, 0], [0.125, 0.5, 0.375]]',
      'mha_view.arcs(words, rows, lang="ko", title="한 헤드").save("arcs.html")',
    ];
    await run('-c', lines.join('\n'));
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`opens without a server (${colorScheme})`, async () => {
      const { page, errors, close } = await open('matrix.html', { colorScheme });
      await isMatrix(page.locator('mha-matrix'), attentions[0][0]);
      assert.equal(await page.locator('.mha-fallback').count(), 0);
      const findings = await axeFindings(page);
      assert.deepEqual(
        findings.filter((finding) => !finding.startsWith('page-has-heading-one')),
        [],
      );
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('draws one text on another', async () => {
    const { page, errors, close } = await open('pair.html');
    const matrix = page.locator('mha-matrix');
    await isMatrix(matrix, [
      [0.5, 0.25, 0.25],
      [0, 1, 0],
    ]);
    assert.deepEqual(await matrix.locator('thead span[title]').allInnerTexts(), ['the', 'cat', 'sat']);
    assert.deepEqual(errors, []);
    await close();
    const arcs = await open('pair-arcs.html');
    const words = arcs.page.locator('mha-arcs [part~=word]');
    await words.first().waitFor();
    assert.deepEqual((await words.allInnerTexts()).map((text) => text.split('\n')[0]).sort(), [
      'Katze',
      'cat',
      'die',
      'sat',
      'the',
    ]);
    assert.deepEqual(arcs.errors, []);
    await arcs.close();
  });

  test('speaks Korean', async () => {
    const { page, errors, close } = await open('arcs.html');
    const arcs = page.locator('mha-arcs');
    await drawn(arcs, arcs.locator('[part=word]'));
    assert.equal(await page.title(), '한 헤드');
    assert.deepEqual(await arcs.locator('[part=word]').allInnerTexts(), ['나는', '은행에', '갔다']);
    assert.match(await arcs.locator('[part=description]').innerText(), /갔다.*은행에.*0\.50/);
    assert.deepEqual(errors, []);
    await close();
  });

  test('has its largest weights as text without scripts', async () => {
    const { page, close } = await open('arcs.html', { javaScriptEnabled: false });
    assert.match(await page.locator('.mha-fallback').innerText(), /갔다\s+은행에\s+0\.5000/);
    await close();
  });

  test('says what is wrong, below its text, where nothing can be drawn', async () => {
    const broken = readFileSync(path.join(folder, 'arcs.html'), 'utf8').replace(
      '<script>run(',
      '<script>delete globalThis.DecompressionStream;run(',
    );
    writeFileSync(path.join(folder, 'broken.html'), broken);
    const { page, close } = await open('broken.html');
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /그림을 그리지 못했어요: DecompressionStream/);
    assert.match(await page.locator('.mha-fallback').innerText(), /0\.5000/);
    await close();
  });
});

/** What the page gives a widget's module: the traits' values, and events of their changes. */
const fakeModel = `
class Model {
  #values; #listeners = []; saved = 0;
  constructor(values) { this.#values = values; }
  get(name) { return this.#values[name]; }
  set(name, value) {
    this.#values[name] = value;
    for (const [event, call] of this.#listeners) if (event === 'change:' + name) call();
  }
  on(event, call) { this.#listeners.push([event, call]); }
  off(event, call) { this.#listeners = this.#listeners.filter(([one, other]) => one !== event || other !== call); }
  save_changes() { this.saved++; }
}`;

describe('the widget', () => {
  let page, errors, close;
  before(async () => {
    const lines = [
      'import base64, json, sys, types, traitlets',
      'sys.modules["anywidget"] = types.SimpleNamespace(AnyWidget=traitlets.HasTraits)',
      'import mha_view',
      'given = json.load(open("weights.json", encoding="utf-8"))',
      'widget = mha_view.matrix(given["tokens"], given["attentions"], layer=1).widget()',
      'print(json.dumps({"esm": widget._esm, "css": widget._css, "figure": widget._figure,',
      '  "weights": base64.b64encode(widget._weights).decode(), "selection": widget.selection}))',
    ];
    const traits = JSON.parse((await run('-c', lines.join('\n'))).stdout);
    ({ page, errors, close } = await open('figures.ipynb'));
    await page.setContent('<body style="background:#111;color:#eee"><div id="el"></div></body>');
    await page.addScriptTag({ content: `${fakeModel}\nglobalThis.Model = Model;` });
    await page.evaluate(async ({ esm, figure, weights, selection }) => {
      const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
      const model = new globalThis.Model({
        _figure: figure,
        _weights: new DataView(bytes.buffer),
        selection,
      });
      const module = await import(URL.createObjectURL(new Blob([esm], { type: 'text/javascript' })));
      const el = document.getElementById('el');
      globalThis.model = model;
      globalThis.cleanUp = await module.default.render({ model, el });
    }, traits);
  });
  after(() => close?.());
  const selection = () => page.evaluate(() => globalThis.model.get('selection'));

  test('draws in the colours of its page', async () => {
    await isMatrix(page.locator('mha-matrix'), attentions[1][0]);
    assert.equal(await page.locator('#el').evaluate((el) => getComputedStyle(el).colorScheme), 'dark');
  });

  test('tells Python what the reader chooses, and nothing of pointing', async () => {
    await page.locator('[data-query="2"][data-key="1"]').hover();
    assert.equal(await page.evaluate(() => globalThis.model.saved), 0);
    await page.locator('[data-query="2"][data-key="1"]').click();
    assert.deepEqual(await selection(), { layer: 1, head: 0, query: 2, key: 1 });
    await page.locator('.mha-choice select').nth(1).selectOption({ label: '3' });
    assert.deepEqual(await selection(), { layer: 1, head: 2, query: 2, key: 1 });
    assert.equal(await page.evaluate(() => globalThis.model.saved), 2);
  });

  test('shows what Python chooses', async () => {
    await page.evaluate(() => globalThis.model.set('selection', { layer: 0, head: 1, query: 0, key: 2 }));
    await eventually(() => isMatrix(page.locator('mha-matrix'), attentions[0][1]));
    const cell = page.locator('[data-query="0"][data-key="2"][aria-selected=true]');
    await cell.waitFor();
    assert.equal(await page.locator('.mha-choice select').nth(0).inputValue(), '0');
    assert.equal(await page.evaluate(() => globalThis.model.saved), 2);
  });

  test('no longer listens once it is removed', async () => {
    await page.evaluate(() => {
      globalThis.cleanUp();
      globalThis.model.set('selection', { layer: 1, head: 3, query: null, key: null });
    });
    assert.equal(await page.locator('mha-matrix').evaluate((view) => view.selection.head), 1);
    assert.deepEqual(errors, []);
  });
});
