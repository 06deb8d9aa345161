/** Recorded runs of NumPy and PyTorch as tasks for an engine, and the distance of its results from them. */
import { nanRows, readGolden, relativeError, rowOf, tensor, TOLERANCE } from '../js/golden.js';
import { layerRuns, readLayerRun, sdpaRuns } from '../js/torch-runs.js';

export { TOLERANCE };
/** Of the documents' examples: weights absolutely, outputs relative to the largest one. */
export const CLOSE = 1e-6;

const sentences = readGolden('example_sentences.json').examples;
const [single, cat, officer, exercises] = [
  'seed001_A_bank_single_head.json',
  'seed001_B_cat_4heads.json',
  'seed001_F_bank_officer.json',
  'seed002_exercises.json',
].map(readGolden);

/** Tensors of the documents' examples, by their names there. */
const exampleTensors = {
  '000-sentence': { weights: sentences[0].attn, output: sentences[0].out },
  '001-a': { weights: [single.attn] },
  '001-b': { weights: cat.attn, output: cat.out },
  '001-f': { weights: officer.attn, output: officer.out, singleWeights: [officer.single_attn] },
  '002-5': { weights: exercises.numeric_configs.find(({ name }) => name.startsWith('h2_k4_v3 (')).attn },
  '004-sentence': { weights: sentences[2].attn, output: sentences[2].out },
};
export const exampleIds = Object.keys(exampleTensors);

/** As JSON has them. */
const plain = (nested) => {
  const { data, shape } = tensor(nested);
  return { data: Array.from(data), shape };
};

/** What float32 cannot hold is left to tests/js. */
const runs = layerRuns
  .filter((name) => name !== 'mha_fully_masked_row_minus1e9')
  .map((name) => ({ name, ...readLayerRun(name) }));

export const layerCases = runs.map(({ name, config, stateDict, inputs, earlier, options }) => ({
  name,
  config,
  stateDict: Object.fromEntries(Object.entries(stateDict).map(([key, nested]) => [key, plain(nested)])),
  inputs: inputs.map(plain),
  earlier: earlier && plain(earlier),
  options,
}));

const attentionRuns = sdpaRuns.map((name) => ({ name, ...readGolden(`torch/${name}.json`) }));

export const attentionCases = attentionRuns.map(({ name, args, inputs }) => ({
  name,
  inputs: [inputs.query, inputs.key, inputs.value].map(plain),
  options: { mask: inputs.attn_mask, isCausal: args.is_causal, scale: args.scale },
}));

const largestDifference = ({ data, shape }, expected) =>
  relativeError({ data, shape }, expected) === Infinity
    ? Infinity
    : expected.flat(Infinity).reduce((most, x, i) => Math.max(most, Math.abs(data[i] - x)), 0);

/** The largest difference of weights and of output from NumPy's, over all examples. */
export function exampleDifferences(answers) {
  const all = Object.entries(exampleTensors).flatMap(([id, { output, ...weights }]) => [
    ...Object.entries(weights).map(([name, expected]) => ({
      of: 'weights',
      difference: largestDifference(answers[id][name], expected),
    })),
    ...(output ? [{ of: 'output', difference: relativeError(answers[id].output, output) }] : []),
  ]);
  const most = (of) => Math.max(...all.filter((one) => one.of === of).map(({ difference }) => difference));
  return { weights: most('weights'), output: most('output') };
}

/** Where PyTorch 1.13 has NaN, as for rows that are fully masked, weights must be zero and no output may be NaN. */
function withoutNaN({ weights, output }, expected) {
  const float32 = { ...weights, data: Float32Array.from(weights.data) };
  const zeros = nanRows(expected).every((i) => rowOf(float32, i).every((weight) => weight === 0));
  return zeros && output.data.every(Number.isFinite);
}

/** Of every run of PyTorch, the largest relative difference of weights and output. */
export function torchDifferences(layerAnswers, attentionAnswers) {
  const wanted = [
    ...runs.map(({ name, expected: { weights, outputs } }) => [name, layerAnswers[name], weights, outputs]),
    ...attentionRuns.map(({ name, outputs: { attn_weights: weights, output } }) => [
      name,
      attentionAnswers[name],
      weights,
      [output],
    ]),
  ];
  return wanted.map(([name, answer, weights, outputs]) => ({
    name,
    difference: Math.max(
      relativeError(answer.weights, weights),
      ...outputs.map((output) => relativeError(answer.output, output)),
      withoutNaN(answer, weights) ? 0 : Infinity,
    ),
  }));
}
