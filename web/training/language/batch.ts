/** Batches for masked language modelling. */
import { drawSentence } from './corpus.js';
import type { Lang, Sentence, Uniform } from './sentence.js';
import { idsOf, MASK, PAD, SPECIAL, VOCABULARY } from './vocabulary.js';

/** The target of a token that is not to be predicted: PyTorch's `ignore_index`. */
export const IGNORED = -100;

/** Options of {@link maskedBatch}. */
export interface MaskingOptions {
  /** The language of all sentences; both, mixed, by default. */
  lang?: Lang;
  /** Probability that a word is selected, beside those that depend on the key of one relation. 0.2 by default. */
  share?: number;
  /**
   * Probability that the key of one relation stays visible and all words that depend on it are selected. 1 by default:
   * words without relations teach nothing about relations.
   */
  relationShare?: number;
  /** Probability that a selected word becomes `[MASK]`. 0.5 by default. */
  hidden?: number;
  /** Probability that a selected word becomes a random word. 0.4 by default; otherwise it stays. */
  replaced?: number;
}

/** A batch, whose arrays have the shape (B,L). */
export interface MaskedBatch {
  /** Ids, some of them masked. */
  tokens: Int32Array;
  /** The id of a selected word, else −100. */
  targets: Int32Array;
  /** 1 = a word, 0 = padding. */
  keyPaddingMask: Uint8Array;
  /** The sizes [B, L]. */
  shape: [number, number];
}

const pick = <T>(uniform: Uniform, options: readonly T[]): T | undefined =>
  options[Math.floor(uniform() * options.length)];

/** Selects the words that are to be predicted. */
function select(
  uniform: Uniform,
  { tokens, relations }: Sentence,
  { share = 0.2, relationShare = 1 }: MaskingOptions,
): boolean[] {
  const key = uniform() < relationShare ? pick(uniform, relations)?.keys[0] : undefined;
  const dependents = relations.filter(({ keys }) => key !== undefined && keys.includes(key));
  return tokens.map(
    (_, i) => dependents.some(({ query }) => query === i) || (uniform() < share && i !== key),
  );
}

const anyWord = (uniform: Uniform): number =>
  SPECIAL.length + Math.floor(uniform() * (VOCABULARY.length - SPECIAL.length));

function maskOrReplace(
  uniform: Uniform,
  id: number,
  { hidden = 0.5, replaced = 0.4 }: MaskingOptions,
): number {
  const chance = uniform();
  if (chance < hidden) return MASK;
  return chance < hidden + replaced ? anyWord(uniform) : id;
}

/**
 * Draws sentences and masks words as BERT does (Devlin et al. 2019, section 3.1), but replaces far more of them (BERT
 * selects 0.15 of the words, masks 0.8 and replaces 0.1 of these): where any word may be wrong, heads have to attend to
 * the one word that determines the answer, and get sharp patterns.
 *
 * @param uniform the same numbers give the same batch
 * @param size the number of sentences B; L is the length of the longest of them
 * @example
 * ```js
 * import { maskedBatch, mulberry32 } from 'multihead-attention/training';
 *
 * const { tokens, targets, shape } = maskedBatch(mulberry32(1), 16);
 * const selected = targets.filter((id) => id !== -100).length;
 * console.log(shape[0], tokens.length === shape[0] * shape[1], selected > 0); // 16 true true
 * ```
 */
export function maskedBatch(uniform: Uniform, size: number, options: MaskingOptions = {}): MaskedBatch {
  const sentences = Array.from({ length: size }, () => drawSentence(uniform, options.lang));
  const length = Math.max(...sentences.map(({ tokens }) => tokens.length));
  const tokens = new Int32Array(size * length).fill(PAD);
  const targets = new Int32Array(size * length).fill(IGNORED);
  const keyPaddingMask = new Uint8Array(size * length);
  for (const [row, sentence] of sentences.entries()) {
    const selected = select(uniform, sentence, options);
    for (const [i, id] of idsOf(sentence.tokens).entries()) {
      const at = row * length + i;
      tokens[at] = selected[i] ? maskOrReplace(uniform, id, options) : id;
      if (selected[i]) targets[at] = id;
      keyPaddingMask[at] = 1;
    }
  }
  return { tokens, targets, keyPaddingMask, shape: [size, length] };
}
