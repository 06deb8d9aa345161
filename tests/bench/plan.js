/** What is measured: sections of rows, and the contenders of each row. */
import { pretrainedContenders } from './pretrained/plan.js';

/**
 * Every contender there is, and the npm package of it where it is not this one. `only`: the environments in which the library runs, `threadsIn`: those in which it can
 * use threads. `slow`: compiles for seconds, left out of quick runs. `optional`: shown where its package is
 * installed, never asked for.
 */
export const contenders = {
  relaxed: {
    name: 'multihead-attention, relaxed',
    module: 'multihead-attention',
    options: { build: 'relaxed' },
  },
  simd: { name: 'multihead-attention, simd', module: 'multihead-attention', options: { build: 'simd' } },
  'onnxruntime-web': {
    name: 'ONNX Runtime Web',
    module: 'onnxruntime-web',
    package: 'onnxruntime-web',
    threadsIn: ['chromium'],
  },
  tfjs: { name: 'TensorFlow.js wasm', module: 'tfjs', package: '@tensorflow/tfjs-backend-wasm' },
  litert: { name: 'LiteRT.js', module: 'litert', package: '@litertjs/core', only: ['chromium'] },
  jax: { name: 'jax-js', module: 'jax', package: '@jax-js/jax', only: ['chromium'], slow: true },
  'onnxruntime-node': {
    name: 'ONNX Runtime native',
    module: 'onnxruntime-node',
    package: 'onnxruntime-node',
    only: ['node'],
    optional: true,
  },
  'relaxed-causal': {
    name: 'the same, causal',
    module: 'multihead-attention',
    options: { build: 'relaxed', mask: { isCausal: true } },
  },
  'relaxed-window': {
    name: 'the same, window 256',
    module: 'multihead-attention',
    options: { build: 'relaxed', mask: { window: 256 } },
  },
  ...pretrainedContenders,
};

const layers = ['relaxed', 'simd'];
/** Those that others are compared with. */
export const ours = [...layers, 'relaxed-model', 'simd-model'];
const singleThreaded = [...layers, 'onnxruntime-web', 'tfjs', 'litert', 'jax', 'onnxruntime-node'];
const multiThreaded = [...layers, 'onnxruntime-web', 'litert'];

const layerShapes = [
  [1, 16, 512, 8],
  [1, 128, 768, 12],
  [1, 196, 768, 12],
  [8, 196, 768, 12],
  [1, 512, 768, 12],
  [1, 1024, 768, 12],
  [1, 2048, 512, 8],
];
/** As the examples of the documents: a sentence of 7 or 10 words, d = 32, 4 or 8 heads. */
const sentenceShapes = [
  [1, 7, 32, 4],
  [1, 10, 32, 8],
];

/** Of the four projections, the scores and the context: 2 per multiply-add. */
const layerFlops = ({ batch, length, embedDim }) =>
  batch * (4 * 2 * length * embedDim ** 2 + 2 * 2 * length ** 2 * embedDim);

function layerRow([batch, length, embedDim, numHeads], ids) {
  const shape = { batch, length, embedDim, numHeads };
  const flops = layerFlops(shape);
  return {
    label: `(${batch}, ${length}, ${embedDim}, ${numHeads})`,
    task: 'layer',
    shape,
    flops,
    // What a call costs beyond its sums shows where there is little to sum up.
    small: flops < 1e8,
    contenders: ids,
  };
}

function attentionRow(length, ids) {
  const shape = { batch: 1, length, numHeads: 12, headDim: 64 };
  const flops = 2 * 2 * shape.numHeads * length ** 2 * shape.headDim;
  return { label: `N = ${length}`, task: 'attention', shape, flops, contenders: ids };
}

const everything = [
  {
    id: 'layer',
    title: 'Self-attention layer (B, N, d, h), output and weights, 1 thread',
    threads: 1,
    rows: [...layerShapes, ...sentenceShapes].map((shape) => layerRow(shape, singleThreaded)),
  },
  {
    id: 'layer-2-threads',
    title: 'Self-attention layer (B, N, d, h), output and weights, 2 threads',
    threads: 2,
    rows: layerShapes.map((shape) => layerRow(shape, multiThreaded)),
  },
  {
    id: 'attention',
    title: 'Scaled dot-product attention, 12 heads, d_k 64, output only, 1 thread',
    threads: 1,
    rows: [196, 1024, 4096].map((length) => attentionRow(length, singleThreaded)),
  },
  {
    id: 'attention-masked',
    title: 'The same attention of multihead-attention, relaxed, with masks',
    threads: 1,
    rows: [
      attentionRow(2048, ['relaxed', 'relaxed-causal', 'relaxed-window']),
      attentionRow(4096, ['relaxed', 'relaxed-causal', 'relaxed-window']),
      attentionRow(8192, ['relaxed-window']),
    ],
  },
];

const smoke = [
  {
    id: 'layer',
    title: 'Self-attention layer (B, N, d, h), output and weights, 1 thread',
    threads: 1,
    rows: [
      layerRow([1, 7, 32, 4], [...layers, 'onnxruntime-web']),
      layerRow([2, 5, 24, 3], [...layers, 'onnxruntime-web']),
    ],
  },
  {
    id: 'layer-2-threads',
    title: 'Self-attention layer (B, N, d, h), output and weights, 2 threads',
    threads: 2,
    rows: [layerRow([1, 7, 32, 4], ['relaxed', 'onnxruntime-web'])],
  },
];

/** The sections of a run. `effort` is 'full', 'quick' or 'smoke'. */
export function plan(environment, effort) {
  const runs = (id, threads) => {
    const { only, threadsIn, slow } = contenders[id];
    const here = !only || only.includes(environment);
    const threaded = threads === 1 || !threadsIn || threadsIn.includes(environment);
    return here && threaded && (effort === 'full' || !slow);
  };
  return (effort === 'smoke' ? smoke : everything).map((section) => ({
    ...section,
    rows: section.rows.map((row) => ({
      ...row,
      contenders: row.contenders.filter((id) => runs(id, section.threads)),
    })),
  }));
}
