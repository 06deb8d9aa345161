import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve } from '../browser/server.js';
import { consumerTests, hosts, PLAIN, prints, shows } from './consumer-tests.js';
import { assertNumPys, goldenOfExample } from './page.js';

/** `require` works in Node from 20.19 and 22.12 on; earlier versions throw an explanation. */
async function requires(project) {
  const before = process.features.require_module ? ['--no-experimental-require-module'] : [];
  await assert.rejects(project.node(...before, 'require.js'), /ERR_REQUIRE_ESM.*import\(\)/s);
  await prints(project, 'dynamic-import.js');
  if (process.features.require_module) await prints(project, 'require.js');
}

/** The files of the package that a server may need, which are not code that the program imports by name. */
const BUILDS = ['relaxed', 'simd'];
const SERVED = [
  ...BUILDS.flatMap((name) => [
    `wasm/${name}.wasm`,
    `wasm/${name}-threads.wasm`,
    `wasm/training-${name}.wasm`,
  ]),
  ...['wasm/attention-threads.js', 'wasm/pool-worker-script.node.js'],
  ...['sentences', 'translation'].flatMap((model) =>
    ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => `data/${model}/${name}`),
  ),
].map((file) => `node_modules/multihead-attention/dist/${file}`);

/** Nitro, Next, Vercel and Netlify upload only the files that `@vercel/nft` finds. */
async function traced(project) {
  const files = JSON.parse(await project.node('trace.js'));
  assert.deepEqual(
    SERVED.filter((file) => !files.includes(file)),
    [],
    'not traced',
  );
  const uploaded = await project.uploaded(files);
  try {
    const { weights, threads, layers, parameters } = JSON.parse(await uploaded.node('server.mjs'));
    assert.deepEqual({ threads, layers, parameters }, { threads: [1, 1, 2], layers: 2, parameters: 29 });
    for (const found of weights) assertNumPys(found);
  } finally {
    await uploaded.remove();
  }
}

/** A folder with copies of the package's files. */
const copied = (use) => async (project) => {
  await project.npm('run', 'copy');
  return use(project);
};

/** jsDelivr, as it answers for the published package: the page must ask for this version, and only for files that are in it. */
async function fromCdn(project) {
  const installed = path.join(project.folder, 'node_modules', 'multihead-attention');
  const { version } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
  const address = `https://cdn.jsdelivr.net/npm/multihead-attention@${version}/`;
  const server = await serve(project.folder);
  try {
    await shows(project, `${server.url}/cdn.html`, {
      prepare: (page) =>
        page.context().route(`${address}**`, (route) =>
          route.fulfill({
            path: path.join(installed, route.request().url().slice(address.length)),
            headers: { 'access-control-allow-origin': '*' },
          }),
        ),
    });
  } finally {
    await server.close();
  }
}

consumerTests({
  'import in Node.js': {
    parts: ['plain', 'node'],
    use: async (project) => {
      await prints(project, 'import.mjs');
      await prints(project, 'documents.mjs', goldenOfExample);
    },
  },
  'require in Node.js': { parts: ['plain', 'node'], use: requires },
  'an import map, without a build': {
    parts: ['plain', 'page', 'import-map'],
    use: (project) => hosts(project, '.', { binary: PLAIN, models: true }),
  },
  'standalone.js in a static folder': {
    parts: ['plain', 'standalone'],
    use: copied((project) => hosts(project, '.', {})),
  },
  'standalone.js of a CDN': {
    parts: ['plain', 'standalone'],
    use: fromCdn,
  },
  'standalone.classic.js in a page that is opened as a file': {
    parts: ['plain', 'standalone'],
    use: copied((project) => {
      const page = pathToFileURL(path.join(project.folder, 'file.html'));
      return shows(project, page.href, {});
    }),
  },
  'server files that @vercel/nft has traced': {
    parts: ['nft'],
    use: traced,
  },
});
