/**
 * `multihead-attention/standalone` on a server, which renders pages without drawing: the same names from the package's parts,
 * which Node can import.
 */
export * from '../index.js';
export { bindDocuments } from '../documents/examples.js';
export * from '../elements/index.js';
export { attentionFile, attentionScript } from '../models/attention-file.js';
export { configure } from '../api/configure.js';
export { knownModels } from '../models/known-models.js';
export { loadModelInWorker } from '../models/in-worker.js';
export { loadModel } from '../models/load.js';
