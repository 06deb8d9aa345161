import { hereBase, openFile } from '#model-file';
import { rangeError } from '../api/errors.js';
import type { StepsOptions } from '../api/layer-options.js';
import { type AttentionModule, load } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { OrNull } from '../api/options.js';
import type { Platform } from '../api/platform.js';
import type { Tensor } from '../api/tensor.js';
import { Connection } from '../worker/rpc.js';
import type { Config } from './config-fields.js';
import { modelsBinary } from './binary.js';
import type { ModelCard } from './card.js';
import { createWorker } from './create-worker.js';
import { asFiles, type ModelPlace, type ModelSource, placeOf } from './folder.js';
import type {
  AnswerOptions,
  HeadEffects,
  InspectedInput,
  LensLayer,
  LogitLensOptions,
  Patched,
} from './effects.js';
import type { LikelyToken } from './choices.js';
import type { Generated, GenerateOptions, NextTokensOptions } from './generate.js';
import type { HeadMaskOptions, ModelInput, TextBatch, TextOrPair } from './inputs.js';
import { type LoadModelOptions, readLoadOptions, untilAborted } from './load.js';
import {
  type AttentionCall,
  type BatchOutput,
  layerOf,
  type MaskGuess,
  type ModelForwardOptions,
  type ModelOutput,
  type PreprocessedPictures,
  type Reader,
  type TextOutput,
  type Viewer,
} from './model.js';
import type { Picture } from './pictures.js';
import { type Facts, modelService, type RemoteModel } from './service.js';
import type { Tokens } from './encoding.js';

const DISPOSED = 'this model was disposed and can no longer be used';

/** Options of `forward` in a worker. */
export interface WorkerForwardOptions extends Omit<ModelForwardOptions, 'cache'> {
  /** Ends it: the promise is rejected with the signal's reason at once. What the worker has begun to compute is dropped. */
  signal?: Platform<'AbortSignal'>;
}

/** Options of `patch` in a worker. */
export interface PatchOptions extends AnswerOptions {
  /** Called after each layer, with how many are done. */
  onProgress?: (layers: number) => void;
  /** Ends it: the promise is rejected with the signal's reason. */
  signal?: Platform<'AbortSignal'>;
}

/** What a worker model is made of on the page. */
interface Parts {
  readonly connection: Connection<RemoteModel>;
  /** What `load()` gave. */
  readonly module: AttentionModule | undefined;
  readonly facts: Facts;
}

/** A model that is computed in a worker: as `Model`, with promises. */
export class WorkerModel {
  /** As `Model.family`. */
  readonly family: string;
  /** config.json as it was read. */
  readonly config: Config;
  /** Layers of attention. */
  readonly numLayers: number;
  /** Heads of each layer. */
  readonly numHeads: number;
  /** Whether every token sees only those before it. */
  readonly causal: boolean;
  /** Numbers in the file that the model uses. */
  readonly parameterCount: number;
  /** Tokens that a text may have. */
  readonly maxLength: number;
  /** @internal As `Model.hasLanguageHead`. */
  readonly hasLanguageHead: boolean;
  /** @internal As `Model.mask`. */
  readonly mask: string | null;
  /** @internal As `Model.reader`. */
  readonly reader: Reader;
  /** @internal As `Model.viewer`. */
  readonly viewer: Viewer;
  /** @internal As `Model.comparesPictures`. */
  readonly comparesPictures: boolean;
  /** @internal As `Model.startId`. */
  readonly startId: number | null;
  /** @internal Why its worker has ended; null while it runs. */
  get failure(): Error | null {
    return this.#parts.connection.failure;
  }
  readonly #parts: Parts;
  #card: Promise<ModelCard | null> | null = null;

  /** @internal */
  constructor(parts: Parts) {
    const { facts } = parts;
    this.#parts = parts;
    this.family = facts.family;
    this.config = facts.config;
    this.numLayers = facts.numLayers;
    this.numHeads = facts.numHeads;
    this.causal = facts.causal;
    this.parameterCount = facts.parameterCount;
    this.maxLength = facts.maxLength;
    this.hasLanguageHead = facts.hasLanguageHead;
    this.mask = facts.mask;
    this.reader = facts.reader;
    this.viewer = facts.viewer;
    this.comparesPictures = facts.comparesPictures;
    this.startId = facts.startId;
  }

  /** As `Model.card`. */
  get card(): Promise<ModelCard | null> {
    return (this.#card ??= this.#parts.connection.call('card', []).catch(() => null));
  }

  /** As `Model.tokenize`. */
  tokenize(...texts: [text: string]): Promise<Tokens> {
    return this.#parts.connection.call('tokenize', [texts]);
  }

  /** As `Model.preprocess`. */
  preprocess(image: Picture | readonly Picture[]): Promise<PreprocessedPictures> {
    return this.#parts.connection.call('preprocess', [image]);
  }

  /** As `Model.forward`. Without a cache, which would stay in the worker. */
  forward(input: TextOrPair, options?: WorkerForwardOptions): Promise<TextOutput>;
  forward(input: TextBatch, options?: WorkerForwardOptions): Promise<BatchOutput>;
  forward(input: ModelInput, options?: WorkerForwardOptions): Promise<ModelOutput>;
  forward(input: ModelInput | TextBatch, options?: WorkerForwardOptions): Promise<ModelOutput | BatchOutput> {
    const { signal, ...others } = options ?? {};
    return this.#parts.connection.call('forward', [input, others], signal);
  }

  /** As `Model.generate`. */
  generate(input: string | readonly number[], options?: OrNull<GenerateOptions> | null): Promise<Generated> {
    const { onToken, signal, ...others } = options ?? {};
    const beams = others.numBeams ?? 1;
    if (onToken && beams !== 1) {
      return Promise.reject(rangeError('onToken', `be left out with numBeams: ${beams}`));
    }
    return this.#parts.connection.call(
      'generate',
      [input, others],
      signal ?? undefined,
      onToken ?? undefined,
    );
  }

  /**
   * @internal What a layer's attention takes for a text: in one call, because between several another figure may compute
   * another text with this model.
   */
  attentionCall(text: string, layer: number, options: HeadMaskOptions = {}): Promise<AttentionCall> {
    return this.#parts.connection.call('attentionCall', [text, layer, options]);
  }

  /** As `Model.nextTokens`. */
  nextTokens(
    input: string | readonly number[],
    options?: OrNull<NextTokensOptions> | null,
  ): Promise<LikelyToken[]> {
    return this.#parts.connection.call('nextTokens', [input, options]);
  }

  /** As `Model.fillMask`. */
  fillMask(text: string, k?: number, options?: OrNull<HeadMaskOptions> | null): Promise<MaskGuess[][]> {
    return this.#parts.connection.call('fillMask', [text, k, options]);
  }

  /** As `Model.headEffects`. */
  headEffects(input: InspectedInput, options?: OrNull<AnswerOptions> | null): Promise<HeadEffects> {
    return this.#parts.connection.call('headEffects', [input, options]);
  }

  /** As `Model.logitLens`. */
  logitLens(input: InspectedInput, options?: OrNull<LogitLensOptions> | null): Promise<LensLayer[]> {
    return this.#parts.connection.call('logitLens', [input, options]);
  }

  /** As `Model.patch`. */
  patch(
    input: InspectedInput,
    other: InspectedInput,
    options?: OrNull<PatchOptions> | null,
  ): Promise<Patched> {
    const { onProgress, signal, ...others } = options ?? {};
    return this.#parts.connection.call(
      'patch',
      [input, other, others],
      signal ?? undefined,
      onProgress ?? undefined,
    );
  }

  /** As `Model.attentionLayer`: the layer computes on the page. */
  async attentionLayer(layer: number): Promise<MultiHeadAttention> {
    const { connection, module = await load() } = this.#parts;
    return layerOf(module, await connection.call('attentionParts', [layer]));
  }

  /** As `Model.attentionInput`. */
  attentionInput(layer: number): Promise<Tensor> {
    return this.#parts.connection.call('attentionInput', [layer]);
  }

  /** As `Model.attentionOptions`. */
  attentionOptions(layer: number): Promise<StepsOptions> {
    return this.#parts.connection.call('attentionOptions', [layer]);
  }

  /** Ends the worker. Calls under way are rejected. */
  dispose(): void {
    this.#parts.connection.close(new Error(DISPOSED));
  }
}

/** Whether the page's author has chosen a model's files, and not a reader or a link. */
const isOwn = (place: ModelPlace): boolean =>
  place.kind === 'memory' ||
  (place.kind === 'url' && (place.isNamed || new URL(place.base).origin === location.origin));

/**
 * Loads a model in a worker of its own, so that the page stays responsive: `loadModel` with promises. Where no worker can
 * start (a policy of the page forbids it, or there are none, as in Node) the page itself computes; in a browser only models
 * of its own origin, those with a name and bytes in memory. A tokenizer that comes to no end in 10 s is ended with its worker.
 *
 * If the server answers Range requests, only those rows of the token table are downloaded that the texts use.
 *
 * @throws (rejects) as `loadModel`; `NotAllowedError` for a model that needs a worker, where none can start; `TimeoutError`,
 *   also of all calls after it, for a tokenizer without an end
 */
export async function loadModelInWorker(
  source: ModelSource,
  options?: OrNull<LoadModelOptions> | null,
): Promise<WorkerModel> {
  const read = readLoadOptions(options);
  return untilAborted(read.signal, (signal) => loadUntil(signal, source, read));
}

async function loadUntil(
  signal: AbortSignal,
  source: ModelSource,
  { module, dtype, untrained, revision, onProgress, cache }: ReturnType<typeof readLoadOptions>,
): Promise<WorkerModel> {
  const place = await placeOf(source, revision, hereBase());
  const compiling = modelsBinary(module?.build);
  compiling.catch(() => undefined);
  const worker = await createWorker(signal);
  signal.throwIfAborted();
  if (!worker && typeof document !== 'undefined' && !isOwn(place)) {
    throw new DOMException(
      'this page cannot start a worker, in which a tokenizer could be stopped: ' +
        'it opens only models of its own origin, those with a name and bytes in memory',
      'NotAllowedError',
    );
  }
  const connection = new Connection<RemoteModel>(worker ?? modelService(openFile), "the model's");
  try {
    const call = {
      ...{ module: await compiling, place: worker ? asFiles(place) : place },
      ...{ dtype, untrained, cache },
    };
    const facts = await connection.call('load', [call], signal, (progress) => onProgress?.(progress));
    signal.throwIfAborted();
    return new WorkerModel({ connection, module, facts });
  } catch (error) {
    connection.close(new Error(DISPOSED));
    throw error;
  }
}
