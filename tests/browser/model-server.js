/** A server of the package, of pages and of models, with Range requests as a static host has them. */
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from './fixtures.js';
import { TYPES } from './server.js';
import { minilm, repo } from './support.js';

export const folders = {
  '/dist/': path.join(repo, 'dist'),
  '/node_modules/': path.join(repo, 'node_modules'),
  '/golden/': path.join(repo, 'tests', 'golden', 'models'),
  '/minilm/': minilm,
  '/stories15M/': path.join(repo, 'build', 'models', 'stories15M'),
};

/** All words that the models of `serveTinyModels` know. */
const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'the', 'cat', 'sat', 'on', 'mat'];

/**
 * Makes tiny models read texts of the words above, and lets `serveModels` serve them below /tiny/. A name is that of a
 * family; `bert-2` is a copy. Returns their folder, and `close` to delete it.
 */
export function serveTinyModels(names) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tiny-models-'));
  folders['/tiny/'] = folder;
  for (const name of names) {
    const [family] = name.split('-');
    mkdirSync(path.join(folder, name));
    for (const file of ['config.json', 'model.safetensors'])
      copyFileSync(path.join(folders['/golden/'], `${family}-10`, file), path.join(folder, name, file));
    const { vocab_size } = JSON.parse(readFileSync(path.join(folder, name, 'config.json'), 'utf8'));
    const others = Array.from({ length: vocab_size - VOCABULARY.length }, (_, index) => `word${index}`);
    writeFileSync(path.join(folder, name, 'vocab.txt'), [...VOCABULARY, ...others].join('\n'));
  }
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Serves the package and models with ranges, as a static host does. `server.answer(path)` may give a function of the
 * response that answers instead; `server.requests` are the paths of models.
 */
export async function serveModels({ headers = {}, pages = {} } = {}, state = {}) {
  Object.assign(state, { answer: () => undefined, requests: [], sent: 0 });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (Object.hasOwn(pages, pathname)) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(pages[pathname]);
      return;
    }
    const prefix = Object.keys(folders).find((each) => pathname.startsWith(each));
    const name = pathname.replace('/minilm/model.safetensors', '/minilm/model.fp16.safetensors');
    const file = prefix && path.join(folders[prefix], name.slice(prefix.length));
    const isOfModel = /^\/(golden|minilm|stories15M)\//.test(pathname);
    if (isOfModel) state.requests.push(pathname);
    const other = state.answer(pathname);
    if (other) {
      other(response);
      return;
    }
    const found = file && statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const { size, mtimeMs } = found;
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const part = from && { start: Number(from), end: to ? Math.min(Number(to), size - 1) : size - 1 };
    const length = part ? part.end + 1 - part.start : size;
    if (part) response.setHeader('content-range', `bytes ${part.start}-${part.end}/${size}`);
    if (pathname.endsWith('.safetensors')) state.sent += length;
    response.writeHead(part ? 206 : 200, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'content-length': length,
      // Cache Storage is tested, not the browser's own cache.
      'cache-control': isOfModel ? 'no-store' : 'max-age=3600',
      etag: `"${mtimeMs}-${size}"`,
    });
    createReadStream(file, part).pipe(response);
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address();
  server.unref();
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { url: `http://127.0.0.1:${port}`, close, back: () => listen(port) });
}

/** A server of models for the tests of a file or of a `describe`. */
export function servingModels(options) {
  const server = {};
  beforeAll(() => serveModels(options, server));
  afterAll(() => server.close?.());
  return server;
}

/** What the browser itself reports about a file that is not there, which no script can prevent. */
export const ABSENT = /status of 404/;

/** Where a page without a bundler finds the package and its dependencies. */
export const importMap = (base) =>
  JSON.stringify({
    imports: {
      'multihead-attention': `${base}/dist/index.js`,
      'multihead-attention/elements': `${base}/dist/elements/index.js`,
      'multihead-attention/models': `${base}/dist/models/index.js`,
      'wasm-feature-detect': `${base}/node_modules/wasm-feature-detect/dist/esm/index.js`,
      '#wasm-bytes': `${base}/dist/wasm/read-wasm.web.js`,
      '#threads': `${base}/dist/api/threads.js`,
      '#pool-worker': `${base}/dist/wasm/pool-worker.web.js`,
      '#training-worker': `${base}/dist/training/create-worker.js`,
      '@lit/reactive-element': `${base}/node_modules/@lit/reactive-element/reactive-element.js`,
      '@lit/reactive-element/': `${base}/node_modules/@lit/reactive-element/`,
      lit: `${base}/node_modules/lit/index.js`,
      'lit/': `${base}/node_modules/lit/`,
      'lit-element/': `${base}/node_modules/lit-element/`,
      'lit-html': `${base}/node_modules/lit-html/lit-html.js`,
      'lit-html/': `${base}/node_modules/lit-html/`,
      '#model-file': `${base}/dist/models/open-file.web.js`,
    },
  });

/** Pages with bodies by their names, in both languages: `/en/name` and `/ko/name`. */
export const pagesOf = (bodies) =>
  Object.fromEntries(
    Object.entries(bodies).flatMap(([name, body]) =>
      ['en', 'ko'].map((lang) => [`/${lang}/${name}`, pageWith(body, lang)]),
    ),
  );

/** A page with elements that knows the models by their names. */
export const pageWith = (
  body,
  lang,
) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>test</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <script type="importmap">${importMap('')}</script>
  <script type="module">
    import { configure } from 'multihead-attention/models';
    configure({ models: { minilm: '/minilm/', stories15M: '/stories15M/' } });
    await import('multihead-attention/elements');
  </script>
  <body><main><h1>test</h1>${body}</main>`;
