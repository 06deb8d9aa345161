/**
 * A trained model as a safetensors file: the parameters under their own names, the optimizer's state under
 * `optimizer.`, numbers that no shape determines and the vocabulary in the metadata.
 */
import { describe, rangeError } from '../api/errors.js';
import { write } from '../api/safetensors.js';
import { readFile } from '../api/safetensors-file.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';
import { sizesOf } from './encoder-sizes.js';
import { type PlainTensors, type SavedModel, toPlainTensors } from './protocol.js';

const OPTIMIZER = 'optimizer.';

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
