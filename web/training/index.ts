/**
 * An encoder that learns, in WebAssembly: {@link loadTraining} gives the module, {@link Encoder} is what it has.
 *
 * @module
 */
export { loadTraining } from './load.js';
export type { OrNull } from '../api/options.js';
export type { LoadTrainingOptions, TrainingModule } from './load.js';
export type {
  Encoder,
  EncoderClass,
  EncoderOptions,
  EncoderOutput,
  Gradients,
  Prediction,
  SentencesOptions,
  TrainStepOptions,
  TrainStepResult,
} from './encoder.js';
export type { TokenIds } from './token-ids.js';
export * from './language/index.js';
