/**
 * Pretrained transformers computed in the browser: {@link loadModel} reads a model's own files.
 *
 * @module
 */
export type { ModelCard } from './card.js';
export { attentionFile, attentionScript } from './attention-file.js';
export type { AttentionFile, AttentionFileModel, AttentionFileParts } from './attention-file.js';
export type { ModelBytes, ModelSource } from './folder.js';
export type {
  AnswerOptions,
  HeadEffects,
  InspectedInput,
  LensLayer,
  LogitLensOptions,
  Patched,
  WrittenText,
} from './effects.js';
export type { LikelyToken } from './choices.js';
export { ModelCache } from './generate.js';
export type { Generated, GeneratedToken, GenerateOptions, NextTokensOptions } from './generate.js';
export { loadModelInWorker, WorkerModel } from './in-worker.js';
export type { PatchOptions, WorkerForwardOptions } from './in-worker.js';
export { configure } from '../api/configure.js';
export type { Settings } from '../api/configure.js';
export { knownModels } from './known-models.js';
export type { NamedModel } from './known-models.js';
export { loadModel } from './load.js';
export type { LoadModelOptions } from './load.js';
export type { LoadProgress } from './progress.js';
export { Model } from './model.js';
export type {
  HeadMaskOptions,
  Ids,
  ModelInput,
  PixelInput,
  TextBatch,
  TextOrPair,
  TextPair,
  TokenInput,
} from './inputs.js';
export type { Config } from './config-fields.js';
export type { BatchTokens, Tokens } from './encoding.js';
export type {
  BatchOutput,
  MaskGuess,
  ModelDtype,
  ModelForwardOptions,
  ModelOutput,
  PreprocessedPictures,
  TextOutput,
} from './model.js';
export type { PatchGrid } from './embeddings.js';
export type { Picture, PictureCrop, PictureInput } from './pictures.js';
export type { TextAndPictureNumbers } from './text-and-picture.js';
export type { TwoTextNumbers } from './two-texts.js';
