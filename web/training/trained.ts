/** A trained model that is looked at: what is known of it, and each of its layers as attention over a sentence. */
import { bytesAt, modelBytesAt } from '../api/bytes-at.js';
import { checkInteger, rangeError } from '../api/errors.js';
import { item } from '../api/item.js';
import { readFile } from '../api/safetensors-file.js';
import { Tensor } from '../api/tensor.js';
import type { Compute } from '../documents/compute.js';
import type { Opened } from '../documents/opened.js';
import type { Encoder } from './encoder.js';
import { MAX_LENGTH } from './language/corpus.js';
import { idsOf, UNKNOWN, VOCABULARY } from './language/vocabulary.js';
import { loadTraining, type TrainingModule } from './load.js';
import { factsOf, saidByCard, saidByMetadata, type TrainedFacts } from './model-facts.js';

/** The attention of one layer, and what it takes. */
const ATTENTION = ['in_proj_weight', 'in_proj_bias', 'out_proj.weight', 'out_proj.bias'] as const;

/** What an optimizer remembers stands in the same file; who only reads has no use for it. */
const isParameter = ([name]: [string, Tensor]): boolean => !name.startsWith('optimizer.');

/** A model ready to read sentences. It lives as long as the page. */
export class TrainedModel {
  /** Words of the longest sentence that it reads. */
  readonly maxLength = MAX_LENGTH;
  readonly #encoder: Encoder;
  #untrained: TrainedModel | null = null;

  /**
   * @param parameters under the names of `stateDict()`
   * @param encoder one that has them, where there is one
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

  /** An encoder of the same sizes as this one was before its first step; the caller disposes it. */
  encoder(): Encoder {
    const { numLayers, numHeads, embedDim, feedForwardDim, seed } = this.facts;
    const sizes = { numLayers, numHeads, embedDim, feedForwardDim };
    return new this.training.Encoder({ vocabSize: VOCABULARY.length, maxLength: MAX_LENGTH, ...sizes, seed });
  }

  /** This model before its first step. */
  untrained(): TrainedModel {
    if (this.#untrained) return this.#untrained;
    const encoder = this.encoder();
    const facts = { ...this.facts, steps: 0, accuracy: null };
    return (this.#untrained = new TrainedModel(this.training, facts, encoder.stateDict(), encoder));
  }

  /** Words that the model does not know: all of them are the same `[UNK]` for it. */
  unknown(tokens: readonly string[]): readonly string[] {
    const ids = idsOf(tokens);
    return [...new Set(tokens.filter((_, place) => ids[place] === UNKNOWN))];
  }

  /**
   * One layer's attention with its own parameters, over what this layer really takes when the model reads the
   * words: x is `layerInputs[layer]`, behind the layer's first norm.
   *
   * @throws RangeError, naming `words` or `layer`, for a longer sentence or a layer that it does not have
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

/** Bytes of a card: several times what the package's own has. */
const MOST_OF_CARD = 2 ** 18;

/** What a model's card says. */
async function cardAt(url: URL): Promise<unknown> {
  const bytes = await bytesAt(url);
  if (bytes.length > MOST_OF_CARD) {
    throw rangeError('card', `be of at most ${MOST_OF_CARD} bytes, got ${bytes.length}`);
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw rangeError('card', 'be JSON, got something else');
  }
}

/**
 * Loads a model and the binary that reads with it.
 *
 * @param card says what the file's own metadata may not
 * @throws (rejects) Error when a file does not come, RangeError when it is no model of this language
 */
export async function loadTrained(model: URL, card: URL): Promise<TrainedModel> {
  const [training, bytes] = await Promise.all([loadTraining(), modelBytesAt(model)]);
  const { tensors, metadata } = readFile(bytes);
  const parameters = Object.fromEntries(Object.entries(tensors).filter(isParameter));
  const said = saidByMetadata(metadata) ?? saidByCard(await cardAt(card));
  return new TrainedModel(training, factsOf(parameters, said), parameters);
}
