import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { record } from '../works/record.js';
import {
  choosesCell,
  differenceOf,
  navigates,
  openExample,
  showsTrained,
  tellsOfPage,
  trains,
} from './page.js';
import { Project } from './project.js';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** How the binary is called that a page downloads: with a hash, as a hash, or as in the package. */
const HASHED = /^(relaxed|simd)[-.][\w-]{8,}\.wasm$/;
const HASH = /^[\da-f]{20}\.wasm$/;
const PLAIN = /^(relaxed|simd)\.wasm$/;

/**
 * Opens the project's page: it shows NumPy's numbers, downloads the one `binary` that it uses (none where it is in the
 * script), and its console stays empty of errors. `pages`: it has others, and going to them and back downloads nothing more
 * and logs nothing. `selects`: it writes what `mha-select` tells it. `learns`: it shows trained heads and trains a model, in
 * a `worker` or without.
 */
async function shows(project, url, { binary, pages = false, selects = false, learns = true, worker = true }) {
  const { page, said, errors, close, difference, binaries } = await openExample(browser, url);
  const downloads = (count) => assert.equal(new Set(binaries()).size, binary ? count : 0, binaries().join());
  downloads(1);
  if (binary) assert.match(binaries()[0], binary);
  if (pages) {
    await navigates(page);
    assert.equal(binaries().length, 1);
    assert.deepEqual(said, []);
  }
  if (selects) await choosesCell(page);
  if (learns) {
    await showsTrained(page);
    assert.equal(await trains(page), worker);
    downloads(2);
  }
  assert.deepEqual(errors, []);
  await close();
  project.checks.add('browser');
  return difference;
}

/** Node prints the numbers. */
async function prints(project, file) {
  const difference = differenceOf(JSON.parse(await project.node(file)));
  project.checks.add('import');
  return difference;
}

/** `require` works in Node from 20.19 and 22.12 on; before, Node itself says what to do instead. */
async function requires(project) {
  const before = process.features.require_module ? ['--no-experimental-require-module'] : [];
  await assert.rejects(project.node(...before, 'require.js'), /ERR_REQUIRE_ESM.*import\(\)/s);
  const differences = [await prints(project, 'dynamic-import.js')];
  if (process.features.require_module) differences.push(await prints(project, 'require.js'));
  return Math.max(...differences);
}

async function typed(project) {
  await project.npm('run', 'build');
  await project.npm('run', 'check');
  project.checks.add('types');
  return prints(project, 'dist/main.js');
}

async function build(project, ...args) {
  await project.npm('run', 'build', '--', ...args);
  project.checks.add('build');
}

/** Any host serves a folder of the project, below any path. */
async function hosts(project, folder, page) {
  const base = '/below/a/path';
  const server = await serve(path.join(project.folder, folder), { base });
  try {
    return await shows(project, `${server.url}${base}/`, page);
  } finally {
    await server.close();
  }
}

const built =
  (page, ...args) =>
  async (project) => {
    await build(project, ...args);
    return hosts(project, 'dist', page);
  };

async function developed(project) {
  const server = await project.serve('dev');
  try {
    const difference = await shows(project, server.url, { binary: PLAIN });
    project.checks.add('dev');
    return difference;
  } finally {
    await server.close();
  }
}

/** Before its version 8, Vite's development server answers with a page where the binary should be, unless it is told. */
async function developedOnceTold(project) {
  const config = path.join(project.folder, 'vite.config.js');
  await rename(config, `${config}.later`);
  const server = await project.serve('dev');
  try {
    await tellsOfPage(browser, server.url);
  } finally {
    await server.close();
  }
  await rename(`${config}.later`, config);
  return developed(project);
}

async function rendered(project) {
  await build(project);
  const server = await project.serve('start', ['--port', '0']);
  try {
    const html = await (await fetch(server.url)).text();
    const [, weights] = /<output id="weights">([^<]*)</.exec(html);
    const onServer = differenceOf(JSON.parse(weights));
    project.checks.add('server');
    return Math.max(
      onServer,
      await shows(project, server.url, { binary: HASHED, pages: true, selects: true }),
    );
  } finally {
    await server.close();
  }
}

/** The files of the package that a server may need, which are not code that the program imports by name. */
const BUILDS = ['relaxed', 'simd', 'scalar'];
const SERVED = [
  ...BUILDS.flatMap((name) => [
    `wasm/${name}.wasm`,
    `wasm/${name}-threads.wasm`,
    `wasm/training-${name}.wasm`,
  ]),
  ...['wasm/attention-threads.js', 'api/pool-worker-script.node.js'],
  ...['models/sentences.safetensors', 'models/sentences.json'],
].map((file) => `node_modules/multihead-attention/dist/${file}`);

/** What `@vercel/nft` finds is all that runs on a host: it is what Nitro, Next, Vercel and Netlify upload. */
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

const freePort = async () => {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** The folder that Next makes of `output: 'standalone'`, moved away from the project, and the page's scripts. */
async function uploadedNext(project) {
  await build(project);
  const uploaded = await project.uploaded(['.'], '.next/standalone');
  try {
    await cp(path.join(project.folder, '.next/static'), path.join(uploaded.folder, '.next/static'), {
      recursive: true,
    });
    const server = await uploaded.serve('standalone', [], { PORT: await freePort(), HOSTNAME: 'localhost' });
    try {
      const computed = differenceOf(await (await fetch(`${server.url}/weights`)).json());
      project.checks.add('server');
      return Math.max(computed, await shows(project, server.url, { binary: HASHED, selects: true }));
    } finally {
      await server.close();
    }
  } finally {
    await uploaded.remove();
  }
}

/** A folder that somebody has filled with the files of the package. */
const copied = (use) => async (project) => {
  await project.npm('run', 'copy');
  return use(project);
};

/** In the order of the table in docs/works.md. `version` is that of a package, else of what runs the project. */
const rows = {
  'node-import': { name: 'Node.js, import', parts: ['plain', 'node'], use: (p) => prints(p, 'import.mjs') },
  'node-require': { name: 'Node.js, require', parts: ['plain', 'node'], use: requires },
  typescript: { name: 'TypeScript', version: 'typescript', parts: ['typescript'], use: typed },
  'vite-dev': {
    name: { en: 'Vite, dev server', ko: 'Vite, 개발 서버' },
    version: 'vite',
    parts: ['page', 'vite'],
    use: developed,
  },
  'vite-5-dev': {
    name: { en: 'Vite 5, dev server', ko: 'Vite 5, 개발 서버' },
    version: 'vite',
    parts: ['page', 'vite-5'],
    use: developedOnceTold,
  },
  'vite-build': {
    name: { en: 'Vite, build', ko: 'Vite, 빌드' },
    version: 'vite',
    parts: ['page', 'vite'],
    use: built({ binary: HASHED }, '--base', './'),
  },
  webpack: { name: 'webpack', version: 'webpack', parts: ['page', 'webpack'], use: built({ binary: HASH }) },
  rollup: { name: 'Rollup', version: 'rollup', parts: ['page', 'rollup'], use: built({ binary: HASHED }) },
  esbuild: { name: 'esbuild', version: 'esbuild', parts: ['page', 'esbuild'], use: built({ binary: PLAIN }) },
  react: {
    name: 'React',
    version: 'react',
    parts: ['react'],
    async use(project) {
      const difference = await built({ binary: HASHED, pages: true, selects: true }, '--base', './')(project);
      project.checks.add('types');
      return difference;
    },
  },
  vue: {
    name: 'Vue',
    version: 'vue',
    parts: ['vue'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  svelte: {
    name: 'Svelte',
    version: 'svelte',
    parts: ['svelte'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  mdx: {
    name: 'MDX (React)',
    version: '@mdx-js/rollup',
    parts: ['mdx'],
    use: built({ binary: HASHED, pages: true }, '--base', './'),
  },
  next: {
    name: { en: 'Next.js, rendered on the server', ko: 'Next.js, 서버 렌더링' },
    version: 'next',
    parts: ['next'],
    use: rendered,
  },
  'next-standalone': {
    name: { en: 'Next.js, `output: standalone`', ko: 'Next.js, `output: standalone`' },
    version: 'next',
    parts: ['next', 'next-standalone'],
    use: uploadedNext,
  },
  nft: {
    name: { en: 'Server files traced by @vercel/nft', ko: '@vercel/nft가 추린 서버 파일' },
    version: '@vercel/nft',
    parts: ['nft'],
    use: traced,
  },
  worker: {
    name: { en: 'Module worker (Vite)', ko: '모듈 워커 (Vite)' },
    version: 'vite',
    parts: ['vite', 'worker'],
    use: built({ binary: HASHED, learns: false }, '--base', './'),
  },
  'import-map': {
    name: { en: 'Import map, without a build', ko: '빌드 없이 import map으로' },
    version: 'chromium',
    parts: ['plain', 'page', 'import-map'],
    use: (project) => hosts(project, '.', { binary: PLAIN }),
  },
  standalone: {
    name: { en: 'standalone.js in a static folder', ko: '정적 폴더의 standalone.js' },
    version: 'chromium',
    parts: ['plain', 'standalone'],
    use: copied((project) => hosts(project, '.', {})),
  },
  file: {
    name: { en: 'standalone.classic.js, opened as a file', ko: '파일로 연 페이지의 standalone.classic.js' },
    version: 'chromium',
    parts: ['plain', 'standalone'],
    use: copied((project) => {
      const page = pathToFileURL(path.join(project.folder, 'file.html'));
      return shows(project, page.href, { worker: false });
    }),
  },
};

async function versionOf(project, version) {
  if (version === undefined) return process.versions.node;
  return version === 'chromium'
    ? `Chromium ${browser.version()}`
    : (await project.installed(version)).version;
}

describe('the packed package in a project of its own', () => {
  for (const [order, [id, { name, version, parts, use }]] of Object.entries(rows).entries()) {
    test(name.en ?? name, async () => {
      const project = await Project.copy(...parts);
      try {
        await project.install();
        const difference = await use(project);
        record('consumers', id, {
          order: order + 1,
          name,
          version: await versionOf(project, version),
          checks: [...project.checks],
          difference,
        });
      } finally {
        await project.remove();
      }
    });
  }
});
