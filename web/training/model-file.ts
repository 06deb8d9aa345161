/**
 * A trained model as a safetensors file: the parameters under their own names, what the optimizer remembers under
 * `optimizer.`; what the shapes do not tell and the vocabulary in the metadata.
 */
import { describe, rangeError } from '../api/errors.js';
import { write } from '../api/safetensors.js';
import { readFile } from '../api/safetensors-file.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';
import { sizesOf } from './parameters.js';
import type { SavedModel, SentTensors } from './protocol.js';
import { allAsSent } from './sent.js';

const OPTIMIZER = 'optimizer.';

/** What the shapes of the tensors do not tell: whole numbers in the metadata. 0 where it may be missing. */
const NUMBERS = { numHeads: null, step: null, seed: 0, tokens: 0 };

type Numbers = Record<keyof typeof NUMBERS, number>;

/** The file's bytes. */
export function writeModel({
  plan,
  step,
  tokens,
  parameters,
  optimizer,
}: SavedModel): Uint8Array<ArrayBuffer> {
  const { numHeads, seed } = plan;
  const numbers: Numbers = { numHeads, step, seed, tokens };
  const remembered = Object.entries(optimizer ?? {}).map(([name, tensor]) => [OPTIMIZER + name, tensor]);
  return write(
    { ...parameters, ...(Object.fromEntries(remembered) as SentTensors) },
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
 * What such a file holds.
 *
 * @throws RangeError for a file that is not safetensors, lacks a number, was trained on other words, or whose parameters
 *   are not those of one encoder
 */
export function readModel(bytes: Uint8Array): SavedModel {
  const { tensors: all, metadata } = readFile(bytes);
  const tensors = Object.entries(all);
  const { step, tokens, numHeads, seed } = numbersOf(metadata);
  const vocabulary = metadata.get('vocabulary');
  if (vocabulary !== undefined && vocabulary !== JSON.stringify(VOCABULARY)) {
    throw rangeError('metadata.vocabulary', 'be the words of this language, got others');
  }
  const isRemembered = ([name]: [string, Tensor]) => name.startsWith(OPTIMIZER);
  const remembered = tensors.filter(isRemembered);
  const parameters = allAsSent(Object.fromEntries(tensors.filter((entry) => !isRemembered(entry))));
  return {
    plan: { ...sizesOf(parameters, numHeads), seed, steps: step },
    step,
    tokens,
    parameters,
    optimizer:
      remembered.length === 0
        ? null
        : allAsSent(
            Object.fromEntries(remembered.map(([name, tensor]) => [name.slice(OPTIMIZER.length), tensor])),
          ),
  };
}
