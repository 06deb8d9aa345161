/**
 * An encoder that learns, in WebAssembly: {@link loadTraining} gives the module, {@link Encoder} is its class. The
 * language that it learns: simple English and Korean sentences whose words determine each other.
 *
 * @module
 */
export { loadTraining } from './load.js';
export type { OrNull } from '../api/options.js';
export type { BinaryOptions } from '../wasm/binary-options.js';
export type { LoadTrainingOptions, TrainingModule } from './load.js';
export type {
  Encoder,
  EncoderClass,
  EncoderOptions,
  EncoderOutput,
  Gradients,
  Prediction,
  SentencesOptions,
  TokenIds,
  TrainStepOptions,
  TrainStepResult,
} from './encoder.js';
export { IGNORED, type MaskedBatch, maskedBatch, type MaskingOptions } from './language/batch.js';
export { drawSentence, heldOut, MAX_LENGTH } from './language/corpus.js';
export { FREQUENCIES } from './language/frequencies.js';
export { bestGuess, type Guess, parse } from './language/grammar.js';
export { mulberry32 } from './language/mulberry.js';
export type { ByKind, HeadWeights } from './language/scores.js';
export { chanceLevels, meanByKind, relationScores } from './language/scores.js';
export {
  type Lang,
  type Relation,
  RELATION_KINDS,
  type RelationKind,
  type Sentence,
  type Uniform,
} from './language/sentence.js';
export type { Pattern, Reading } from './language/speaker.js';
export { idsOf, MASK, PAD, UNKNOWN, VOCABULARY } from './language/vocabulary.js';
