/**
 * The methods of a model that a worker answers, or the page where no worker can start. Nothing here may be imported by a
 * bare name: import maps do not apply to workers.
 */
import { instantiate } from '../wasm/instantiate.js';
import type { StepsOptions } from '../api/layer-options.js';
import type { OrNull } from '../api/options.js';
import type { Tensor } from '../api/tensor.js';
import createModels from '../wasm/models.js';
import type { CallContext, Service } from '../worker/rpc.js';
import type { ModelCard } from './card.js';
import type { ModelPlace } from './folder.js';
import {
  type AnswerOptions,
  type HeadEffects,
  type InspectedInput,
  type LensLayer,
  type LogitLensOptions,
  patch,
  type Patched,
} from './effects.js';
import type { LikelyToken } from './choices.js';
import {
  type Generated,
  type GeneratedToken,
  type GenerateOptions,
  nextTask,
  type NextTokensOptions,
} from './generate.js';
import type { HeadMaskOptions, ModelInput, TextBatch } from './inputs.js';
import {
  type AttentionCall,
  type AttentionParts,
  type BatchOutput,
  type MaskGuess,
  type Model,
  type ModelDtype,
  type ModelForwardOptions,
  type ModelOutput,
  type PreprocessedPictures,
  readForwardOptions,
} from './model.js';
import type { OpenUrl } from './open-file.web.js';
import type { Picture } from './pictures.js';
import type { LoadProgress } from './progress.js';
import { readModel } from './read-model.js';
import type { Tokens } from './encoding.js';

/** What is told of a model that is loaded. */
export type Facts = Pick<
  Model,
  | 'family'
  | 'config'
  | 'numLayers'
  | 'numHeads'
  | 'causal'
  | 'parameterCount'
  | 'maxLength'
  | 'hasLanguageHead'
  | 'mask'
  | 'reader'
  | 'viewer'
  | 'comparesPictures'
  | 'startId'
>;

/** What a worker loads. */
export interface LoadCall {
  /** The compiled binary: a worker could not find it through the page's import map. */
  readonly module: WebAssembly.Module;
  readonly place: ModelPlace;
  readonly dtype: ModelDtype;
  readonly untrained: boolean;
  readonly cache: boolean;
}

/** Milliseconds for one use of a tokenizer: published ones take less than a tenth of it, for a whole book or to be made. */
const LIMIT = 10_000;

type Call = CallContext;
type Prompt = string | readonly number[];

/** Computes one model. */
export class ModelMethods {
  #model: Model | null = null;
  #isOver = false;

  constructor(private readonly openUrl: OpenUrl) {}

  /** Loads the model; before, no other method can be called. */
  readonly load = async (
    { signal, progress, limit }: CallContext<LoadProgress>,
    { module, place, dtype, untrained, cache }: LoadCall,
  ): Promise<Facts> => {
    const binding = instantiate(createModels, module);
    const model = await readModel(binding, place, {
      ...{ openUrl: this.openUrl, cache, module: null, dtype, untrained, signal },
      onProgress: progress,
      rowsOnDemand: true,
      watch: (work) => {
        limit(LIMIT);
        try {
          return work();
        } finally {
          limit(0);
        }
      },
    });
    if (this.#isOver) {
      model.dispose();
      throw new Error('this model was disposed while it was loaded');
    }
    this.#model = model;
    const { family, config, numLayers, numHeads, causal, parameterCount, maxLength } = model;
    const { hasLanguageHead, mask, reader, viewer, comparesPictures, startId } = model;
    return {
      ...{ family, config, numLayers, numHeads, causal, parameterCount, maxLength },
      ...{ hasLanguageHead, mask, reader, viewer, comparesPictures, startId },
    };
  };

  readonly card = (): Promise<ModelCard | null> => this.#loaded.card;

  readonly tokenize = (_: Call, texts: [text: string]): Tokens => this.#loaded.tokenize(...texts);

  readonly preprocess = (_: Call, image: Picture | readonly Picture[]): PreprocessedPictures =>
    this.#loaded.preprocess(image);

  /** As `Model.forward`, with the rows of tokens that are still on the server. The text is tokenized once. */
  readonly forward = async (
    { signal }: Call,
    input: ModelInput | TextBatch,
    options: Omit<ModelForwardOptions, 'cache'>,
  ): Promise<ModelOutput | BatchOutput> => {
    const { truncation, ...others } = readForwardOptions(options);
    // Their tables of tokens are never left on the server.
    if (this.#loaded.comparesPictures || this.#loaded.startId !== null)
      return this.#loaded.forward(input as ModelInput, options);
    const { plain, tokens } = this.#loaded.read(input, truncation);
    await this.#loaded.prepare(idsOf(plain));
    signal.throwIfAborted();
    return { ...this.#loaded.forward(plain, others), ...tokens };
  };

  readonly attentionCall = async (
    _: Call,
    text: string,
    layer: number,
    options: HeadMaskOptions,
  ): Promise<AttentionCall> => {
    const { plain } = this.#loaded.read(text);
    await this.#loaded.prepare(idsOf(plain));
    return this.#loaded.attentionCall(plain, layer, options);
  };

  readonly generate = (
    { signal, progress }: CallContext<GeneratedToken>,
    input: Prompt,
    options: OrNull<Omit<GenerateOptions, 'onToken' | 'signal'>>,
  ): Promise<Generated> => {
    const isSearch = (options.numBeams ?? 1) !== 1;
    return this.#loaded.generate(input, { ...options, signal, ...(!isSearch && { onToken: progress }) });
  };

  readonly nextTokens = (_: Call, input: Prompt, options?: OrNull<NextTokensOptions> | null): LikelyToken[] =>
    this.#loaded.nextTokens(input, options);

  readonly fillMask = async (
    _: Call,
    text: string,
    k?: number,
    options?: OrNull<HeadMaskOptions> | null,
  ): Promise<MaskGuess[][]> => {
    const { ids } = this.#loaded.tokenize(text);
    await this.#loaded.prepare(ids);
    return this.#loaded.guess(() => ids, k, options);
  };

  readonly headEffects = async (
    _: Call,
    input: InspectedInput,
    options?: OrNull<AnswerOptions> | null,
  ): Promise<HeadEffects> => {
    await this.#prepare(input);
    return this.#loaded.headEffects(input, options);
  };

  readonly logitLens = async (
    _: Call,
    input: InspectedInput,
    options?: OrNull<LogitLensOptions> | null,
  ): Promise<LensLayer[]> => {
    await this.#prepare(input);
    return this.#loaded.logitLens(input, options);
  };

  readonly patch = async (
    { signal, progress }: CallContext<number>,
    input: InspectedInput,
    other: InspectedInput,
    options?: OrNull<AnswerOptions> | null,
  ): Promise<Patched> => {
    await this.#prepare(input);
    await this.#prepare(other);
    const steps = patch(this.#loaded, input, other, options);
    try {
      for (;;) {
        signal.throwIfAborted();
        const step = steps.next();
        if (step.done) return step.value;
        progress(step.value);
        await nextTask();
      }
    } finally {
      // Frees what it keeps.
      steps.return(undefined as never);
    }
  };

  /** Fetches the rows of the tokens of a text. */
  async #prepare(input: InspectedInput): Promise<void> {
    const isPair = typeof input === 'object' && 'text' in input;
    const text = isPair ? input.text : input;
    await this.#loaded.prepare(typeof text === 'string' ? this.#loaded.tokenize(text).ids : text);
  }

  readonly attentionParts = (_: Call, layer: number): AttentionParts => this.#loaded.attentionParts(layer);

  readonly attentionInput = (_: Call, layer: number): Tensor => this.#loaded.attentionInput(layer);

  readonly attentionOptions = (_: Call, layer: number): StepsOptions => this.#loaded.attentionOptions(layer);

  get #loaded(): Model {
    if (!this.#model) throw new Error('the model is not loaded');
    return this.#model;
  }

  dispose(): void {
    this.#isOver = true;
    this.#model?.dispose();
  }
}

/** The names of the methods that may be called from another thread. */
export type RemoteModel = Omit<ModelMethods, 'dispose'>;

export function modelService(openUrl: OpenUrl): Service<RemoteModel> {
  const methods = new ModelMethods(openUrl);
  return {
    methods,
    close() {
      methods.dispose();
    },
  };
}

/** The token ids of an input, if it is of tokens. `forward` checks them. */
function idsOf(input: ModelInput): Iterable<number> {
  const ids = (input as { inputIds?: unknown } | null | undefined)?.inputIds;
  if (!Array.isArray(ids)) return (ids as { data?: Iterable<number> } | null | undefined)?.data ?? [];
  return ids.flatMap((row: Iterable<number> | number) => (typeof row === 'object' ? [...row] : [row]));
}
