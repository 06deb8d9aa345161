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
  /** How likely each word is asked for, beside the query of one relation. 0.15 by default, as BERT's. */
  share?: number;
  /** How likely the query of one relation of a sentence is asked for too, with its keys in sight. 1 by default. */
  relationShare?: number;
  /** How likely a word that is asked for is hidden by `[MASK]`. 0.8 by default, as BERT's. */
  hidden?: number;
  /** How likely it is replaced by any word. 0.1 by default, as BERT's; in the remaining cases it stays. */
  replaced?: number;
}

/** Tokens (B,L) with some changed, what they were (B,L), and which are not padding (B,L). */
export interface MaskedBatch {
  tokens: Int32Array;
  /** The id of a word that is asked for, else −100. */
  targets: Int32Array;
  /** 1 = a word, 0 = padding. */
  keyPaddingMask: Uint8Array;
  shape: [number, number];
}

const pick = <T>(uniform: Uniform, options: readonly T[]): T | undefined =>
  options[Math.floor(uniform() * options.length)];

/** The places that are asked for. */
function askedFor(
  uniform: Uniform,
  { tokens, relations }: Sentence,
  { share = 0.15, relationShare = 1 }: MaskingOptions,
): boolean[] {
  const relation = uniform() < relationShare ? pick(uniform, relations) : undefined;
  return tokens.map(
    (_, i) => relation?.query === i || (uniform() < share && !(relation?.keys.includes(i) ?? false)),
  );
}

const anyWord = (uniform: Uniform): number =>
  SPECIAL.length + Math.floor(uniform() * (VOCABULARY.length - SPECIAL.length));

/** What stands in place of a word that is asked for. */
function disguise(uniform: Uniform, id: number, { hidden = 0.8, replaced = 0.1 }: MaskingOptions): number {
  const chance = uniform();
  if (chance < hidden) return MASK;
  return chance < hidden + replaced ? anyWord(uniform) : id;
}

/**
 * Draws sentences and hides words of them as BERT does (Devlin et al. 2019, section 3.1).
 *
 * @param uniform where chance comes from: the same numbers give the same batch
 * @param size the number of sentences B; L is the length of the longest of them
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
