/** Threads on a page that may share memory between them, and on pages that may not. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, openTab, test } from './fixtures.js';
import { serve } from './server.js';
import { dist, repo } from './support.js';

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * A module's properties, its error for a wrong input, and a digest of a layer's exact results, with more weights
 * than its memory holds at first.
 */
const compute = `async (threads) => {
  const m = await load({ threads });
  const tensor = (...shape) => ({
    data: Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => Math.sin(i)),
    shape,
  });
  const mha = new m.MultiHeadAttention({ embedDim: 64, numHeads: 4 });
  let error;
  try {
    mha.forward(tensor(3, 32));
  } catch (thrown) {
    error = String(thrown);
  }
  const { output, weights } = mha.forward(tensor(1200, 64));
  const bytes = await new Blob([output.data, weights.data]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join();
  return { threads: m.threads, build: m.build, error, digest };
}`;
const sources = {
  'page.js': `import { load } from 'multihead-attention';
    window.computed = ${compute};
    window.loadedTwice = async (options) => {
      const [first, second] = [await load(options), await load(options)];
      const files = performance.getEntriesByType('resource').filter(({ name }) => /-threads.*[.]wasm$/.test(name));
      return { isSame: first.masks === second.masks && first === second, threads: first.threads, files: files.length };
    };
    window.computedInWorker = (threads) => new Promise((resolve) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(threads);
    });`,
  'worker.js': `import { load } from 'multihead-attention';
    self.onmessage = async ({ data }) => postMessage(await (${compute})(data));`,
};

/** What a page without a bundler needs to find the parts of the package. */
const imports = {
  'multihead-attention': './dist/index.js',
  'wasm-feature-detect': './node_modules/wasm-feature-detect/dist/esm/index.js',
  '#wasm-bytes': './dist/wasm/read-wasm.web.js',
  '#threads': './dist/api/threads.js',
  '#pool-worker': './dist/wasm/pool-worker.web.js',
};
const html = (head) => `<!doctype html><link rel="icon" href="data:,">${head}`;
const pages = {
  '/bundled': html('<script type="module" src="bundle/page.js"></script>'),
  '/unbundled': html(
    `<script type="importmap">${JSON.stringify({ imports })}</script>
     <script type="module">${sources['page.js']}</script>`,
  ),
};

/** The result of a layer whose second thread traps in its first product, and of the same layer in a new module. */
async function harmed() {
  const { load } = await import('./dist/index.js');
  const options = { threads: 2 };
  const build = (await load()).build;
  const bytes = new Uint8Array(await (await fetch(`./dist/wasm/${build}-threads.wasm`)).arrayBuffer());
  // In the place of the instruction that loads a factor: unreachable, and three that do nothing.
  for (let i = 0; i + 4 <= bytes.length; ++i) {
    const isLoad = bytes[i] === 0xfd && bytes[i + 1] === 0x09 && bytes[i + 2] === 0x02;
    if (isLoad && bytes[i + 3] < 0x80) bytes.set([0x00, 0x01, 0x01, 0x01], i);
  }
  const damaged = await WebAssembly.compile(bytes);
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) {
    postMessage.call(this, message.wasmModule ? { ...message, wasmModule: damaged } : message);
  };
  const { MultiHeadAttention } = await load(options);
  Worker.prototype.postMessage = postMessage;
  const layer = new MultiHeadAttention({ embedDim: 64, numHeads: 4 });
  let thrown;
  try {
    layer.forward({ data: new Float32Array(1200 * 64).fill(1), shape: [1200, 64] });
  } catch (error) {
    thrown = String(error);
  }
  return { thrown, after: await globalThis.computed(2) };
}

let folder, expected;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'threads-'));
  for (const name of ['dist', 'node_modules']) symlinkSync(path.join(repo, name), path.join(folder, name));
  const source = path.join(folder, 'source');
  mkdirSync(source);
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(source, name), text);
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    base: './',
    resolve: { alias: { 'multihead-attention': path.join(dist, 'index.js') } },
    worker: { format: 'es' },
    build: {
      outDir: path.join(folder, 'bundle'),
      emptyOutDir: true,
      rolldownOptions: { input: path.join(source, 'page.js'), output: { entryFileNames: '[name].js' } },
    },
  });
  expected = await onPage('/bundled', {}, () => globalThis.computed(1));
  assert.equal(expected.threads, 1);
  assert.match(expected.error, /^RangeError: `query` must have last dimension 64/);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * What `work` gives on a page served with these headers; `forbidden` is the browser's report on the
 * console, and nothing else may be reported there.
 */
async function onPage(address, headers, work, { forbidden = /^$/, ...more } = {}) {
  const server = await serve(folder, { pages: { ...pages, ...more.pages }, headers });
  const { page, errors, close } = await openTab(server.url + address);
  try {
    await page.waitForFunction(() => 'computed' in globalThis);
    const result = await page.evaluate(work);
    assert.deepEqual(
      errors.filter((error) => !forbidden.test(error)),
      [],
    );
    return result;
  } finally {
    await close();
    await server.close();
  }
}

test('this browser takes tall tiles', async () => {
  const taken = () => import('./dist/wasm/instantiate.js').then(({ carriesTallTiles }) => carriesTallTiles);
  assert.equal(await onPage('/unbundled', {}, taken), true);
});

describe('a page that is cross-origin isolated', () => {
  for (const address of ['/bundled', '/unbundled']) {
    test(`computes on as many threads as it asks for, with the same bits (${address})`, async () => {
      for (const threads of [2, 3]) {
        const result = await onPage(address, isolation, `globalThis.computed(${threads})`);
        assert.deepEqual(result, { ...expected, threads });
      }
    });
  }

  test('has threads in its own workers too', async () => {
    const result = await onPage('/bundled', isolation, () => globalThis.computedInWorker(2));
    assert.deepEqual(result, { ...expected, threads: 2 });
  });

  test('gets an error when a thread ends during its work, and can start new ones', async () => {
    const result = await onPage('/unbundled', isolation, harmed, { forbidden: /unreachable/ });
    assert.match(result.thrown, /^Error: a thread of this module ended in the middle of its work: load\(\)/);
    assert.deepEqual(result.after, { ...expected, threads: 2 });
  });

  test('can have memory of 4 GB that several modules share with their threads', async () => {
    const result = await onPage('/bundled', isolation, () => {
      const make = () => new globalThis.WebAssembly.Memory({ initial: 256, maximum: 65_536, shared: true });
      return Array.from({ length: 4 }, make).length;
    });
    assert.equal(result, 4);
  });

  test('computes on one where its policy forbids workers', async () => {
    const headers = { ...isolation, 'content-security-policy': "worker-src 'none'" };
    const forbidden = /worker-src 'none'/;
    const result = await onPage('/bundled', headers, () => globalThis.computed(2), { forbidden });
    assert.deepEqual(result, expected);
  });

  test('gets the same instance again where its policy forbids workers, and no file twice', async () => {
    const headers = { ...isolation, 'content-security-policy': "worker-src 'none'" };
    const forbidden = /worker-src 'none'/;
    for (const wasm of ['', ", wasm: 'dist/wasm/simd-threads.wasm'"]) {
      const work = `globalThis.loadedTwice({ threads: 2${wasm} })`;
      assert.deepEqual(await onPage('/bundled', headers, work, { forbidden }), {
        isSame: true,
        threads: 1,
        files: 1,
      });
    }
  });

  test('computes on one where its server has no script for the workers', async () => {
    const [script] = readdirSync(path.join(folder, 'bundle', 'assets')).filter((name) =>
      name.startsWith('attention-threads'),
    );
    const missing = { [`/bundle/assets/${script}`]: html('not found') };
    const result = await onPage('/bundled', isolation, () => globalThis.computed(2), {
      pages: missing,
      forbidden: /MIME type of "text\/html"/,
    });
    assert.deepEqual(result, expected);
  });
});

describe('a page that is not isolated', () => {
  test('computes on one thread, with the same bits', async () => {
    const result = await onPage('/bundled', {}, () => globalThis.computed(2));
    assert.deepEqual(result, expected);
  });

  test('gets an error for a multi-threaded binary', async () => {
    const load = `import('multihead-attention').then(({ load }) =>
      load({ wasm: './dist/wasm/simd-threads.wasm', threads: 2 })).catch(String)`;
    assert.equal(
      await onPage('/unbundled', {}, load),
      'RangeError: `wasm` must be a single-threaded binary where threads cannot share memory, got a multi-threaded one',
    );
  });
});
