/**
 * Pretrained transformers computed in the browser: {@link loadModel} reads a model's own files.
 *
 * @module
 */
export { configure } from './folder.js';
export type { ModelBytes, ModelSource } from './folder.js';
export type { Generated, GeneratedToken, GenerateOptions } from './generate.js';
export { loadModelInWorker, WorkerModel } from './in-worker.js';
export { loadModel } from './load.js';
export type { LoadModelOptions } from './load.js';
export type { LoadProgress } from './progress.js';
export { Model, ModelCache } from './model.js';
export type { Ids, ModelInput, PixelInput, TokenInput } from './inputs.js';
export type { Config } from './architecture.js';
export type { ComputeModule } from '../api/load.js';
export type { MaskGuess, ModelDtype, ModelForwardOptions, ModelOutput } from './model.js';
export type { Tokens } from './tokenizer.js';
