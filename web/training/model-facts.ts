/** What is known of a trained model: from its tensors, the metadata of its file, or the card beside that. */
import { rangeError } from '../api/errors.js';
import type { Tensor } from '../api/tensor.js';
import { VOCABULARY } from './language/vocabulary.js';

/** What is known of a trained model. */
export interface TrainedFacts {
  readonly numLayers: number;
  readonly numHeads: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  /** Of the first parameters. */
  readonly seed: number;
  /** Steps of training. */
  readonly steps: number;
  /**
   * Share of hidden words that it guesses right on held-out sentences, 0 … 1, the mean over the kinds of relations;
   * null where nobody says.
   */
  readonly accuracy: number | null;
}

/** The card of a model, as far as it is read here. */
interface Card {
  readonly recipe: {
    readonly encoder: { readonly numHeads: number; readonly seed: number };
    readonly steps: number;
  };
  /** Kind of relation by kind: how often the hidden word is found. */
  readonly trained: { readonly accuracy: Readonly<Record<string, { readonly all: number }>> };
  readonly vocabulary: readonly string[];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** What only a file's metadata or a card can say. */
interface Said {
  readonly numHeads: unknown;
  readonly seed: unknown;
  readonly steps: unknown;
  readonly accuracy: unknown;
  readonly vocabulary: unknown;
}

/** A whole number as metadata writes it. */
const wholeNumber = (text: string | undefined): unknown =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;

/** What the metadata of a file says; null where that is nothing of a model's. */
export function saidByMetadata(metadata: Readonly<Record<string, string>>): Said | null {
  const { numHeads, seed, step, accuracy, vocabulary } = metadata;
  if (numHeads === undefined) return null;
  return {
    ...{ numHeads: wholeNumber(numHeads), seed: wholeNumber(seed ?? '0'), steps: wholeNumber(step) },
    accuracy: accuracy === undefined ? null : Number(accuracy),
    vocabulary: vocabulary === undefined ? null : JSON.parse(vocabulary),
  };
}

/** What the card beside a file says. */
export function saidByCard(card: unknown): Said {
  const { recipe, trained, vocabulary } = card as Card;
  const { numHeads, seed } = recipe.encoder;
  const accuracy = mean(Object.values(trained.accuracy).map(({ all }) => all));
  return { numHeads, seed, steps: recipe.steps, accuracy, vocabulary };
}

function checkWhole(name: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    throw rangeError('model', `say \`${name}\` as a whole number, got ${String(value)}`);
  }
  return Number(value);
}

/**
 * All that is known of a model with these tensors.
 *
 * @throws RangeError for tensors that are no encoder's, numbers that are missing, or words of another language
 */
export function factsOf(tensors: Readonly<Record<string, Tensor>>, said: Said): TrainedFacts {
  const sizeOf = (name: string, axis: number): number => {
    const size = tensors[name]?.shape[axis];
    if (size === undefined) throw rangeError('model', `have ${name}, got none`);
    return size;
  };
  const words = sizeOf('token_embedding.weight', 0);
  const { vocabulary, accuracy } = said;
  const isOurs = vocabulary === null || JSON.stringify(vocabulary) === JSON.stringify(VOCABULARY);
  if (words !== VOCABULARY.length || !isOurs) {
    throw rangeError('model', `know the ${VOCABULARY.length} words of this language, got ${words} others`);
  }
  let numLayers = 0;
  while (`layers.${numLayers}.linear1.weight` in tensors) ++numLayers;
  return {
    numLayers,
    numHeads: checkWhole('numHeads', said.numHeads),
    embedDim: sizeOf('token_embedding.weight', 1),
    feedForwardDim: sizeOf('layers.0.linear1.weight', 0),
    seed: checkWhole('seed', said.seed),
    steps: checkWhole('step', said.steps),
    accuracy: typeof accuracy === 'number' && accuracy >= 0 && accuracy <= 1 ? accuracy : null,
  };
}
