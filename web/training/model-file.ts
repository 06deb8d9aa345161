/**
 * A trained model as a folder in Hugging Face's layout, which `loadModel` reads: `config.json`, `tokenizer.json` and
 * `model.safetensors`. That has the parameters under their own names and, for another run, the optimizer's state under
 * `optimizer.`, numbers that no shape determines and the vocabulary in the metadata.
 */
import { describe, rangeError } from '../api/errors.js';
import { write } from '../api/safetensors.js';
import { readFile } from '../api/safetensors-file.js';
import type { Tensor } from '../api/tensor.js';
import { MAX_LENGTH } from './language/corpus.js';
import { SPECIAL, UNKNOWN, VOCABULARY } from './language/vocabulary.js';
import { sizesOf } from './encoder-sizes.js';
import { type PlainTensors, type SavedModel, toPlainTensors } from './protocol.js';

const OPTIMIZER = 'optimizer.';

const PLAIN_TOKEN = { single_word: false, lstrip: false, rstrip: false, normalized: false };

/** Whole numbers in the metadata with their defaults; null means that the number is required. */
const NUMBERS = { numHeads: null, step: null, seed: 0, tokens: 0 };

type Numbers = Record<keyof typeof NUMBERS, number>;

export function writeModel({
  plan,
  step,
  tokens,
  parameters,
  optimizer,
}: SavedModel): Uint8Array<ArrayBuffer> {
  const { numHeads, seed } = plan;
  const numbers: Numbers = { numHeads, step, seed, tokens };
  const state = Object.entries(optimizer ?? {}).map(([name, tensor]) => [OPTIMIZER + name, tensor]);
  return write(
    { ...parameters, ...(Object.fromEntries(state) as PlainTensors) },
    {
      format: 'pt',
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
      vocabulary: JSON.stringify(VOCABULARY),
    },
  );
}

/** What `config.json` of a model says. */
const configOf = ({ plan, step }: Pick<SavedModel, 'plan' | 'step'>): object => ({
  model_type: 'torch_encoder',
  vocab_size: VOCABULARY.length,
  hidden_size: plan.embedDim,
  num_hidden_layers: plan.numLayers,
  num_attention_heads: plan.numHeads,
  intermediate_size: plan.feedForwardDim,
  hidden_act: 'gelu',
  max_position_embeddings: MAX_LENGTH,
  layer_norm_eps: 1e-5,
  // That of torch's first values of an attention's projections: xavier_uniform of (3E,E).
  initializer_range: Number(Math.sqrt(2 / (4 * plan.embedDim)).toFixed(4)),
  training_steps: step,
});

/** The tokenizer of the language: a lower-cased word between white space is a token, without the marks . , ! ? */
const tokenizer = (): object => ({
  version: '1.0',
  added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, ...PLAIN_TOKEN })),
  normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'Lowercase' }] },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'WhitespaceSplit' },
      { type: 'Split', pattern: { Regex: '[.,!?]' }, behavior: 'Removed', invert: false },
    ],
  },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: VOCABULARY[UNKNOWN],
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 256,
    vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
  },
});

/** The files of a model's folder, by name. */
export const modelFiles = (
  model: SavedModel,
): Record<'config.json' | 'tokenizer.json' | 'model.safetensors', string | Uint8Array<ArrayBuffer>> => ({
  'config.json': `${JSON.stringify(configOf(model), null, 2)}\n`,
  'tokenizer.json': `${JSON.stringify(tokenizer(), null, 1)}\n`,
  'model.safetensors': writeModel(model),
});

function numbersOf(metadata: ReadonlyMap<string, string>): Numbers {
  const numbers = Object.entries(NUMBERS).map(([name, missing]) => {
    const text = metadata.get(name) ?? (missing === null ? undefined : String(missing));
    if (text === undefined || !/^\d{1,15}$/.test(text)) {
      throw rangeError(
        `metadata.${name}`,
        `be a whole number, got ${text === undefined ? 'none' : describe(text)}`,
      );
    }
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(numbers) as Numbers;
}

/**
 * @throws RangeError for a file that is not safetensors, lacks a number, has another vocabulary, or whose parameters are
 *   not those of one encoder
 */
export function readModel(bytes: Uint8Array): SavedModel {
  const { tensors: all, metadata } = readFile(bytes);
  const tensors = Object.entries(all);
  const { step, tokens, numHeads, seed } = numbersOf(metadata);
  const vocabulary = metadata.get('vocabulary');
  if (vocabulary !== undefined && vocabulary !== JSON.stringify(VOCABULARY)) {
    throw rangeError('metadata.vocabulary', 'be the words of this language, got others');
  }
  const isState = ([name]: [string, Tensor]) => name.startsWith(OPTIMIZER);
  const state = tensors
    .filter(isState)
    .map(([name, tensor]): [string, Tensor] => [name.slice(OPTIMIZER.length), tensor]);
  const parameters = toPlainTensors(Object.fromEntries(tensors.filter((entry) => !isState(entry))));
  return {
    plan: { ...sizesOf(parameters, numHeads), seed, steps: step },
    step,
    tokens,
    parameters,
    optimizer: state.length === 0 ? null : toPlainTensors(Object.fromEntries(state)),
  };
}
