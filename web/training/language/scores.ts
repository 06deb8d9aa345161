/** Attention from words onto the words that they depend on, and chance levels. */
import { rangeError } from '../../api/errors.js';
import { bestGuess } from './grammar.js';
import type { Relation, RelationKind, Sentence } from './sentence.js';

/** A number per kind; a kind without relations is missing. */
export type ByKind = Partial<Record<RelationKind, number>>;

/** The weights of one layer for one sentence, (H,L,L): a `Tensor` is one. */
export interface HeadWeights {
  /** The weights, last dimension fastest. */
  data: ArrayLike<number>;
  /** The sizes [H, L, L] or [1, H, L, L]. */
  shape: readonly number[];
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/**
 * Returns the mean of `measure` over the relations of each kind; a kind without relations is left out.
 *
 * @example
 * ```js
 * import { meanByKind } from 'multihead-attention/training';
 *
 * const relations = [
 *   { kind: 'neighbour', query: 1, keys: [0] },
 *   { kind: 'neighbour', query: 5, keys: [2] },
 * ];
 * console.log(meanByKind(relations, ({ query, keys }) => query - keys[0])); // { neighbour: 2 }
 * ```
 */
export function meanByKind(relations: readonly Relation[], measure: (relation: Relation) => number): ByKind {
  const values = new Map<RelationKind, number[]>();
  for (const relation of relations) {
    values.set(relation.kind, [...(values.get(relation.kind) ?? []), measure(relation)]);
  }
  return Object.fromEntries([...values].map(([kind, list]) => [kind, mean(list)]));
}

/**
 * Returns, per head and kind, the mean weight from a relation's query onto its keys. Chance, for a head with uniform
 * weights, is 1/L for a relation with one key.
 *
 * @param weights (H,L,L) or (1,H,L,L), the self-attention of this sentence
 * @throws RangeError for another shape
 * @example
 * ```js
 * import { relationScores } from 'multihead-attention/training';
 *
 * const weights = { data: [0.5, 0.5, 0.9, 0.1], shape: [1, 2, 2] };
 * const sentence = {
 *   lang: 'en',
 *   tokens: ['an', 'apple'],
 *   relations: [{ kind: 'neighbour', query: 1, keys: [0] }],
 * };
 * console.log(relationScores(weights, sentence)); // [ { neighbour: 0.9 } ]
 * ```
 */
export function relationScores(weights: HeadWeights, { tokens, relations }: Sentence): ByKind[] {
  const { data, shape } = weights;
  const length = tokens.length;
  const [numHeads, queries, keys] = shape.length === 4 && shape[0] === 1 ? shape.slice(1) : shape;
  if (
    numHeads === undefined ||
    queries !== length ||
    keys !== length ||
    data.length !== numHeads * length * length
  ) {
    throw rangeError(
      'weights',
      `be (H, ${length}, ${length}) for a sentence of ${length} words, got shape (${shape.join(', ')})`,
    );
  }
  return Array.from({ length: numHeads }, (_, head) =>
    meanByKind(relations, ({ query, keys: onto }) =>
      onto.reduce((sum, key) => sum + (data[(head * length + query) * length + key] ?? 0), 0),
    ),
  );
}

/**
 * Returns, per kind, the accuracy of the best guess without the keys: a model that ignores them can reach it.
 *
 * @example
 * ```js
 * import { chanceLevels, heldOut } from 'multihead-attention/training';
 *
 * const { neighbour } = chanceLevels(heldOut().slice(0, 3));
 * console.log(neighbour > 0 && neighbour < 1); // true
 * ```
 */
export function chanceLevels(sentences: readonly Sentence[]): ByKind {
  const chances = sentences.flatMap((sentence) =>
    sentence.relations.map((relation) => ({
      ...relation,
      chance: bestGuess(sentence, relation.query, relation.keys).probability,
    })),
  );
  return meanByKind(chances, (relation) => (relation as (typeof chances)[number]).chance);
}
