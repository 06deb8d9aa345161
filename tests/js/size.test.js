/** What a page downloads to compute: one binary and its loader, compressed as servers compress. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { inPackage } from './consumer.js';
import { builds } from './golden.js';
import { wasmBytes } from './wasm-files.js';

const limitInBytes = 60_000;
/** Downloaded by pages that train, and only then. */
const trainingLimitInBytes = 75_000;
/** Downloaded by pages that compute pretrained models, and only then. */
const modelsLimitInBytes = 50_000;
/** Loaded by standalone.js for the same, and only then: the simd build, and its code twice, for the page and its worker. */
const standaloneModelsLimitInBytes = 115_000;

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

test(`standalone-models.js fits into ${standaloneModelsLimitInBytes} bytes`, () => {
  const file = readFileSync(inPackage('dist/standalone-models.js'));
  expect(compressed(file)).toBeLessThanOrEqual(standaloneModelsLimitInBytes);
});
