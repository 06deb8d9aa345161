/** Sentences with words hidden, to be found again. */
import { drawSentence } from './corpus.js';
import type { Lang, Sentence, Uniform } from './sentence.js';
import { idsOf, MASK, PAD, SPECIAL, VOCABULARY } from './vocabulary.js';

/** The target of a token that is not asked for: PyTorch's `ignore_index`. */
export const IGNORED = -100;

/** Options of {@link maskedBatch}. */
export interface MaskingOptions {
  /** One language only. */
  lang?: Lang;
  /** How likely each word is asked for, beside those that need the key of one relation. 0.2 by default. */
  share?: number;
  /**
   * How likely the key of one relation of a sentence is left in sight and all words that need it are asked for. 1 by
   * default: words that need nothing cannot teach what others need.
   */
  relationShare?: number;
  /** How likely a word that is asked for is hidden by `[MASK]`. 0.5 by default. */
  hidden?: number;
  /** How likely it is replaced by any word. 0.4 by default; in the remaining cases it stays. */
  replaced?: number;
}

/** Tokens (B,L) with some changed, what they were (B,L), and which are not padding (B,L). */
export interface MaskedBatch {
  /** Ids, some of them hidden. */
  tokens: Int32Array;
  /** The id of a word that is asked for, else −100. */
  targets: Int32Array;
  /** 1 = a word, 0 = padding. */
  keyPaddingMask: Uint8Array;
  /** [B, L] */
  shape: [number, number];
}

const pick = <T>(uniform: Uniform, options: readonly T[]): T | undefined =>
  options[Math.floor(uniform() * options.length)];

/** The places that are asked for. */
function askedFor(
  uniform: Uniform,
  { tokens, relations }: Sentence,
  { share = 0.2, relationShare = 1 }: MaskingOptions,
): boolean[] {
  const key = uniform() < relationShare ? pick(uniform, relations)?.keys[0] : undefined;
  const needIt = relations.filter(({ keys }) => key !== undefined && keys.includes(key));
  return tokens.map((_, i) => needIt.some(({ query }) => query === i) || (uniform() < share && i !== key));
}

const anyWord = (uniform: Uniform): number =>
  SPECIAL.length + Math.floor(uniform() * (VOCABULARY.length - SPECIAL.length));

/** What stands in place of a word that is asked for. */
function disguise(uniform: Uniform, id: number, { hidden = 0.5, replaced = 0.4 }: MaskingOptions): number {
  const chance = uniform();
  if (chance < hidden) return MASK;
  return chance < hidden + replaced ? anyWord(uniform) : id;
}

/**
 * Draws sentences and hides words of them as BERT does (Devlin et al. 2019, section 3.1), but replaces far more of them
 * (BERT: 0.15 of the words, of these 0.8 hidden and 0.1 replaced): where any word may be wrong, heads must look at the
 * one word that decides, and become sharp.
 *
 * @param uniform where chance comes from: the same numbers give the same batch
 * @param size the number of sentences B; L is the length of the longest of them
 * @example
 * ```js
 * import { maskedBatch, mulberry32 } from 'multihead-attention/training';
 *
 * const { tokens, targets, shape } = maskedBatch(mulberry32(1), 16);
 * const asked = targets.filter((id) => id !== -100).length;
 * console.log(shape[0], tokens.length === shape[0] * shape[1], asked > 0); // 16 true true
 * ```
 */
export function maskedBatch(uniform: Uniform, size: number, options: MaskingOptions = {}): MaskedBatch {
  const sentences = Array.from({ length: size }, () => drawSentence(uniform, options.lang));
  const length = Math.max(...sentences.map(({ tokens }) => tokens.length));
  const tokens = new Int32Array(size * length).fill(PAD);
  const targets = new Int32Array(size * length).fill(IGNORED);
  const keyPaddingMask = new Uint8Array(size * length);
  for (const [row, sentence] of sentences.entries()) {
    const asked = askedFor(uniform, sentence, options);
    for (const [i, id] of idsOf(sentence.tokens).entries()) {
      const at = row * length + i;
      tokens[at] = asked[i] ? disguise(uniform, id, options) : id;
      if (asked[i]) targets[at] = id;
      keyPaddingMask[at] = 1;
    }
  }
  return { tokens, targets, keyPaddingMask, shape: [size, length] };
}
