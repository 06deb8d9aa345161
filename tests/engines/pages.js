/** The pages for every browser, and their errors. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serve } from '../browser/server.js';
import { eventually, repo, site } from '../browser/support.js';
import { packageJson } from '../js/wasm-files.js';
import { decode, encode } from './inside/transfer.js';

const packed = '/tests/node_modules/multihead-attention';

/** What a page without a bundler needs to find the parts of the package, as its package.json names them. */
const imports = {
  'multihead-attention': `${packed}/dist/index.js`,
  'wasm-feature-detect': '/node_modules/wasm-feature-detect/dist/esm/index.js',
  ...Object.fromEntries(
    Object.entries(packageJson().imports).map(([name, { default: file }]) => [
      name,
      path.posix.join(packed, file),
    ]),
  ),
};

/** The first script: records console errors and the names of workers. */
const witness = `<script>
  globalThis.complaints = [];
  globalThis.workers = [];
  const complain = (...parts) => complaints.push(parts.join(' '));
  const told = ({ message, target }) => complain(message ?? 'not loaded: ' + (target.src ?? target.href));
  addEventListener('error', told, true);
  addEventListener('unhandledrejection', ({ reason }) => complain('unhandled:', reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => complain('forbidden:', violatedDirective));
  console.error = complain;
  globalThis.Worker = class extends Worker {
    constructor(url, options) {
      super(url, options);
      workers.push(options?.name);
    }
  };
</script>`;

const answering = (module) => `<script type="module">
  import * as functions from '/tests/engines/inside/${module}.js';
  import { answerWith } from '/tests/engines/inside/page.js';
  answerWith(functions);
</script>`;

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const html = (body) => `<!doctype html><html lang="en" style="color-scheme: light"><meta charset="utf-8">
  <title>test</title><link rel="icon" href="data:,">${witness}${body}`;

/** Every tag once, with the attributes it needs; computed results are compared with recorded ones. */
const figures = `
  <mha-matrix document="001-b"></mha-matrix>
  <mha-explorer document="001-b" views="arcs heads matrix"></mha-explorer>
  <mha-arcs document="001-b"></mha-arcs>
  <mha-heads document="001-b"></mha-heads>
  <mha-steps document="002-5" step="weights"></mha-steps>
  <mha-shapes></mha-shapes>
  <mha-patches></mha-patches>
  <mha-exercise number="5"></mha-exercise>
  <mha-training layers="1" heads="2" steps="20"></mha-training>`;

const tutorial = readFileSync(path.join(site, 'index.html'), 'utf8');

const pages = {
  '/computing': html(
    `<script type="importmap">${JSON.stringify({ imports })}</script>${answering('computing')}`,
  ),
  '/elements': html(
    `<script type="module" src="/dist/standalone.js"></script>${answering('elements')}<body>${figures}`,
  ),
  '/build/site/': tutorial.replace('<head>', `$&${witness}${answering('elements')}`),
};

/** Serves the pages, alone with their own files if `isolated`: only then may a page's threads share memory. */
export const servePages = ({ isolated = false } = {}) =>
  serve(repo, { pages, headers: isolated ? isolation : {} });

/**
 * Opens a page in a browser: `call` asks one of its functions; `close`, as `check`, fails where anything went wrong meanwhile.
 */
export async function openPage(browser, server, address) {
  const before = server.answers.length;
  const page = await browser.open(server.url + address);
  const call = async (name, ...args) =>
    decode(
      await page.evaluate(`globalThis.answer(${JSON.stringify(name)}, ${JSON.stringify(encode(args))})`),
    );
  await eventually(async () => assert.equal(await page.evaluate('typeof globalThis.answer'), 'function'));
  const asked = () => server.answers.slice(before);
  /** Fails on any error in the page's console or on the server. */
  const check = async () => {
    assert.deepEqual(await page.evaluate('globalThis.complaints'), []);
    assert.deepEqual(
      asked().filter(({ status }) => status >= 400),
      [],
    );
  };
  return {
    call,
    press: page.press,
    /** Names of the binaries that the page has been sent. */
    binaries: () =>
      asked().flatMap(({ path: file }) => (file.endsWith('.wasm') ? [path.posix.basename(file)] : [])),
    check,
    async close() {
      await check();
      await page.close();
    },
  };
}
