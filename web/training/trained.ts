/** A trained model from a file: its facts, and each of its layers as attention over a sentence. */
import { bytesAt, modelBytesAt } from '../api/bytes-at.js';
import { checkInteger, rangeError } from '../api/errors.js';
import { readFile } from '../api/safetensors-file.js';
import { item, Tensor } from '../api/tensor.js';
import type { Compute } from '../documents/compute.js';
import type { Opened } from '../documents/opened.js';
import type { Encoder } from './encoder.js';
import { untrainedEncoder } from './encoder-sizes.js';
import { MAX_LENGTH } from './language/corpus.js';
import { idsOf, MASK, SPECIAL, UNKNOWN, VOCABULARY } from './language/vocabulary.js';
import { loadTraining, type TrainingModule } from './load.js';
import { factsOf, cardFacts, metadataFacts, type TrainedFacts } from './model-facts.js';

const ATTENTION = ['in_proj_weight', 'in_proj_bias', 'out_proj.weight', 'out_proj.bias'] as const;

/** Tells parameters from the optimizer's state, which the file may hold, too. */
const isParameter = ([name]: [string, Tensor]): boolean => !name.startsWith('optimizer.');

/** A model whose attention can be computed for any sentence. Never disposed: it is kept as long as the page. */
export class TrainedModel {
  /** Words of the longest sentence. */
  readonly maxLength = MAX_LENGTH;
  readonly #encoder: Encoder;
  #untrained: TrainedModel | null = null;

  /**
   * @param parameters under the names of `stateDict()`
   * @param encoder one that already has these parameters
   * @throws RangeError for parameters that do not fit the facts or each other
   */
  constructor(
    readonly training: TrainingModule,
    readonly facts: TrainedFacts,
    readonly parameters: Readonly<Record<string, Tensor>>,
    encoder?: Encoder,
  ) {
    this.#encoder = encoder ?? this.encoder();
    if (!encoder) this.#encoder.loadStateDict(parameters);
  }

  /** A new encoder with the initial parameters of this model; the caller disposes it. */
  encoder(): Encoder {
    return untrainedEncoder(this.training.Encoder, this.facts);
  }

  /** This model before its first step. */
  untrained(): TrainedModel {
    if (this.#untrained) return this.#untrained;
    const encoder = this.encoder();
    const facts = { ...this.facts, steps: 0, accuracy: null };
    return (this.#untrained = new TrainedModel(this.training, facts, encoder.stateDict(), encoder));
  }

  /** Returns the words outside the vocabulary, which all become `[UNK]`. */
  unknown(tokens: readonly string[]): readonly string[] {
    const ids = idsOf(tokens);
    return [...new Set(tokens.filter((_, place) => ids[place] === UNKNOWN))];
  }

  /** All words that the model knows, the likeliest at `place` first: there, and where a word is unknown, it gets `[MASK]`. */
  fitting(tokens: readonly string[], place: number): readonly string[] {
    const ids = Array.from(idsOf(tokens), (id, at) => (at === place || id === UNKNOWN ? MASK : id));
    const { data } = this.#encoder.forward([ids]).logits;
    const logits = data.subarray(place * VOCABULARY.length, (place + 1) * VOCABULARY.length);
    return Array.from(logits, (logit, id) => ({ logit, id }))
      .slice(SPECIAL.length)
      .sort((a, b) => b.logit - a.logit)
      .map(({ id }) => VOCABULARY[id] ?? '');
  }

  /** The head of all layers that has the largest weight from the word at `query` to that at `key`. */
  hardest(tokens: readonly string[], query: number, key: number): { layer: number; head: number } {
    const { length } = tokens;
    const [best] = this.#encoder
      .forward([[...idsOf(tokens)]])
      .weights.flatMap(({ data }, layer) =>
        Array.from({ length: this.facts.numHeads }, (_, head) => {
          return { layer, head, weight: data[(head * length + query) * length + key] ?? 0 };
        }),
      )
      .sort((a, b) => b.weight - a.weight);
    return { layer: best?.layer ?? 0, head: best?.head ?? 0 };
  }

  /**
   * One layer's attention with its own parameters and its real input: x is `layerInputs[layer]` of the sentence, after
   * the layer's first norm.
   *
   * @throws RangeError naming `words` or `layer`, for a longer sentence or a layer that does not exist
   */
  open(compute: Compute, tokens: readonly string[], layer: number): Opened {
    const { numLayers, numHeads, embedDim } = this.facts;
    checkInteger('layer', layer, 0, numLayers - 1);
    if (tokens.length > MAX_LENGTH) {
      throw rangeError('words', `be at most ${MAX_LENGTH}, got ${tokens.length}`);
    }
    const { layerInputs } = this.#encoder.forward([[...idsOf(tokens)]]);
    const attention = new compute.MultiHeadAttention({ embedDim, numHeads });
    attention.loadStateDict(
      Object.fromEntries(
        ATTENTION.map((name) => {
          const tensor = this.parameters[`layers.${layer}.self_attn.${name}`];
          if (!tensor) throw rangeError('model', `have ${name} of layer ${layer}, got none`);
          return [name, tensor];
        }),
      ),
    );
    const { data, shape } = item(layerInputs, layer);
    return {
      tokens: [...tokens],
      x: new Tensor(data, shape.slice(1)),
      layer: attention,
      headDim: embedDim / numHeads,
      anyHeads: false,
    };
  }
}

/** The largest size of a card in bytes: several times that of the package's own card. */
const MAX_CARD = 2 ** 18;

async function cardAt(url: URL): Promise<unknown> {
  const bytes = await bytesAt(url);
  if (bytes.length > MAX_CARD) {
    throw rangeError('card', `be of at most ${MAX_CARD} bytes, got ${bytes.length}`);
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw rangeError('card', 'be JSON, got something else');
  }
}

/**
 * Loads a model and the training binary.
 *
 * @param card is read where the file has no metadata
 * @throws (rejects) Error when a file cannot be read, RangeError when it is not a model of this language
 */
export async function loadTrained(model: URL, card: URL): Promise<TrainedModel> {
  const [training, bytes] = await Promise.all([loadTraining(), modelBytesAt(model)]);
  const { tensors, metadata } = readFile(bytes);
  const parameters = Object.fromEntries(Object.entries(tensors).filter(isParameter));
  const facts = metadataFacts(metadata) ?? cardFacts(await cardAt(card));
  return new TrainedModel(training, factsOf(parameters, facts), parameters);
}
