/** A server that answers with HTML for missing files: the figure's message and the console. */
import assert from 'node:assert/strict';
import { describe, openTab, serving, test } from './fixtures.js';
import { arrive, axeFindings, eventually, repo } from './support.js';

const file = (name) => `./node_modules/${name}`;
const imports = {
  'multihead-attention/elements': './dist/elements/index.js',
  'wasm-feature-detect': file('wasm-feature-detect/dist/esm/index.js'),
  '#wasm-bytes': './dist/wasm/read-wasm.web.js',
  '#training-worker': './dist/training/create-worker.js',
  '@lit/reactive-element': file('@lit/reactive-element/reactive-element.js'),
  '@lit/reactive-element/': file('@lit/reactive-element/'),
  lit: file('lit/index.js'),
  'lit/': file('lit/'),
  'lit-element/': file('lit-element/'),
  'lit-html': file('lit-html/lit-html.js'),
  'lit-html/': file('lit-html/'),
};
const page = (lang, body) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
  <script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">import 'multihead-attention/elements';</script><main><h1>test</h1>${body}</main>`;

const FRONT = '<!doctype html><title>Welcome</title>';
const lacking = (...files) => Object.fromEntries(files.map((name) => [`/dist/${name}`, FRONT]));
const binaries = ['relaxed', 'simd'];

const LANGUAGES = {
  ko: {
    module: '계산 모듈을 불러오지 못했어요. 서버가 파일 대신 다른 것을 보냈어요.',
    training: '학습을 끝내지 못했어요. 서버가 파일 대신 다른 것을 보냈어요.',
    network: '네트워크를 확인',
  },
  en: {
    module: 'The computing module could not be loaded. The server sent something else in place of a file:',
    training: 'Training did not finish. The server sent something else in place of a file:',
    network: 'Check the network',
  },
};

const bodies = {
  views: '<mha-matrix document="001-b"></mha-matrix><mha-explorer document="001-b"></mha-explorer>',
  training: '<mha-training></mha-training>',
  file: '<mha-training model="./dist/data/sentences/model.safetensors"></mha-training>',
};
const pagesOf = (name) =>
  Object.fromEntries(Object.keys(LANGUAGES).map((lang) => [`/${name}-${lang}`, page(lang, bodies[name])]));

const withoutBinaries = serving(repo, {
  pages: {
    ...pagesOf('views'),
    ...pagesOf('training'),
    ...lacking(...binaries.flatMap((name) => [`wasm/${name}.wasm`, `wasm/training-${name}.wasm`])),
  },
});
const withoutModel = serving(repo, {
  pages: { ...pagesOf('file'), ...lacking('data/sentences/model.safetensors') },
});

const missing = serving(repo, { pages: pagesOf('views') });

const REMEDY = "optimizeDeps: { exclude: ['multihead-attention'] }";

/** Waits until an element shows these words, the address and the remedy, but no network error. */
async function tells(element, words, address, { network }) {
  const alert = element.getByRole('alert').filter({ hasText: words });
  await arrive(element, alert);
  const text = await alert.innerText();
  for (const part of [address, REMEDY]) assert.ok(text.includes(part), text);
  assert.ok(!text.includes(network), text);
}

/** The console has the cause once, and nothing else. */
const logs = (errors, address) =>
  eventually(() => {
    assert.equal(errors.length, 1, errors.join('\n'));
    for (const part of [address, REMEDY]) assert.ok(errors[0].includes(part), errors[0]);
  });

for (const [lang, words] of Object.entries(LANGUAGES)) {
  describe(`a page in place of a file (${lang})`, () => {
    test('the binary: all figures say it, the console once', async () => {
      const { url } = withoutBinaries;
      const { page, errors, close } = await openTab(`${url}/views-${lang}`);
      const address = `${url}/dist/wasm/relaxed.wasm`;
      await tells(page.locator('main > mha-matrix'), words.module, address, words);
      await tells(page.locator('mha-explorer'), words.module, address, words);
      await logs(errors, address);
      assert.deepEqual(await axeFindings(page), []);
      await close();
    });

    test('a binary that is answered with 404: its name and the status', async () => {
      const { page, errors, close } = await openTab('about:blank');
      await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
      await page.goto(`${missing.url}/views-${lang}`);
      const alert = page.locator('main > mha-matrix').getByRole('alert').filter({ hasText: words.module });
      await arrive(page.locator('main > mha-matrix'), alert);
      const text = await alert.innerText();
      assert.match(text, /\/dist\/wasm\/relaxed\.wasm could not be read: HTTP 404/);
      assert.ok(!text.includes(words.network), text);
      assert.ok(errors.length > 0);
      await page.unroute('**/*.wasm');
      await close();
    });

    test('the binary that trains', async () => {
      const { url } = withoutBinaries;
      const { page, errors, close } = await openTab(`${url}/training-${lang}`);
      const element = page.locator('mha-training');
      const start = element.locator('[data-do=start]');
      await arrive(element, start);
      await start.click();
      const address = `${url}/dist/wasm/training-relaxed.wasm`;
      await tells(element, words.training, address, words);
      await logs(errors, address);
      await close();
    });

    test('the model to continue training from', async () => {
      const { url } = withoutModel;
      const { page, errors, close } = await openTab(`${url}/file-${lang}`);
      const element = page.locator('mha-training');
      const load = element.locator('[data-do=load]');
      await arrive(element, load);
      await load.click();
      const address = `${url}/dist/data/sentences/model.safetensors`;
      await tells(element, '', address, words);
      await logs(errors, address);
      await close();
    });
  });
}
