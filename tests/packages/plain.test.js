import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { consumerTests, hosts, PLAIN, prints, shows } from './consumer-tests.js';
import { differenceOf } from './page.js';

/** `require` works in Node from 20.19 and 22.12 on; earlier versions throw an explanation. */
async function requires(project) {
  const before = process.features.require_module ? ['--no-experimental-require-module'] : [];
  await assert.rejects(project.node(...before, 'require.js'), /ERR_REQUIRE_ESM.*import\(\)/s);
  const differences = [await prints(project, 'dynamic-import.js')];
  if (process.features.require_module) differences.push(await prints(project, 'require.js'));
  return Math.max(...differences);
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
  ...['models/sentences.safetensors', 'models/sentences.json'],
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
    project.checks.add('server');
    return Math.max(...weights.map((found) => differenceOf(found)));
  } finally {
    await uploaded.remove();
  }
}

/** A folder with copies of the package's files. */
const copied = (use) => async (project) => {
  await project.npm('run', 'copy');
  return use(project);
};

consumerTests({
  'node-import': {
    order: 1,
    name: 'Node.js, import',
    parts: ['plain', 'node'],
    use: (p) => prints(p, 'import.mjs'),
  },
  'node-require': { order: 2, name: 'Node.js, require', parts: ['plain', 'node'], use: requires },
  'import-map': {
    order: 18,
    name: { en: 'Import map, without a build', ko: '빌드 없이 import map으로' },
    version: 'chromium',
    parts: ['plain', 'page', 'import-map'],
    use: (project) => hosts(project, '.', { binary: PLAIN, models: true }),
  },
  standalone: {
    order: 19,
    name: { en: 'standalone.js in a static folder', ko: '정적 폴더의 standalone.js' },
    version: 'chromium',
    parts: ['plain', 'standalone'],
    use: copied((project) => hosts(project, '.', {})),
  },
  file: {
    order: 20,
    name: { en: 'standalone.classic.js, opened as a file', ko: '파일로 연 페이지의 standalone.classic.js' },
    version: 'chromium',
    parts: ['plain', 'standalone'],
    use: copied((project) => {
      const page = pathToFileURL(path.join(project.folder, 'file.html'));
      return shows(project, page.href, { worker: false });
    }),
  },
  nft: {
    order: 16,
    name: { en: 'Server files traced by @vercel/nft', ko: '@vercel/nft가 추린 서버 파일' },
    version: '@vercel/nft',
    parts: ['nft'],
    use: traced,
  },
});
