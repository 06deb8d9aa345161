/** Pretrained models in the views of a sentence: numbers, all layers and heads, typing, files, state, export. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, inTab, test } from './fixtures.js';
import { ABSENT, folders, importMap, servingModels } from './model-server.js';
import { axeFindings, eventually, golden, matrixOf, minilmFiles, openMore, repo } from './support.js';

const { attentionFile, loadModel } = await import(path.join(repo, 'dist/models/index.js'));

const [{ sentence, tokens, attentions }] = golden('models/minilm.json').cases;
const N = tokens.length;
/** A weight of MiniLM for the documents' sentence, from transformers. */
const goldenAt = (layer, head, query, key) => attentions.data[((layer * 12 + head) * N + query) * N + key];

const json = (value) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
/** The sentence as a page may hold it. */
const file = attentionFile({
  sentence,
  tokens: { shown: tokens, words: [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1] },
  attentions: Array.from({ length: 6 }, (_, layer) => ({
    data: Float32Array.from(attentions.data.slice(layer * 12 * N * N, (layer + 1) * 12 * N * N)),
    shape: [1, 12, N, N],
  })),
  model: { name: 'all-MiniLM-L6-v2', source: 'minilm', family: 'bert', causal: false, license: 'apache-2.0' },
});

const IT = 'model="minilm" document="004-sentence" layer="5" head="11" token="it"';
/** All views and controls in the open. */
const ALL = 'views="arcs layers matrix" controls="full"';
const bodies = {
  '/minilm': `<mha-explorer ${ALL} ${IT}></mha-explorer>`,
  '/plain': `<mha-explorer ${ALL} model="minilm" document="004-sentence"></mha-explorer>`,
  '/inline': `<mha-explorer ${ALL} ${IT}><script type="application/json">${json(file)}</script></mha-explorer>`,
  '/src': `<mha-explorer ${ALL} src="/file.json" layer="5" head="11" token="it"></mha-explorer>`,
  '/views': ['arcs', 'matrix', 'heads'].map((name) => `<mha-${name} ${IT}></mha-${name}>`).join(''),
  '/state': `<mha-explorer ${ALL} url-state="x" ${IT}></mha-explorer>`,
  '/random': `<mha-explorer ${ALL} document="004-sentence"></mha-explorer>`,
  '/none': `<mha-explorer ${ALL} model="/golden/none" document="004-sentence"></mha-explorer>`,
  '/blog': `<mha-explorer model="minilm" document="004-sentence" token="it"></mha-explorer>`,
  '/many': `<mha-arcs ${IT}></mha-arcs><mha-matrix ${IT}></mha-matrix>`,
};

const page = (
  base,
  body,
  lang,
) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
  <script type="importmap">${importMap(base)}</script>
  <script type="module">
    import { configure, loadModel } from 'multihead-attention/models';
    configure({ models: { minilm: '/minilm/', stories15M: '/stories15M/' } });
    globalThis.loadModel = loadModel;
    await import('multihead-attention/elements');
  </script>
  <body><main><h1>test</h1>${body}</main>`;

const pages = { '/file.json': JSON.stringify(file) };
for (const [address, body] of Object.entries(bodies)) {
  pages[address] = page('', body, 'en');
  pages[`/ko${address}`] = page('', body, 'ko');
}
const server = servingModels({ pages });

const using = (address, work, options) =>
  inTab(server.url + address, (tab) => work(tab.locator('mha-explorer').first(), tab), {
    allowed: ABSENT,
    ...options,
  });

const drawn = async (explorer) => {
  await explorer.locator('mha-matrix [part=cell]').first().waitFor();
  await openMore(explorer);
};
const words = (explorer) => explorer.locator('mha-arcs .word').allInnerTexts();
const cells = (explorer) => explorer.locator('mha-heads [role=gridcell]');
const field = (explorer) => explorer.locator('[name=sentence]');
const labelOf = (explorer) => explorer.locator('[part=label]').first().innerText();

async function assertMatrix(explorer, at) {
  const rows = await matrixOf(explorer);
  assert.equal(rows.length, N);
  for (const [query, row] of rows.entries()) {
    for (const [key, { value }] of row.entries()) {
      const expected = at(query, key);
      assert.ok(Math.abs(value - expected) < 1e-4, `row ${query}, column ${key}: ${value}, not ${expected}`);
    }
  }
}

describe('MiniLM in the explorer', () => {
  test('shows the numbers of transformers for the documents’ sentence', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      assert.deepEqual(await words(explorer), tokens);
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(5, 11, query, key)));
      assert.equal(await labelOf(explorer), 'all-MiniLM-L6-v2, a pretrained model – layer 6 of 6');
      const description = await explorer.locator('.description').first().innerText();
      assert.equal(description, 'In head 6·12, “it” looks most at “cat” (0.71).');
      const facts = explorer.locator('[part=model-facts]');
      await eventually(async () =>
        assert.equal(
          await facts.innerText(),
          'bert: 6 layers × 12 heads, 23 million parameters · licence of the weights: apache-2.0',
        ),
      );
    }));

  test('has a miniature of every head, and lists those that look hardest', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      assert.equal(await cells(explorer).count(), 72);
      const labels = await cells(explorer).evaluateAll((all) => all.map((cell) => cell.ariaLabel));
      assert.equal(labels[71], 'Head 6·12, “it” → “cat” 0.71');
      const it = tokens.indexOf('it');
      const looks = labels.map((_, index) => {
        const [layer, head] = [Math.floor(index / 12), index % 12];
        const keys = tokens.map((_, key) => key).filter((key) => key !== it && key > 0 && key < N - 1);
        const [key] = keys.toSorted((a, b) => goldenAt(layer, head, it, b) - goldenAt(layer, head, it, a));
        return { name: `Head ${layer + 1}·${head + 1}`, key, weight: goldenAt(layer, head, it, key) };
      });
      for (const [index, { name, key, weight }] of looks.entries()) {
        assert.equal(labels[index], `${name}, “it” → “${tokens[key]}” ${weight.toFixed(2)}`);
      }
      const hardest = looks.toSorted((a, b) => b.weight - a.weight).slice(0, 5);
      assert.deepEqual(
        await explorer.locator('[part=hardest] button').allInnerTexts(),
        hardest.map(({ name, key }) => `${name} → ${tokens[key]}`),
      );
      // A pair: the heads that join it.
      await explorer.evaluate((element) => {
        element.target = 'mat';
      });
      const mat = tokens.indexOf('mat');
      const joining = looks
        .map(({ name }, index) => ({ name, weight: goldenAt(Math.floor(index / 12), index % 12, it, mat) }))
        .toSorted((a, b) => b.weight - a.weight)
        .slice(0, 5);
      await eventually(async () =>
        assert.deepEqual(
          await explorer.locator('[part=hardest] button').allInnerTexts(),
          joining.map(({ name }) => name),
        ),
      );
    }));

  test('the grid of heads is one tab stop with keys; pointing previews, a click chooses', () =>
    using('/minilm', async (explorer, tab) => {
      await drawn(explorer);
      const current = async () => explorer.evaluate(({ layer, head }) => [layer, head]);
      assert.equal(await explorer.locator('mha-heads [role=gridcell][tabindex="0"]').count(), 1);
      await cells(explorer).nth(71).focus();
      await tab.keyboard.press('ArrowUp');
      // A preview: the description follows, the choice stays.
      await eventually(async () =>
        assert.match(await explorer.locator('.description').first().innerText(), /^In head 5·12, /),
      );
      assert.deepEqual(await current(), [5, 11]);
      await tab.keyboard.press('Home');
      await tab.keyboard.press('Enter');
      assert.deepEqual(await current(), [4, 0]);
      await assertMatrix(explorer, (query, key) => goldenAt(4, 0, query, key));
      await cells(explorer).nth(2).hover();
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(0, 2, query, key)));
      const selects = await explorer.evaluate((element) => {
        const details = [];
        element.addEventListener('mha-select', ({ detail }) => details.push(detail));
        element.renderRoot.querySelector('mha-heads').renderRoot.querySelector('[data-head="1.8"]').click();
        return details;
      });
      assert.deepEqual(selects, [{ head: 8, layer: 1, query: tokens.indexOf('it'), key: null }]);
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(1, 8, query, key)));
      assert.equal(await explorer.locator('[name=layer]').inputValue(), '1');
    }));

  test('sorts the heads of all layers by a role score', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      await explorer.locator('[name=sort]').selectOption('previousToken');
      const scores = [];
      for (let layer = 0; layer < 6; layer++) {
        for (let head = 0; head < 12; head++) {
          let sum = 0;
          for (let query = 1; query < N; query++) sum += goldenAt(layer, head, query, query - 1);
          scores.push({ name: `${layer}.${head}`, score: sum / (N - 1) });
        }
      }
      scores.sort((a, b) => b.score - a.score);
      await eventually(async () => {
        const shown = await cells(explorer).evaluateAll((all) =>
          all.map(({ dataset, textContent }) => [dataset.head, textContent.trim().split(/\s+/).at(-1)]),
        );
        assert.deepEqual(
          shown.slice(0, 20),
          scores.slice(0, 20).map(({ name, score }) => [name, score.toFixed(2)]),
        );
      });
      assert.equal(scores[0].name, '0.2');
      assert.deepEqual((await explorer.evaluate((element) => element.state)).sort, 'previousToken');
    }));

  test('follows the typing, and ends with the sentence that was typed', { tag: '@thorough' }, () =>
    using('/plain', async (explorer) => {
      await drawn(explorer);
      const own = await loadModel(minilmFiles());
      const expected = own.forward('The girl unbelievably gave the boy her book');
      await field(explorer).fill('');
      await field(explorer).pressSequentially('The girl unbelievably gave the boy her book');
      await eventually(async () => assert.deepEqual(await words(explorer), expected.tokens));
      const rows = await matrixOf(explorer);
      for (const [query, row] of rows.entries()) {
        for (const [key, { value }] of row.entries()) {
          assert.ok(Math.abs(value - expected.attentions[0].at(0, 0, query, key)) < 1e-5);
        }
      }
      // An empty field keeps the last figure and says what is missing.
      await field(explorer).fill('');
      await eventually(async () =>
        assert.equal(await explorer.locator('#problem').innerText(), 'Write a sentence.'),
      );
      assert.deepEqual(await words(explorer), expected.tokens);

      // Sub-words as words: sums to, means from.
      await field(explorer).fill('The girl unbelievably gave');
      await explorer.evaluate((element) => Object.assign(element, { joinWords: true, layer: 3, head: 2 }));
      await eventually(async () =>
        assert.deepEqual(await words(explorer), ['[CLS]', 'the', 'girl', 'unbelievably', 'gave', '[SEP]']),
      );
      const joined = await matrixOf(explorer);
      const { tokens: pieces, attentions: all } = await explorer.evaluate((element) => {
        element.joinWords = false;
        return element.updateComplete.then(() => element.toJSON());
      });
      const raw = all[3][2];
      const groups = [];
      for (const [index, piece] of pieces.entries()) {
        if (piece.startsWith('##')) groups.at(-1).push(index);
        else groups.push([index]);
      }
      assert.deepEqual([groups.length, pieces.length > 6], [6, true]);
      for (const [query, from] of groups.entries()) {
        for (const [key, to] of groups.entries()) {
          const sums = from.map((q) => to.reduce((sum, k) => sum + raw[q][k], 0));
          const mean = sums.reduce((sum, value) => sum + value, 0) / from.length;
          assert.ok(Math.abs(joined[query][key].value - mean) < 1e-6);
        }
      }
    }),
  );

  test('leaves special tokens out, and says whether rows are divided again', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      await explorer.evaluate((element) => {
        element.exclude = 'special';
      });
      await eventually(async () => assert.deepEqual(await words(explorer), tokens.slice(1, -1)));
      const rows = await matrixOf(explorer);
      assert.ok(Math.abs(rows[7][1].value - goldenAt(5, 11, 8, 2)) < 1e-4);
      const looking = explorer.locator('.label.looking');
      assert.match(await looking.innerText(), /not renormalised/);
      await explorer.evaluate((element) => {
        element.renormalise = true;
      });
      await eventually(async () => {
        const [row] = (await matrixOf(explorer)).slice(7);
        const sum = row.reduce((total, { value }) => total + value, 0);
        assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`);
      });
      assert.doesNotMatch(await looking.innerText(), /not renormalised/);
    }));

  test('says that it does not know Korean, and offers models that do', () =>
    using('/ko/minilm', async (explorer) => {
      await drawn(explorer);
      await field(explorer).fill('고양이가 매트 위에 앉았다');
      const advice = explorer.locator('[part=advice]');
      await advice.waitFor();
      assert.match(await advice.innerText(), /^all-MiniLM-L6-v2 모델은 영어로 학습해서/);
      assert.deepEqual(await advice.locator('button').allInnerTexts(), [
        'lassl/bert-ko-small',
        'beomi/kcbert-base',
      ]);
      await field(explorer).fill('The cat sat');
      await advice.waitFor({ state: 'detached' });
    }));
});

describe('in the column of a blog', () => {
  for (const address of ['/blog', '/ko/blog'])
    test(`is arcs, heads, a caption and one “More”, at most 700 px tall: ${address}`, () =>
      using(
        address,
        async (explorer) => {
          const miniatures = explorer.locator('mha-heads [part=miniature]');
          await eventually(async () => assert.equal(await miniatures.count(), 12));
          assert.ok((await explorer.locator('mha-arcs path').count()) > 0);
          assert.match(await explorer.locator('.description').innerText(), /cat|\[CLS\]/);
          assert.deepEqual(await explorer.locator('summary').count(), 1);
          assert.equal(await explorer.locator('mha-matrix, select, input').count(), 0);
          assert.doesNotMatch(await explorer.innerText(), /document|문서/i);
          const { width, height } = await explorer.boundingBox();
          assert.ok(width <= 500 && height <= 700, `${width} × ${height}`);
        },
        { viewport: { width: 516, height: 900 } },
      ));
});

describe('where the weights come from', () => {
  test('an inline script needs no model until its sentence is changed', () =>
    using('/inline', async (explorer) => {
      server.requests.length = 0;
      await drawn(explorer);
      const rows = await matrixOf(explorer);
      assert.equal(rows[8][2].value, 0.712);
      // Other layers and heads are inside.
      await cells(explorer).nth(2).click();
      await eventually(async () => assert.ok((await matrixOf(explorer))[3][2].value > 0.99));
      assert.equal(await labelOf(explorer), 'all-MiniLM-L6-v2, a pretrained model – layer 1 of 6');
      assert.deepEqual(server.requests, []);
      await field(explorer).fill('The dog slept');
      await eventually(async () =>
        assert.deepEqual(await words(explorer), ['[CLS]', 'the', 'dog', 'slept', '[SEP]']),
      );
      assert.ok(server.requests.length > 0);
    }));

  test('a file and a property hold all layers', { tag: '@thorough' }, () =>
    using('/src', async (explorer) => {
      await drawn(explorer);
      assert.equal(await cells(explorer).count(), 72);
      assert.equal((await matrixOf(explorer))[8][2].value, 0.712);
      assert.equal(await labelOf(explorer), 'all-MiniLM-L6-v2, a pretrained model – layer 6 of 6');
      await explorer.evaluate(async (element) => {
        const model = await globalThis.loadModel('minilm');
        element.data = model.forward('The cat sat on the mat because it was tired.');
      });
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(5, 11, query, key)));
    }),
  );

  test('files of the reader’s own, from a folder', () =>
    using('/random', async (explorer) => {
      await drawn(explorer);
      await explorer.locator('.other-model summary').click();
      const folder = folders['/minilm/'];
      await explorer
        .locator('[name=files]')
        .setInputFiles(readdirSync(folder).map((name) => path.join(folder, name)));
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(0, 0, query, key)));
      const state = await explorer.evaluate((element) => element.state);
      assert.match(state.model, /^files:/);
      // Elsewhere the address means nothing.
      await explorer.evaluate((element) => {
        element.model = 'files:lost';
      });
      await eventually(async () =>
        assert.match(await explorer.locator('#problem').innerText(), /^lost was opened from files/),
      );
    }));

  test('a name of the hub', { tag: '@thorough' }, () =>
    using('/random', async (explorer, tab) => {
      const asked = [];
      await tab.route('https://huggingface.co/**', (route) => {
        const { pathname } = new URL(route.request().url());
        asked.push(pathname);
        const name = path.basename(pathname).replace('model.safetensors', 'model.fp16.safetensors');
        const found = readdirSync(folders['/minilm/']).includes(name);
        return found
          ? route.fulfill({
              path: path.join(folders['/minilm/'], name),
              headers: { 'access-control-allow-origin': '*' },
            })
          : route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } });
      });
      await drawn(explorer);
      await explorer.locator('.other-model summary').click();
      await explorer.locator('[name=address]').fill('someone/some-bert');
      await explorer.locator('[name=address]').press('Enter');
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(0, 0, query, key)));
      assert.ok(asked.includes('/someone/some-bert/resolve/main/config.json'), asked.join());
      assert.equal(
        (await explorer.locator('[name=weights] option:checked').innerText()).trim(),
        'someone/some-bert',
      );
    }),
  );

  test('several figures share one model, in one worker', () =>
    using('/many', async (_, tab) => {
      await tab.locator('mha-matrix [part=cell]').first().waitFor();
      await tab.locator('mha-arcs .word').first().waitFor();
      const workers = tab.workers().filter((worker) => worker.url().includes('model-worker'));
      assert.equal(workers.length, 1);
    }));

  test('the reader goes to other weights and back', { tag: '@thorough' }, () =>
    using('/inline', async (explorer) => {
      server.requests.length = 0;
      const pick = (value) => explorer.locator('[name=weights]').selectOption(value);
      const shows = (weight, label) =>
        eventually(async () => {
          const rows = await matrixOf(explorer);
          assert.equal(rows.length, label.startsWith('all-MiniLM') ? N : 10);
          if (weight !== null) assert.equal(rows[8][2].value.toFixed(3), weight.toFixed(3));
          assert.equal(await labelOf(explorer), label);
        });
      const MINILM = 'all-MiniLM-L6-v2, a pretrained model – layer 6 of 6';
      await shows(0.712, MINILM);
      await pick('random');
      await shows(null, 'Random weights – not a learned pattern');
      // The script's numbers again, without a download.
      await pick('model:minilm');
      await explorer.evaluate((element) => Object.assign(element, { layer: 5, head: 11 }));
      await shows(0.712, MINILM);
      assert.deepEqual(server.requests, []);
      // Another sentence, which needs the model, and the script's again.
      await field(explorer).fill('The dog slept');
      await eventually(async () =>
        assert.deepEqual(await words(explorer), ['[CLS]', 'the', 'dog', 'slept', '[SEP]']),
      );
      await pick('random');
      await eventually(async () => assert.match(await labelOf(explorer), /^Random/));
      await pick('model:minilm');
      await eventually(async () =>
        assert.deepEqual(await words(explorer), ['[CLS]', 'the', 'dog', 'slept', '[SEP]']),
      );
      await field(explorer).fill(sentence);
      await explorer.evaluate((element) => Object.assign(element, { layer: 5, head: 11 }));
      await shows(0.712, MINILM);
    }),
  );

  test('a text that is too long is refused, and the message goes with it', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      await field(explorer).fill('word '.repeat(600));
      const problem = explorer.locator('#problem');
      await eventually(async () =>
        assert.match(
          await problem.innerText(),
          /^This sentence is too long for the model: it reads 512 tokens at most/,
        ),
      );
      assert.deepEqual(await words(explorer), tokens);
      await field(explorer).fill(sentence);
      await eventually(async () => assert.equal(await problem.innerText(), ''));
    }));

  test('of a text too long for all layers the drawn one is shown under its own name', () =>
    using('/views', async (_, tab) => {
      const heads = tab.locator('mha-heads');
      await heads.locator('[role=gridcell]').first().waitFor();
      await heads.evaluate(async ({ layers: whole }) => {
        const { Layers } = await import('/dist/sources/figure.js');
        const element = Object.assign(document.createElement('mha-heads'), {
          figure: whole.figure(3),
          id: 'long',
        });
        document.body.append(element);
        element.layers = new Layers(
          6,
          (layer) => whole.figure(layer),
          (layer) => layer === 3,
        );
        await element.updateComplete;
      });
      const long = tab.locator('#long');
      assert.deepEqual(await long.locator('[role=rowheader]').allInnerTexts(), ['L 4']);
      const labels = await long
        .locator('[role=gridcell]')
        .evaluateAll((all) => all.map((cell) => cell.ariaLabel));
      assert.equal(labels.length, 12);
      assert.equal(labels[0], 'Head 4·1');
    }));
});

describe('loading', () => {
  test('shows bytes, stops, and goes on when asked', () =>
    using('/plain', async (explorer, tab) => {
      await tab.evaluate(() => caches.delete('multihead-attention-models'));
      let release;
      const held = new Promise((resolve) => {
        release = resolve;
      });
      server.answer = (pathname) =>
        pathname.endsWith('.safetensors')
          ? (response) => {
              response.writeHead(200, { 'content-length': 4e7 }).flushHeaders();
              void held.then(() => response.destroy());
            }
          : undefined;
      try {
        await tab.reload();
        await explorer.getByRole('button', { name: 'Stop' }).click();
        await explorer.getByText('all-MiniLM-L6-v2 was stopped.').waitFor();
      } finally {
        server.answer = () => undefined;
        release();
      }
      await explorer.getByRole('button', { name: 'Load it' }).click();
      await drawn(explorer);
    }));

  test('says what is wrong with a model, and tries again', () =>
    using('/none', async (explorer) => {
      const problem = explorer.locator('#problem');
      await eventually(async () =>
        assert.match(await problem.innerText(), /^The model cannot be opened\. .*config\.json/),
      );
      await explorer.getByRole('button', { name: 'Try again' }).waitFor();
      // Another choice works at once.
      await explorer.locator('[name=weights]').selectOption('random');
      await drawn(explorer);
      assert.equal(await labelOf(explorer), 'Random weights – not a learned pattern');
      await explorer.locator('[name=weights]').selectOption('model:minilm');
      await eventually(() => assertMatrix(explorer, (query, key) => goldenAt(0, 0, query, key)));
    }));
});

describe('state and export', () => {
  test('state, address and snippet carry model, layer and head', () =>
    using('/state', async (explorer, tab) => {
      await drawn(explorer);
      const state = await explorer.evaluate((element) => element.state);
      const shown = { views: 'arcs layers matrix', controls: 'full' };
      assert.deepEqual(state, {
        ...{ ...shown, model: 'minilm', document: '004-sentence', layer: 5, head: 11, token: 'it' },
      });
      await cells(explorer).nth(13).click();
      await field(explorer).fill('It was the cat');
      await eventually(() => {
        const address = decodeURIComponent(tab.url());
        assert.match(address, /layer=1/);
        assert.match(address, /sentence=It was the cat/);
      });
      const kept = await explorer.evaluate((element) => element.state);
      await tab.reload();
      await eventually(async () => {
        await drawn(explorer);
        assert.deepEqual(await explorer.evaluate((element) => element.state), kept);
        assert.deepEqual(await words(explorer), ['[CLS]', 'it', 'was', 'the', 'cat', '[SEP]']);
      });
    }));

  test('CSV has all layers, SVG and PNG the picture', () =>
    using('/minilm', async (explorer) => {
      await drawn(explorer);
      const { csv, svg, png } = await explorer.evaluate(async (element) => {
        const { size } = await element.toPNG();
        return { csv: element.toCSV(), svg: element.toSVG(), png: size };
      });
      const lines = csv.trim().split('\r\n');
      assert.equal(lines[0], 'layer,head,query,key,query word,key word,weight');
      assert.equal(lines.length, 1 + 72 * N * N);
      const line = lines.find((each) => each.startsWith('5,11,8,2,it,cat,'));
      assert.ok(Math.abs(Number(line.split(',').at(-1)) - goldenAt(5, 11, 8, 2)) < 1e-4);
      assert.equal(svg.match(/<image /g).length, 72);
      assert.ok(png > 10_000);
    }));

  test('every view alone shows the model', () =>
    using('/views', async (_, tab) => {
      for (const name of ['arcs', 'matrix', 'heads']) {
        const view = tab.locator(`mha-${name}`);
        await view.locator('.description').waitFor();
        assert.equal(
          await view.locator('.description').innerText(),
          'In head 6·12, “it” looks most at “cat” (0.71).',
        );
        assert.match(await view.locator('[part=label]').innerText(), /^all-MiniLM-L6-v2, a pretrained model/);
      }
    }));
});

for (const lang of ['en', 'ko']) {
  for (const forcedColors of ['none', 'active']) {
    test(`axe finds nothing (${lang}, forced colours ${forcedColors})`, () =>
      using(
        lang === 'ko' ? '/ko/minilm' : '/minilm',
        async (explorer, tab) => {
          await drawn(explorer);
          await explorer.locator('.other-model summary').click();
          await explorer.locator('.tools summary').click();
          assert.deepEqual(await axeFindings(tab), []);
        },
        { forcedColors },
      ));
  }
}
