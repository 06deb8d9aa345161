/** A project without the DOM library or Node's types. */
import { type LoadOptions, load } from 'multihead-attention';
import { loadModel, loadModelInWorker, type ModelSource } from 'multihead-attention/models';
import { loadTraining } from 'multihead-attention/training';

export const source: ModelSource = 'minilm';
export const options: LoadOptions = { wasm: new Uint8Array(8) };
export const all = [load, loadModel, loadModelInWorker, loadTraining];
// @ts-expect-error A number is no source, here either.
export const wrong: ModelSource = 1;
