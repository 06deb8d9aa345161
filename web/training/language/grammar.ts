/** Both grammars, and the best guess of a hidden word. */
import { english } from './grammar-en.js';
import { korean } from './grammar-ko.js';
import type { Lang, Sentence, Uniform } from './sentence.js';
import { draw, type Grammar, type Pattern, type Reading, readings } from './speaker.js';

const GRAMMARS: Readonly<Record<Lang, Grammar>> = { en: english, ko: korean };

/** Draws a sentence of the grammar, held out or not. */
export const drawAny = (uniform: Uniform, lang: Lang): Sentence => draw(GRAMMARS[lang], lang, uniform);

/**
 * Returns all sentences of the grammar that match a pattern; an ambiguous one appears once per reading.
 *
 * @param pattern the words, null for any word
 */
export const parse = (pattern: Pattern, lang: Lang): Reading[] => readings(GRAMMARS[lang], lang, pattern);

/** Result of {@link bestGuess}. */
export interface Guess {
  /** The most likely word. */
  word: string;
  /** Its probability, 0 … 1. */
  probability: number;
}

/**
 * Returns the most likely word at `query` under the grammar, when the words at `query` and at `hidden` are unknown: the
 * answer of a perfect model. Of equally likely words it is the first in the order of their code units.
 *
 * @example
 * ```js
 * import { bestGuess, heldOut } from 'multihead-attention/training';
 *
 * const cat = heldOut().find(({ tokens }) => tokens.join(' ') === 'the cat sat on the mat because it was tired');
 * console.log(bestGuess(cat, 7)); // { word: 'it', probability: 1 }
 * ```
 */
export function bestGuess({ lang, tokens }: Sentence, query: number, hidden: readonly number[] = []): Guess {
  const pattern = tokens.map((word, i) => (i === query || hidden.includes(i) ? null : word));
  const likely = new Map<string, number>();
  let total = 0;
  for (const { sentence, probability } of parse(pattern, lang)) {
    const word = sentence.tokens[query] ?? '';
    likely.set(word, (likely.get(word) ?? 0) + probability);
    total += probability;
  }
  const [word, probability] = [...likely]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce((best, guess) => (guess[1] > best[1] + 1e-12 ? guess : best));
  return { word, probability: probability / total };
}
