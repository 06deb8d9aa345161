import {
  checkFinite,
  checkInteger,
  checkNumber,
  describe,
  rangeError,
  typeError,
  wrongKind,
} from '../api/errors.js';
import { HandleOwner } from '../api/handle.js';
import {
  type NestedArray,
  type PaddingMask,
  read,
  type ShapedData,
  type TensorLike,
  toPaddingBlock,
  toFloat32Blocks,
} from '../api/inputs.js';
import { type Given, type OrNull, readOptions } from '../api/options.js';
import { item } from '../api/shape.js';
import { type Tensor, toTensor, toTensors } from '../api/tensor.js';
import type { MaskBlock } from '../wasm/attention.js';
import type {
  EncoderConfig,
  EncoderHandle,
  Int32Block,
  PredictionResult,
  StepConfig,
  TrainingBinding,
} from '../wasm/training.js';

/** Ids of tokens: `{ data, shape }` or nested arrays of whole numbers. */
export type TokenIds = ShapedData<Int32Array | readonly number[]> | NestedArray<number>;

/** Sizes of an encoder. */
export interface EncoderOptions {
  /** V: how many different tokens there are; ids are 0 … V − 1. */
  vocabSize: number;
  /** The longest sentence, in tokens. */
  maxLength: number;
  /** E: width of a token's vector; 64 by default. */
  embedDim?: number;
  /** Attention heads of each layer, a divisor of `embedDim`; 4 by default. */
  numHeads?: number;
  /** Number of layers; 2 by default. */
  numLayers?: number;
  /** Width inside the feed-forward blocks; 4·`embedDim` by default. */
  feedForwardDim?: number;
  /** Seed of the initial parameters, an integer 0 … 2⁵³ − 1; 0 by default. */
  seed?: number;
}

/** Options of every call with sentences. */
export interface SentencesOptions {
  /** (B,L): true = a real token, false = padding, which no token attends to. All are real by default. */
  keyPaddingMask?: PaddingMask | null;
}

/** Options of `trainStep`, named and preset as in `torch.optim.AdamW`. */
export interface TrainStepOptions extends SentencesOptions {
  /** Learning rate of the step; 0.001 by default. */
  learningRate?: number;
  /**
   * Decoupled weight decay of the weight matrices and token embeddings; 0.01 by default. Biases, norm parameters and
   * position embeddings do not decay.
   */
  weightDecay?: number;
  /** Decay rates of the running means of gradients and squared gradients, in [0, 1); [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Number added to AdamW's denominator; 1e-8 by default. */
  eps?: number;
  /** Gradient clipping: the largest global L2 norm; 1 by default, `Infinity` for none. */
  maxGradNorm?: number;
}

/** Result of `forward`. */
export interface EncoderOutput {
  /** (B,L,V): scores of every token of the vocabulary for every position. */
  logits: Tensor;
  /** For each layer (B,H,L,L): how much each token attends to each, per head. */
  weights: Tensor[];
  /** For each layer (B,L,E): the input of its attention, which is query, key and value (after its first norm). */
  layerInputs: Tensor[];
}

/** How well tokens were predicted. */
export interface Prediction {
  /** The mean of −log p(target), over the positions that count. */
  loss: number;
  /** Positions at which the likeliest token is the target. */
  correct: number;
  /** Positions that count: those whose target is not −100. */
  count: number;
}

export interface Gradients extends Prediction {
  /** The gradient of the loss by every parameter, under the names of `stateDict`. */
  parameters: Record<string, Tensor>;
}

/** Result of `trainStep`; its prediction is that before the step. */
export interface TrainStepResult extends Prediction {
  /** The global L2 norm of the gradients, before clipping to `maxGradNorm`. */
  gradNorm: number;
}

const ENCODER_OPTIONS = [
  ...['vocabSize', 'maxLength', 'embedDim', 'numHeads', 'numLayers', 'feedForwardDim', 'seed'],
];
const SENTENCES_OPTIONS = ['keyPaddingMask'];
const TRAIN_STEP_OPTIONS = [
  ...SENTENCES_OPTIONS,
  ...['learningRate', 'weightDecay', 'betas', 'eps', 'maxGradNorm'],
];

function toConfig(options: OrNull<EncoderOptions>): EncoderConfig {
  const given = readOptions('Encoder', options, ENCODER_OPTIONS);
  const { vocabSize, maxLength, embedDim = 64, numHeads = 4, numLayers = 2, seed = 0 } = given;
  const { feedForwardDim = 4 * checkInteger('embedDim', embedDim) } = given;
  const sizes = { vocabSize, maxLength, embedDim, numHeads, numLayers, feedForwardDim };
  for (const [name, size] of Object.entries(sizes)) checkInteger(name, size);
  return { ...sizes, seed: checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER) };
}

function checkAtLeastZero(name: string, value: unknown): number {
  const number = checkFinite(name, value);
  if (number < 0) throw rangeError(name, `be at least 0, got ${number}`);
  return number;
}

function checkBeta(name: string, value: unknown): number {
  const beta = checkAtLeastZero(name, value);
  if (beta >= 1) throw rangeError(name, `be less than 1, got ${beta}`);
  return beta;
}

function checkMaxGradNorm(value: unknown): number {
  const norm = checkNumber('maxGradNorm', value);
  if (!(norm > 0)) throw rangeError('maxGradNorm', `be greater than 0, got ${norm}`);
  return norm;
}

function toStepConfig(options: Given<TrainStepOptions>): StepConfig {
  const {
    learningRate = 1e-3,
    weightDecay = 0.01,
    betas = [0.9, 0.999],
    eps = 1e-8,
    maxGradNorm = 1,
  } = options;
  if (!Array.isArray(betas)) throw wrongKind('betas', 'an array of two numbers', betas);
  const { length }: { length: number } = betas;
  if (length !== 2) throw rangeError('betas', `have length 2, got ${length}`);
  return {
    learningRate: checkAtLeastZero('learningRate', learningRate),
    weightDecay: checkAtLeastZero('weightDecay', weightDecay),
    beta1: checkBeta('betas[0]', betas[0]),
    beta2: checkBeta('betas[1]', betas[1]),
    eps: checkAtLeastZero('eps', eps),
    maxGradNorm: checkMaxGradNorm(maxGradNorm),
  };
}

/** C++ checks that the ids are in the vocabulary. */
function toInt32Block(argument: string, input: unknown): Int32Block {
  const { values, shape } = read(argument, input);
  if (values instanceof Int32Array) return { data: values, shape };
  if (!Array.isArray(values) || typeof values[0] !== 'number') {
    const came = Array.isArray(values) ? `${typeof values[0]}s` : describe(values);
    throw typeError(argument, `hold an Int32Array or whole numbers, got ${came}`);
  }
  const data = new Int32Array(values.length);
  for (let i = 0; i < values.length; ++i) {
    const id = item(values as number[], i);
    data[i] = id;
    if (data[i] !== id) throw rangeError(argument, `hold whole numbers of 32 bits, got ${id}`);
  }
  return { data, shape };
}

const toPadding = ({ keyPaddingMask }: Given<SentencesOptions>): MaskBlock | null =>
  keyPaddingMask === undefined ? null : toPaddingBlock('keyPaddingMask', keyPaddingMask);

const toPrediction = ({ loss, correct, count }: PredictionResult): Prediction => ({ loss, correct, count });

/**
 * A transformer encoder that learns to predict tokens: token and position embeddings, `numLayers` layers of
 * multi-head attention and feed-forward network with the norm first, a last norm, and logits by the transposed token
 * embedding (PyTorch's `nn.TransformerEncoder` of `nn.TransformerEncoderLayer(…, dropout=0, activation='gelu',
 * norm_first=True, batch_first=True)`; Vaswani et al. 2017, section 3.1, with the norms of Xiong et al. 2020, and
 * Devlin et al. 2019 for predicting masked tokens).
 *
 * Get the class from a loaded module: `new module.Encoder({ vocabSize: 300, maxLength: 20 })`. The initial parameters
 * are drawn as torch draws those of the layers; embeddings are from N(0, 0.02²), as BERT's.
 *
 * @example
 * ```js
 * import { loadTraining } from 'multihead-attention/training';
 *
 * const { Encoder } = await loadTraining();
 * const encoder = new Encoder({ vocabSize: 10, maxLength: 4, embedDim: 16, numHeads: 2 });
 * const sentence = [[3, 1, 5, 6]]; // 1 stands for a hidden word …
 * const targets = [[-100, 4, -100, -100]]; // … which was 4
 * for (let i = 0; i < 30; ++i) encoder.trainStep(sentence, targets, { learningRate: 0.01 });
 * console.log(encoder.evaluate(sentence, targets).correct); // 1
 * ```
 */
export class Encoder extends HandleOwner<EncoderHandle> {
  /** @internal */
  constructor(binding: TrainingBinding, options: OrNull<EncoderOptions>) {
    const config = toConfig(options);
    super(binding, () => new binding.Encoder(config));
  }

  /**
   * Predicts every token of the sentences.
   *
   * @param tokens (B,L): ids, L at most `maxLength`
   * @throws TypeError for the wrong kind of argument or an unknown option
   * @throws RangeError for shapes that do not fit the encoder or each other, or an id outside the vocabulary
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 10, maxLength: 4, numLayers: 1 });
   * const { logits, weights, layerInputs } = encoder.forward([[3, 1, 5]]);
   * console.log(logits.shape, weights[0].shape, layerInputs[0].shape); // [ 1, 3, 10 ] [ 1, 4, 3, 3 ] [ 1, 3, 64 ]
   * ```
   */
  forward(tokens: TokenIds, options?: OrNull<SentencesOptions> | null): EncoderOutput {
    const given = readOptions('forward', options ?? {}, SENTENCES_OPTIONS);
    const ids = toInt32Block('tokens', tokens);
    const padding = toPadding(given);
    return this.use((encoder) => {
      const { logits, weights, layerInputs } = encoder.forward(ids, padding);
      return {
        logits: toTensor(logits),
        weights: weights.map(toTensor),
        layerInputs: layerInputs.map(toTensor),
      };
    });
  }

  /**
   * Returns the loss and its gradient by every parameter; changes nothing.
   *
   * @param tokens (B,L): ids, some of them hidden
   * @param targets (B,L): the ids to predict, −100 where nothing is to be predicted
   * @throws as `forward`, and RangeError when all targets are −100
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 10, maxLength: 4 });
   * const { count, parameters } = encoder.gradients([[3, 1, 5]], [[-100, 4, -100]]);
   * console.log(count, parameters['layers.0.self_attn.in_proj_weight'].shape); // 1 [ 192, 64 ]
   * ```
   */
  gradients(tokens: TokenIds, targets: TokenIds, options?: OrNull<SentencesOptions> | null): Gradients {
    const given = readOptions('gradients', options ?? {}, SENTENCES_OPTIONS);
    const [ids, wanted] = [toInt32Block('tokens', tokens), toInt32Block('targets', targets)];
    const padding = toPadding(given);
    return this.use((encoder) => {
      const { parameters, ...prediction } = encoder.gradients(ids, wanted, padding);
      return { ...toPrediction(prediction), parameters: toTensors(parameters) };
    });
  }

  /**
   * One step of AdamW (`torch.optim.AdamW`; Loshchilov & Hutter 2019) against the gradient of the loss.
   *
   * @param tokens (B,L): ids, some of them hidden
   * @param targets (B,L): the ids to predict, −100 where nothing is to be predicted
   * @returns how well the targets were predicted before the step
   * @throws as `gradients`, and RangeError when a number of `options` is outside its range
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 10, maxLength: 4 });
   * const batch = [[[3, 1, 5]], [[-100, 4, -100]]];
   * const before = encoder.trainStep(...batch, { learningRate: 0.01 });
   * console.log(encoder.evaluate(...batch).loss < before.loss); // true
   * ```
   */
  trainStep(tokens: TokenIds, targets: TokenIds, options?: OrNull<TrainStepOptions> | null): TrainStepResult {
    const given = readOptions('trainStep', options ?? {}, TRAIN_STEP_OPTIONS);
    const [ids, wanted] = [toInt32Block('tokens', tokens), toInt32Block('targets', targets)];
    const padding = toPadding(given);
    const config = toStepConfig(given);
    return this.use((encoder) => {
      const { gradNorm, ...prediction } = encoder.trainStep(ids, wanted, padding, config);
      return { ...toPrediction(prediction), gradNorm };
    });
  }

  /**
   * Returns how well the targets are predicted; changes nothing.
   *
   * @param tokens (B,L): ids, some of them hidden
   * @param targets (B,L): the ids to predict, −100 where nothing is to be predicted
   * @throws as `gradients`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 10, maxLength: 4 });
   * const keyPaddingMask = [[true, true, false]]; // two words and padding
   * const { loss, count } = encoder.evaluate([[3, 1, 0]], [[-100, 4, -100]], { keyPaddingMask });
   * console.log(Math.abs(loss - Math.log(10)) < 0.5, count); // true 1
   * ```
   */
  evaluate(tokens: TokenIds, targets: TokenIds, options?: OrNull<SentencesOptions> | null): Prediction {
    const given = readOptions('evaluate', options ?? {}, SENTENCES_OPTIONS);
    const [ids, wanted] = [toInt32Block('tokens', tokens), toInt32Block('targets', targets)];
    const padding = toPadding(given);
    return this.use((encoder) => toPrediction(encoder.evaluate(ids, wanted, padding)));
  }

  /**
   * Copies of the parameters under PyTorch's names, (out,in) layout: `token_embedding.weight` (V,E),
   * `position_embedding.weight` (maxLength,E), for each layer i `layers.i.self_attn.in_proj_weight`, `…in_proj_bias`,
   * `…out_proj.weight`, `…out_proj.bias`, `layers.i.linear1.weight`, `….bias`, `layers.i.linear2.…`,
   * `layers.i.norm1.…`, `layers.i.norm2.…`, then `norm.weight`, `norm.bias` and `output.bias` (V).
   *
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const dict = new Encoder({ vocabSize: 10, maxLength: 4 }).stateDict();
   * console.log(dict['token_embedding.weight'].shape); // [ 10, 64 ]
   * ```
   */
  stateDict(): Record<string, Tensor> {
    return toTensors(this.use((encoder) => encoder.stateDict()));
  }

  /**
   * Replaces all parameters, or none when anything is wrong. Takes what `stateDict()` gives. The optimizer's state is
   * kept.
   *
   * @throws TypeError when a value is not a tensor of numbers
   * @throws RangeError when a parameter is missing, unknown or of the wrong shape
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const options = { vocabSize: 10, maxLength: 4 };
   * const [first, second] = [new Encoder({ ...options, seed: 1 }), new Encoder({ ...options, seed: 2 })];
   * second.loadStateDict(first.stateDict());
   * const [{ logits: a }, { logits: b }] = [first.forward([[3, 1]]), second.forward([[3, 1]])];
   * console.log(a.data.every((x, i) => x === b.data[i])); // true
   * ```
   */
  loadStateDict(dict: Readonly<Record<string, TensorLike>>): void {
    const blocks = toFloat32Blocks('dict', dict);
    this.use((encoder) => {
      encoder.loadStateDict(blocks);
    });
  }

  /**
   * The state of AdamW as tensors that can be saved beside those of `stateDict()`: `step` (1,), the number of steps
   * taken, and for each parameter `….exp_avg` and `….exp_avg_sq`, the running means of its gradient and of the squared
   * gradient.
   *
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 10, maxLength: 4 });
   * encoder.trainStep([[3, 1, 5]], [[-100, 4, -100]]);
   * const state = encoder.optimizerState();
   * console.log(state.step.at(0), state['output.bias.exp_avg'].shape); // 1 [ 10 ]
   * ```
   */
  optimizerState(): Record<string, Tensor> {
    return toTensors(this.use((encoder) => encoder.optimizerState()));
  }

  /**
   * Takes what `optimizerState()` gives, so that training continues exactly from there; all or nothing.
   *
   * @throws TypeError when a value is not a tensor of numbers
   * @throws RangeError when a tensor is missing, unknown or of the wrong shape, or `step` is not a whole number ≥ 0
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const options = { vocabSize: 10, maxLength: 4 };
   * const batch = [[[3, 1, 5]], [[-100, 4, -100]]];
   * const first = new Encoder(options);
   * first.trainStep(...batch);
   * const second = new Encoder(options);
   * second.loadStateDict(first.stateDict());
   * second.loadOptimizerState(first.optimizerState());
   * first.trainStep(...batch);
   * second.trainStep(...batch);
   * console.log(first.evaluate(...batch).loss === second.evaluate(...batch).loss); // true
   * ```
   */
  loadOptimizerState(state: Readonly<Record<string, TensorLike>>): void {
    const blocks = toFloat32Blocks('state', state);
    this.use((encoder) => {
      encoder.loadOptimizerState(blocks);
    });
  }

  /**
   * The number of trainable parameters.
   *
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * console.log(new Encoder({ vocabSize: 300, maxLength: 20 }).parameterCount); // 120876
   * ```
   */
  get parameterCount(): number {
    return this.use((encoder) => encoder.parameterCount());
  }
}

/** {@link Encoder} as a loaded module has it. */
export type EncoderClass = new (options: OrNull<EncoderOptions>) => Encoder;

export function bindEncoder(binding: TrainingBinding): EncoderClass {
  const Base = Encoder;
  return class Encoder extends Base {
    constructor(options: OrNull<EncoderOptions>) {
      super(binding, options);
    }
  };
}
