/**
 * Engines that have seen nothing yet: every measurement (the default export of a module of this folder, which
 * imports nothing that only one engine has) runs in a Node process or a Chromium of its own.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';

const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** No measurement takes as long: one that does has an error. */
const LIMIT_MILLISECONDS = 10 * 60_000;

/** Node 20 needs a flag for relaxed SIMD. */
const relaxedSimdFlags =
  Number.parseInt(process.versions.node, 10) < 21 ? ['--experimental-wasm-relaxed-simd'] : [];

/** Threads, and a clock that is exact to 5 µs. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const others = '/tests/bench/node_modules';
/** The import map for the modules here and the package. */
const imports = {
  ...Object.fromEntries(
    Object.entries(JSON.parse(readFileSync(`${repo}/package.json`, 'utf8')).imports).map(([name, places]) => [
      name,
      places.default.replace(/^\./, ''),
    ]),
  ),
  'wasm-feature-detect': '/node_modules/wasm-feature-detect/dist/esm/index.js',
  'onnxruntime-web': `${others}/onnxruntime-web/dist/ort.wasm.min.mjs`,
  '@tensorflow/tfjs-core': `${others}/@tensorflow/tfjs-core/dist/tf-core.min.js`,
  '@tensorflow/tfjs-backend-wasm': `${others}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`,
  '@litertjs/core': `${others}/@litertjs/core/dist/index.js`,
  '@litertjs/wasm-utils': `${others}/@litertjs/wasm-utils/dist/index.js`,
  '@wllama/wllama': `${others}/@wllama/wllama/esm/index.js`,
  flatbuffers: `${others}/flatbuffers/mjs/flatbuffers.js`,
};
/** Where a page finds the package as one file, as a bundler ships it. */
const bundle = { '/dist/index.js': '/build/bench/multihead-attention.js' };
let bundled;

/** Makes that file, once. */
async function makeBundle() {
  const { build } = await import('vite');
  const configFile = fileURLToPath(new URL('vite.config.mjs', import.meta.url));
  bundled ??= build({ configFile, logLevel: 'warn' });
  await bundled;
}

/** An empty page in which these imports work. */
const pageWith = (imports) =>
  `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`;

/** What the figures were measured on. */
const machine = (engine, engineVersion) => ({
  cpu: cpus()[0].model.trim(),
  cores: cpus().length,
  os: `${platform()} ${arch()}`,
  engine,
  engineVersion,
  date: new Date().toISOString().slice(0, 10),
});

function node() {
  const runner = `
    import { argv, stdout } from 'node:process';
    const { default: measure } = await import(argv[1]);
    const measured = JSON.stringify(await measure(JSON.parse(argv[2])));
    // The threads of some libraries would keep the process alive.
    stdout.write(measured, () => process.exit());`;
  return {
    machine: machine('Node.js', process.versions.node),
    async measure(file, options) {
      const module = new URL(file, import.meta.url).href;
      const flags = [...relaxedSimdFlags, '--expose-gc', '--input-type=module', '--eval', runner];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...flags, module, JSON.stringify(options)],
        { timeout: LIMIT_MILLISECONDS },
      );
      return JSON.parse(stdout);
    },
    close: async () => {},
  };
}

async function chromium(effort) {
  const page = { '/': pageWith(imports) };
  const servers = {
    plain: await serve(repo, { pages: page }),
    isolated: await serve(repo, { pages: page, headers: isolation }),
    bundled: await serve(repo, { pages: { '/': pageWith({ ...imports, ...bundle }) }, headers: isolation }),
  };
  const start = () => launch(['--js-flags=--expose-gc']);
  const first = await start();
  // Pages of one browser may share processes: for timing each has its own browser.
  const isShared = effort === 'smoke';
  if (!isShared) await first.close();
  return {
    machine: machine('Chromium', first.version()),
    async measure(file, options, kind = 'bundled') {
      if (kind === 'bundled') await makeBundle();
      const browser = isShared ? first : await start();
      const tab = await browser.newPage();
      // What waits for the tab fails with it.
      const limit = setTimeout(() => void tab.close(), LIMIT_MILLISECONDS);
      try {
        await tab.goto(`${servers[kind].url}/`);
        return await tab.evaluate(
          async ([module, given]) => (await import(module)).default(given),
          [`/tests/bench/${file}`, options],
        );
      } finally {
        clearTimeout(limit);
        await (isShared ? tab : browser).close();
      }
    },
    async close() {
      await first.close();
      for (const server of Object.values(servers)) await server.close();
    },
  };
}

/**
 * By name, for an effort: the `machine`, `measure(file, options)` in a fresh process or page, `close()`. Pages are of three kinds, the
 * third argument of `measure`: 'plain', 'isolated' (COOP and COEP), or 'bundled', isolated and with the package as one
 * file.
 */
export const engines = { node, chromium };
