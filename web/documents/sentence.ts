/** Any sentence (or those of documents 000 and 004, which give no numbers) through document 001's pipeline. */
import { wrongKind } from '../api/errors.js';
import type { AttentionModule } from '../api/load.js';
import { type OrNull, readOptions } from '../api/options.js';
import { checkHeads, checkSentence, NUM_HEADS, openSentence } from '../sources/random-words.js';
import { forwardOnce } from './layers.js';
import { strongestPerHead } from './rows.js';
import type { DocumentResult, Localized } from './types.js';

/** Options of `documents.sentence`. */
export interface SentenceOptions {
  /** Number of heads: a divisor of 32, the width of the vectors; 4 by default. */
  numHeads?: number;
  /** Seed of the vectors and the projections, an integer 0 … 2³² − 1; 0 by default. */
  seed?: number;
}

/** Computes the result for a sentence, without its note. */
export function attendToSentence(
  module: AttentionModule,
  text: string,
  options?: SentenceOptions,
): Pick<DocumentResult, 'tokens' | 'tensors' | 'computed'> {
  const opened = openSentence(module, text, options);
  const { tokens, x } = opened;
  const { weights, output } = forwardOnce(opened);
  return { tokens, tensors: { x, weights, output }, computed: strongestPerHead(weights, tokens) };
}

export const sentenceNote = (seed: number): Localized => ({
  ko:
    `단어 벡터와 헤드의 투영은 난수(시드 ${seed})이며 학습된 값이 아니에요. ` +
    '같은 단어는 같은 벡터를 가지며 위치 정보는 없어요.',
  en:
    `Word vectors and projections are random (seed ${seed}): nothing is trained. ` +
    'A repeated word has the same vector, and no position is added.',
});

/** `documents.sentence`; documented in `examples.ts`. */
export function runSentence(
  module: AttentionModule,
  text: string,
  options?: OrNull<SentenceOptions> | null,
): DocumentResult {
  if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
  const { numHeads = NUM_HEADS, seed = 0 } = readOptions('sentence', options ?? {}, ['numHeads', 'seed']);
  checkHeads({ numHeads });
  checkSentence(text, seed);
  return {
    id: 'sentence',
    ...attendToSentence(module, text, { numHeads, seed }),
    note: sentenceNote(seed),
  };
}
