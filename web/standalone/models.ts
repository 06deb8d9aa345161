/**
 * Replaces `models/index.ts` in `standalone.js`: the functions load `standalone-models.js` from beside that file when they
 * are first called. Its binaries would make `standalone.js` larger for pages without models.
 */
import * as load from '../api/load.js';
import * as tensor from '../api/tensor.js';
import * as known from '../models/known-models.js';
import type * as Models from '../models/index.js';

export { attentionFile, attentionScript } from '../models/attention-file.js';
export { configure, knownModels } from '../models/known-models.js';
export type * from '../models/index.js';

const FILE = 'standalone-models.js';

/** Where this file is: a classic script's address is only known while it runs first. */
const here = ((): string => {
  const script =
    typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
  // A script that was copied into the page has an empty address.
  return script && script.src !== '' ? script.src : import.meta.url;
})();

declare global {
  /** What `standalone-models.js` gives. */
  var multiheadAttentionModels: typeof Models | undefined;
}

/** Runs the file: a classic script, so that it also works in pages opened as files. */
function runFile(): Promise<typeof Models> {
  const { href } = new URL(FILE, here);
  // It takes shared parts from its own tag: a page may have several copies of standalone.js.
  const script = Object.assign(document.createElement('script'), { parts: { load, tensor, known } });
  return new Promise<typeof Models>((resolve, reject) => {
    script.onload = () => {
      const models = globalThis.multiheadAttentionModels;
      if (models) resolve(models);
      else reject(new Error(`${href} is not ${FILE} of this package`));
    };
    script.onerror = () => {
      reject(new Error(`${href} cannot be loaded: put ${FILE} beside standalone.js`));
    };
    script.src = href;
    document.head.append(script);
  }).finally(() => {
    script.remove();
  });
}

let running: Promise<typeof Models> | undefined;

function models(): Promise<typeof Models> {
  running ??= runFile().catch((error: unknown) => {
    // The file may be there the next time.
    running = undefined;
    throw error;
  });
  return running;
}

export const loadModel: typeof Models.loadModel = async (...given) => (await models()).loadModel(...given);

export const loadModelInWorker: typeof Models.loadModelInWorker = async (...given) =>
  (await models()).loadModelInWorker(...given);
