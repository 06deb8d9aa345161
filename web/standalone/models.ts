/**
 * Replaces `models/index.ts` in `standalone.js`: the functions load `standalone-models.js` from beside that file when they
 * are first called. Its binaries would make `standalone.js` larger for pages without models.
 */
import * as configuration from '../api/configure.js';
import * as load from '../api/load.js';
import * as tensor from '../api/tensor.js';
import * as known from '../models/known-models.js';
import * as own from '../models/own-files.js';
import type * as Models from '../models/index.js';
import { fileBeside } from './beside.js';

export { attentionFile, attentionScript } from '../models/attention-file.js';
export { configure } from '../api/configure.js';
export { knownModels } from '../models/known-models.js';
export type * from '../models/index.js';

const models = fileBeside<typeof Models>('standalone-models.js', 'multiheadAttentionModels', {
  configuration,
  load,
  tensor,
  known,
  own,
});

export const loadModel: typeof Models.loadModel = async (...given) => (await models()).loadModel(...given);

export const loadModelInWorker: typeof Models.loadModelInWorker = async (...given) =>
  (await models()).loadModelInWorker(...given);
