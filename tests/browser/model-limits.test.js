/** What files, servers and callbacks may cost a page with pretrained models: a sentence, and never the page. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, newContext, test } from './fixtures.js';
import { folders, importMap, serveModels, serveTinyModels } from './model-server.js';
import { errorsOf, eventually, golden } from './support.js';

const WORDS = ['[UNK]', 'a', 'aa'];
const tokenizer = (parts) => ({
  version: '1.0',
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordLevel',
    vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
    unk_token: '[UNK]',
  },
  ...parts,
});
/** Tries every way to cut a word into words before it fails: 2 to the number of letters. */
const ENDLESS = tokenizer({
  pre_tokenizer: { type: 'Split', pattern: { Regex: '(\\w+)+$' }, behavior: 'Isolated', invert: false },
});
/** Doubles a text 30 times. */
const GROWING = tokenizer({
  normalizer: {
    type: 'Sequence',
    normalizers: Array(30).fill({ type: 'Replace', pattern: { String: 'a' }, content: 'aa' }),
  },
  pre_tokenizer: { type: 'Whitespace' },
});
const BAD = `${'a'.repeat(60)}!`;

const html = (
  lang,
  body,
  head = '',
) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <link rel="icon" href="data:,">${head}<input type="file" multiple>
  <script type="importmap">${importMap('')}</script>
  <script type="module">
    import * as models from 'multihead-attention/models';
    models.configure({ models: { minilm: '/minilm/' } });
    globalThis.mha = models;
    globalThis.failure = (promise) => promise.then(
      () => null,
      ({ constructor, name, message }) => ({ kind: constructor.name, name, message }),
    );
    await import('multihead-attention/elements');
    globalThis.ready = true;
  </script><body>${body}`;
const view = (model, sentence) =>
  `<mha-matrix weights="model" model="${model}" sentence="${sentence}" controls="full"></mha-matrix>`;
const NO_WORKER = '<meta http-equiv="Content-Security-Policy" content="worker-src \'none\'">';

let server, other, tiny;
beforeAll(async () => {
  tiny = serveTinyModels(['bert', 'bert-endless', 'bert-growing', 'llama']);
  for (const [name, json] of [
    ['bert-endless', ENDLESS],
    ['bert-growing', GROWING],
  ]) {
    writeFileSync(path.join(tiny.folder, name, 'tokenizer.json'), JSON.stringify(json));
  }
  const cors = { 'access-control-allow-origin': '*' };
  other = await serveModels({ headers: cors });
  server = await serveModels({
    pages: {
      '/': html('en', ''),
      '/no-worker': html('en', '', NO_WORKER),
      '/no-worker-ko': html('ko', view(`${other.url}/tiny/bert/`, 'the cat sat'), NO_WORKER),
      '/endless-en': html('en', view('/tiny/bert-endless/', BAD)),
      '/endless-ko': html('ko', view('/tiny/bert-endless/', BAD)),
      '/rows': html('en', view('minilm', 'the cat sat')),
    },
  });
});
afterAll(async () => {
  await server?.close();
  await other?.close();
  tiny?.close();
});

async function open(address, work, { allowed = /status of 404/ } = {}) {
  const context = await newContext({ serviceWorkers: 'block' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors = errorsOf(page);
  await page.goto(server.url + address);
  await page.waitForFunction(() => globalThis.ready);
  try {
    await work(page);
    assert.deepEqual(
      errors.filter((error) => !allowed.test(error)),
      [],
    );
  } finally {
    server.answer = () => undefined;
    await context.close();
  }
}

describe('a tokenizer', () => {
  test('that comes to no end is ended with its worker, and the page goes on meanwhile', () =>
    open('/', async (page) => {
      const { failures, turns, ids } = await page.evaluate(async (bad) => {
        const { loadModelInWorker } = globalThis.mha;
        const model = await loadModelInWorker('/tiny/bert-endless/');
        let turns = 0;
        const counting = setInterval(() => turns++, 100);
        const calls = [model.tokenize(bad), model.forward(bad), model.forward({ inputIds: [[1, 2]] })];
        const failures = await Promise.all(calls.map(globalThis.failure));
        clearInterval(counting);
        failures.push(await globalThis.failure(model.tokenize('a')));
        const again = await loadModelInWorker('/tiny/bert-endless/');
        return { failures, turns, ids: [...(await again.tokenize('a')).ids] };
      }, BAD);
      for (const { name, message } of failures) {
        assert.equal(name, 'TimeoutError');
        assert.match(message, /tokenizer came to no end in 10 s/);
      }
      assert.ok(turns > 10, `${turns} turns`);
      assert.deepEqual(ids, [1]);
      await eventually(() => assert.equal(page.workers().length, 1));
    }));

  test('that makes a text far longer is an error, and the page goes on', () =>
    open('/', async (page) => {
      const { failure, ids } = await page.evaluate(async () => {
        const { loadModelInWorker } = globalThis.mha;
        const model = await loadModelInWorker('/tiny/bert-growing/');
        const failure = await globalThis.failure(model.tokenize('a a'));
        model.dispose();
        const again = await loadModelInWorker('/tiny/bert/');
        return { failure, ids: (await again.tokenize('the cat')).ids.length };
      });
      assert.equal(failure.name, 'RangeError');
      assert.match(failure.message, /must lengthen a text at most 100 times, got 513 letters for 3/);
      assert.equal(ids, 4);
    }));

  for (const [lang, sentence, retry] of [
    ['en', /The tokenizer of .*bert-endless.* took too long and was stopped/, 'Try again'],
    ['ko', /bert-endless.* 모델의 토크나이저가 너무 오래 걸려서 중지했어요/, '다시 시도'],
  ]) {
    test(`is named in the figure (${lang}), which computes another sentence when asked`, () =>
      open(`/endless-${lang}`, async (page) => {
        const figure = page.locator('mha-matrix');
        await figure.locator('#problem').filter({ hasText: sentence }).waitFor();
        await eventually(() => assert.equal(page.workers().length, 0));
        await figure.evaluate((element) => (element.sentence = 'aa'));
        await figure.getByRole('button', { name: retry }).click();
        await figure.locator('[data-query="0"][data-key="0"]').waitFor();
        assert.equal(await figure.getByText(sentence).count(), 0);
      }));
  }

  test('is stopped by the reader before that', () =>
    open('/endless-ko', async (page) => {
      const figure = page.locator('mha-matrix');
      await figure.getByText('bert-endless 모델로 계산하는 중…').waitFor();
      await figure.getByRole('button', { name: '중지' }).click();
      await figure.getByText('bert-endless 모델을 중지했어요.').waitFor();
      assert.equal(await figure.locator('#problem').innerText(), '');
      await eventually(() => assert.equal(page.workers().length, 0));
      await figure.evaluate((element) => (element.sentence = 'aa'));
      await figure.getByRole('button', { name: '불러오기' }).click();
      await figure.locator('[data-query="0"][data-key="0"]').waitFor();
    }));
});

describe('a page without workers', () => {
  const allowed = /status of 404|Content Security Policy/;

  test('opens its own models alone', () =>
    open(
      '/no-worker',
      async (page) => {
        const folder = path.join(folders['/golden/'], 'bert-10');
        await page.locator('input').setInputFiles(readdirSync(folder).map((file) => path.join(folder, file)));
        const weights = [...readFileSync(path.join(folder, 'model.safetensors'))];
        const config = golden('models/bert-10/config.json');
        const found = await page.evaluate(
          async ([elsewhere, values, json]) => {
            const { configure, loadModelInWorker } = globalThis.mha;
            configure({ models: { mine: `${elsewhere}/tiny/bert/` } });
            const sources = [
              `${elsewhere}/tiny/bert/`,
              document.querySelector('input').files,
              'owner/name',
              'mine',
              '/tiny/bert/',
              { config: json, weights: new Uint8Array(values) },
            ];
            return Promise.all(sources.map((source) => globalThis.failure(loadModelInWorker(source))));
          },
          [other.url, weights, config],
        );
        assert.deepEqual(
          found.map((failure) => failure?.name ?? null),
          ['NotAllowedError', 'NotAllowedError', 'NotAllowedError', null, null, null],
        );
        assert.match(found[0].message, /cannot start a worker/);
      },
      { allowed },
    ));

  test('says so in the figure', () =>
    open(
      '/no-worker-ko',
      async (page) => {
        const problem = page.locator('mha-matrix #problem');
        await problem.filter({ hasText: /워커를 시작할 수 없어요.*bert.* 모델은 열지 않았어요/ }).waitFor();
      },
      { allowed },
    ));
});

test('what onProgress and onToken throw rejects the call, and ends the worker of a model that is not loaded', () =>
  open('/', async (page) => {
    const found = await page.evaluate(async () => {
      const { loadModelInWorker } = globalThis.mha;
      const wrong = () => {
        throw new SyntaxError('a wrong callback');
      };
      const loading = await globalThis.failure(loadModelInWorker('/tiny/llama/', { onProgress: wrong }));
      const model = await loadModelInWorker('/tiny/llama/');
      const writing = await globalThis.failure(model.generate([5], { maxNewTokens: 30, onToken: wrong }));
      return { loading, writing, again: (await model.generate([5], { maxNewTokens: 3 })).ids.length };
    });
    const error = { kind: 'SyntaxError', name: 'SyntaxError', message: 'a wrong callback' };
    assert.deepEqual(found, { loading: error, writing: error, again: 4 });
    await eventually(() => assert.equal(page.workers().length, 1));
  }));

describe('ranges of MiniLM', () => {
  test('are read from another origin that exposes what they are, else the whole file', () =>
    open('/', async (page) => {
      const sums = [];
      for (const exposed of ['Content-Range, ETag', '']) {
        const expose = exposed && { 'access-control-expose-headers': exposed };
        const third = await serveModels({ headers: { 'access-control-allow-origin': '*', ...expose } });
        const sum = await page.evaluate(async (base) => {
          // Range requests of this form need no permission of the server.
          const model = await globalThis.mha.loadModelInWorker(`${base}/minilm/`);
          const { data } = (await model.forward('the cat sat')).lastHiddenState;
          model.dispose();
          return data.reduce((total, value) => total + value, 0);
        }, third.url);
        sums.push([sum, third.sent > 40e6]);
        await third.close();
      }
      const [[first], [second]] = sums;
      assert.equal(first, second);
      assert.deepEqual(
        sums.map(([, isWhole]) => isWhole),
        [false, true],
      );
    }));

  test('of a file that changes are forgotten, and the figure loads it anew', () =>
    open('/rows', async (page) => {
      const figure = page.locator('mha-matrix');
      await figure.locator('[data-query="4"][data-key="4"]').waitFor();
      const file = readFileSync(path.join(folders['/minilm/'], 'model.fp16.safetensors'));
      let count = 0;
      server.answer = (pathname) =>
        pathname.endsWith('/model.safetensors')
          ? (response) => {
              const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(response.req.headers.range ?? '') ?? [];
              const body = from ? file.subarray(Number(from), to ? Number(to) + 1 : file.length) : file;
              const range = from && {
                'content-range': `bytes ${from}-${Number(from) + body.length - 1}/${file.length}`,
              };
              if (from === '0') count++;
              response.writeHead(from ? 206 : 200, { etag: '"newer"', ...range }).end(body);
            }
          : undefined;
      await figure.evaluate((element) => (element.sentence = 'quixotic zeppelins'));
      await eventually(async () =>
        assert.match(await figure.evaluate(({ shadowRoot }) => shadowRoot.textContent), /##otic/),
      );
      assert.equal(count, 1);
    }));
});
