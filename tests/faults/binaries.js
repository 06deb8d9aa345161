/** The package's binaries in Node: bytes, modules, results and memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import { relaxedSimd } from 'wasm-feature-detect';

// Before the first module, because feature detection runs once. Node 20 needs a flag for the relaxed build.
if (!(await relaxedSimd())) setFlagsFromString('--experimental-wasm-relaxed-simd');
setFlagsFromString('--expose-gc');

/** Collects garbage, now. */
export const collect = runInNewContext('gc');

export const BUILDS = ['simd', 'relaxed'];
/** Every binary for attention: its file, its build and its number of threads. */
export const ATTENTION = BUILDS.flatMap((build) => [
  { file: build, build, threads: 1 },
  { file: `${build}-threads`, build, threads: 2 },
]);
export const TRAINING = BUILDS.map((build) => ({ file: `training-${build}`, build, isTraining: true }));
export const BINARIES = [...ATTENTION, ...TRAINING];

const require = createRequire(import.meta.url);
export const pathOf = (file) => require.resolve(`multihead-attention/wasm/${file}.wasm`);
export const bytesOf = (file) => new Uint8Array(readFileSync(pathOf(file)));

/** Starts a binary from `wasm`, by the package's own function for it. */
export const start = ({ threads = 1, isTraining }, wasm) =>
  isTraining ? loadTraining({ wasm }) : load({ wasm, threads });

/** Numbers between -1 and 1. */
export const tensor = (...shape) => ({
  data: Float32Array.from({ length: shape.reduce((product, size) => product * size, 1) }, (_, i) =>
    Math.sin(i),
  ),
  shape,
});

const x = tensor(2, 5, 8);

/** What a module for attention computes, as plain numbers. */
function attended(module) {
  const layer = new module.MultiHeadAttention({ embedDim: 8, numHeads: 2, rope: {} });
  const { output, weights } = layer.forward(x, x, x, { isCausal: true, training: true });
  const { query, parameters } = layer.backward(output);
  layer.dispose();
  return [output, weights, query, parameters['out_proj.weight']].flatMap(({ data }) => [...data]);
}

/** What a module for training computes, as plain numbers. */
function learned(module) {
  const encoder = new module.Encoder({ vocabSize: 10, maxLength: 4, embedDim: 16, numHeads: 2 });
  const { loss, gradNorm } = encoder.trainStep([[3, 1, 5]], [[-100, 4, -100]]);
  const { logits } = encoder.forward([[3, 1, 5]]);
  encoder.dispose();
  return [loss, gradNorm, ...logits.data];
}

export const computed = (module) => ('Encoder' in module ? learned(module) : attended(module));

const expected = new Map();

/** What the untouched package computes with a build, before any fault. */
export async function untouched({ build, isTraining }) {
  const name = `${build} ${isTraining === true}`;
  if (!expected.has(name)) {
    expected.set(name, computed(await (isTraining ? loadTraining({ build }) : load({ build }))));
  }
  return expected.get(name);
}

/** Fails unless a module's results equal those of the untouched package bit for bit. */
export async function assertRight(binary, module) {
  assert.deepEqual(computed(module), await untouched(binary));
}

/** A new module of a binary, and its memory, which the package does not export. */
export async function instance(binary) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (module, imports) => {
    const result = await instantiate(module, imports);
    memory = [result.exports, ...Object.values(imports)]
      .flatMap(Object.values)
      .find((value) => String(value) === '[object WebAssembly.Memory]');
    return result;
  };
  try {
    const module = await start(binary, await WebAssembly.compile(bytesOf(binary.file)));
    if (!binary.isTraining) assert.equal(module.threads, binary.threads);
    return { module, memory };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** As in an engine that has no more than `limit()` bytes for this memory. */
export function limitMemory(memory, limit) {
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65_536 > limit()) throw new RangeError('the engine has no more');
    return WebAssembly.Memory.prototype.grow.call(memory, pages);
  };
}
