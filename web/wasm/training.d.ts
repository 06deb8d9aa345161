/**
 * The Embind table of `cpp/training/bindings.cpp` as TypeScript sees it; `npm run test:supply` compares it with what Embind says. Internal:
 * users meet the classes of `web/training`, which check kinds, fill defaults and own the handles.
 *
 * Errors: every function throws `TypeError` or `RangeError` with a full sentence and leaves its handle as it was.
 */
import type {
  Float32Block,
  GeneratorHandle,
  Handle,
  MaskBlock,
  ModuleOptions,
  ResultBlock,
  EngineBinding,
} from './attention.js';

/** Ids of tokens, copied on entry. */
export interface Int32Block {
  data: Int32Array;
  shape: number[];
}

/** Every field is required here, because `web/training` fills the defaults. */
export interface EncoderConfig {
  vocabSize: number;
  maxLength: number;
  embedDim: number;
  numHeads: number;
  numLayers: number;
  feedForwardDim: number;
  seed: number;
}

export interface EncoderResult {
  /** (B,L,V) */
  logits: ResultBlock;
  /** For each layer, (B,H,L,L). */
  weights: ResultBlock[];
  /** For each layer, (B,L,E). */
  layerInputs: ResultBlock[];
}

export interface PredictionResult {
  loss: number;
  correct: number;
  count: number;
}

export interface GradientsResult extends PredictionResult {
  parameters: Record<string, ResultBlock>;
}

export interface StepConfig {
  learningRate: number;
  weightDecay: number;
  beta1: number;
  beta2: number;
  eps: number;
  /** Infinity means no clipping. */
  maxGradNorm: number;
}

export interface StepResult extends PredictionResult {
  gradNorm: number;
}

export interface EncoderHandle extends Handle {
  /** tokens (B,L); keyPaddingMask (B,L), 1 = a real token. */
  forward(tokens: Int32Block, keyPaddingMask: MaskBlock | null): EncoderResult;
  /** targets (B,L), −100 = not counted. */
  gradients(tokens: Int32Block, targets: Int32Block, keyPaddingMask: MaskBlock | null): GradientsResult;
  trainStep(
    tokens: Int32Block,
    targets: Int32Block,
    keyPaddingMask: MaskBlock | null,
    options: StepConfig,
  ): StepResult;
  evaluate(tokens: Int32Block, targets: Int32Block, keyPaddingMask: MaskBlock | null): PredictionResult;
  stateDict(): Record<string, ResultBlock>;
  /** Replaces all parameters, or none on an error. */
  loadStateDict(dict: Record<string, Float32Block>): void;
  optimizerState(): Record<string, ResultBlock>;
  /** Replaces the whole state, or nothing on an error. */
  loadOptimizerState(state: Record<string, Float32Block>): void;
  parameterCount(): number;
}

export interface TrainingBinding extends EngineBinding {
  Encoder: new (config: EncoderConfig) => EncoderHandle;
  /** `numpy.random.default_rng(seed)`, seed 0 … 2⁵³ − 1. */
  DefaultRng: new (seed: number) => GeneratorHandle;
}

export default function createTraining(options: ModuleOptions): Promise<TrainingBinding>;
