import type { AttentionBinding, Float32Block } from '../wasm/attention.js';
import { enter } from './handle.js';
import { checkBoolean, checkInteger, rangeError } from './errors.js';
import { appendRows, checkHeads, joinHeads, splitHeads } from './heads.js';
import { type Mask, type TensorLike, toFloat32Block, toMaskBlock } from './inputs.js';
import { type Given, type OrNull, readOptions } from './options.js';
import {
  checkProbability,
  SCORE_OPTIONS,
  type ScoreOptions,
  toPlacements,
  toScoreOptions,
} from './score-options.js';
import { Tensor, toTensor } from './tensor.js';

/** Results of attention. */
export interface AttentionResult {
  /** (B,L,outDim) from the layer, (…,H,L,d_v) from the function. */
  output: Tensor;
  /** (B,H,L,S) or (…,H,L,S), after dropout; missing with `needWeights: false`. */
  weights?: Tensor;
  /** The scores (B,H,L,S) or (…,H,L,S) that `returnScores` names. */
  scores?: Tensor;
}

/** Results of `scaledDotProductAttention`. */
export interface ScaledDotProductAttentionResult extends AttentionResult {
  /** (…,H,P+S,d_k): `pastKey` and `key`. */
  presentKey?: Tensor;
  /** (…,H,P+S,d_v): `pastValue` and `value`. */
  presentValue?: Tensor;
}

/** Options of a call whose result is known to have weights. */
export type WithWeights<Options> = OrNull<Options> & {
  /** The weights are given if it is omitted. */
  needWeights?: true | null;
};

export interface ScaledDotProductAttentionOptions extends ScoreOptions {
  /**
   * Boolean (true = may attend) or added to the scaled scores; broadcast to (…,H,L,S). Its S may leave out keys that are not
   * real in any batch item, by `keyLengths`.
   */
  mask?: Mask | null;
  /** Earlier keys, (…,H,P,d_k), before `key`: S then counts both, and query i has position P + i. The result has `presentKey`. */
  pastKey?: TensorLike | null;
  /** Earlier values, (…,H,P,d_v), given with `pastKey`. The result has `presentValue`. */
  pastValue?: TensorLike | null;
  /** Heads lie side by side: query is (…,L,H·d_k), key (…,S,H·d_k), value (…,S,H·d_v), and the output (…,L,H·d_v). */
  numHeads?: number | null;
  /** Heads of key and value with `numHeads`, a divisor of it; the same number by default. */
  numKvHeads?: number | null;
  /** (H,): the scores of head h lose slope·|i − j|. */
  alibiSlopes?: TensorLike | null;
  /**
   * Probability 0 … 1 that a weight becomes 0; the others are divided by 1 − dropout. 0 by default. It always
   * applies, as PyTorch's `dropout_p` does.
   */
  dropout?: number;
  /** Seed of dropout, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
  /** true: key and value may have fewer heads, a divisor of those of query. */
  enableGqa?: boolean;
}

const OPTIONS = [
  ...SCORE_OPTIONS,
  ...['mask', 'alibiSlopes', 'dropout', 'seed', 'enableGqa'],
  ...['pastKey', 'pastValue', 'numHeads', 'numKvHeads'],
];

/** Query, key and value with their heads in a dimension of their own, and how many keys came before. */
function readInputs(
  inputs: readonly [TensorLike, TensorLike, TensorLike],
  options: Given<OrNull<ScaledDotProductAttentionOptions>>,
) {
  const numHeads = checkHeads('numHeads', options.numHeads);
  const numKvHeads = checkHeads('numKvHeads', options.numKvHeads) ?? numHeads;
  if (numHeads === undefined && numKvHeads !== undefined) {
    throw rangeError('numHeads', 'be given with `numKvHeads`, got none');
  }
  const { pastKey, pastValue } = options;
  if ((pastKey === undefined) !== (pastValue === undefined)) {
    throw rangeError(
      pastKey === undefined ? 'pastKey' : 'pastValue',
      'be given with the other of both, got none',
    );
  }
  const [query, key, value] = (['query', 'key', 'value'] as const).map((name, i) => {
    const block = toFloat32Block(name, inputs[i], true);
    const heads = i === 0 ? numHeads : numKvHeads;
    return heads === undefined ? block : splitHeads(name, block, heads);
  }) as [Float32Block, Float32Block, Float32Block];
  if (pastKey === undefined) return { query, key, value, past: undefined, numHeads };
  const [past, values] = [
    toFloat32Block('pastKey', pastKey, true),
    toFloat32Block('pastValue', pastValue, true),
  ];
  return {
    query,
    key: appendRows('pastKey', past, key),
    value: appendRows('pastValue', values, value),
    past: past.shape.at(-2) ?? 0,
    numHeads,
  };
}

/** The function is documented in `load.ts`. */
export function scaledDotProductAttention(
  binding: AttentionBinding,
  first: TensorLike,
  second: TensorLike,
  third: TensorLike,
  options?: OrNull<ScaledDotProductAttentionOptions> | null,
): ScaledDotProductAttentionResult {
  const given = readOptions('scaledDotProductAttention', options ?? {}, OPTIONS);
  const { mask, alibiSlopes, dropout = 0, seed = 0, enableGqa = false } = given;
  const { query, key, value, past, numHeads } = readInputs([first, second, third], given);
  const batch = query.shape.slice(0, -3).reduce((all, size) => all * size, 1);
  const checked = {
    ...toScoreOptions(given),
    placements: toPlacements(given, past !== undefined)(batch, key.shape.at(-2) ?? 0, past ?? 0),
    mask: mask === undefined ? null : toMaskBlock('mask', mask),
    alibiSlopes: alibiSlopes === undefined ? null : toFloat32Block('alibiSlopes', alibiSlopes),
    dropout: checkProbability('dropout', dropout),
    seed: checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER),
    enableGqa: checkBoolean('enableGqa', enableGqa) || numHeads !== undefined,
  };
  const { output, weights, scores } = enter(binding, () =>
    binding.scaledDotProductAttention(query, key, value, checked),
  );
  const present = ({ data, shape }: Float32Block) => new Tensor(data, shape);
  return {
    output:
      numHeads === undefined ? toTensor(output) : present(joinHeads(output.data, Array.from(output.shape))),
    ...(weights && { weights: toTensor(weights) }),
    ...(scores && { scores: toTensor(scores) }),
    ...(past !== undefined && { presentKey: present(key), presentValue: present(value) }),
  };
}
