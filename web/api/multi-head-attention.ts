import type {
  AttentionBinding,
  AttentionResult as ResultBlocks,
  AttentionSteps as StepBlocks,
  Float32Block,
  KVCacheHandle,
  LayerHandle,
} from '../wasm/attention.js';
import { checkBoolean, checkInteger, formatShape, rangeError } from './errors.js';
import { HandleOwner } from './handle.js';
import {
  type TensorLike,
  toFloat32Block,
  toFloat32Blocks,
  toIntegers,
  toMaskBlock,
  toPaddingBlock,
} from './inputs.js';
import { KVCache } from './kv-cache.js';
import {
  type CallArguments,
  type Config,
  FORWARD_OPTIONS,
  type ForwardOptions,
  type Inputs,
  type MultiHeadAttentionOptions,
  readArguments,
  STEPS_OPTIONS,
  type StepsOptions,
  toConfig,
} from './layer-options.js';
import type { Given, OrNull } from './options.js';
import { type OutTensor, readOut } from './out.js';
import type { AttentionResult, WithWeights } from './scaled-dot-product-attention.js';
import { toPlacements, toScoreOptions } from './score-options.js';
import { item } from './shape.js';
import { Tensor, toTensor, toTensors } from './tensor.js';
import { weighByValues } from './value-weighted.js';

/** Result of `forward`; shapes are without B for unbatched input. */
export interface LayerResult extends AttentionResult {
  /**
   * (B,H,L,S): each weight times the length of what its head passes on from the key, a·‖v·W‖, where v is the value and W the
   * head's part of `out_proj.weight`. A head that looks at a token may pass on next to nothing (Kobayashi et al. 2020).
   */
  valueWeighted?: Tensor;
}

/**
 * Every intermediate of a `forward`, without B for unbatched input. S′ counts the keys of the cache, of this call
 * and the appended ones.
 */
export interface AttentionSteps {
  /** Queries (B,H,L,d_k), after bias, activation and RoPE. */
  q: Tensor;
  /** Keys (B,H_kv,S′,d_k), after bias, activation and RoPE. */
  k: Tensor;
  /** Values (B,H_kv,S′,d_v), after bias and activation. */
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
  /** The layer's output, (B,L,outDim). */
  output: Tensor;
}

/**
 * Gradients of Σ output⊙gradOutput, each of the shape of its input or parameter. The gradient of a parameter is also a
 * property under its name: `gradients['out_proj.weight']` is `gradients.parameters['out_proj.weight']`.
 */
export interface LayerGradients {
  /** (B,L,embedDim): in self-attention one of three parts, see `backward`. */
  query: Tensor;
  /** The gradient of the argument `key`, (B,S,kdim). */
  key: Tensor;
  /** The gradient of the argument `value`, (B,S,vdim). */
  value: Tensor;
  /** Gradients of the parameters, under the names of `stateDict()`. */
  parameters: Record<string, Tensor>;
  [parameter: `${string}_${string}`]: Tensor;
}

/** Operations of one `forward`: a multiply-add counts as one, and softmax counts its exponentials. */
export interface Flops {
  /** The four projections: B·L·E·H·d_k and so on. */
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

interface Wanted {
  returnSteps: boolean;
  averageWeights?: boolean;
  out?: ReturnType<typeof readOut> | undefined;
}

/** Averages weights over the heads, into `out` where that is given: (B,H,L,S) → (B,L,S), (H,L,S) → (L,S). */
function averageHeads(weights: Tensor, out: OutTensor | undefined): Tensor {
  const [heads, queries, keys] = weights.shape.slice(-3) as [number, number, number];
  const batch = weights.shape.slice(0, -3);
  const map = queries * keys;
  const mean = out?.values ?? new Float32Array(weights.size / heads);
  for (let i = 0; i < mean.length; ++i) {
    const first = Math.floor(i / map) * heads * map + (i % map);
    let sum = 0;
    for (let h = 0; h < heads; ++h) sum += item(weights.data, first + h * map);
    mean[i] = sum / heads;
  }
  return out?.tensor ?? new Tensor(mean, [...batch, queries, keys]);
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
  readonly #config: Config;

  /** @internal */
  constructor(binding: AttentionBinding, options: OrNull<MultiHeadAttentionOptions>) {
    const config = toConfig(options);
    const { rope } = config;
    const table = { data: rope?.table?.data ?? new Float32Array(0), shape: [rope?.table?.data.length ?? 0] };
    super(binding, () => new binding.MultiHeadAttention({ ...config, rope: rope && { ...rope, table } }));
    this.#config = config;
  }

  /**
   * The options of the layer, with their defaults: for JSON and for consoles. The parameters are in `stateDict()`.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { MultiHeadAttention } = await load();
   * const { embedDim, headDim, bias } = new MultiHeadAttention({ embedDim: 8, numHeads: 2 }).toJSON();
   * console.log(embedDim, headDim, bias); // 8 4 true
   * ```
   */
  toJSON(): MultiHeadAttentionOptions {
    const { rope, ...options } = this.#config;
    if (rope === null) return options;
    const { base, dim, convention, table } = rope;
    return { ...options, rope: table ? { ...table.tensors(), convention } : { base, dim, convention } };
  }

  /**
   * Inputs are batched (B,L,E) or all unbatched (L,E), and so are the results, which are copies. A fully masked row gives
   * zero weights, so that its output is the output bias, never NaN; NaN in masked positions does not propagate.
   * `addBiasKv` and `addZeroAttn` add a column to the weights each.
   *
   * `forward(query, options)` is self-attention. null means left out, here and in the options.
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
   * const { weights } = mha.forward(x, { isCausal: true });
   * console.log(weights.at(0, 1, 0).toFixed(3), weights.at(0, 1, 1).toFixed(3)); // 0.470 0.530
   * console.log(weights.at(0, 1, 2)); // 0
   *
   * const mean = mha.forward(x, { averageWeights: true });
   * console.log(mean.weights.shape); // [ 3, 3 ]
   * ```
   */
  forward(
    query: TensorLike,
    key?: TensorLike | null,
    value?: TensorLike | null,
    options?: WithWeights<ForwardOptions> | null,
  ): LayerResult & Required<Pick<LayerResult, 'weights'>>;
  forward(
    query: TensorLike,
    options: WithWeights<ForwardOptions>,
  ): LayerResult & Required<Pick<LayerResult, 'weights'>>;
  forward(
    query: TensorLike,
    key?: TensorLike | null,
    value?: TensorLike | null,
    options?: OrNull<ForwardOptions> | null,
  ): LayerResult;
  forward(query: TensorLike, options: OrNull<ForwardOptions>): LayerResult;
  forward(...args: CallArguments<ForwardOptions>): LayerResult {
    const [inputs, options] = readArguments('forward', args, FORWARD_OPTIONS);
    const { averageWeights = false, valueWeighted = false } = options;
    checkBoolean('averageWeights', averageWeights);
    checkBoolean('valueWeighted', valueWeighted);
    const out = options.out === undefined ? undefined : readOut(options.out);
    if (out?.weights && options.needWeights === false) {
      throw rangeError('out.weights', 'be left out with needWeights: false, got a tensor');
    }
    if (valueWeighted && options.needWeights === false) {
      throw rangeError('valueWeighted', 'be left out with needWeights: false');
    }
    const projection = valueWeighted ? this.stateDict()['out_proj.weight'] : undefined;
    const wanted = { returnSteps: valueWeighted, averageWeights, out };
    return this.run(inputs, options, wanted, ({ output, weights, scores, v }) => ({
      output: out?.output?.tensor ?? toTensor(output),
      ...(projection &&
        weights &&
        v && { valueWeighted: weighByValues(toTensor(weights), toTensor(v), projection) }),
      ...(weights && {
        weights: averageWeights
          ? averageHeads(toTensor(weights), out?.weights)
          : (out?.weights?.tensor ?? toTensor(weights)),
      }),
      ...(scores && { scores: toTensor(scores) }),
    }));
  }

  /**
   * `forward` with all intermediates: for views of the steps, and for checking other implementations. Bit for bit equal to
   * `forward` with weights; a `forward` with `needWeights: false` may sum in another order, so that last digits differ. A
   * `cache` grows as in `forward`.
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
   * const { q, scores, scaled, masked, concat } = mha.steps(x, { isCausal: true });
   * console.log(q.shape, concat.shape); // [ 2, 3, 2 ] [ 3, 4 ]
   * console.log((scaled.at(0, 2, 2) / scores.at(0, 2, 2)).toFixed(3)); // 0.707
   * console.log(masked.at(0, 0, 1)); // -Infinity
   * ```
   */
  steps(
    query: TensorLike,
    key?: TensorLike | null,
    value?: TensorLike | null,
    options?: OrNull<StepsOptions> | null,
  ): AttentionSteps;
  steps(query: TensorLike, options: OrNull<StepsOptions>): AttentionSteps;
  steps(...args: CallArguments<StepsOptions>): AttentionSteps {
    const [inputs, options] = readArguments('steps', args, STEPS_OPTIONS);
    const wanted = { returnSteps: true };
    return this.run(inputs, { ...options, returnScores: true }, wanted, (result) => {
      // The order is that of the computation, because callers iterate over the names.
      const { q, k, v, scores, scaled, masked, weights, context, concat, output } = result as StepBlocks;
      return toTensors({ q, k, v, scores, scaled, masked, weights, context, concat, output });
    });
  }

  /** @internal `convert` runs inside: if it throws, the cache drops this call's keys. */
  private run<R>(
    [query, key, value]: Inputs,
    options: Given<ForwardOptions>,
    { returnSteps, averageWeights, out }: Wanted,
    convert: (result: ResultBlocks) => R,
  ): R {
    // Reading options and inputs may run the caller's code (getters, proxies): finish before using the cache and C++.
    const { attnMask, keyPaddingMask, alibi = false, cache, training = false } = options;
    // The same object becomes the same block, which C++ then copies only once.
    const queryBlock = toFloat32Block('query', query, true);
    const keyBlock = key === query ? queryBlock : toFloat32Block('key', key, true);
    const valueBlock =
      value === key ? keyBlock : value === query ? queryBlock : toFloat32Block('value', value, true);
    const mask = attnMask === undefined ? null : toMaskBlock('attnMask', attnMask);
    const padding = keyPaddingMask === undefined ? null : toPaddingBlock('keyPaddingMask', keyPaddingMask);
    const batch = queryBlock.shape.length === 3 ? item(queryBlock.shape, 0) : 1;
    const [queries, newKeys] = [queryBlock.shape.at(-2) ?? 0, keyBlock.shape.at(-2) ?? 0];
    const isPrompt = cache !== undefined && attnMask === undefined && queries > 1 && queries === newKeys;
    const { isCausal, window, softcap, scale, needWeights, returnScores } = toScoreOptions(options, isPrompt);
    const placements = toPlacements(options);
    const positions = options.positions === undefined ? null : toIntegers('positions', options.positions, 0);
    const places = positions && this.#places(positions, batch, queries, newKeys);
    checkBoolean('alibi', alibi);
    checkBoolean('training', training);
    if (training && batch * queries * newKeys === 0) {
      throw rangeError('training', 'be false for empty tensors, which have no gradient');
    }
    const run = (handle: KVCacheHandle | null) =>
      this.use((layer) => {
        const past = handle?.length() ?? 0;
        if (!positions) this.#config.rope?.table?.check(past + Math.max(queries, newKeys) - 1);
        if (out) {
          const { numHeads, outDim, addBiasKv, addZeroAttn } = this.#config;
          // Fewer than two dimensions are refused by C++.
          const rows = queryBlock.shape.slice(0, -1);
          const keys = past + newKeys + Number(addBiasKv) + Number(addZeroAttn);
          const perHead = [...rows.slice(0, -1), numHeads, ...rows.slice(-1), keys];
          out.output?.check([...rows, outDim]);
          out.weights?.check(averageWeights ? [...rows, keys] : perHead);
        }
        return convert(
          layer.forward(
            queryBlock,
            keyBlock,
            valueBlock,
            mask,
            padding,
            handle,
            isCausal,
            window,
            placements(batch, past + newKeys, past),
            places,
            alibi,
            softcap,
            scale,
            needWeights,
            returnScores,
            returnSteps,
            training,
            out?.output?.values ?? null,
            (averageWeights ? null : out?.weights?.values) ?? null,
          ),
        );
      });
    return cache === undefined ? run(null) : KVCache.lend(cache, this.binding, run);
  }

  /** The positions of all tokens, (B,L). */
  #places(
    { values, shape }: ReturnType<typeof toIntegers>,
    batch: number,
    queries: number,
    newKeys: number,
  ): Float32Block {
    const { rope } = this.#config;
    if (rope === null) throw rangeError('positions', 'be left out, because this layer has no `rope`');
    if (newKeys !== queries) {
      throw rangeError('positions', 'be left out where `key` has another length than `query`');
    }
    if (shape.join() !== String(queries) && shape.join() !== `${batch},${queries}`) {
      const expected = `have shape ${formatShape([batch, queries])} or ${formatShape([queries])}`;
      throw rangeError('positions', `${expected}, got shape ${formatShape(shape)}`);
    }
    for (const position of values) rope.table?.check(position);
    const data = Float32Array.from({ length: batch * queries }, (_, n) => item(values, n % values.length));
    return { data, shape: [batch, queries] };
  }

  /**
   * The gradients of Σ output⊙gradOutput with respect to inputs and parameters, where `output` is that of the last
   * `forward` with `training: true` (PyTorch's `output.backward(gradOutput)`). Nothing is accumulated: each call
   * returns new tensors. With `dropout` they use the dropout mask of that `forward`.
   *
   * `query`, `key` and `value` are always separate. Where one tensor was all three, as in self-attention, its gradient
   * (PyTorch's `x.grad`) is their sum; where key and value were one, the sum of `key` and `value`.
   *
   * @param gradOutput ∂loss/∂output, of the shape of the output
   * @throws TypeError when `gradOutput` is not a tensor of numbers
   * @throws RangeError for another shape, or without such a `forward` since the parameters were set
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
   * Counts the operations of one `forward`.
   *
   * @param L queries
   * @param S keys, L by default; appended keys are added. All count as projected in this call, none as cached.
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
  flops(L: number, S?: number | null, B?: number | null): Flops {
    const sizes = { L, S: S ?? L, B: B ?? 1 };
    for (const [name, size] of Object.entries(sizes)) checkInteger(name, size);
    const { projections, scores, context, softmax } = this.use((layer) =>
      layer.flops(sizes.L, sizes.S, sizes.B),
    );
    return { projections, scores, context, softmax, total: projections + scores + context + softmax };
  }
}

/** {@link MultiHeadAttention} as a loaded module has it. */
export type MultiHeadAttentionClass = new (options: OrNull<MultiHeadAttentionOptions>) => MultiHeadAttention;

export function bindMultiHeadAttention(binding: AttentionBinding): MultiHeadAttentionClass {
  const Base = MultiHeadAttention;
  return class MultiHeadAttention extends Base {
    constructor(options: OrNull<MultiHeadAttentionOptions>) {
      super(binding, options);
    }
  };
}
