/**
 * Computes one model as messages ask for it: in a worker, or on the page where no worker can start. Nothing here may be
 * imported statically by a bare name: import maps do not apply to workers.
 */
import { instantiate } from '../api/instantiate.js';
import type { Tensor } from '../api/tensor.js';
import createModels from '../wasm/models.js';
import { folderAt, type OpenUrl } from './folder.js';
import type { ModelInput } from './inputs.js';
import type { Model, ModelOutput } from './model.js';
import type { Call, PlainLayer, PlainOutput, PlainTensor, Reply } from './protocol.js';
import { readModel, readTokenizer } from './read-model.js';

const plain = ({ data, shape }: Tensor): PlainTensor => ({
  data: data as Float32Array<ArrayBuffer>,
  shape: [...shape],
});

function plainOutput({
  tokens,
  attentions,
  hiddenStates,
  lastHiddenState,
  logits,
}: ModelOutput): PlainOutput {
  return {
    ...(tokens && { tokens }),
    attentions: attentions.map(plain),
    ...(hiddenStates && { hiddenStates: hiddenStates.map(plain) }),
    lastHiddenState: plain(lastHiddenState),
    ...(logits && { logits: plain(logits) }),
  };
}

/** The token ids of an input, if it is of tokens. `forward` checks them. */
function idsOf(model: Model, input: ModelInput): Iterable<number> {
  if (typeof input === 'string') return model.tokenize(input).ids;
  const ids = (input as { inputIds?: unknown } | null | undefined)?.inputIds;
  if (!Array.isArray(ids)) return (ids as { data?: Iterable<number> } | null | undefined)?.data ?? [];
  return ids.flatMap((row: Iterable<number> | number) => (typeof row === 'object' ? [...row] : [row]));
}

/** What is told of a model that is loaded. */
export type Facts = Pick<
  Model,
  'family' | 'config' | 'numLayers' | 'numHeads' | 'causal' | 'parameterCount' | 'maxLength'
>;

export class Executor {
  #model: Model | null = null;
  readonly #running = new Map<number, AbortController>();
  #isOver = false;

  constructor(
    private readonly openUrl: OpenUrl,
    private readonly reply: (reply: Reply) => void,
  ) {}

  send(call: Call): void {
    if (call.method === 'abort') {
      this.#running.get(call.target)?.abort();
      return;
    }
    const { id } = call;
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#answer(call, controller.signal, (progress) => {
      this.reply({ id, progress });
    })
      .then((value) => {
        this.reply({ id, value });
      })
      .catch((error: unknown) => {
        const { name, message, argument } = error as Error & { argument?: string };
        this.reply({ id, error: { name, message, ...(argument !== undefined && { argument }) } });
      })
      .finally(() => this.#running.delete(id));
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
  ): Promise<unknown> {
    if (call.method === 'load') return this.#load(call, signal, tell);
    const model = this.#model;
    if (!model) throw new Error('the model is not loaded');
    switch (call.method) {
      case 'forward':
        await model.prepare(idsOf(model, call.input));
        return plainOutput(model.forward(call.input, call.options));
      case 'generate':
        return model.generate(call.input, { ...call.options, signal, onToken: tell });
      case 'tokenize':
        return model.tokenize(call.text);
      case 'fillMask':
        return model.fillMask(call.text, call.k);
      case 'attentionParts': {
        const { options, state } = model.attentionParts(call.layer);
        const tensors = Object.entries(state).map(([name, tensor]) => [name, plain(tensor)] as const);
        return { options, state: Object.fromEntries(tensors) } satisfies PlainLayer;
      }
      case 'attentionInput':
        return plain(model.attentionInput(call.layer));
      case 'attentionOptions':
        return model.attentionOptions(call.layer);
    }
  }

  async #load(
    { module, tallTiles, place, dtype, cache, tokenizers }: Extract<Call, { method: 'load' }>,
    signal: AbortSignal,
    tell: (progress: unknown) => void,
  ): Promise<Facts> {
    const binding = await instantiate(createModels, module);
    if (tallTiles) binding.useTallTiles();
    const folder = folderAt(place, { openUrl: this.openUrl, cache });
    const tokenizing = readTokenizer(folder, signal, tokenizers);
    tokenizing.catch(() => undefined);
    const model = await readModel(binding, folder, {
      module: null,
      dtype,
      signal,
      onProgress: tell,
      rowsOnDemand: true,
    });
    try {
      if (model.readsText) model.setTokenizer(await tokenizing);
      if (this.#isOver) throw new Error('this model was disposed while it was loaded');
    } catch (error) {
      model.dispose();
      throw error;
    }
    this.#model = model;
    const { family, config, numLayers, numHeads, causal, parameterCount, maxLength } = model;
    return { family, config, numLayers, numHeads, causal, parameterCount, maxLength };
  }
}
