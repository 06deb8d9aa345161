import { openFile } from '#model-file';
import { carriesTallTiles } from '../api/builds.js';
import { checkInteger, rangeError, wrongKind } from '../api/errors.js';
import type { ComputeModule } from '../api/load.js';
import type { MultiHeadAttention } from '../api/multi-head-attention.js';
import type { OrNull } from '../api/options.js';
import { Tensor } from '../api/tensor.js';
import type { Config } from './architecture.js';
import { modelsBinary } from './binary.js';
import { Connection, localPort, workerPort } from './connection.js';
import { createWorker } from './create-worker.js';
import { Executor } from './executor.js';
import { asFiles, folderAt, type ModelSource, placeOf } from './folder.js';
import type { Generated, GeneratedToken, GenerateOptions } from './generate.js';
import type { ModelInput } from './inputs.js';
import { type LoadModelOptions, readLoadOptions } from './load.js';
import { layerOf, type ModelForwardOptions, type ModelOutput } from './model.js';
import type { LoadProgress } from './progress.js';
import type { PlainLayer, PlainOutput, PlainTensor } from './protocol.js';
import { readTokenizer } from './read-model.js';
import type { TextTokenizer, Tokens } from './tokenizer.js';

/** What the worker tells of its model. */
interface Facts {
  readonly family: string;
  readonly config: Config;
  readonly numLayers: number;
  readonly numHeads: number;
  readonly causal: boolean;
  readonly parameterCount: number;
  readonly readsText: boolean;
  readonly maxLength: number;
  readonly endIds: readonly number[];
  readonly hasLanguageHead: boolean;
}

const toTensor = ({ data, shape }: PlainTensor): Tensor => new Tensor(data, shape);

/** What a worker model is made of on the page. */
interface Parts {
  readonly connection: Connection;
  readonly tokenizer: TextTokenizer | null;
  /** What `load()` gave. */
  readonly module: ComputeModule | null;
  readonly facts: Facts;
}

/** A model that is computed in a worker: as `Model`, with promises. */
export class WorkerModel {
  readonly family: string;
  readonly config: Config;
  readonly numLayers: number;
  readonly numHeads: number;
  readonly causal: boolean;
  readonly parameterCount: number;
  /** Tokens that a text may have. */
  readonly maxLength: number;
  readonly #parts: Parts;

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
  }

  tokenize(text: string): Tokens {
    if (typeof text !== 'string') throw wrongKind('text', 'a string', text);
    const { tokenizer } = this.#parts;
    if (!tokenizer) throw new Error('this model came without a tokenizer: give token ids instead of a text');
    return tokenizer.encode(text);
  }

  async forward(input: ModelInput, options: Omit<ModelForwardOptions, 'cache'> = {}): Promise<ModelOutput> {
    const encoded = typeof input === 'string' ? this.tokenize(input) : null;
    const plain = encoded ? { inputIds: [[...encoded.ids]] } : (input as Exclude<ModelInput, string>);
    const output = (await this.#parts.connection.call({
      method: 'forward',
      input: plain,
      options,
    })) as PlainOutput;
    return {
      ...(encoded && { tokens: encoded.tokens }),
      attentions: output.attentions.map(toTensor),
      ...(output.hiddenStates && { hiddenStates: output.hiddenStates.map(toTensor) }),
      lastHiddenState: toTensor(output.lastHiddenState),
      ...(output.logits && { logits: toTensor(output.logits) }),
    };
  }

  async generate(input: string | readonly number[], options: GenerateOptions = {}): Promise<Generated> {
    const { connection, tokenizer, facts } = this.#parts;
    const { onToken, signal, ...rest } = options;
    const isText = typeof input === 'string';
    const [end] = facts.endIds;
    const tokenOf = (id: number): string => tokenizer?.tokenOf(id) ?? '';
    const { ids } = (await connection.call(
      {
        method: 'generate',
        ids: isText ? [...this.tokenize(input).ids] : input,
        options: isText && end !== undefined ? { eosTokenId: end, ...rest } : rest,
      },
      signal,
      (token: GeneratedToken) => onToken?.({ ...token, token: tokenOf(token.id) }),
    )) as Generated;
    return { ids, tokens: ids.map(tokenOf), text: tokenizer?.decode(ids) ?? '' };
  }

  /** As `Model.fillMask`. */
  async fillMask(text: string, k = 5): Promise<{ token: string; probability: number }[][]> {
    checkInteger('k', k);
    const { connection, tokenizer, facts } = this.#parts;
    const ids = [...this.tokenize(text).ids];
    const places = [...ids.keys()].filter((place) => ids[place] === tokenizer?.maskId);
    if (places.length === 0) throw rangeError('text', 'hold a mask, such as [MASK] or <mask>');
    if (!facts.hasLanguageHead) {
      throw rangeError('model', `have a head for masked words, got ${this.family} without one`);
    }
    const words = (await connection.call({ method: 'likeliest', ids, places, k })) as {
      id: number;
      probability: number;
    }[][];
    return words.map((likeliest) =>
      likeliest.map(({ id, probability }) => ({ token: tokenizer?.tokenOf(id) ?? '', probability })),
    );
  }

  /** As `Model.attentionLayer`: the layer computes on the page. */
  async attentionLayer(layer: number): Promise<MultiHeadAttention> {
    const { connection, module } = this.#parts;
    if (!module) throw new Error('load the model with { module: await load() } to take out a layer');
    const { options, state } = (await connection.call({ method: 'attentionParts', layer })) as PlainLayer;
    const tensors = Object.entries(state).map(([name, tensor]) => [name, toTensor(tensor)] as const);
    return layerOf(module, { options, state: Object.fromEntries(tensors) });
  }

  /** As `Model.attentionInput`. */
  async attentionInput(layer: number): Promise<Tensor> {
    return toTensor((await this.#parts.connection.call({ method: 'attentionInput', layer })) as PlainTensor);
  }

  /** Ends the worker. Calls under way are rejected. */
  dispose(): void {
    this.#parts.connection.close();
  }
}

/**
 * Loads a model in a worker of its own, so that the page stays responsive: `loadModel` with promises. Where no worker can
 * start (a policy of the page forbids it, or there are none, as in Node) the page itself computes.
 *
 * Of a token table that only texts need, the rows of the words that are used are downloaded alone, if the server answers
 * Range requests.
 *
 * @throws (rejects) as `loadModel`
 */
export async function loadModelInWorker(
  source: ModelSource,
  options?: OrNull<LoadModelOptions> | null,
): Promise<WorkerModel> {
  const { module, dtype, revision, onProgress, signal, cache } = readLoadOptions(options);
  const place = await placeOf(source, revision);
  const tokenizing = readTokenizer(folderAt(place, { openUrl: openFile, cache }), signal);
  tokenizing.catch(() => undefined);
  const compiling = modelsBinary(module?.build);
  compiling.catch(() => undefined);
  const worker = await createWorker();
  const connection = new Connection(
    worker ? workerPort(worker) : localPort((reply) => new Executor(openFile, reply)),
  );
  try {
    const facts = (await connection.call(
      {
        method: 'load',
        module: await compiling,
        tallTiles: carriesTallTiles,
        place: worker ? asFiles(place) : place,
        dtype,
        cache,
      },
      signal,
      (progress: LoadProgress) => onProgress?.(progress),
    )) as Facts;
    const tokenizer = facts.readsText ? await tokenizing : null;
    return new WorkerModel({ connection, tokenizer, module: module ?? null, facts });
  } catch (error) {
    connection.close();
    throw error;
  }
}
