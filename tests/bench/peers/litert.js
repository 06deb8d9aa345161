import { loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core';
import { tfliteAttention, tfliteLayer } from '../models/tflite-attention.js';

export const forms = { layer: ['separate', 'packed'] };

let started;
/** The build with relaxed SIMD where the browser has it. */
async function compile(model, threads) {
  started ??= loadLiteRt('/tests/bench/node_modules/@litertjs/core/wasm/', { threads: threads > 1 });
  await started;
  return loadAndCompile(model, { accelerator: 'wasm', cpuOptions: { numThreads: threads } });
}

/** Runs the model on arrays, gives arrays, and deletes the tensors on both sides. */
async function run(model, arrays, shape) {
  const inputs = arrays.map((data) => new Tensor(data, shape));
  const outputs = await model.run(inputs);
  const results = outputs.map((tensor) => tensor.toTypedArray());
  for (const tensor of [...inputs, ...outputs]) tensor.delete();
  return results;
}

export async function layer({ shape, parameters, threads, form }) {
  const model = await compile(tfliteLayer(shape, parameters, { packed: form === 'packed' }), threads);
  const { batch, length, embedDim } = shape;
  return {
    threads,
    async run(x) {
      const [output, weights] = await run(model, [x], [batch, length, embedDim]);
      return { output, weights };
    },
    dispose: () => model.delete(),
  };
}

export async function attention({ shape, threads }) {
  const model = await compile(tfliteAttention(shape), threads);
  const { batch, length, numHeads, headDim } = shape;
  return {
    threads,
    async run({ query, key, value }) {
      const [output] = await run(model, [query, key, value], [batch, numHeads, length, headDim]);
      return { output };
    },
    dispose: () => model.delete(),
  };
}
