/** Attention patterns of heads and their similarity, in numbers from 0 to 1. */
import type { AttentionBinding, ByteBlock, Float32Block } from '../wasm/attention.js';
import { enter } from './handle.js';
import { checkFinite, formatShape, rangeError, tagOf, wrongKind } from './errors.js';
import { type TensorLike, toFloat32Block } from './inputs.js';
import { type OrNull, readOptions } from './options.js';
import { relationsOf } from './relations.js';
import { rollout } from './rollout.js';
import { item } from './shape.js';
import { type Tensor, toTensor } from './tensor.js';

/**
 * How much of a head's attention goes where, 0 … 1. With w[i,j] the share of query i's weight that is on key j,
 * each score is the mean of Σ w[i,j] over the keys j named here, over the queries i that have such a key and are
 * not fully masked; 0 when there is no such query.
 *
 * Compare a score with its chance level, that of a head with uniform weights over all L tokens, given with each role.
 * Under a mask chance is different: compute it as `headRoles` of weights that are uniform over the allowed keys.
 *
 * A word is a token that is not made of punctuation and symbols (Unicode P and S) alone. Words are the same when
 * they are equal in NFC and lower case.
 */
export interface HeadRoles {
  /** Attention to key j = i − 1. Chance: 1/L. */
  previousToken: number;
  /** Attention to key j = i + 1. Chance: 1/L. */
  nextToken: number;
  /** Attention to key j = i. Chance: 1/L. */
  self: number;
  /** Attention to key j = 0, for i > 0. Chance: 1/L. */
  firstToken: number;
  /** Attention to the other positions of query i's word. Chance, if each repeated word occurs twice: 1/L. */
  sameWord: number;
  /** Attention to all tokens that are not words. Chance: their number / L. */
  punctuation: number;
  /**
   * All positions of the least frequent words, by `frequencies` if given and else by `tokens` themselves; none when all
   * words are equally frequent. (Voita et al. 2019 find heads that attend to the least frequent tokens of a sentence.)
   * Chance: the number of these positions / L, which is high without `frequencies`, as most words of a sentence occur
   * once.
   */
  rareWord: number;
  /** |i − j| ≤ 2, i itself included. Chance: (5L − 6)/L² from L = 2 on. */
  neighbourhood: number;
  /** See {@link Metrics.entropy}. Chance: 1. */
  entropy: number;
}

/** Options of {@link Metrics.headRoles}. */
export interface HeadRolesOptions {
  /** How often words occur in a corpus, for `rareWord`. A word that is missing occurs 0 times. */
  frequencies?: Readonly<Record<string, number>>;
}

/**
 * `weights` are those that attention returns, not averaged over heads. Every row, the weights of one query, is divided by
 * its sum (which is not 1 after dropout); rows of zeros, whose query may attend to nothing, are ignored.
 */
export interface Metrics {
  /**
   * Scores of what each head attends to. They do not show what it has learned.
   *
   * @param weights (H,L,L) or (1,H,L,L): the self-attention of one sentence
   * @param tokens the L tokens
   * @returns one object per head
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for another shape, another number of tokens, or a weight or frequency that is negative or
   *   not finite
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { metrics } = await load();
   * const tokens = ['The', 'cat', 'saw', 'the', 'dog', '.'];
   * const backwards = tokens.map((_, i) => tokens.map((_, j) => (j === Math.max(i - 1, 0) ? 1 : 0)));
   * const uniform = tokens.map(() => tokens.map(() => 1 / tokens.length));
   * const [first, second] = metrics.headRoles([backwards, uniform], tokens);
   * console.log(first.previousToken, first.entropy); // 1 0
   * console.log(second.previousToken.toFixed(3), second.entropy); // 0.167 1
   * console.log(first.sameWord, second.sameWord.toFixed(3)); // 0 0.167
   * ```
   */
  headRoles(
    weights: TensorLike,
    tokens: readonly string[],
    options?: OrNull<HeadRolesOptions> | null,
  ): HeadRoles[];

  /**
   * Normalised entropy of each head: the mean over its queries of −Σ w·ln w / ln S. 0 = every query attends to one key
   * (also where S = 1), 1 = uniform weights.
   *
   * @param weights (H,L,S) or (B,H,L,S)
   * @returns (H,) or (B,H)
   * @throws TypeError for the wrong kind of argument
   * @throws RangeError for another shape, or a weight that is negative or not finite
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { metrics } = await load();
   * const toItself = [[1, 0], [0, 1]];
   * const toAll = [[0.5, 0.5], [0.5, 0.5]];
   * console.log(metrics.entropy([toItself, toAll]).toNested()); // [ 0, 1 ]
   * ```
   */
  entropy(weights: TensorLike): Tensor;

  /**
   * Pairwise similarity of the heads of a layer: 1 − the Jensen–Shannon divergence (base 2) of their rows, the mean over
   * the queries for which both have weights; 0 where there is none. 1 = the same pattern, 0 = no key in common.
   * Symmetric, 1 on the diagonal. (Clark et al. 2019, section 6, cluster heads by this divergence.)
   *
   * @param weights (H,L,S) or (B,H,L,S)
   * @returns (H,H) or (B,H,H)
   * @throws TypeError for the wrong kind of argument
   * @throws RangeError for another shape, or a weight that is negative or not finite
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { metrics } = await load();
   * const toItself = [[1, 0], [0, 1]];
   * const toTheOther = [[0, 1], [1, 0]];
   * const toAll = [[0.5, 0.5], [0.5, 0.5]];
   * const alike = metrics.similarity([toItself, toTheOther, toAll]);
   * console.log(alike.at(0, 0), alike.at(0, 1), alike.at(0, 2).toFixed(3)); // 1 0 0.689
   * ```
   */
  similarity(weights: TensorLike): Tensor;

  /**
   * Attention rollout: how much of each token is in what leaves each layer, if weights alone mixed them. In each layer half of a
   * token stays, and half is the mean over the heads; rows are divided by their sums, and the layers multiplied
   * (Abnar & Zuidema 2020).
   *
   * @param attentions a layer each, (H,L,L) or (B,H,L,L), as `forward` of a model gives them
   * @returns behind each layer (L,L) or (B,L,L): row i says what token i is made of
   * @throws TypeError for the wrong kind of argument
   * @throws RangeError for another shape, or a weight that is negative or not finite
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { metrics } = await load();
   * const toTheOther = [[[0, 1], [1, 0]]];
   * const toItself = [[[1, 0], [0, 1]]];
   * const [first, second] = metrics.rollout([toTheOther, toItself]);
   * console.log(first.toNested()); // [ [ 0.5, 0.5 ], [ 0.5, 0.5 ] ]
   * console.log(second.toNested()); // [ [ 0.5, 0.5 ], [ 0.5, 0.5 ] ]
   * ```
   */
  rollout(attentions: readonly TensorLike[]): Tensor[];
}

/** Formats an element's index for messages: `[0][2][1]`. */
function place(index: number, shape: readonly number[]): string {
  return shape.reduceRight(
    ({ rest, text }, size) => ({ rest: Math.floor(rest / size), text: `[${rest % size}]${text}` }),
    { rest: index, text: '' },
  ).text;
}

function toWeights(input: unknown, name = 'weights'): Float32Block {
  const block = toFloat32Block(name, input);
  const wrong = block.data.findIndex((weight) => !(weight >= 0 && weight < Infinity));
  if (wrong !== -1) {
    const [where, came] = [place(wrong, block.shape), item(block.data, wrong)];
    throw rangeError(`${name}${where}`, `be a finite number of at least 0, got ${came}`);
  }
  return block;
}

/** Returns L for the shape (H,L,L) or (1,H,L,L). */
function lengthOf(shape: readonly number[]): number {
  const [batch, ...rest] = shape.length === 4 ? shape : [1, ...shape];
  const [, queries, keys] = rest;
  if (batch !== 1 || rest.length !== 3 || keys === undefined || queries !== keys) {
    throw rangeError(
      'weights',
      `be (H, L, L) or (1, H, L, L), the self-attention of one sentence, got shape ${formatShape(shape)}`,
    );
  }
  return keys;
}

function checkTokens(input: unknown): string[] {
  if (!Array.isArray(input)) throw wrongKind('tokens', 'an array of strings', input);
  // Unlike `map`, `Array.from` visits the holes of a sparse array.
  return Array.from(input, (token: unknown, i) => {
    if (typeof token !== 'string') throw wrongKind(`tokens[${i}]`, 'a string', token);
    return token;
  });
}

function checkFrequencies(input: unknown): Record<string, number> {
  if (tagOf(input) !== 'Object') throw wrongKind('frequencies', 'an object of counts', input);
  const frequencies = { ...(input as Record<string, number>) };
  for (const [word, count] of Object.entries(frequencies)) {
    const argument = `frequencies[${JSON.stringify(word)}]`;
    if (checkFinite(argument, count) < 0) {
      throw rangeError(argument, `be at least 0, got ${String(count)}`);
    }
  }
  return frequencies;
}

/** Builds the relations for C++: (R,L,L) with 1 where they hold. */
function toTargets(
  relations: readonly ((query: number, key: number) => boolean)[],
  length: number,
): ByteBlock {
  const data = new Uint8Array(relations.length * length * length);
  let index = 0;
  for (const holds of relations) {
    for (let i = 0; i < length; ++i) {
      for (let j = 0; j < length; ++j) data[index++] = Number(holds(i, j));
    }
  }
  return { data, shape: [relations.length, length, length] };
}

function headRoles(
  binding: AttentionBinding,
  weights: TensorLike,
  tokens: readonly string[],
  options?: OrNull<HeadRolesOptions> | null,
): HeadRoles[] {
  const { frequencies } = readOptions('headRoles', options ?? {}, ['frequencies']);
  const words = checkTokens(tokens);
  const counts = frequencies === undefined ? undefined : checkFrequencies(frequencies);
  const block = toWeights(weights);
  const length = lengthOf(block.shape);
  if (words.length !== length) {
    throw rangeError(
      'tokens',
      `have length ${length}, as \`weights\` has that many keys, got length ${words.length}`,
    );
  }
  const relations = relationsOf(words, counts);
  const names = Object.keys(relations) as (keyof typeof relations)[];
  const targets = toTargets(Object.values(relations), length);
  const [scores, entropies] = enter(binding, () => [
    binding.roleScores(block, targets).data,
    binding.entropy(block).data,
  ]);
  return Array.from(entropies, (entropy, head) => {
    const roles = names.map((name, role) => [name, item(scores, head * names.length + role)]);
    return { ...Object.fromEntries(roles), entropy } as HeadRoles;
  });
}

function checkedRollout(attentions: readonly TensorLike[]): Tensor[] {
  if (!Array.isArray(attentions)) throw wrongKind('attentions', 'an array, a layer each', attentions);
  const blocks = attentions.map((layer: unknown, index) => {
    const name = `attentions[${index}]`;
    const block = toWeights(layer, name);
    const { shape } = block;
    const [heads = 0, queries, keys] = shape.slice(-3);
    if (![3, 4].includes(shape.length) || queries !== keys || heads === 0) {
      throw rangeError(name, `be (H, L, L) or (B, H, L, L), got shape ${formatShape(shape)}`);
    }
    return block;
  });
  const sizesOf = ({ shape }: Float32Block) => [...shape.slice(0, -3), ...shape.slice(-2)];
  const [first] = blocks.map(sizesOf);
  for (const [index, block] of blocks.entries()) {
    if (sizesOf(block).join() === first?.join()) continue;
    throw rangeError(
      `attentions[${index}]`,
      `have B and L of \`attentions[0]\`, got shape ${formatShape(block.shape)}`,
    );
  }
  return rollout(blocks);
}

export function bindMetrics(binding: AttentionBinding): Metrics {
  const measure = (name: 'entropy' | 'similarity') => (weights: TensorLike) => {
    const block = toWeights(weights);
    return toTensor(enter(binding, () => binding[name](block)));
  };
  return {
    headRoles: headRoles.bind(null, binding),
    entropy: measure('entropy'),
    similarity: measure('similarity'),
    rollout: checkedRollout,
  };
}
