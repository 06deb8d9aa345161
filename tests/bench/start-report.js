/** Starts of the libraries, and how `forward` grows faster: medians over fresh processes or pages. */
import { readFileSync, readdirSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { engines } from './fresh-engine.js';
import { median } from './measure.js';
import { contenders } from './plan.js';

/** The cat sentence of the documents (001-b): eleven words, d = 32, four heads. */
const CAT = { batch: 1, length: 11, embedDim: 32, numHeads: 4 };
const STARTERS = ['relaxed', 'onnxruntime-web', 'tfjs', 'litert'];
const TIER_SHAPES = [
  { batch: 1, length: 16, embedDim: 512, numHeads: 8 },
  { batch: 1, length: 196, embedDim: 768, numHeads: 12 },
];

const efforts = {
  full: { starts: 7, steadyMilliseconds: 1500 },
  quick: { starts: 2, steadyMilliseconds: 500 },
  // The best compression of the largest library takes half a minute.
  smoke: { starts: 1, steadyMilliseconds: 0, quality: 1 },
};

const label = ({ batch, length, embedDim, numHeads }) => `(${batch}, ${length}, ${embedDim}, ${numHeads})`;

const mediansOf = (runs, keys) =>
  Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))]));

const inRepo = (file) => new URL(`../../${file}`, import.meta.url);

/** Compressed as servers do. */
const compressed = (file, quality) =>
  brotliCompressSync(readFileSync(inRepo(file)), { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    .length;

/** This folder's own files are not the library's. */
function downloadedBytes(downloads, quality) {
  const files = downloads
    .map((url) => new URL(url).pathname.slice(1))
    .filter((file) => !file.startsWith('tests/bench/') || file.includes('/node_modules/'));
  return files.reduce((sum, file) => sum + compressed(file, quality), 0);
}

/** The builds of the package, of which a page downloads one, and the loaders. */
const wasmFiles = (quality) =>
  readdirSync(inRepo('dist/wasm'))
    .filter((name) => /\.(js|wasm)$/.test(name))
    .map((name) => ({ name, bytes: compressed(`dist/wasm/${name}`, quality) }));

/** `{ machine, first, tiers, files }`: the libraries' first weights, our layer's calls by shape, our files' sizes. */
export async function measure(engineName, effort) {
  const { starts, steadyMilliseconds, quality = constants.BROTLI_MAX_QUALITY } = efforts[effort];
  const engine = await engines[engineName](effort);
  const rows = [
    ...STARTERS.filter((id) => (contenders[id].only ?? [engineName]).includes(engineName)).map((id) => ({
      id,
      shape: CAT,
      runs: [],
    })),
    ...TIER_SHAPES.map((shape) => ({ id: 'relaxed', shape, runs: [] })),
  ];
  try {
    for (let i = 0; i < starts; i++) {
      for (const { id, shape, runs } of rows) {
        const { module, options } = contenders[id];
        runs.push(await engine.measure('start.js', { module, shape, options, steadyMilliseconds }));
      }
    }
  } finally {
    await engine.close();
  }
  return {
    machine: engine.machine,
    first: rows
      .filter(({ shape }) => shape === CAT)
      .map(({ id, runs }) => ({
        id,
        name: contenders[id].name,
        ...mediansOf(runs, ['start']),
        bytes: downloadedBytes(runs[0].downloads, quality),
      })),
    tiers: rows
      .filter(({ shape }) => shape !== CAT)
      .map(({ shape, runs }) => ({ label: label(shape), ...mediansOf(runs, ['first', 'tenth', 'steady']) })),
    files: wasmFiles(quality),
  };
}

const ms = (value) => `${value.toFixed(3).padStart(9)} ms`;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

export function text({ machine, first, tiers, files }) {
  const download = (bytes) => (bytes ? `, ${kilobytes(bytes)} downloaded` : '');
  return [
    `${machine.engine} ${machine.engineVersion}: from the import to the first weights of ${label(CAT)}`,
    ...first.map(({ name, start, bytes }) => `  ${name.padEnd(30)}${ms(start)}${download(bytes)}`),
    'forward, relaxed build: first call, tenth, steady',
    ...tiers.map((row) => `  ${row.label.padEnd(20)}${ms(row.first)}${ms(row.tenth)}${ms(row.steady)}`),
    'dist/wasm, with Brotli',
    ...files.map(({ name, bytes }) => `  ${name.padEnd(30)}${kilobytes(bytes)}`),
    '',
  ].join('\n');
}
