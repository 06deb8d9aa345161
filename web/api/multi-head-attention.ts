import type {
  AttentionBinding,
  AttentionResult as ResultBlocks,
  AttentionSteps as StepBlocks,
  KVCacheHandle,
  LayerConfig,
  LayerHandle,
} from '../wasm/attention.js';
import { checkBoolean, checkFloat32, checkInteger, checkName, checkOptions, rangeError } from './errors.js';
import { HandleOwner } from './handle.js';
import { item } from './item.js';
import {
  type BooleanMask,
  type Mask,
  type TensorLike,
  toBooleanBlock,
  toFloat32Block,
  toFloat32Blocks,
  toMaskBlock,
} from './inputs.js';
import { KVCache } from './kv-cache.js';
import { type AttentionResult } from './scaled-dot-product-attention.js';
import { checkProbability, SCORE_OPTIONS, type ScoreOptions, toScoreOptions } from './score-options.js';
import { Tensor, toTensor, toTensors } from './tensor.js';

/** Rotary position embedding (Su et al. 2021): pair i at position t turns by the angle t·base^(−2i/dim). */
export interface RopeOptions {
  /** Greater than 1; 10000 by default. */
  base?: number;
  /** How many components of a head turn, the first ones: even, `headDim` by default. */
  dim?: number;
  /** `half` (the default) pairs (i, i + dim/2), as Llama does; `interleaved` pairs (2i, 2i + 1), as the paper. */
  convention?: 'half' | 'interleaved';
}

/** Sizes and options of a layer. */
export interface MultiHeadAttentionOptions {
  /** Width of the queries, and of keys and values unless `kdim`, `vdim` say otherwise. */
  embedDim: number;
  /** Heads of the queries; `embedDim` must be divisible by it unless `headDim` is given. */
  numHeads: number;
  /** Heads of keys and values, a divisor of `numHeads` (the default): fewer is GQA, 1 is MQA. */
  numKvHeads?: number;
  /** d_k, `embedDim / numHeads` by default. */
  headDim?: number;
  /** d_v, `headDim` by default. */
  valueHeadDim?: number;
  /** Width of the keys, `embedDim` by default. */
  kdim?: number;
  /** Width of the values, `embedDim` by default. */
  vdim?: number;
  /** Width of the output, `embedDim` by default. */
  outDim?: number;
  /** true by default: biases on all four projections. */
  bias?: boolean;
  /** true puts a learned key and value behind the sequence's; no mask hides them, and they have no position. */
  addBiasKv?: boolean;
  /** true puts a zero key and value last; no mask hides them, and they have no position. */
  addZeroAttn?: boolean;
  /** Probability 0 … 1 that a weight becomes 0 in a `forward` with `training`; 0 by default. */
  dropout?: number;
  /** `relu` on query, key and value after their projections and on the output; `none` by default. */
  activation?: 'none' | 'relu';
  /** Rotary position embedding of queries and keys; none by default. */
  rope?: RopeOptions | null;
  /** Of the initial weights and then of dropout, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
}

/** Options of `steps`. */
export interface StepsOptions extends Omit<ScoreOptions, 'needWeights'> {
  /**
   * Boolean (true = may attend) or added to the scaled scores: (L,S), (B,L,S), (B,H,L,S), broadcast; for unbatched
   * input (L,S) or (H,L,S).
   */
  attnMask?: Mask | null;
  /** (B,S), or (S,) for unbatched input; true = a real token. */
  keyPaddingMask?: BooleanMask | null;
  /** true: scores lose slope·|i − j|, with the published slope of each head (Press et al. 2022). */
  alibi?: boolean;
  /**
   * Of earlier keys and values, which come before those of this call: with n of them S counts them in the masks,
   * and query i stands at position n + i for `isCausal`, `window`, ALiBi and RoPE.
   */
  cache?: KVCache | null;
  /** true: with the layer's dropout, and remembered for `backward` (unless a `cache` is given). */
  training?: boolean;
}

/** Options of `forward`. */
export interface ForwardOptions extends StepsOptions, ScoreOptions {
  /** false by default: weights per head (B,H,L,S). true: their mean over the heads, (B,L,S). */
  averageWeights?: boolean;
  /** true: also the raw scores q·k, before scale, soft cap, ALiBi and masks. */
  returnScores?: boolean;
}

/** What `forward` gives; without B for unbatched input. */
export interface LayerResult extends AttentionResult {
  /** (B,H,L,S), with `returnScores`. */
  scores?: Tensor;
}

/**
 * Every intermediate of a `forward`, without B for unbatched input. S′ counts the keys of the cache, of this call
 * and the appended ones.
 */
export interface AttentionSteps {
  /** (B,H,L,d_k), after bias, activation and RoPE. */
  q: Tensor;
  /** (B,H_kv,S′,d_k) */
  k: Tensor;
  /** (B,H_kv,S′,d_v) */
  v: Tensor;
  /** (B,H,L,S′): q·kᵀ */
  scores: Tensor;
  /** (B,H,L,S′): scores·scale, then the soft cap. */
  scaled: Tensor;
  /** (B,H,L,S′): with ALiBi and masks, −Infinity where a key may not be attended to. */
  masked: Tensor;
  /** (B,H,L,S′): softmax of `masked`, after dropout. */
  weights: Tensor;
  /** (B,H,L,d_v): weights·v */
  context: Tensor;
  /** (B,L,H·d_v): the contexts of all heads side by side. */
  concat: Tensor;
  /** (B,L,outDim) */
  output: Tensor;
}

/**
 * Gradients of Σ output⊙gradOutput, each of the shape of what it belongs to. The gradient of a parameter stands under
 * its name, too: `gradients['out_proj.weight']` is `gradients.parameters['out_proj.weight']`.
 */
export interface LayerGradients {
  /** (B,L,embedDim): in self-attention one of three parts, see `backward`. */
  query: Tensor;
  /** (B,S,kdim) */
  key: Tensor;
  /** (B,S,vdim) */
  value: Tensor;
  /** The names of `stateDict()`. */
  parameters: Record<string, Tensor>;
  [parameter: `${string}_${string}`]: Tensor;
}

/** Operations of one `forward`: a multiply-add counts as one, and softmax counts its exponentials. */
export interface Flops {
  /** Of the four projections: B·L·E·H·d_k and so on. */
  projections: number;
  /** Q·Kᵀ: B·H·L·S·d_k */
  scores: number;
  /** weights·V: B·H·L·S·d_v */
  context: number;
  /** Exponentials: B·H·L·S */
  softmax: number;
  /** The sum of these four. */
  total: number;
}

const CONSTRUCTOR_OPTIONS = [
  ...['embedDim', 'numHeads', 'numKvHeads', 'headDim', 'valueHeadDim', 'kdim', 'vdim', 'outDim', 'bias'],
  ...['addBiasKv', 'addZeroAttn', 'dropout', 'activation', 'rope', 'seed'],
];
const STEPS_OPTIONS = [
  ...SCORE_OPTIONS.filter((name) => name !== 'needWeights'),
  ...['attnMask', 'keyPaddingMask', 'alibi', 'cache', 'training'],
];
const FORWARD_OPTIONS = [...STEPS_OPTIONS, 'needWeights', 'averageWeights', 'returnScores'];

/** `embedDim / numHeads`, which must come out even. */
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

function toRope(options: RopeOptions, headDim: number): LayerConfig['rope'] {
  checkOptions('rope', options, ['base', 'dim', 'convention'], 'rope');
  const { base = 10000, dim = headDim, convention = 'half' } = options;
  if (checkFloat32('rope.base', base) <= 1) {
    throw rangeError('rope.base', `be greater than 1, got ${base}`);
  }
  return {
    base,
    dim: checkInteger('rope.dim', dim),
    interleaved: checkName('rope.convention', convention, ['half', 'interleaved']) === 'interleaved',
  };
}

function toConfig(options: MultiHeadAttentionOptions): LayerConfig {
  checkOptions('MultiHeadAttention', options, CONSTRUCTOR_OPTIONS);
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
  } = options;
  const sizes = { embedDim, numHeads, numKvHeads, headDim, valueHeadDim, kdim, vdim, outDim };
  for (const [name, size] of Object.entries(sizes)) checkInteger(name, size);
  return {
    ...sizes,
    bias: checkBoolean('bias', bias),
    addBiasKv: checkBoolean('addBiasKv', addBiasKv),
    addZeroAttn: checkBoolean('addZeroAttn', addZeroAttn),
    dropout: checkProbability('dropout', dropout),
    relu: checkName('activation', activation, ['none', 'relu']) === 'relu',
    rope: rope == null ? null : toRope(rope, headDim),
    seed: checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** weights (B,H,L,S) → (B,L,S), (H,L,S) → (L,S): the mean over the heads. */
function averageHeads(weights: Tensor): Tensor {
  const [heads, queries, keys] = weights.shape.slice(-3) as [number, number, number];
  const batch = weights.shape.slice(0, -3);
  const map = queries * keys;
  const mean = new Float32Array(weights.size / heads);
  for (let i = 0; i < mean.length; ++i) {
    const first = Math.floor(i / map) * heads * map + (i % map);
    let sum = 0;
    for (let h = 0; h < heads; ++h) sum += item(weights.data, first + h * map);
    mean[i] = sum / heads;
  }
  return new Tensor(mean, [...batch, queries, keys]);
}

/**
 * Multi-head attention: Concat(head_1 … head_h)·W_O with head_i = Attention(Q·W_i^Q, K·W_i^K, V·W_i^V)
 * (Vaswani et al. 2017, section 3.2.2; PyTorch's `nn.MultiheadAttention`, batch first). Query head h uses
 * key/value head ⌊h / (numHeads / numKvHeads)⌋.
 *
 * Get the class from a loaded module: `new module.MultiHeadAttention({ embedDim: 512, numHeads: 8 })`.
 *
 * @example
 * ```js
 * import { load, Tensor } from 'multihead-attention';
 *
 * const { MultiHeadAttention } = await load();
 * const mha = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
 * const x = new Tensor(Float32Array.from({ length: 48 }, (_, i) => Math.sin(i)), [2, 3, 8]);
 * const { output, weights } = mha.forward(x);
 * console.log(output.shape); // [ 2, 3, 8 ]
 * console.log(weights.shape); // [ 2, 2, 3, 3 ]
 * ```
 */
export class MultiHeadAttention extends HandleOwner<LayerHandle> {
  /** @internal */
  constructor(binding: AttentionBinding, options: MultiHeadAttentionOptions) {
    const config = toConfig(options);
    super(binding, () => new binding.MultiHeadAttention(config));
  }

  /**
   * Inputs are batched (B,L,E) or all unbatched (L,E); results have the same batching. Results are copies.
   * A fully masked row gives zero weights, so that its output is the output bias, never NaN; masked positions
   * never leak NaN. With `addBiasKv` and `addZeroAttn` the weights have a column more each.
   *
   * @param query (B,L,embedDim)
   * @param key (B,S,kdim), `query` by default
   * @param value (B,S,vdim), `key` by default
   * @returns output (B,L,outDim) and weights (B,H,L,S)
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for shapes that do not fit the layer, the cache or each other
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const x = [
   *   [1, 0, 0, 0],
   *   [0, 1, 0, 0],
   *   [0, 0, 1, 0],
   * ];
   * const { weights } = mha.forward(x, x, x, { isCausal: true });
   * console.log(weights.at(0, 1, 0).toFixed(3), weights.at(0, 1, 1).toFixed(3)); // 0.470 0.530
   * console.log(weights.at(0, 1, 2)); // 0
   *
   * const mean = mha.forward(x, x, x, { averageWeights: true });
   * console.log(mean.weights.shape); // [ 3, 3 ]
   * ```
   */
  forward(
    query: TensorLike,
    key: TensorLike = query,
    value: TensorLike = key,
    options: ForwardOptions = {},
  ): LayerResult {
    checkOptions('forward', options, FORWARD_OPTIONS);
    const { averageWeights = false, returnScores = false } = options;
    checkBoolean('averageWeights', averageWeights);
    checkBoolean('returnScores', returnScores);
    const wanted = { returnScores, returnSteps: false };
    return this.run(query, key, value, options, wanted, ({ output, weights, scores }) => {
      const perHead = weights && toTensor(weights);
      return {
        output: toTensor(output),
        ...(perHead && { weights: averageWeights ? averageHeads(perHead) : perHead }),
        ...(scores && { scores: toTensor(scores) }),
      };
    });
  }

  /**
   * `forward` with everything in between: for views that show the steps, and for checking one's own implementation.
   * It is bit for bit what `forward` computes with its weights; with `needWeights: false` a `forward` may take another
   * order of sums, whose last digits differ. A `cache` grows as in `forward`.
   *
   * @param query (B,L,embedDim)
   * @param key (B,S,kdim), `query` by default
   * @param value (B,S,vdim), `key` by default
   * @throws as `forward`
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const x = [
   *   [1, 0, 0, 0],
   *   [0, 1, 0, 0],
   *   [0, 0, 1, 0],
   * ];
   * const { q, scores, scaled, masked, concat } = mha.steps(x, x, x, { isCausal: true });
   * console.log(q.shape, concat.shape); // [ 2, 3, 2 ] [ 3, 4 ]
   * console.log((scaled.at(0, 2, 2) / scores.at(0, 2, 2)).toFixed(3)); // 0.707
   * console.log(masked.at(0, 0, 1)); // -Infinity
   * ```
   */
  steps(
    query: TensorLike,
    key: TensorLike = query,
    value: TensorLike = key,
    options: StepsOptions = {},
  ): AttentionSteps {
    checkOptions('steps', options, STEPS_OPTIONS);
    const wanted = { returnScores: true, returnSteps: true };
    return this.run(query, key, value, options, wanted, (result) => {
      const blocks = result as StepBlocks;
      return {
        q: toTensor(blocks.q),
        k: toTensor(blocks.k),
        v: toTensor(blocks.v),
        scores: toTensor(blocks.scores),
        scaled: toTensor(blocks.scaled),
        masked: toTensor(blocks.masked),
        weights: toTensor(blocks.weights),
        context: toTensor(blocks.context),
        concat: toTensor(blocks.concat),
        output: toTensor(blocks.output),
      };
    });
  }

  /** @internal A cache keeps this call's keys only if `convert` succeeds, too. */
  private run<R>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: ForwardOptions,
    { returnScores, returnSteps }: { returnScores: boolean; returnSteps: boolean },
    convert: (result: ResultBlocks) => R,
  ): R {
    // The caller's code runs while options and inputs are read: all of it before the cache and C++ are asked anything.
    const { attnMask, keyPaddingMask, alibi = false, cache, training = false } = options;
    // The same object stays the same block, which C++ then copies once.
    const queryBlock = toFloat32Block('query', query);
    const keyBlock = key === query ? queryBlock : toFloat32Block('key', key);
    const valueBlock =
      value === key ? keyBlock : value === query ? queryBlock : toFloat32Block('value', value);
    const mask = attnMask == null ? null : toMaskBlock('attnMask', attnMask);
    const padding = keyPaddingMask == null ? null : toBooleanBlock('keyPaddingMask', keyPaddingMask);
    const { isCausal, window, softcap, scale, needWeights } = toScoreOptions(options);
    checkBoolean('alibi', alibi);
    checkBoolean('training', training);
    const run = (handle: KVCacheHandle | null) =>
      this.use((layer) =>
        convert(
          layer.forward(
            queryBlock,
            keyBlock,
            valueBlock,
            mask,
            padding,
            handle,
            isCausal,
            window,
            alibi,
            softcap,
            scale,
            needWeights,
            returnScores,
            returnSteps,
            training,
          ),
        ),
      );
    return cache == null ? run(null) : KVCache.lend(cache, this.binding, run);
  }

  /**
   * The gradients of Σ output⊙gradOutput with respect to inputs and parameters, where `output` is that of the last
   * `forward` with `training: true` (PyTorch's `output.backward(gradOutput)`). They are new tensors each time: nothing
   * is accumulated. With `dropout` they are those of the weights that this `forward` has dropped.
   *
   * `query`, `key` and `value` are one part each, whatever was handed in. Where one tensor was all three, as in
   * self-attention, its gradient (PyTorch's `x.grad`) is the sum of the three parts; where key and value were one, that
   * of `key` and `value`.
   *
   * @param gradOutput ∂loss/∂output, of the shape of the output
   * @throws TypeError when `gradOutput` is not a tensor of numbers
   * @throws RangeError for another shape, or when no such `forward` came since the parameters were set
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const x = [
   *   [1, 0, 0, 0],
   *   [0, 1, 0, 0],
   * ];
   * const target = [0.5, -0.5, 0, 1];
   * // One step of gradient descent on the squared error, with a rate of 0.1.
   * const loss = (y) => y.data.reduce((sum, value, i) => sum + (value - target[i % 4]) ** 2, 0);
   * const { output } = mha.forward(x, x, x, { training: true });
   * const gradOutput = { data: output.data.map((y, i) => 2 * (y - target[i % 4])), shape: output.shape };
   * const { parameters } = mha.backward(gradOutput);
   * const dict = mha.stateDict();
   * for (const name of Object.keys(dict)) dict[name].data.forEach((w, i, all) => (all[i] = w - 0.1 * parameters[name].data[i]));
   * mha.loadStateDict(dict);
   * console.log(loss(mha.forward(x).output) < loss(output)); // true
   * ```
   * @example In self-attention the input's gradient is the sum of the three
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const x = { data: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0), shape: [2, 4] };
   * const ones = { data: new Float32Array(8).fill(1), shape: [2, 4] };
   * mha.forward(x, x, x, { training: true });
   * const { query, key, value } = mha.backward(ones);
   * const grad = query.data.map((part, i) => part + key.data[i] + value.data[i]); // x.grad of PyTorch
   *
   * // What Σ output really changes by, where one number of x does.
   * const sum = (input) => mha.forward(input).output.data.reduce((total, y) => total + y, 0);
   * const moved = (step) => ({ data: x.data.map((number, i) => (i === 0 ? number + step : number)), shape: x.shape });
   * console.log(Math.abs((sum(moved(0.01)) - sum(moved(-0.01))) / 0.02 - grad[0]) < 1e-3); // true
   * ```
   */
  backward(gradOutput: TensorLike): LayerGradients {
    const block = toFloat32Block('gradOutput', gradOutput);
    const gradients = this.use((layer) => layer.backward(block));
    const parameters = toTensors(gradients.parameters);
    return {
      ...parameters,
      query: toTensor(gradients.query),
      key: toTensor(gradients.key),
      value: toTensor(gradients.value),
      parameters,
    };
  }

  /**
   * Copies of the parameters under PyTorch's names, (out,in) layout: `in_proj_weight` (or `q_proj_weight`,
   * `k_proj_weight`, `v_proj_weight` where PyTorch keeps them apart), `in_proj_bias`, `bias_k`, `bias_v`,
   * `out_proj.weight`, `out_proj.bias`.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const dict = mha.stateDict();
   * console.log(Object.keys(dict).join(', ')); // in_proj_bias, in_proj_weight, out_proj.bias, out_proj.weight
   * console.log(dict.in_proj_weight.shape); // [ 12, 4 ]
   * ```
   */
  stateDict(): Record<string, Tensor> {
    return toTensors(this.use((layer) => layer.stateDict()));
  }

  /**
   * Replaces all parameters, or none when anything is wrong. Takes what `stateDict()` gives; the three
   * separate projection weights are accepted in every configuration.
   *
   * @throws TypeError when a value is not a tensor of numbers
   * @throws RangeError when a parameter is missing, unknown or of the wrong shape
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1, bias: false });
   * const identity = [
   *   [1, 0],
   *   [0, 1],
   * ];
   * const names = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj.weight'];
   * mha.loadStateDict(Object.fromEntries(names.map((name) => [name, identity])));
   * const { weights } = mha.forward(identity); // softmax of [1/√2, 0]
   * console.log(weights.at(0, 0, 0).toFixed(3), weights.at(0, 0, 1).toFixed(3)); // 0.670 0.330
   * ```
   */
  loadStateDict(dict: Readonly<Record<string, TensorLike>>): void {
    const blocks = toFloat32Blocks('dict', dict);
    this.use((layer) => {
      layer.loadStateDict(blocks);
    });
  }

  /**
   * The number of trainable parameters.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * console.log(new MultiHeadAttention({ embedDim: 512, numHeads: 8 }).parameterCount); // 1050624
   * console.log(new MultiHeadAttention({ embedDim: 512, numHeads: 8, numKvHeads: 2 }).parameterCount); // 656640
   * ```
   */
  get parameterCount(): number {
    return this.use((layer) => layer.parameterCount());
  }

  /**
   * Counts what one `forward` computes.
   *
   * @param L queries
   * @param S keys, L by default; appended keys are counted in. All are taken as projected in this call, none as
   *   cached.
   * @param B batch items, 1 by default
   * @throws TypeError or RangeError when a size is not a positive integer
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 512, numHeads: 8 });
   * const { projections, scores, total } = mha.flops(128);
   * console.log(projections, scores, total); // 134217728 8388608 151126016
   * ```
   */
  flops(L: number, S = L, B = 1): Flops {
    for (const [name, size] of Object.entries({ L, S, B })) checkInteger(name, size);
    const { projections, scores, context, softmax } = this.use((layer) => layer.flops(L, S, B));
    return { projections, scores, context, softmax, total: projections + scores + context + softmax };
  }
}

/** {@link MultiHeadAttention} as a loaded module has it. */
export type MultiHeadAttentionClass = new (options: MultiHeadAttentionOptions) => MultiHeadAttention;

/** The class of one loaded module. */
export function bindMultiHeadAttention(binding: AttentionBinding): MultiHeadAttentionClass {
  const Base = MultiHeadAttention;
  return class MultiHeadAttention extends Base {
    constructor(options: MultiHeadAttentionOptions) {
      super(binding, options);
    }
  };
}
