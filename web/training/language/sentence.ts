/** What a sentence of the language is, and what its words need each other for. */

/** Draws in [0, 1), as `Math.random`. */
export type Uniform = () => number;

/** A language of the grammar. */
export type Lang = 'en' | 'ko';

/**
 * Why a word needs another one:
 *
 * - `neighbour`: the word directly before or after decides it (*woke* up, *an* apple, *매트* 위에)
 * - `agreement`: it takes its form from a word further away (the *cats* near the box *were* …, *할머니께서* … *보신다*)
 * - `antecedent`: it is a pronoun, and its form follows the noun it stands for (the *girl* … because *she* …)
 * - `rare`: one of many names, each of which is seldom, decides it (*bora* drinks *tea*)
 */
export type RelationKind = (typeof RELATION_KINDS)[number];

/** All kinds, in the order of the tables. */
export const RELATION_KINDS = ['neighbour', 'agreement', 'antecedent', 'rare'] as const;

/**
 * The word at position `query` is known from the rest of the sentence, and is not without the words at `keys`:
 * other words could stand there. It may need more words than these.
 */
export interface Relation {
  /** Why the word needs the others. */
  kind: RelationKind;
  /** The position of the word that needs others. */
  query: number;
  /** The positions of those that it needs. */
  keys: readonly number[];
}

/** A sentence as the documents tokenize theirs: lower case, split at spaces, without the period. */
export interface Sentence {
  /** Which grammar says it. */
  lang: Lang;
  /** Its words. */
  tokens: readonly string[];
  /** What its words need each other for. */
  relations: readonly Relation[];
}
