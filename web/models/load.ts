import { hereBase, openFile as openUrl } from '#model-file';
import { checkBoolean, checkName, checkText, wrongKind } from '../api/errors.js';
import { type AttentionModule, load } from '../api/load.js';
import { type OrNull, readOptions } from '../api/options.js';
import type { Platform } from '../api/platform.js';
import { modelsBinding } from './binary.js';
import { type ModelSource, placeOf } from './folder.js';
import type { Model, ModelDtype } from './model.js';
import type { LoadProgress } from './progress.js';
import { readModel } from './read-model.js';

/** Options of `loadModel` and `loadModelInWorker`. */
export interface LoadModelOptions {
  /**
   * What `load()` gave: its build and number of threads are used. By default the fastest build that runs here, and one
   * thread.
   */
  module?: AttentionModule;
  /**
   * How weights are kept. `auto` (the default) keeps those of an F16 or BF16 file in 16 bits, in half the memory of `float32`
   * and with the same results, bit for bit. `int8` takes a quarter: every output feature has a factor, its largest
   * |weight| / 127, and what a linear map takes is rounded to 16 bits, with a factor per token. Weights that a file stores
   * in 8 bits are computed so with `auto`, too.
   */
  dtype?: ModelDtype;
  /**
   * Whether to load the model as it is before training: matrices are drawn from a normal distribution with the standard
   * deviation `initializer_range` of config.json, biases are 0, scales of norms 1. The same at every load. A model's real
   * first values are not known: files hold trained ones only. `false` by default.
   */
  untrained?: boolean;
  /** Branch, tag or commit of a hub folder. */
  revision?: string;
  /** Called whenever bytes of the weights have come. What it throws ends the loading, too. */
  onProgress?: (progress: LoadProgress) => void;
  /** Ends the loading, wherever it is: the promise is rejected with the signal's reason. */
  signal?: Platform<'AbortSignal'>;
  /** Whether downloads are kept in Cache Storage, in a browser. */
  cache?: boolean;
}

const OPTIONS = ['module', 'dtype', 'untrained', 'revision', 'onProgress', 'signal', 'cache'] as const;

/** @internal The options with their defaults. @throws TypeError, RangeError */
export function readLoadOptions(options?: OrNull<LoadModelOptions> | null) {
  const read = readOptions('loadModel', options ?? {}, OPTIONS);
  const { module, dtype = 'auto', untrained = false, revision = 'main', onProgress } = read;
  const { signal, cache = true } = read;
  if (module !== undefined && typeof (module as Partial<AttentionModule>).build !== 'string') {
    throw wrongKind('module', 'what load() gave', module);
  }
  checkName('dtype', dtype, ['auto', 'float32', 'int8']);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw wrongKind('onProgress', 'a function', onProgress);
  }
  checkBoolean('untrained', untrained);
  checkBoolean('cache', cache);
  checkText('revision', revision);
  signal?.throwIfAborted();
  return { module, dtype, untrained, revision, onProgress, signal, cache };
}

/**
 * Loads a pretrained transformer from its own files: config.json, model.safetensors or its shards, tokenizer.json or
 * vocab.txt, as published on the Hugging Face hub. Everything is checked before the weights are read; a file that does
 * not come whole is an error, never a partial model.
 *
 * @param source URL of a folder, a hub name `owner/name`, `minilm`, `sentences`, files that the reader dropped, or
 *   `{ config, weights, tokenizer }` in memory
 * @throws (rejects) TypeError, RangeError that name the file or tensor, what was expected and what came; Error for
 *   files that cannot be read; the signal's reason when it is aborted
 */
export async function loadModel(
  source: ModelSource,
  options?: OrNull<LoadModelOptions> | null,
): Promise<Model> {
  const read = readLoadOptions(options);
  return untilAborted(read.signal, (signal) => loadUntil(signal, source, read));
}

async function loadUntil(
  signal: AbortSignal,
  source: ModelSource,
  { module, dtype, untrained, revision, onProgress, cache }: ReturnType<typeof readLoadOptions>,
): Promise<Model> {
  const place = await placeOf(source, revision, hereBase());
  const attention = module ?? (await load());
  return readModel(modelsBinding(attention.build, attention.threads), place, {
    ...{ openUrl, cache, module: attention, dtype, untrained, onProgress, signal },
  });
}

/**
 * @internal Does work that ends with a signal: the promise is rejected with its reason at once, wherever the work is. What
 * the work has begun with its own signal ends when the work does, whether it succeeds or fails.
 *
 * @param work checks its signal before it gives what somebody would have to dispose of
 */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = () => {
    own.abort(signal?.reason);
  };
  signal?.addEventListener('abort', abort);
  try {
    return await new Promise((resolve, reject) => {
      own.signal.addEventListener('abort', () => {
        reject(own.signal.reason as Error);
      });
      work(own.signal).then(resolve, reject);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    own.abort();
  }
}
