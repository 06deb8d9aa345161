/** Pages with the nine elements of the packed package, without a bundler, in a real Chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { launch } from '../browser/chromium.js';
import { startHost } from './host.js';
import { modules, packed } from './package.js';

/** Each element with attributes that make it draw by itself. */
export const ELEMENTS = {
  // With its matrix and its controls in the open, as they would not be seen to be cut off behind “More”.
  'mha-explorer': 'document="001-b" views="arcs heads matrix" controls="full"',
  'mha-arcs': 'document="001-b"',
  'mha-matrix': 'document="001-b"',
  'mha-heads': 'document="001-b"',
  'mha-steps': 'document="002-5"',
  'mha-shapes': 'model="llama-2-7b"',
  'mha-patches': 'patch="5,7"',
  'mha-exercise': 'number="5"',
  'mha-training': 'layers="1" heads="2" steps="40"',
};

const described = JSON.parse(readFileSync(`${packed}/dist/custom-elements.json`, 'utf8')).modules;
const tags = described.flatMap(({ declarations }) => declarations.flatMap(({ tagName }) => tagName ?? []));
assert.deepEqual(Object.keys(ELEMENTS).toSorted(), tags.toSorted());

/** What a page without a bundler needs to find the package, which is at `base`. */
const importMap = (base) => ({
  imports: {
    'multihead-attention': `${base}/dist/index.js`,
    'multihead-attention/elements': `${base}/dist/elements/index.js`,
    ...Object.fromEntries(
      Object.keys(ELEMENTS).map((tag) => [
        `multihead-attention/elements/${tag.slice('mha-'.length)}`,
        `${base}/dist/elements/${tag.slice('mha-'.length)}/index.js`,
      ]),
    ),
    'multihead-attention/training': `${base}/dist/training/index.js`,
    '#model-file': `${base}/dist/models/open-file.web.js`,
    '#wasm-bytes': `${base}/dist/wasm/read-wasm.web.js`,
    '#threads': `${base}/dist/api/threads.js`,
    '#pool-worker': `${base}/dist/wasm/pool-worker.web.js`,
    '#training-worker': `${base}/dist/training/create-worker.js`,
    'wasm-feature-detect': '/modules/wasm-feature-detect/dist/esm/index.js',
    lit: '/modules/lit/index.js',
    'lit/': '/modules/lit/',
    'lit-html': '/modules/lit-html/lit-html.js',
    'lit-html/': '/modules/lit-html/',
    'lit-element/': '/modules/lit-element/',
    '@lit/reactive-element': '/modules/@lit/reactive-element/reactive-element.js',
    '@lit/reactive-element/': '/modules/@lit/reactive-element/',
  },
});

/** A page in a language; `script` runs as a module. */
export const pageOf = (
  body,
  { lang = 'en', script = "import 'multihead-attention/elements';", base = '/package' } = {},
) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>faults</title><link rel="icon" href="data:,">
  <style>:root { color-scheme: light dark } body { margin: 16px; background: Canvas }</style>
  <script type="importmap">${JSON.stringify(importMap(base))}</script>
  <script type="module">${script}</script><body><main><h1>Faults</h1><h2>Figures</h2>${body}</main>`;

export const tag = (name, attributes = ELEMENTS[name]) => `<${name} ${attributes}>…</${name}>`;

/** A host of the packed package and its dependencies. */
export const startPackage = (options) => startHost({ '/package/': packed, '/modules/': modules }, options);

/** Does something with a page and closes it, however that ends: one that is left trains on, and slows down the others. */
export async function withPage(opening, work) {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

export { launch };
