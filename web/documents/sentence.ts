/** Any sentence (or those of documents 000 and 004, which give no numbers) through document 001's pipeline. */
import { checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import type { Compute } from './compute.js';
import { forwardOnce, type HeadCounts, type Opened } from './opened.js';
import { embed, NUM_HEADS, randomLayer, tokenize, WIDTH } from './pipeline.js';
import { strongestPerHead } from './rows.js';
import type { DocumentResult, Localized } from './types.js';

/** A longer text is refused, because weights are H·L² numbers to be displayed. */
export const MAX_TOKENS = 512;

/** A longer word is refused, in characters: figures print pairs of words, which would otherwise fill the page. */
export const LONGEST_WORD = 256;

/** Options of `documents.sentence`. */
export interface SentenceOptions {
  /** Number of heads: a divisor of 32, the width of the vectors; 4 by default. */
  numHeads?: number;
  /** Seed of the vectors and the projections, an integer 0 … 2³² − 1; 0 by default. */
  seed?: number;
}

/** Makes tokens of `text`, random vectors and a random layer. */
export function openSentence(
  compute: Compute,
  text: string,
  { numHeads = NUM_HEADS, numKvHeads = numHeads, seed = 0 }: HeadCounts & SentenceOptions = {},
): Opened {
  const tokens = tokenize(text);
  return {
    tokens,
    x: embed(compute, tokens, seed, 0.5),
    layer: randomLayer(compute, numHeads, seed, numKvHeads),
    headDim: WIDTH / numHeads,
    anyHeads: true,
  };
}

/** Computes the result for a sentence, without its note. */
export function attendToSentence(
  compute: Compute,
  text: string,
  options?: SentenceOptions,
): Pick<DocumentResult, 'tokens' | 'tensors' | 'computed'> {
  const opened = openSentence(compute, text, options);
  const { tokens, x } = opened;
  const { weights, output } = forwardOnce(opened);
  return { tokens, tensors: { x, weights, output }, computed: strongestPerHead(weights, tokens) };
}

export function checkHeads({ numHeads = NUM_HEADS, numKvHeads = numHeads }: HeadCounts): void {
  if (WIDTH % checkInteger('numHeads', numHeads, 1, WIDTH) !== 0) {
    throw rangeError('numHeads', `divide ${WIDTH} (the width of the vectors), got ${numHeads}`);
  }
  if (numHeads % checkInteger('numKvHeads', numKvHeads, 1, numHeads) !== 0) {
    throw rangeError('numKvHeads', `divide ${numHeads} (numHeads), got ${numKvHeads}`);
  }
}

export function checkSentence(text: unknown, seed: unknown): asserts text is string {
  if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  if (text.trim() === '') throw rangeError('text', 'have at least one word, got an empty sentence');
  const tokens = tokenize(text);
  if (tokens.length > MAX_TOKENS) {
    throw rangeError('text', `have at most ${MAX_TOKENS} words, got ${tokens.length}`);
  }
  const longest = Math.max(...tokens.map(({ length }) => length));
  if (longest > LONGEST_WORD) {
    throw rangeError('text', `have words of at most ${LONGEST_WORD} characters, got ${longest}`);
  }
}

export const sentenceNote = (seed: number): Localized => ({
  ko:
    `단어 벡터와 헤드의 투영은 난수(시드 ${seed})이며 학습된 값이 아니에요. ` +
    '같은 단어는 같은 벡터를 가지며 위치 정보는 없어요.',
  en:
    `Word vectors and projections are random (seed ${seed}): nothing is trained. ` +
    'A repeated word has the same vector, and no position is added.',
});

/** `documents.sentence`; documented in `index.ts`. */
export function runSentence(
  compute: Compute,
  text: string,
  options?: OrNull<SentenceOptions> | null,
): DocumentResult {
  if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
  const { numHeads = NUM_HEADS, seed = 0 } = readOptions('sentence', options ?? {}, ['numHeads', 'seed']);
  checkHeads({ numHeads });
  checkSentence(text, seed);
  return {
    id: 'sentence',
    ...attendToSentence(compute, text, { numHeads, seed }),
    note: sentenceNote(seed),
  };
}
