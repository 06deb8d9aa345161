/**
 * Computes one model as messages ask for it: in a worker, or on the page where no worker can start. Nothing here may be
 * imported statically by a bare name: import maps do not apply to workers.
 */
import { instantiate } from '../wasm/instantiate.js';
import type { Tensor } from '../api/tensor.js';
import createModels from '../wasm/models.js';
import { cardAt, folderAt, type OpenUrl } from './folder.js';
import type { ModelInput, TextBatch } from './inputs.js';
import {
  type BatchOutput,
  type Model,
  type ModelForwardOptions,
  type ModelOutput,
  readForwardOptions,
} from './model.js';
import type {
  Call,
  PlainAttentionCall,
  PlainLayer,
  PlainOutput,
  PlainPictures,
  PlainTensor,
  Reply,
} from './protocol.js';
import { readModel, readTokenizer } from './read-model.js';

/** The buffers of a reply that nothing else uses: they may be moved to the page instead of copied. */
type OwnBuffers = Set<ArrayBuffer>;

function plain({ data, shape }: Tensor, own: OwnBuffers): PlainTensor {
  const values = data as Float32Array<ArrayBuffer>;
  own.add(values.buffer);
  return { data: values, shape: [...shape] };
}

function plainOutput(
  { attentions, hiddenStates, lastHiddenState, logits, ...tokens }: ModelOutput | BatchOutput,
  own: OwnBuffers,
): PlainOutput {
  const all = (tensors: readonly Tensor[]) => tensors.map((tensor) => plain(tensor, own));
  return {
    ...tokens,
    attentions: all(attentions),
    ...(hiddenStates && { hiddenStates: all(hiddenStates) }),
    lastHiddenState: plain(lastHiddenState, own),
    ...(logits && { logits: plain(logits, own) }),
  };
}

/** The token ids of an input, if it is of tokens. `forward` checks them. */
function idsOf(input: ModelInput): Iterable<number> {
  const ids = (input as { inputIds?: unknown } | null | undefined)?.inputIds;
  if (!Array.isArray(ids)) return (ids as { data?: Iterable<number> } | null | undefined)?.data ?? [];
  return ids.flatMap((row: Iterable<number> | number) => (typeof row === 'object' ? [...row] : [row]));
}

/** As `Model.forward`, with the rows of tokens that are still on the server. The text is tokenized once. */
async function forward(
  model: Model,
  input: ModelInput | TextBatch,
  options: Omit<ModelForwardOptions, 'cache'>,
): Promise<ModelOutput | BatchOutput> {
  const { truncation, ...others } = readForwardOptions(options);
  const { plain, tokens } = model.read(input, truncation);
  await model.prepare(idsOf(plain));
  return { ...model.forward(plain, others), ...tokens };
}

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
>;

/** Milliseconds for one use of a tokenizer: published ones take less than a tenth of it, for a whole book or to be made. */
const LIMIT = 10_000;

export class Executor {
  #model: Model | null = null;
  readonly #running = new Map<number, AbortController>();
  #isOver = false;

  constructor(
    private readonly openUrl: OpenUrl,
    /** Takes a reply, and what of it may be moved to another thread. */
    private readonly reply: (reply: Reply, own?: ArrayBuffer[]) => void,
  ) {}

  send(call: Call): void {
    if (call.method === 'abort') {
      this.#running.get(call.target)?.abort();
      return;
    }
    const { id } = call;
    const controller = new AbortController();
    this.#running.set(id, controller);
    const own: OwnBuffers = new Set();
    const tell = (progress: unknown) => {
      this.reply({ id, progress });
    };
    this.#answer(call, controller.signal, tell, own)
      .then((value) => {
        this.reply({ id, value }, [...own]);
      })
      .catch((error: unknown) => {
        const { name, message, argument } = error as Error & { argument?: string };
        this.reply({ id, error: { name, message, ...(argument !== undefined && { argument }) } });
      })
      .finally(() => {
        this.#running.delete(id);
        // What it has begun beside, such as another download, ends with it.
        controller.abort();
      });
  }

  /** Ends what is running and frees the model. */
  stop(): void {
    this.#isOver = true;
    for (const controller of this.#running.values()) controller.abort();
    this.#model?.dispose();
  }

  async #answer(
    call: Exclude<Call, { method: 'abort' }>,
    signal: AbortSignal,
    tell: (progress: unknown) => void,
    own: OwnBuffers,
  ): Promise<unknown> {
    if (call.method === 'load') return this.#load(call, signal, tell);
    const model = this.#model;
    if (!model) throw new Error('the model is not loaded');
    switch (call.method) {
      case 'card':
        return model.card;
      case 'forward':
        return plainOutput(await forward(model, call.input, call.options), own);
      case 'attentionCall': {
        const { layer, options } = call;
        const { headDim, rope } = model.attentionShape(layer);
        await forward(model, call.text, { ...options, attentions: false });
        return {
          ...{ headDim, rope, options: model.attentionOptions(layer) },
          input: plain(model.attentionInput(layer), own),
        } satisfies PlainAttentionCall;
      }
      case 'generate':
        return model.generate(call.input, { ...call.options, signal, onToken: tell });
      case 'nextTokens':
        return model.nextTokens(call.input, call.options);
      case 'tokenize':
        return model.tokenize(...call.texts);
      case 'preprocess': {
        const { pixelValues, ...others } = model.preprocess(call.image);
        return { pixelValues: plain(pixelValues, own), ...others } satisfies PlainPictures;
      }
      case 'fillMask':
        await model.prepare(model.tokenize(call.text).ids);
        return model.fillMask(call.text, call.k, call.options);
      case 'attentionParts': {
        const { options, state } = model.attentionParts(call.layer);
        const tensors = Object.entries(state).map(([name, tensor]) => [name, plain(tensor, own)] as const);
        return { options, state: Object.fromEntries(tensors) } satisfies PlainLayer;
      }
      case 'attentionInput':
        return plain(model.attentionInput(call.layer), own);
      case 'attentionOptions':
        return model.attentionOptions(call.layer);
    }
  }

  async #load(
    { module, place, dtype, untrained, cache }: Extract<Call, { method: 'load' }>,
    signal: AbortSignal,
    tell: (progress: unknown) => void,
  ): Promise<Facts> {
    const binding = await instantiate(createModels, module);
    const folder = folderAt(place, { openUrl: this.openUrl, cache });
    const tokenizing = readTokenizer(folder, signal, (work) => {
      this.reply({ id: -1, limit: LIMIT });
      try {
        return work();
      } finally {
        this.reply({ id: -1, limit: 0 });
      }
    });
    tokenizing.catch(() => undefined);
    const model = await readModel(binding, folder, {
      module: null,
      dtype,
      untrained,
      signal,
      onProgress: tell,
      rowsOnDemand: true,
    });
    model.setCard(() => cardAt(place, folder));
    try {
      if (model.readsText) model.setTokenizer(await tokenizing);
      if (this.#isOver) throw new Error('this model was disposed while it was loaded');
    } catch (error) {
      model.dispose();
      throw error;
    }
    this.#model = model;
    const { family, config, numLayers, numHeads, causal, parameterCount, maxLength } = model;
    const { hasLanguageHead, mask } = model;
    return {
      ...{ family, config, numLayers, numHeads, causal, parameterCount, maxLength },
      ...{ hasLanguageHead, mask },
    };
  }
}
