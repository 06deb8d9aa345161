/** Models in a page and in a worker, from a server, from another origin, from files, from memory and from Cache Storage. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, newContext, test } from './fixtures.js';
import { ABSENT, folders, importMap, serveModels } from './model-server.js';
import { arrive, errorsOf, eventually, golden } from './support.js';

/** What tests call: `using(name of the function, source, options, input)` gives the output as plain numbers. */
const script = `
  import { load } from 'multihead-attention';
  import * as models from 'multihead-attention/models';
  globalThis.mha = { load, ...models };
  globalThis.using = async (name, source, options, input) => {
    const model = await models[name](source, options);
    const { attentions, lastHiddenState, logits } = await model.forward(input);
    const plain = ({ data, shape }) => ({ data: [...data], shape });
    const output = { attentions: attentions.map(plain), lastHiddenState: plain(lastHiddenState), logits: logits && plain(logits) };
    model.dispose();
    return output;
  };
  globalThis.failure = (promise) => promise.then(
    () => null,
    ({ constructor, message, argument }) => ({ kind: constructor.name, message, argument }),
  );`;
const html = (base, head = '') => `<!doctype html><link rel="icon" href="data:,">${head}
  <input type="file" multiple><script type="importmap">${importMap(base)}</script>
  <script type="module">${script}</script>`;

let server, cdn;
beforeAll(async () => {
  folders['/copy/of/it/'] = folders['/dist/'];
  cdn = await serveModels({ headers: { 'access-control-allow-origin': '*' } });
  const csp = '<meta http-equiv="Content-Security-Policy" content="worker-src \'none\'">';
  server = await serveModels({
    pages: {
      '/': html(''),
      '/deep/folder/page': html(''),
      '/from-cdn': html(cdn.url),
      // Relative to the page's base.
      '/stated': html('').replace(
        '<!doctype html>',
        '<!doctype html><html data-mha-base="of/it"><base href="/copy/">',
      ),
      '/no-worker': html('', csp),
    },
  });
});
afterAll(async () => {
  await server?.close();
  await cdn?.close();
});

/** A page of a first visit: its Cache Storage is empty. */
async function openPage(address, work, { allowed = /^$/ } = {}) {
  const context = await newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const errors = errorsOf(page, allowed);
  await page.goto(server.url + address);
  await page.waitForFunction(() => 'failure' in globalThis);
  try {
    const result = await work(page);
    assert.deepEqual(errors, []);
    return result;
  } finally {
    await context.close();
  }
}

const tiny = golden('models/bert-10/golden.json');
const { input_ids: inputIds, attention_mask: attentionMask, token_type_ids: tokenTypeIds } = tiny.inputs;
const tinyInput = { inputIds, attentionMask, tokenTypeIds };

function assertClose(actual, expected, tolerance) {
  assert.deepEqual(actual.shape, expected.shape);
  const most = Math.max(...expected.data.map(Math.abs));
  const worst = Math.max(...actual.data.map((value, i) => Math.abs(value - expected.data[i])));
  assert.ok(worst <= tolerance * most, `${worst} of ${most}`);
}

function assertTiny({ attentions, logits }) {
  assert.equal(attentions.length, tiny.attentions.length);
  for (const [i, expected] of tiny.attentions.entries()) assertClose(attentions[i], expected, 1e-5);
  assertClose(logits, tiny.logits, 1e-5);
}

const using = (page, ...args) => page.evaluate((given) => globalThis.using(...given), args);
const workersOf = (page) => page.workers().map((worker) => worker.url());

for (const name of ['loadModel', 'loadModelInWorker']) {
  describe(name, () => {
    // The figures load in a worker.
    const tag = name === 'loadModel' ? '@thorough' : [];
    test('a relative address means that of the page, and a URL object works', () =>
      openPage(
        '/deep/folder/page',
        async (page) => {
          assertTiny(await using(page, name, '../../golden/bert-10', { cache: false }, tinyInput));
          const output = await page.evaluate(
            ([each, input]) =>
              globalThis.using(each, new URL('/golden/bert-10/', location.href), { cache: false }, input),
            [name, tinyInput],
          );
          assertTiny(output);
        },
        { allowed: ABSENT },
      ));

    test('files that a reader chooses, a directory, and bytes', () =>
      openPage('/', async (page) => {
        const folder = path.join(folders['/golden/'], 'bert-10');
        const files = readdirSync(folder).map((file) => path.join(folder, file));
        await page.locator('input').setInputFiles(files);
        const run = (work) => page.evaluate(work, [name, tinyInput]);
        assertTiny(
          await run(([each, input]) =>
            globalThis.using(each, document.querySelector('input').files, {}, input),
          ),
        );
        // The reader's directories cannot be chosen by a script; those of the origin's own storage are of the same kind.
        assertTiny(
          await run(async ([each, input]) => {
            const root = await navigator.storage.getDirectory();
            const directory = await root.getDirectoryHandle('model', { create: true });
            for (const file of document.querySelector('input').files) {
              const handle = await directory.getFileHandle(file.name, { create: true });
              const writable = await handle.createWritable();
              await writable.write(file);
              await writable.close();
            }
            return globalThis.using(each, directory, {}, input);
          }),
        );
        assertTiny(
          await run(async ([each, input]) => {
            const files = Object.fromEntries(
              Array.from(document.querySelector('input').files, (file) => [file.name, file]),
            );
            const config = await files['config.json'].text();
            const weights = await files['model.safetensors'].arrayBuffer();
            const output = await globalThis.using(each, { config, weights }, {}, input);
            if (weights.byteLength === 0) throw new Error('the bytes were taken away');
            return output;
          }),
        );
      }));

    test('MiniLM gives transformers’ numbers, on a second visit from Cache Storage', { tag }, () =>
      openPage(
        '/',
        async (page) => {
          server.requests.length = 0;
          const { cases } = golden('models/minilm.json');
          const load = () =>
            page.evaluate(
              async ([each, sentences]) => {
                const model = await globalThis.mha[each]('minilm/');
                const outputs = [];
                for (const sentence of sentences) {
                  const { tokens, attentions } = await model.forward(sentence);
                  outputs.push({ tokens, attentions: attentions.map(({ data }) => [...data]) });
                }
                model.dispose();
                return outputs;
              },
              [name, cases.map(({ sentence }) => sentence)],
            );
          const first = await load();
          for (const [i, { tokens, attentions }] of cases.entries()) {
            assert.deepEqual(first[i].tokens, tokens);
            const data = first[i].attentions.flat();
            assert.equal(data.length, attentions.data.length);
            const worst = Math.max(...data.map((value, j) => Math.abs(value - attentions.data[j])));
            assert.ok(worst < 1e-4, `${worst}`);
          }
          assert.ok(server.requests.length > 0);
          await server.close();
          try {
            assert.deepEqual(await load(), first);
          } finally {
            await server.back();
          }
        },
        { allowed: /status of 404|ERR_CONNECTION_REFUSED/ },
      ),
    );

    test('damaged files of text and weights in Cache Storage are read anew', { tag }, () =>
      openPage(
        '/',
        async (page) => {
          const weights = '/golden/bert-10/model.safetensors';
          assertTiny(await using(page, name, '/golden/bert-10', {}, tinyInput));
          const tokens = () =>
            page.evaluate(async (each) => {
              const model = await globalThis.mha[each]('minilm/');
              const { ids } = await model.tokenize('two words');
              model.dispose();
              return [...ids];
            }, name);
          const ids = await tokens();
          const kept = await page.evaluate(async () => {
            const store = await caches.open('multihead-attention-models');
            const urls = (await store.keys()).map(({ url }) => url);
            for (const url of urls) {
              const response = await store.match(url);
              if (response.status === 404) continue;
              const bytes = await response.arrayBuffer();
              const half = bytes.slice(0, bytes.byteLength / 2);
              await store.put(url, new Response(half, { headers: response.headers }));
            }
            return urls;
          });
          assert.ok(
            kept.some((url) => url.includes(weights)),
            kept.join(),
          );
          server.requests.length = 0;
          assertTiny(await using(page, name, '/golden/bert-10', {}, tinyInput));
          assert.ok(server.requests.includes(weights));
          assert.deepEqual(await tokens(), ids);
          server.requests.length = 0;
          assertTiny(await using(page, name, '/golden/bert-10', {}, tinyInput));
          assert.ok(!server.requests.includes(weights), server.requests.join());
        },
        { allowed: ABSENT },
      ),
    );

    test('without Cache Storage, or with a full one, files come from the network', () =>
      openPage(
        '/',
        async (page) => {
          const session = await page.context().newCDPSession(page);
          await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1000 });
          assertTiny(await using(page, name, '/golden/bert-10', {}, tinyInput));
          await page.evaluate(() => {
            CacheStorage.prototype.open = () => Promise.reject(new DOMException('no', 'SecurityError'));
          });
          assertTiny(await using(page, name, '/golden/bert-10', {}, tinyInput));
        },
        { allowed: ABSENT },
      ));

    test('errors come with class, message and argument; an earlier model goes on', () =>
      openPage(
        '/',
        async (page) => {
          const failures = await page.evaluate(async (each) => {
            const model = await globalThis.mha[each]('/golden/bert-10', { cache: false });
            const calls = [
              () => model.forward({ inputIds: [[5, 61]] }),
              () => model.forward(7),
              () => model.forward('a text'),
              () => globalThis.mha[each]('/golden/nothing'),
              () => globalThis.mha[each]('http://127.0.0.1:1/'),
              () => globalThis.mha[each](7),
            ];
            const found = [];
            for (const call of calls) found.push(await globalThis.failure((async () => call())()));
            const { attentions } = await model.forward({ inputIds: [[5, 6]] });
            return [...found, attentions.length];
          }, name);
          assert.deepEqual(failures[0].kind, 'RangeError');
          assert.deepEqual(failures[0].argument, 'inputIds[0][1]');
          assert.deepEqual([failures[1].kind, failures[1].argument], ['TypeError', 'input']);
          assert.match(failures[2].message, /tokenizer/);
          assert.match(failures[3].message, /no file config\.json/);
          assert.match(failures[4].message, /config\.json cannot be read.*CORS/);
          assert.deepEqual(failures[5].argument, 'source');
          assert.equal(failures[6], 2);
        },
        { allowed: /status of 404|ERR_CONNECTION_REFUSED|ERR_UNSAFE_PORT/ },
      ));
  });
}

describe('a worker', () => {
  test('starts for a package and a model on another origin', () =>
    openPage(
      '/from-cdn',
      async (page) => {
        const urls = await page.evaluate(
          async ([source, input]) => {
            globalThis.model = await globalThis.mha.loadModelInWorker(source);
            globalThis.output = await globalThis.model.forward(input);
            return globalThis.output.attentions.length;
          },
          [`${cdn.url}/golden/bert-10/`, tinyInput],
        );
        assert.equal(urls, tiny.attentions.length);
        assert.match(workersOf(page).join(), /^blob:/);
        assertTiny(await using(page, 'loadModelInWorker', `${cdn.url}/golden/bert-10/`, {}, tinyInput));
      },
      { allowed: ABSENT },
    ));

  test('trains for a package on another origin, too', () =>
    openPage('/from-cdn', async (page) => {
      await page.evaluate(async () => {
        await import('multihead-attention/elements');
        document.body.append(Object.assign(document.createElement('mha-training'), { steps: 20 }));
        document.querySelector('mha-training').addEventListener('mha-progress', ({ detail }) => {
          document.title = String(detail.step);
        });
      });
      const training = page.locator('mha-training');
      const start = training.locator('[data-do=start]');
      await eventually(() => arrive(training, start));
      await start.click();
      await page.waitForFunction(() => document.title === '20');
      assert.match(workersOf(page).join(), /^blob:/);
    }));

  test('comes from where the page says, and so do the binaries and the small model', async () => {
    const { url } = server;
    const copy = `${url}/copy/of/it`;
    // As of a bundler that has moved the scripts alone.
    const isLost = (address) => /^\/dist\/(?:wasm\/.*\.wasm|data\/|models\/model-worker\.js)/.test(address);
    server.answer = (address) => isLost(address) && ((response) => response.writeHead(500).end());
    const context = await newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    const errors = errorsOf(page);
    await page.goto(`${url}/stated`);
    await page.waitForFunction(() => 'failure' in globalThis);
    const found = await page.evaluate(async () => {
      const { knownModels, load, loadModelInWorker } = globalThis.mha;
      const model = await loadModelInWorker('sentences');
      const { attentions } = await model.forward('the cat sleeps');
      return [(await load()).threads, attentions.length, knownModels().length > 0];
    });
    assert.deepEqual(found, [1, 2, true]);
    assert.deepEqual(workersOf(page), [`${copy}/models/model-worker.js`]);
    // `configure` comes before the attribute.
    const failed = await page.evaluate(async () => {
      globalThis.mha.configure({ wasm: '/nowhere/' });
      return globalThis.failure(globalThis.mha.load({ build: 'simd' }));
    });
    assert.match(failed.message, /\/nowhere\/simd\.wasm could not be read: HTTP 404/);
    assert.deepEqual(
      errors.filter((error) => !ABSENT.test(error)),
      [],
    );
    server.answer = () => undefined;
    await context.close();
  });

  test('takes pictures of a canvas, as the page itself does', () =>
    openPage(
      '/',
      async (page) => {
        const found = await page.evaluate(async () => {
          const context = new OffscreenCanvas(50, 37).getContext('2d');
          context.fillStyle = '#bde';
          context.fillRect(0, 0, 50, 37);
          context.fillStyle = 'rgb(200 30 40)';
          context.fillRect(10, 5, 20, 20);
          const image = context.getImageData(0, 0, 50, 37);
          const results = [];
          for (const name of ['vit-10', 'deit-10', 'dinov2-11', 'dinov2_with_registers-10']) {
            const runs = [];
            for (const each of ['loadModel', 'loadModelInWorker']) {
              const model = await globalThis.mha[each](`/golden/${name}`);
              const { pixelValues, crops, patches } = await model.preprocess(image);
              const { attentions } = await model.forward({ image });
              const [data, weights] = [pixelValues, ...attentions.slice(-1)].map((tensor) => [
                ...tensor.data,
              ]);
              const error = await globalThis.failure((async () => model.forward({ image: 7 }))());
              runs.push({ data, weights, crops, patches, error, length: image.data.length });
              model.dispose();
            }
            results.push(runs);
          }
          return results;
        });
        for (const [here, there] of found) {
          assert.deepEqual(there, here);
          assert.ok(here.weights.every(Number.isFinite) && here.data.length === 3 * 28 * 28);
          assert.deepEqual(
            [here.error.kind, here.error.argument, here.length],
            ['TypeError', 'image', 50 * 37 * 4],
          );
        }
        assert.deepEqual(
          found.map(([{ patches }]) => patches.first),
          [1, 2, 1, 5],
        );
      },
      { allowed: ABSENT },
    ));

  test('is not needed where a policy forbids it', () =>
    openPage(
      '/no-worker',
      async (page) => {
        assertTiny(await using(page, 'loadModelInWorker', '/golden/bert-10/', {}, tinyInput));
        assert.deepEqual(workersOf(page), []);
      },
      { allowed: /status of 404|Content Security Policy/ },
    ));

  test('fills masks, writes a text, gives layers, and ends when it is told to', () =>
    openPage(
      '/',
      async (page) => {
        const result = await page.evaluate(async () => {
          const { load, loadModel, loadModelInWorker } = globalThis.mha;
          const module = await load();
          const [here, there] = [
            await loadModel('/golden/llama-10', { module }),
            await loadModelInWorker('/golden/llama-10', { module }),
          ];
          const written = [await here.generate([5, 6]), await there.generate([5, 6])].map(({ ids }) => ids);
          const fetched = ['config.json', 'model.safetensors'].map(
            async (name) => new File([await (await fetch(`/golden/distilbert-10/${name}`)).blob()], name),
          );
          const special = ['[UNK]', '[CLS]', '[SEP]', '[MASK]'];
          const words = Array.from({ length: 61 }, (_, id) => special[id] ?? `w${id}`);
          const files = [...(await Promise.all(fetched)), new File([words.join('\n')], 'vocab.txt')];
          const filled = await Promise.all(
            [loadModel, loadModelInWorker].map(async (loading) => {
              const model = await loading(files, { module });
              const guesses = await model.fillMask('w7 [MASK] w9', 3);
              model.dispose();
              return guesses;
            }),
          );
          const bert = await loadModelInWorker('/golden/bert-10', { module });
          await bert.forward({ inputIds: [[5, 6, 7]] });
          const [layer, input] = [await bert.attentionLayer(1), await bert.attentionInput(1)];
          const steps = layer.steps(input).weights.shape;
          const controller = new AbortController();
          const aborted = await globalThis.failure(
            there.generate([5], {
              maxNewTokens: 30,
              signal: controller.signal,
              onToken: () => controller.abort(new RangeError('enough')),
            }),
          );
          const again = (await there.generate([5], { maxNewTokens: 3 })).ids.length;
          const forward = globalThis.failure(there.forward({ inputIds: [[5, 6, 7]] }));
          there.dispose();
          return { written, filled, steps, aborted, again, disposed: await forward };
        });
        assert.deepEqual(result.written[0], result.written[1]);
        assert.deepEqual(result.filled[0], result.filled[1]);
        assert.equal(result.filled[0][0].length, 3);
        assert.deepEqual(result.steps, [1, 4, 3, 3]);
        assert.deepEqual([result.aborted.message, result.again], ['enough', 4]);
        assert.match(result.disposed.message, /disposed/);
        await eventually(() => assert.equal(workersOf(page).length, 1));
      },
      { allowed: ABSENT },
    ));

  test('ends when loading is aborted, and keeps nothing of the file', () =>
    openPage(
      '/',
      async (page) => {
        const result = await page.evaluate(async () => {
          const controller = new AbortController();
          const failed = await globalThis.failure(
            globalThis.mha.loadModelInWorker('/minilm', {
              signal: controller.signal,
              onProgress: ({ loaded }) => loaded > 2e6 && controller.abort(new Error('enough')),
            }),
          );
          const store = await caches.open('multihead-attention-models');
          const kept = (await store.keys()).map(({ url }) => url);
          return { failed, kept };
        });
        assert.equal(result.failed.message, 'enough');
        await eventually(() => assert.deepEqual(workersOf(page), []));
        // The first megabyte came whole; what came of the rest is not kept.
        assert.ok(
          !result.kept.some((url) => /model\.safetensors(\?mha-bytes=\d{2,}.*)?$/.test(url)),
          result.kept.join(),
        );
      },
      { allowed: ABSENT },
    ));

  test('leaves half of MiniLM on the server, and the page free', { tag: '@thorough' }, () =>
    openPage(
      '/',
      async (page) => {
        server.sent = 0;
        const tasks = await page.evaluate(async () => {
          const durations = [];
          const observer = new PerformanceObserver((list) =>
            durations.push(...list.getEntries().map(({ duration }) => duration)),
          );
          observer.observe({ type: 'longtask' });
          const model = await globalThis.mha.loadModelInWorker('/minilm', { cache: false });
          const loading = [...durations];
          const { attentions } = await model.forward('The cat sat on the mat because it was tired.');
          await new Promise((resolve) => setTimeout(resolve, 200));
          observer.disconnect();
          return { loading, all: durations, layers: attentions.length };
        });
        assert.equal(tasks.layers, 6);
        const { size } = statSync(path.join(folders['/minilm/'], 'model.fp16.safetensors'));
        assert.ok(server.sent < 0.6 * size, `${server.sent} of ${size} bytes`);
        console.log(
          `MiniLM: ${((100 * server.sent) / size).toFixed(1)} % of the bytes; tasks over 50 ms on the page: ` +
            `${tasks.all.map((ms) => `${ms} ms`).join(', ') || 'none'}`,
        );
      },
      { allowed: ABSENT },
    ),
  );
});
