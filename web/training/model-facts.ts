/** Facts about a trained model, from its tensors and from the metadata of its file or the card beside it. */
import { describe, rangeError } from '../api/errors.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';
import { sizesOf } from './encoder-sizes.js';

export interface TrainedFacts {
  readonly numLayers: number;
  readonly numHeads: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  /** Seed of the initial parameters. */
  readonly seed: number;
  readonly steps: number;
  /**
   * Share of hidden words that it guesses right on held-out sentences, 0 … 1, the mean over the kinds of relations;
   * null where neither metadata nor card has it.
   */
  readonly accuracy: number | null;
}

/** The parts of a model's card that are read here. */
interface Card {
  readonly recipe: {
    readonly encoder: { readonly numHeads: number; readonly seed: number };
    readonly steps: number;
  };
  /** Accuracy by kind of relation. */
  readonly trained: { readonly accuracy: Readonly<Record<string, { readonly all: number }>> };
  readonly vocabulary: readonly string[];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Facts that the tensors do not determine, before they are checked. */
interface UncheckedFacts {
  readonly numHeads: unknown;
  readonly seed: unknown;
  readonly steps: unknown;
  readonly accuracy: unknown;
  /** Whether the model's vocabulary equals VOCABULARY; otherwise its ids mean other words. */
  readonly hasVocabulary: boolean;
}

/** Reads a whole number as metadata writes it. */
const wholeNumber = (text: string | undefined): unknown =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;

/** Reads the facts from a file's metadata; null where it does not describe a model. */
export function metadataFacts(metadata: ReadonlyMap<string, string>): UncheckedFacts | null {
  if (!metadata.has('numHeads')) return null;
  const [accuracy, vocabulary] = [metadata.get('accuracy'), metadata.get('vocabulary')];
  return {
    numHeads: wholeNumber(metadata.get('numHeads')),
    seed: wholeNumber(metadata.get('seed') ?? '0'),
    steps: wholeNumber(metadata.get('step')),
    accuracy: accuracy === undefined ? null : Number(accuracy),
    hasVocabulary: vocabulary === undefined || vocabulary === JSON.stringify(VOCABULARY),
  };
}

/** @throws RangeError when `card` is not a model's card */
export function cardFacts(card: unknown): UncheckedFacts {
  try {
    const { recipe, trained, vocabulary } = card as Card;
    const { numHeads, seed } = recipe.encoder;
    const accuracy = mean(Object.values(trained.accuracy).map(({ all }) => all));
    const hasVocabulary =
      vocabulary.length === VOCABULARY.length && VOCABULARY.every((word, id) => word === vocabulary[id]);
    return { numHeads, seed, steps: recipe.steps, accuracy, hasVocabulary };
  } catch {
    throw rangeError(
      'card',
      'say the recipe, the accuracy and the vocabulary of a model, got something else',
    );
  }
}

function checkWhole(name: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    throw rangeError('model', `say \`${name}\` as a whole number, got ${describe(value)}`);
  }
  return Number(value);
}

/**
 * @throws RangeError for tensors that are not those of one encoder, missing numbers, or another vocabulary
 */
export function factsOf(tensors: Readonly<Record<string, Tensor>>, unchecked: UncheckedFacts): TrainedFacts {
  if (!unchecked.hasVocabulary) {
    throw rangeError('vocabulary', `be the ${VOCABULARY.length} words of this language, got others`);
  }
  const { accuracy } = unchecked;
  return {
    ...sizesOf(tensors, checkWhole('numHeads', unchecked.numHeads)),
    seed: checkWhole('seed', unchecked.seed),
    steps: checkWhole('step', unchecked.steps),
    accuracy: typeof accuracy === 'number' && accuracy >= 0 && accuracy <= 1 ? accuracy : null,
  };
}
