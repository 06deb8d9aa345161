/** The words of both languages and their ids. */
import { wrongKind } from '../../api/errors.js';
import { PEOPLE } from './people.js';
import * as en from './words-en.js';
import * as ko from './words-ko.js';

/** The id of padding. */
export const PAD = 0;
/** The id of a hidden word. */
export const MASK = 1;
/** The id of a word outside the vocabulary. */
export const UNKNOWN = 2;
/** The tokens that are not words, by id. */
export const SPECIAL = ['[PAD]', '[MASK]', '[UNK]'] as const;

/** Words that the grammars' functions contain as literals. */
const fixed =
  'the that who was were last will tomorrow can cover future because has have enough it he she they felt looked all ' +
  'at home work with her his tea coffee dog cat this these saw 찾던 찾으시던 모두 앉아 있는 있다 그것은 그곳은 집에서 회사에서 ' +
  '그녀의 그의 개와 고양이와 차를 커피를';

/** Returns all strings in nested arrays and objects. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** All tokens by id. */
export const VOCABULARY: readonly string[] = [
  ...SPECIAL,
  ...new Set([...fixed.split(' '), ...strings([en, ko, PEOPLE])]),
];

const ids = new Map(VOCABULARY.map((word, id) => [word, id]));

/**
 * Returns the ids of words; words outside the vocabulary become `[UNK]`.
 *
 * @throws TypeError when `tokens` is not an array of strings
 * @example
 * ```js
 * import { idsOf, VOCABULARY } from 'multihead-attention/training';
 *
 * const ids = idsOf(['the', 'cat', 'zebra']);
 * console.log(VOCABULARY[ids[1]], ids[2]); // cat 2
 * ```
 */
export function idsOf(tokens: readonly string[]): Int32Array {
  if (!Array.isArray(tokens)) throw wrongKind('tokens', 'an array of strings', tokens);
  return Int32Array.from(tokens, (word: unknown, i) => {
    if (typeof word !== 'string') throw wrongKind(`tokens[${i}]`, 'a string', word);
    return ids.get(word) ?? UNKNOWN;
  });
}
