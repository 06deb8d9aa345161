/** A sentence of one's own (or of documents 000 and 004, which give no numbers) through document 001's pipeline. */
import { checkInteger, checkOptions, wrongKind } from '../api/errors.js';
import type { Compute } from './compute.js';
import { attend, embed, tokenize, WIDTH } from './pipeline.js';
import { strongestPerHead } from './rows.js';
import type { DocumentResult } from './types.js';

/** Weights are H·L² numbers that somebody looks at: a longer text than this is taken for a mistake. */
export const MAX_TOKENS = 512;

/** How a sentence of one's own is computed. */
export interface SentenceOptions {
  /** A divisor of 32, the width of the vectors; 4 by default. */
  numHeads?: number;
  /** Of the vectors and the projections, an integer 0 … 2³² − 1; 0 by default. */
  seed?: number;
}

/** `text` as tokens, random vectors and random heads. */
export function attendToSentence(
  compute: Compute,
  text: string,
  { numHeads = 4, seed = 0 }: SentenceOptions = {},
): Pick<DocumentResult, 'tokens' | 'tensors' | 'computed'> {
  const tokens = tokenize(text);
  const x = embed(compute, tokens, seed, 0.5);
  const { weights, output } = attend(compute, x, numHeads, seed);
  return { tokens, tensors: { x, weights, output }, computed: strongestPerHead(weights, tokens) };
}

/** What `documents.sentence` does; its documentation is in `index.ts`. */
export function runSentence(compute: Compute, text: string, options: SentenceOptions = {}): DocumentResult {
  if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
  checkOptions('sentence', options, ['numHeads', 'seed']);
  const { numHeads = 4, seed = 0 } = options;
  if (WIDTH % checkInteger('numHeads', numHeads, 1, WIDTH) !== 0) {
    throw new RangeError(`\`numHeads\` must divide ${WIDTH} (the width of the vectors), got ${numHeads}`);
  }
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  if (text.trim() === '') throw new RangeError('`text` must have at least one word, got an empty sentence');
  const length = tokenize(text).length;
  if (length > MAX_TOKENS)
    throw new RangeError(`\`text\` must have at most ${MAX_TOKENS} words, got ${length}`);
  return {
    id: 'sentence',
    ...attendToSentence(compute, text, { numHeads, seed }),
    note: {
      ko:
        `단어 벡터와 헤드의 투영은 난수(시드 ${seed})이며 학습된 값이 아니에요. ` +
        '같은 단어는 같은 벡터를 가지며 위치 정보는 없어요.',
      en:
        `Word vectors and projections are random (seed ${seed}): nothing is trained. ` +
        'A repeated word has the same vector, and no position is added.',
    },
  };
}
