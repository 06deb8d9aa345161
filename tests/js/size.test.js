/** What a page downloads to compute: one binary and its loader, compressed as servers compress. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { inPackage, limit, runBesidePackage } from './consumer.js';
import { builds } from './golden.js';
import { wasmBytes } from './wasm-files.js';

const limitInBytes = 60_000;
/** Downloaded by pages that train, and only then. */
const trainingLimitInBytes = 75_000;
/** Downloaded by pages that compute pretrained models, and only then. */
const modelsLimitInBytes = 54_000;
/**
 * The one tag for any page, with all figures and one binary; and what it loads when it is used: models and training with a
 * binary and their code twice, for the page and its worker, and what only exercises and the figure of training draw.
 */
const standaloneLimitsInBytes = {
  'standalone.js': 200_000,
  'standalone-views.js': 60_000,
  'standalone-models.js': 144_000,
  'standalone-training.js': 115_000,
  'standalone-figures.js': 47_000,
};

/**
 * What a page's own script downloads at once with an import, before it computes or saves anything: the code, what the page
 * then waits for, and the limit.
 */
const bundles = {
  load: {
    code: "import { load } from 'multihead-attention'; load().then(console.log);",
    has: 'scaledDotProductAttention',
    limitInBytes: 15_000,
  },
  'elements/matrix': {
    code: "import 'multihead-attention/elements/matrix';",
    has: 'mha-matrix',
    limitInBytes: 35_000,
  },
  views: {
    code: "import 'multihead-attention/views';",
    has: 'mha-heads',
    limitInBytes: 60_000,
  },
};

/** Quality 11, Node's default, is also the strongest. */
const compressed = (bytes) => brotliCompressSync(bytes).length;

test.each(builds)(`%s and its loader fit into ${limitInBytes} bytes`, (build) => {
  const loader = compressed(readFileSync(inPackage('dist/wasm/attention.js')));
  expect(loader + compressed(wasmBytes(build))).toBeLessThanOrEqual(limitInBytes);
});

test.each(builds)(`training-%s and its loader fit into ${trainingLimitInBytes} bytes`, (build) => {
  const loader = compressed(readFileSync(inPackage('dist/wasm/training.js')));
  expect(loader + compressed(wasmBytes(`training-${build}`))).toBeLessThanOrEqual(trainingLimitInBytes);
});

test.each(builds)(`models-%s and its loader fit into ${modelsLimitInBytes} bytes`, (build) => {
  const loader = compressed(readFileSync(inPackage('dist/wasm/models.js')));
  expect(loader + compressed(wasmBytes(`models-${build}`))).toBeLessThanOrEqual(modelsLimitInBytes);
});

test.each(Object.entries(standaloneLimitsInBytes))('%s fits into %i bytes', (file, most) => {
  expect(compressed(readFileSync(inPackage(`dist/${file}`)))).toBeLessThanOrEqual(most);
});

/** Prints the scripts that a page loads at once, bundled with an entry of this code. */
const bundling = (code) => `
  // Lit's development build is for other environments.
  process.env.NODE_ENV = 'production';
  const { default: path } = await import('node:path');
  const { build } = await import('vite');

  const entry = path.resolve('entry.js');
  const { output } = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [{
      name: 'entry',
      resolveId: (id) => (id === entry ? id : undefined),
      load: (id) => (id === entry ? ${JSON.stringify(code)} : undefined),
    }],
    build: { write: false, target: 'es2022', modulePreload: false, rolldownOptions: { input: entry } },
  });
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([output.find(({ isEntry }) => isEntry).fileName]);
  for (const name of loaded) for (const other of chunks.get(name).imports) loaded.add(other);
  console.log(Array.from(loaded, (name) => chunks.get(name).code).join(''));`;

test.each(Object.entries(bundles))(
  'what a bundle with %s loads at once fits',
  async (_, { code, has, limitInBytes }) => {
    const bundle = await runBesidePackage(bundling(code));
    expect(bundle).toContain(has);
    expect(compressed(bundle)).toBeLessThanOrEqual(limitInBytes);
  },
  limit,
);

test('the views have nothing of WebAssembly', () => {
  expect(readFileSync(inPackage('dist/standalone-views.js'), 'utf8')).not.toMatch(/WebAssembly|wasm/);
});
