import { openFile } from '#model-file';
import type { StepsOptions } from '../api/layer-options.js';
import { type ComputeModule, load } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { OrNull } from '../api/options.js';
import { Tensor } from '../api/tensor.js';
import type { Config } from './architecture.js';
import { modelsBinary } from './binary.js';
import type { ModelCard } from './card.js';
import { Connection, localPort, workerPort } from './connection.js';
import { createWorker } from './create-worker.js';
import { Executor, type Facts } from './executor.js';
import { asFiles, type ModelPlace, type ModelSource, placeOf } from './folder.js';
import type { Generated, GenerateOptions } from './generate.js';
import type { HeadMaskOptions } from './head-mask.js';
import type { ModelInput, TextBatch, TextOrPair } from './inputs.js';
import { type LoadModelOptions, readLoadOptions } from './load.js';
import {
  type BatchOutput,
  layerOf,
  type MaskGuess,
  type ModelForwardOptions,
  type ModelOutput,
  type PreprocessedPictures,
  type TextOutput,
} from './model.js';
import type { LikelyToken, NextTokensOptions } from './next-tokens.js';
import type { LoadProgress } from './progress.js';
import type { Picture } from './pictures.js';
import type { PlainAttentionCall, PlainLayer, PlainOutput, PlainPictures, PlainTensor } from './protocol.js';
import type { Tokens } from './tokenizer.js';
import { untilAborted } from './until-aborted.js';

const toTensor = ({ data, shape }: PlainTensor): Tensor => new Tensor(data, shape);

/** @internal As `PlainAttentionCall`. */
interface AttentionCall extends Omit<PlainAttentionCall, 'input'> {
  readonly input: Tensor;
}

/** Options of `forward` in a worker. */
export type WorkerForwardOptions = Omit<ModelForwardOptions, 'cache'>;

/** What a worker model is made of on the page. */
interface Parts {
  readonly connection: Connection;
  /** What `load()` gave. */
  readonly module: ComputeModule | undefined;
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
  }

  /** As `Model.card`. */
  get card(): Promise<ModelCard | null> {
    return (this.#card ??= this.#parts.connection.call({ method: 'card' }).then(
      (card) => card as ModelCard | null,
      () => null,
    ));
  }

  /** As `Model.tokenize`. */
  async tokenize(...texts: [text: string]): Promise<Tokens> {
    return (await this.#parts.connection.call({ method: 'tokenize', texts })) as Tokens;
  }

  /** As `Model.preprocess`. */
  async preprocess(image: Picture | readonly Picture[]): Promise<PreprocessedPictures> {
    const call = { method: 'preprocess', image } as const;
    const { pixelValues, ...others } = (await this.#parts.connection.call(call)) as PlainPictures;
    return { pixelValues: toTensor(pixelValues), ...others };
  }

  /** As `Model.forward`. Without a cache, which would stay in the worker. */
  forward(input: TextOrPair, options?: WorkerForwardOptions): Promise<TextOutput>;
  forward(input: TextBatch, options?: WorkerForwardOptions): Promise<BatchOutput>;
  forward(input: ModelInput, options?: WorkerForwardOptions): Promise<ModelOutput>;
  async forward(
    input: ModelInput | TextBatch,
    options: WorkerForwardOptions = {},
  ): Promise<ModelOutput | BatchOutput> {
    const call = { method: 'forward', input, options } as const;
    const { attentions, hiddenStates, lastHiddenState, logits, ...tokens } =
      (await this.#parts.connection.call(call)) as PlainOutput;
    return {
      ...tokens,
      attentions: attentions.map(toTensor),
      ...(hiddenStates && { hiddenStates: hiddenStates.map(toTensor) }),
      lastHiddenState: toTensor(lastHiddenState),
      ...(logits && { logits: toTensor(logits) }),
    };
  }

  /** As `Model.generate`. */
  async generate(
    input: string | readonly number[],
    options?: OrNull<GenerateOptions> | null,
  ): Promise<Generated> {
    const { onToken, signal, ...others } = options ?? {};
    const call = {
      method: 'generate',
      input,
      options: others as Omit<GenerateOptions, 'onToken' | 'signal'>,
    } as const;
    return (await this.#parts.connection.call(call, signal ?? undefined, onToken ?? undefined)) as Generated;
  }

  /**
   * @internal What a layer's attention takes for a text: in one call, because between several another figure may compute
   * another text with this model.
   */
  async attentionCall(text: string, layer: number, options: HeadMaskOptions = {}): Promise<AttentionCall> {
    const call = { method: 'attentionCall', text, layer, options } as const;
    const { input, ...others } = (await this.#parts.connection.call(call)) as PlainAttentionCall;
    return { input: toTensor(input), ...others };
  }

  /** As `Model.nextTokens`. */
  async nextTokens(
    input: string | readonly number[],
    options?: OrNull<NextTokensOptions> | null,
  ): Promise<LikelyToken[]> {
    return (await this.#parts.connection.call({ method: 'nextTokens', input, options })) as LikelyToken[];
  }

  /** As `Model.fillMask`. */
  async fillMask(text: string, k?: number, options?: OrNull<HeadMaskOptions> | null): Promise<MaskGuess[][]> {
    const call = { method: 'fillMask', text, k, options } as const;
    return (await this.#parts.connection.call(call)) as MaskGuess[][];
  }

  /** As `Model.attentionLayer`: the layer computes on the page. */
  async attentionLayer(layer: number): Promise<MultiHeadAttention> {
    const { connection, module = await load() } = this.#parts;
    const { options, state } = (await connection.call({ method: 'attentionParts', layer })) as PlainLayer;
    const tensors = Object.entries(state).map(([name, tensor]) => [name, toTensor(tensor)] as const);
    return layerOf(module, { options, state: Object.fromEntries(tensors) });
  }

  /** As `Model.attentionInput`. */
  async attentionInput(layer: number): Promise<Tensor> {
    return toTensor((await this.#parts.connection.call({ method: 'attentionInput', layer })) as PlainTensor);
  }

  /** As `Model.attentionOptions`. */
  async attentionOptions(layer: number): Promise<StepsOptions> {
    return (await this.#parts.connection.call({ method: 'attentionOptions', layer })) as StepsOptions;
  }

  /** Ends the worker. Calls under way are rejected. */
  dispose(): void {
    this.#parts.connection.close();
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
 * Of a token table that only texts need, the rows of the words that are used are downloaded alone, if the server answers
 * Range requests.
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
  const place = await placeOf(source, revision);
  const compiling = modelsBinary(module?.build);
  compiling.catch(() => undefined);
  const worker = await createWorker();
  if (!worker && typeof document !== 'undefined' && !isOwn(place)) {
    throw new DOMException(
      'this page cannot start a worker, in which a tokenizer could be stopped: ' +
        'it opens only models of its own origin, those with a name and bytes in memory',
      'NotAllowedError',
    );
  }
  const connection = new Connection(
    worker ? workerPort(worker) : localPort((reply) => new Executor(openFile, reply)),
  );
  try {
    const facts = (await connection.call(
      {
        method: 'load',
        module: await compiling,
        place: worker ? asFiles(place) : place,
        dtype,
        untrained,
        cache,
      },
      signal,
      (progress: LoadProgress) => onProgress?.(progress),
    )) as Facts;
    signal.throwIfAborted();
    return new WorkerModel({ connection, module, facts });
  } catch (error) {
    connection.close();
    throw error;
  }
}
