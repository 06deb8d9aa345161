/**
 * The examples of the five tutorial documents, recomputed.
 *
 * @module
 */
import { load } from '../api/load.js';
import { bindDocuments, type Documents } from './examples.js';

export type { Documents } from './examples.js';
export type { SentenceOptions } from './sentence.js';
export type { DocumentId, DocumentInfo, DocumentResult, Localized, Row } from './types.js';

/**
 * The examples, computed by the module that `load()` gives. This entry awaits `load()` at its top level, so that every
 * function returns its result at once: `require` cannot load it, and a bundler has to build for ES2022. The import
 * rejects where `load()` does.
 *
 * @group Start here
 * @example
 * ```js
 * import { documents } from 'multihead-attention/documents';
 *
 * console.log(documents.run('001-b').tensors.weights.shape); // [ 4, 11, 11 ]
 * ```
 */
export const documents: Documents = bindDocuments(await load());
