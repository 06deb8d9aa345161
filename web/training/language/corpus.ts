/** The held-out sentences, and drawing training sentences. */
import { drawAny, parse } from './grammar.js';
import { mulberry32 } from './mulberry.js';
import type { Lang, Sentence, Uniform } from './sentence.js';
import { SHOWN_FIRST } from './shown-first.js';

/** The sentences of the five documents, as the documents' code tokenizes them. */
const documents: readonly (readonly [Lang, string])[] = [
  ['ko', '고양이가 매트 위에 앉아 있다'],
  [
    'en',
    'the bank can guarantee deposits will eventually cover future tuition costs because it has enough money',
  ],
  ['en', 'the cat that was sleeping on the mat suddenly woke up'],
  [
    'en',
    'the bank officer who was reviewing the loan application the customer submitted last week will call tomorrow',
  ],
  ['en', 'attention is all you need'],
  ['en', 'the cat sat on the mat because it was tired'],
];

const HELD_OUT_PER_LANGUAGE = 250;
const HELD_OUT_SEED = 1;

/** The number of words in the longest sentence. */
export const MAX_LENGTH = 20;

const textOf = ({ tokens }: Sentence): string => tokens.join(' ');

function drawHeldOut(): readonly Sentence[] {
  const own = documents.flatMap(([lang, text]) =>
    parse(text.split(' '), lang).map(({ sentence }) => sentence),
  );
  const uniform = mulberry32(HELD_OUT_SEED);
  const drawn = (['en', 'ko'] as const).flatMap((lang) =>
    Array.from({ length: HELD_OUT_PER_LANGUAGE }, () => drawAny(uniform, lang)),
  );
  const byText = new Map([...own, ...drawn].map((sentence) => [textOf(sentence), sentence]));
  return [...byText.values()];
}

let sentences: readonly Sentence[] | undefined;

/**
 * Returns the sentences for evaluation, always the same: those of the documents, then some hundreds drawn from the
 * grammar. `drawSentence` never returns one of them.
 *
 * @example
 * ```js
 * import { heldOut } from 'multihead-attention/training';
 *
 * const texts = heldOut().map(({ tokens }) => tokens.join(' '));
 * console.log(texts.includes('attention is all you need')); // true
 * ```
 */
export function heldOut(): readonly Sentence[] {
  sentences ??= drawHeldOut();
  return sentences;
}

let texts: ReadonlySet<string> | undefined;

const isReserved = (sentence: Sentence): boolean => {
  texts ??= new Set([
    ...heldOut().map(textOf),
    ...[...SHOWN_FIRST.en, ...SHOWN_FIRST.ko].map(({ text }) => text),
  ]);
  return texts.has(textOf(sentence));
};

/**
 * Draws a training sentence.
 *
 * @param uniform the same numbers give the same sentence
 * @param lang the language; one of the two, equally likely, without it
 * @example
 * ```js
 * import { drawSentence, mulberry32 } from 'multihead-attention/training';
 *
 * const sentence = drawSentence(mulberry32(1), 'en');
 * console.log(sentence.lang, sentence.tokens.length <= 20); // en true
 * ```
 */
export function drawSentence(uniform: Uniform, lang?: Lang): Sentence {
  const drawnLang = lang ?? (uniform() < 0.5 ? 'en' : 'ko');
  let sentence = drawAny(uniform, drawnLang);
  while (isReserved(sentence)) sentence = drawAny(uniform, drawnLang);
  return sentence;
}
