import { openFile as openUrl } from '#model-file';
import { carriesTallTiles } from '../api/builds.js';
import type { OrNull } from '../api/options.js';
import { Tensor } from '../api/tensor.js';
import type { Config } from './architecture.js';
import { modelsBinary } from './binary.js';
import { folderOf, type ModelSource } from './folder.js';
import type { Generated, GeneratedToken, GenerateOptions } from './generate.js';
import { type LoadModelOptions, readLoadOptions } from './load.js';
import type { ModelInput } from './inputs.js';
import type { ModelForwardOptions, ModelOutput } from './model.js';
import type { Call, PlainOutput, PlainTensor, Reply } from './protocol.js';
import { type LoadProgress, readTokenizer } from './read-model.js';
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
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: unknown) => void) | undefined;
}

type NewCall = Call extends infer One ? (One extends Call ? Omit<One, 'id'> : never) : never;

const ERRORS: Readonly<Record<string, ErrorConstructor>> = { RangeError, TypeError };

/** Calls of one worker; an error comes with its class, message and argument. */
class Connection {
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();
  #failure: Error | null = null;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      this.#receive(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(new Error(`the model's worker failed: ${event.message || 'it could not be started'}`));
    });
  }

  call(call: NewCall, signal?: AbortSignal, onProgress?: (value: never) => void): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress: onProgress as Waiting['onProgress'] });
      signal?.addEventListener('abort', () => {
        this.worker.postMessage({ id: this.#next++, method: 'abort', target: id });
        this.#waiting.delete(id);
        reject(signal.reason as Error);
      });
      this.worker.postMessage({ ...call, id });
    });
  }

  close(): void {
    this.worker.terminate();
    this.#fail(new Error('this model was disposed and can no longer be used'));
  }

  #receive({ id, progress, value, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress !== undefined) {
      waiting.onProgress?.(progress);
      return;
    }
    this.#waiting.delete(id);
    if (!error) {
      waiting.resolve(value);
      return;
    }
    const { name, message, argument } = error;
    waiting.reject(
      Object.assign(new (ERRORS[name] ?? Error)(message), argument === undefined ? {} : { argument }),
    );
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const toTensor = ({ data, shape }: PlainTensor): Tensor => new Tensor(data, shape);

/** A model that is computed in a worker: as `Model`, with promises. */
export class WorkerModel {
  readonly family: string;
  readonly config: Config;
  readonly numLayers: number;
  readonly numHeads: number;
  readonly causal: boolean;
  readonly parameterCount: number;
  readonly #endIds: readonly number[];

  /** @internal */
  constructor(
    private readonly connection: Connection,
    private readonly tokenizer: TextTokenizer | null,
    facts: Facts,
  ) {
    this.family = facts.family;
    this.config = facts.config;
    this.numLayers = facts.numLayers;
    this.numHeads = facts.numHeads;
    this.causal = facts.causal;
    this.parameterCount = facts.parameterCount;
    this.#endIds = facts.endIds;
  }

  tokenize(text: string): Tokens {
    if (!this.tokenizer)
      throw new Error('this model came without a tokenizer: give token ids instead of a text');
    return this.tokenizer.encode(text);
  }

  async forward(input: ModelInput, options: Omit<ModelForwardOptions, 'cache'> = {}): Promise<ModelOutput> {
    const encoded = typeof input === 'string' ? this.tokenize(input) : null;
    const plain = encoded ? { inputIds: [[...encoded.ids]] } : (input as Exclude<ModelInput, string>);
    const output = (await this.connection.call({ method: 'forward', input: plain, options })) as PlainOutput;
    return {
      ...(encoded && { tokens: encoded.tokens }),
      attentions: output.attentions.map(toTensor),
      ...(output.hiddenStates && { hiddenStates: output.hiddenStates.map(toTensor) }),
      lastHiddenState: toTensor(output.lastHiddenState),
      ...(output.logits && { logits: toTensor(output.logits) }),
    };
  }

  async generate(input: string | readonly number[], options: GenerateOptions = {}): Promise<Generated> {
    const { onToken, signal, ...rest } = options;
    const isText = typeof input === 'string';
    const [end] = this.#endIds;
    const generated = (await this.connection.call(
      {
        method: 'generate',
        ids: isText ? [...this.tokenize(input).ids] : input,
        options: isText && end !== undefined ? { eosTokenId: end, ...rest } : rest,
      },
      signal,
      (token: GeneratedToken) => onToken?.({ ...token, token: this.tokenizer?.tokenOf(token.id) ?? '' }),
    )) as Generated;
    const { ids } = generated;
    const tokens = ids.map((id) => this.tokenizer?.tokenOf(id) ?? '');
    return { ids, tokens, text: this.tokenizer?.decode(ids) ?? '' };
  }

  /** Ends the worker. Calls under way are rejected. */
  dispose(): void {
    this.connection.close();
  }
}

/**
 * Loads a model in a worker of its own, so that the page stays responsive: `loadModel` with promises.
 *
 * @throws (rejects) as `loadModel`
 */
export async function loadModelInWorker(
  source: ModelSource,
  options?: OrNull<LoadModelOptions> | null,
): Promise<WorkerModel> {
  const { module, dtype, revision, onProgress, signal, cache } = readLoadOptions(options);
  const folder = await folderOf(source, { openUrl, revision, cache });
  const tokenizing = readTokenizer(folder, signal);
  tokenizing.catch(() => undefined);
  const binary = await modelsBinary(module?.build);
  const connection = new Connection(
    new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mha-model' }),
  );
  try {
    const facts = (await connection.call(
      { method: 'load', module: binary, tallTiles: carriesTallTiles, source, dtype, revision, cache },
      signal,
      (progress: LoadProgress) => onProgress?.(progress),
    )) as Facts;
    return new WorkerModel(connection, facts.readsText ? await tokenizing : null, facts);
  } catch (error) {
    connection.close();
    throw error;
  }
}
