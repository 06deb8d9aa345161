/** Options of the layer and its calls: types, defaults and checks. */
import type { LayerConfig } from '../wasm/attention.js';
import { checkBoolean, checkFloat32, checkInteger, checkName, rangeError, tagOf } from './errors.js';
import type { Integers, Mask, PaddingMask, TensorLike } from './inputs.js';
import type { KVCache } from './kv-cache.js';
import { type Given, type OrNull, readOptions } from './options.js';
import type { Out } from './out.js';
import { checkConvention, type RopeTable, toTable } from './rope.js';
import { checkProbability, type ScoreOptions, STEPS_SCORE_OPTIONS } from './score-options.js';

/** Rotary position embedding (Su et al. 2021): pair i at position t is rotated by the angle t·base^(−2i/dim). */
export interface RopeOptions {
  /** Base of the rotation's frequencies: greater than 1; 10000 by default. */
  base?: number;
  /** The first `dim` components of a head are rotated: even, `headDim` by default. */
  dim?: number;
  /** `half` (the default) pairs components (i, i + dim/2), as Llama does; `interleaved` (2i, 2i + 1), as the paper. */
  convention?: 'half' | 'interleaved';
  /** Cosines (positions,dim/2) in place of those of `base`, given with `sin`: row t rotates position t. */
  cos?: TensorLike | null;
  /** Sines, of the shape of `cos`. */
  sin?: TensorLike | null;
}

/** Sizes and options of a layer. */
export interface MultiHeadAttentionOptions {
  /** Width of the queries, and of keys and values unless `kdim`, `vdim` say otherwise. */
  embedDim: number;
  /** Heads of the queries; `embedDim` must be divisible by it unless `headDim` is given. */
  numHeads: number;
  /** Heads of keys and values, a divisor of `numHeads` (the default): fewer is GQA, 1 is MQA. */
  numKvHeads?: number;
  /** Width of a head's queries and keys, d_k; `embedDim / numHeads` by default. */
  headDim?: number;
  /** Width of a head's values, d_v; `headDim` by default. */
  valueHeadDim?: number;
  /** Width of the keys, `embedDim` by default. */
  kdim?: number;
  /** Width of the values, `embedDim` by default. */
  vdim?: number;
  /** Width of the output, `embedDim` by default. */
  outDim?: number;
  /** true by default: all four projections have biases. */
  bias?: boolean;
  /** true appends a learned key and value; no mask applies to them, and they have no position. */
  addBiasKv?: boolean;
  /** true appends a zero key and value last; no mask applies to them, and they have no position. */
  addZeroAttn?: boolean;
  /** Probability 0 … 1 that a weight becomes 0 in a `forward` with `training`; 0 by default. */
  dropout?: number;
  /** `relu` on query, key and value after their projections and on the output; `none` by default. */
  activation?: 'none' | 'relu';
  /** Rotary position embedding of queries and keys; none by default. */
  rope?: OrNull<RopeOptions> | null;
  /** Seed of the initial weights and of dropout, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
}

/** Options of `steps`. */
export interface StepsOptions extends Omit<ScoreOptions, 'needWeights' | 'returnScores'> {
  /**
   * Mask: boolean (true = may attend) or added to the scaled scores; (L,S), (B,L,S), (B,H,L,S), broadcast; for
   * unbatched input (L,S) or (H,L,S).
   */
  attnMask?: Mask | null;
  /** Mask of the keys: (B,S), or (S,) for unbatched input; true or 1 = a real token. */
  keyPaddingMask?: PaddingMask | null;
  /** true: scores lose slope·|i − j|, with the published slope of each head (Press et al. 2022). */
  alibi?: boolean;
  /**
   * Earlier keys and values, which come before those of this call. With n of them, S of the masks includes them, and
   * query i has position n + i for `isCausal`, `window`, ALiBi and RoPE.
   */
  cache?: KVCache | null;
  /**
   * The positions of the tokens of this call for `rope`, (L,) or (B,L), as ONNX's `position_ids`; by default 0, 1, … after those
   * of the cache. Masks, windows and ALiBi go by `queryOffset`.
   */
  positions?: Integers | null;
  /** true: applies the layer's dropout, and keeps the activations for `backward` (unless a `cache` is given). */
  training?: boolean;
}

/** Options of `forward`. */
export interface ForwardOptions extends StepsOptions, ScoreOptions {
  /** false by default: weights per head (B,H,L,S). true: their mean over the heads, (B,L,S). */
  averageWeights?: boolean;
  /** true: `valueWeighted` is given, too; not with `needWeights: false`. */
  valueWeighted?: boolean;
  /**
   * The caller's tensors to write results to, of exactly the shape of the result: repeated calls then allocate none. They
   * may share memory with the inputs, but not with each other. Their content is undefined when the call throws.
   */
  out?: OrNull<Out> | null;
}

const CONSTRUCTOR_OPTIONS = [
  ...['embedDim', 'numHeads', 'numKvHeads', 'headDim', 'valueHeadDim', 'kdim', 'vdim', 'outDim', 'bias'],
  ...['addBiasKv', 'addZeroAttn', 'dropout', 'activation', 'rope', 'seed'],
];
export const STEPS_OPTIONS = [
  ...STEPS_SCORE_OPTIONS,
  ...['attnMask', 'keyPaddingMask', 'alibi', 'cache', 'positions', 'training'],
];
export const FORWARD_OPTIONS = [
  ...STEPS_OPTIONS,
  ...['needWeights', 'averageWeights', 'valueWeighted', 'returnScores', 'out'],
];

/** RoPE with its defaults; `table` is the caller's. */
export interface Rope {
  readonly base: number;
  readonly dim: number;
  readonly convention: 'half' | 'interleaved';
  readonly table: RopeTable | null;
}

/** A layer's options with their defaults. */
export type Config = Omit<LayerConfig, 'rope'> & { readonly rope: Rope | null };

/** Returns `embedDim / numHeads`, which must be whole. */
function evenHeadDim(embedDim: number, numHeads: number): number {
  const headDim = checkInteger('embedDim', embedDim) / checkInteger('numHeads', numHeads);
  if (!Number.isInteger(headDim)) {
    throw rangeError(
      'embedDim',
      `be divisible by \`numHeads\`, got embedDim ${embedDim} and numHeads ${numHeads}`,
    );
  }
  return headDim;
}

function toRope(options: OrNull<RopeOptions>, headDim: number): Rope {
  const names = ['base', 'dim', 'convention', 'cos', 'sin'];
  const given = readOptions('rope', options, names, 'rope');
  const { cos, sin } = given;
  const convention = checkConvention('rope.convention', given.convention);
  if (cos !== undefined || sin !== undefined) {
    const table = toTable(cos, sin, 'rope.');
    for (const name of ['base', 'dim'] as const) {
      if (given[name] !== undefined)
        throw rangeError(`rope.${name}`, 'be left out with `rope.cos` and `rope.sin`');
    }
    return { base: 2, dim: 2 * table.pairs, convention, table };
  }
  const { base = 10000, dim = headDim } = given;
  if (checkFloat32('rope.base', base) <= 1) {
    throw rangeError('rope.base', `be greater than 1, got ${base}`);
  }
  return {
    base,
    dim: checkInteger('rope.dim', dim),
    convention,
    table: null,
  };
}

export function toConfig(options: OrNull<MultiHeadAttentionOptions>): Config {
  const {
    embedDim,
    numHeads,
    numKvHeads = numHeads,
    headDim = evenHeadDim(embedDim, numHeads),
    valueHeadDim = headDim,
    kdim = embedDim,
    vdim = embedDim,
    outDim = embedDim,
    bias = true,
    addBiasKv = false,
    addZeroAttn = false,
    dropout = 0,
    activation = 'none',
    rope,
    seed = 0,
  } = readOptions('MultiHeadAttention', options, CONSTRUCTOR_OPTIONS);
  const sizes = { embedDim, numHeads, numKvHeads, headDim, valueHeadDim, kdim, vdim, outDim };
  for (const [name, size] of Object.entries(sizes)) checkInteger(name, size);
  return {
    ...sizes,
    bias: checkBoolean('bias', bias),
    addBiasKv: checkBoolean('addBiasKv', addBiasKv),
    addZeroAttn: checkBoolean('addZeroAttn', addZeroAttn),
    dropout: checkProbability('dropout', dropout),
    activation: checkName('activation', activation, ['none', 'relu']),
    rope: rope === undefined ? null : toRope(rope, headDim),
    seed: checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER),
  };
}

export type Inputs = readonly [query: TensorLike, key: TensorLike, value: TensorLike];

/** Arguments of `forward` and `steps`; options in place of the key mean self-attention. */
export type CallArguments<O> = [
  query: TensorLike,
  key?: TensorLike | OrNull<O> | null,
  value?: TensorLike | null,
  options?: OrNull<O> | null,
];

/** The inputs of a call (a missing one equals the one before) and its options. */
export function readArguments<O extends object>(
  owner: string,
  [query, key, value, options]: CallArguments<O>,
  known: readonly string[],
): [Inputs, Given<OrNull<O>>] {
  const isKey = tagOf(key) !== 'Object' || 'data' in (key as object) || value != null || options != null;
  const keyOrQuery = isKey ? ((key ?? query) as TensorLike) : query;
  const asked = (isKey ? (options ?? {}) : key) as OrNull<O>;
  return [[query, keyOrQuery, value ?? keyOrQuery], readOptions(owner, asked, known)];
}
