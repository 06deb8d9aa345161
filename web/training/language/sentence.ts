/** Sentences of the language, and the relations between their words. */

/** A generator of uniform numbers in [0, 1), like `Math.random`. */
export type Uniform = () => number;

/** A language of the grammar. */
export type Lang = 'en' | 'ko';

/**
 * Why a word depends on another one:
 *
 * - `neighbour`: the word directly before or after decides it (*woke* up, *an* apple, *매트* 위에)
 * - `agreement`: it takes its form from a word further away (the *cats* near the box *were* …, *할머니께서* … *보신다*)
 * - `antecedent`: it is a pronoun, and its form follows the noun that it refers to (the *girl* … because *she* …)
 * - `rare`: one of many names, each of which is seldom, decides it (*bora* drinks *tea*)
 */
export type RelationKind = (typeof RELATION_KINDS)[number];

/** All kinds, in the order of the tables. */
export const RELATION_KINDS = ['neighbour', 'agreement', 'antecedent', 'rare'] as const;

/** Makes an object with a value for each kind. */
export const perKind = <T>(valueOf: (kind: RelationKind) => T) =>
  Object.fromEntries(RELATION_KINDS.map((kind) => [kind, valueOf(kind)])) as Record<RelationKind, T>;

/**
 * The word at position `query` is determined by the rest of the sentence, but not without the words at `keys`: other
 * words would then be possible. It may depend on more words than these.
 */
export interface Relation {
  /** Kind of the dependency. */
  kind: RelationKind;
  /** The position of the dependent word. */
  query: number;
  /** The positions of the words that it depends on. */
  keys: readonly number[];
}

/** A sentence as the documents tokenize theirs: lower case, split at spaces, without the period. */
export interface Sentence {
  /** Its language. */
  lang: Lang;
  /** Its words. */
  tokens: readonly string[];
  /** Dependencies between its words. */
  relations: readonly Relation[];
}
