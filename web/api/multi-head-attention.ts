import type { AttentionBinding, LayerConfig, LayerHandle } from '../wasm/attention.js';
import { checkBoolean, checkFinite, checkInteger, checkOptions, tagOf, wrongKind } from './errors.js';
import { HandleOwner } from './handle.js';
import { item } from './item.js';
import {
  type BooleanMask,
  type Mask,
  type TensorLike,
  toBooleanBlock,
  toFloat32Block,
  toMaskBlock,
} from './inputs.js';
import { type AttentionResult, toResult } from './scaled-dot-product-attention.js';
import { Tensor } from './tensor.js';

export interface MultiHeadAttentionOptions {
  /** Width of the queries, and of keys and values unless `kdim`, `vdim` say otherwise. */
  embedDim: number;
  numHeads: number;
  /** Heads of keys and values, a divisor of `numHeads` (the default): fewer is GQA, 1 is MQA. */
  numKvHeads?: number;
  /** d_k, `embedDim / numHeads` by default. */
  headDim?: number;
  /** d_v, `headDim` by default. */
  valueHeadDim?: number;
  kdim?: number;
  vdim?: number;
  outDim?: number;
  /** true by default: biases on all four projections. */
  bias?: boolean;
  /** Of the initial weights, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
}

export interface ForwardOptions {
  /** Boolean (true = may attend) or added to the scaled scores: (L,S), (B,L,S), (B,H,L,S), broadcast. */
  attnMask?: Mask | null;
  /** (B,S), or (S,) for unbatched input; true = a real token. */
  keyPaddingMask?: BooleanMask | null;
  /** Query i sees keys 0 … i, aligned at the top left when L ≠ S. */
  isCausal?: boolean;
  /** Factor of the scores, 1/√headDim by default. */
  scale?: number | null;
  /** true by default. */
  needWeights?: boolean;
  /** false by default: weights per head (B,H,L,S). true: their mean over the heads, (B,L,S). */
  averageWeights?: boolean;
}

const CONSTRUCTOR_OPTIONS = [
  'embedDim',
  'numHeads',
  'numKvHeads',
  'headDim',
  'valueHeadDim',
  'kdim',
  'vdim',
  'outDim',
  'bias',
  'seed',
];
const FORWARD_OPTIONS = ['attnMask', 'keyPaddingMask', 'isCausal', 'scale', 'needWeights', 'averageWeights'];

/** `embedDim / numHeads`, which must come out even. */
function evenHeadDim(embedDim: number, numHeads: number): number {
  const headDim = checkInteger('embedDim', embedDim) / checkInteger('numHeads', numHeads);
  if (!Number.isInteger(headDim)) {
    throw new RangeError(
      `\`embedDim\` must be divisible by \`numHeads\`, got embedDim ${embedDim} and numHeads ${numHeads}`,
    );
  }
  return headDim;
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
    seed = 0,
  } = options;
  const sizes = { embedDim, numHeads, numKvHeads, headDim, valueHeadDim, kdim, vdim, outDim };
  for (const [name, size] of Object.entries(sizes)) checkInteger(name, size);
  return {
    ...sizes,
    bias: checkBoolean('bias', bias),
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
   * never leak NaN.
   *
   * @param query (B,L,embedDim)
   * @param key (B,S,kdim), `query` by default
   * @param value (B,S,vdim), `key` by default
   * @returns output (B,L,outDim) and weights (B,H,L,S)
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for shapes that do not fit the layer or each other
   * @throws Error after `dispose()`
   */
  forward(
    query: TensorLike,
    key: TensorLike = query,
    value: TensorLike = key,
    options: ForwardOptions = {},
  ): AttentionResult {
    checkOptions('forward', options, FORWARD_OPTIONS);
    const { attnMask, keyPaddingMask, scale } = options;
    const { isCausal = false, needWeights = true, averageWeights = false } = options;
    checkBoolean('averageWeights', averageWeights);
    // The same object stays the same block, which C++ then copies once.
    const queryBlock = toFloat32Block('query', query);
    const keyBlock = key === query ? queryBlock : toFloat32Block('key', key);
    const valueBlock =
      value === key ? keyBlock : value === query ? queryBlock : toFloat32Block('value', value);

    const checked = {
      attnMask: attnMask == null ? null : toMaskBlock('attnMask', attnMask),
      keyPaddingMask: keyPaddingMask == null ? null : toBooleanBlock('keyPaddingMask', keyPaddingMask),
      isCausal: checkBoolean('isCausal', isCausal),
      scale: scale == null ? null : checkFinite('scale', scale),
      needWeights: checkBoolean('needWeights', needWeights),
    };

    const { output, weights } = toResult(
      this.use((layer) => layer.forward(queryBlock, keyBlock, valueBlock, checked)),
    );
    if (!weights) return { output };
    return { output, weights: averageWeights ? averageHeads(weights) : weights };
  }

  /**
   * Copies of the parameters under PyTorch's names, (out,in) layout: `in_proj_weight` (or `q_proj_weight`,
   * `k_proj_weight`, `v_proj_weight` where PyTorch keeps them apart), `in_proj_bias`, `out_proj.weight`,
   * `out_proj.bias`.
   */
  stateDict(): Record<string, Tensor> {
    const blocks = Object.entries(this.use((layer) => layer.stateDict()));
    return Object.fromEntries(blocks.map(([name, { data, shape }]) => [name, new Tensor(data, shape)]));
  }

  /**
   * Replaces all parameters, or none when anything is wrong. Takes what `stateDict()` gives; the three
   * separate projection weights are accepted in every configuration.
   *
   * @throws TypeError when a value is not a tensor of numbers
   * @throws RangeError when a parameter is missing, unknown or of the wrong shape
   */
  loadStateDict(dict: Readonly<Record<string, TensorLike>>): void {
    if (tagOf(dict) !== 'Object') throw wrongKind('dict', 'an object of tensors by name', dict);
    const blocks = Object.fromEntries(
      Object.entries(dict).map(([name, value]) => [name, toFloat32Block(name, value)]),
    );
    this.use((layer) => {
      layer.loadStateDict(blocks);
    });
  }

  /** The number of trainable parameters. */
  get parameterCount(): number {
    return this.use((layer) => layer.parameterCount());
  }
}

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
