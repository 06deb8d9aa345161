/** BERT and its relatives: encoders with norms behind each half of a block. */
import type { Activation, RelativeConfig } from '../../wasm/models.js';
import {
  type Architecture,
  layerNorm,
  plainLayer,
  prefixOf,
  stackOf,
  type RowMapConfig,
  TensorNames,
} from '../architecture.js';
import {
  activation,
  epsilon,
  flag,
  initializerRange,
  only,
  orNull,
  size,
  tokenId,
  type Values,
} from '../config-fields.js';

/** Fields of all of them, with BERT's defaults. */
export const ENCODER_SIZES = {
  vocab_size: size(30522),
  hidden_size: size(768),
  num_hidden_layers: size(12),
  num_attention_heads: size(12),
  intermediate_size: size(3072),
  hidden_act: activation('gelu'),
  max_position_embeddings: size(512),
  layer_norm_eps: epsilon(1e-12),
  pad_token_id: orNull(tokenId(0), 0),
  tie_word_embeddings: flag(true),
  initializer_range: initializerRange,
};

/** Those of relatives with types of sentences. */
export const ENCODER = {
  ...ENCODER_SIZES,
  type_vocab_size: size(2),
  // Relative positions were taken out of transformers 5.
  position_embedding_type: only('absolute'),
};

/** Further fields of those that may also be decoders. */
export const DECODING = {
  is_decoder: flag(false),
  is_causal: flag(true),
  add_cross_attention: only(false),
};

/** Head of language models: dense, activation, norm, decoder. */
interface LanguageHead {
  readonly dense: string;
  readonly norm: string;
  readonly bias: string;
  /** The decoder, where it is not the token embedding. */
  readonly decoder: string;
  /** Where it is not that of the blocks. */
  readonly activation?: Activation;
}

/** What differs between the relatives of BERT. */
export interface EncoderNames {
  readonly family: string;
  readonly layer: (index: number) => string;
  readonly parts: Readonly<
    Record<
      'query' | 'key' | 'value' | 'output' | 'up' | 'down' | 'attention_norm' | 'feed_forward_norm',
      string
    >
  >;
  /** Linear map from narrower embeddings, in ELECTRA and ALBERT, and their width. */
  readonly projection?: { readonly name: string; readonly width: number; readonly isAlways?: true };
  /** Position 0 is the row after the padding id: RoBERTa. */
  readonly positionsAfter?: number;
  /** All layers share the parameters of this many groups: ALBERT. */
  readonly groups?: number;
  /** Whether each token sees only those before it. */
  readonly causal?: boolean;
  /** What scores gain by distances, and where the table is and the norm of its rows. */
  readonly relative?: { readonly config: RelativeConfig; readonly tensor: string; readonly norm?: string };
  /** A score is a sum of so many products of vectors: its scale is 1/√(d·terms). DeBERTa. */
  readonly scoreTerms?: number;
  /** Positions are in the scores alone. */
  readonly hasNoPositions?: boolean;
  /** The embeddings of padding are zero: DeBERTa. */
  readonly zeroesPadding?: boolean;
  readonly languageHead: LanguageHead;
  /** More tensors that are not read. */
  readonly ignored?: string;
  /** ELECTRA's discriminator: dense, activation, one number. */
  readonly discriminator?: { readonly dense: string; readonly output: string };
}

/** The sizes of a model: DistilBERT has no types of sentences. */
type Sizes = Omit<Values<typeof ENCODER_SIZES>, 'pad_token_id' | 'initializer_range'> & {
  readonly type_vocab_size: number | null;
};

export function describeEncoder(
  names: EncoderNames,
  sizes: Sizes,
  tensors: ReadonlySet<string>,
): Architecture {
  const { vocab_size: vocabulary, hidden_size: width, num_hidden_layers: layers } = sizes;
  const { num_attention_heads: heads, max_position_embeddings: positions, type_vocab_size: types } = sizes;
  const { width: embeddingWidth = width } = names.projection ?? {};
  const prefix = prefixOf('embeddings.word_embeddings.weight', tensors);
  const embeddings = `${prefix}embeddings.`;
  const { groups: blocks = layers, causal = false, positionsAfter, relative, scoreTerms = 1 } = names;
  const norm = layerNorm(sizes.layer_norm_eps);

  const uses = new TensorNames();
  for (let i = 0; i < blocks; i++) {
    for (const [part, name] of Object.entries(names.parts)) {
      uses.linear(`layers.${i}.${part}`, prefix + names.layer(i) + name);
    }
  }
  if (relative) uses.add(prefix + relative.tensor, { parameter: 'relative' });
  if (relative?.norm !== undefined) uses.norm('relative_norm', prefix + relative.norm);
  uses.norm('input.0', `${embeddings}LayerNorm`);
  // ELECTRA projects embeddings of another width alone, ALBERT all.
  const isProjected = names.projection?.isAlways ?? embeddingWidth !== width;
  if (names.projection && isProjected) uses.linear('input.1', prefix + names.projection.name);
  const token = `${embeddings}word_embeddings.weight`;
  const maps: RowMapConfig[] = [
    { name: 'input', width: embeddingWidth, stages: [{ norm }, ...(isProjected ? [{ linear: width }] : [])] },
  ];
  const { languageHead, discriminator } = names;
  const isLanguageModel = tensors.has(`${languageHead.dense}.weight`);
  const isDiscriminator = discriminator !== undefined && tensors.has(`${discriminator.dense}.weight`);
  // Of a decoder in the file its own numbers count: transformers ties it only where they are equal.
  const isTied = sizes.tie_word_embeddings && !tensors.has(`${languageHead.decoder}.weight`);
  if (isLanguageModel) {
    const { decoder, bias, activation: function_ = sizes.hidden_act } = languageHead;
    maps.push({
      name: 'head',
      width,
      stages: [{ linear: embeddingWidth }, { activation: function_ }, { norm }, { linear: vocabulary }],
    });
    uses.linear('head.0', languageHead.dense);
    uses.norm('head.2', languageHead.norm);
    const hasOwnBias = tensors.has(`${decoder}.bias`);
    uses.add(hasOwnBias ? `${decoder}.bias` : bias, { parameter: 'head.3.bias' });
    uses.add(isTied ? token : `${decoder}.weight`, { parameter: 'head.3.weight' });
  }
  if (isDiscriminator) {
    maps.push({
      name: 'head',
      width,
      stages: [{ linear: width }, { activation: sizes.hidden_act }, { linear: 1 }],
    });
    uses.linear('head.0', discriminator.dense);
    uses.linear('head.2', discriminator.output);
  }
  const hasPositions = !names.hasNoPositions;
  const first = positionsAfter === undefined ? 0 : positionsAfter + 1;
  const position = `${embeddings}position_embeddings.weight`;
  const type = `${embeddings}token_type_embeddings.weight`;
  return {
    family: names.family,
    config: stackOf(layers, {
      width,
      heads,
      innerWidth: sizes.intermediate_size,
      activation: sizes.hidden_act,
      norm,
      placement: 'after',
      causal,
      blocks,
      layers: Array.from({ length: layers }, (_, i) =>
        plainLayer(1 / Math.sqrt((width / heads) * scoreTerms), Math.floor(i / (layers / blocks))),
      ),
      relative: relative?.config ?? null,
    }),
    maps,
    input: {
      kind: 'text',
      width: embeddingWidth,
      token,
      ...(hasPositions && { position: { tensor: position, first } }),
      ...(names.zeroesPadding && { zeroesPadding: true }),
      ...(types !== null && { type }),
      ...(positionsAfter !== undefined && { paddingId: positionsAfter }),
      map: 'input',
      maxLength: positions - first,
    },
    tensors: uses.uses,
    tables: new Map([
      [token, [vocabulary, embeddingWidth]],
      ...(hasPositions ? [[position, [positions, embeddingWidth]] as const] : []),
      ...(types !== null ? [[type, [types, embeddingWidth]] as const] : []),
    ]),
    // The bias of a language head that its decoder does not use.
    ignored: new RegExp(
      [
        `^${languageHead.bias.replaceAll('.', String.raw`\.`)}$`,
        ...(names.ignored ? [names.ignored] : []),
      ].join('|'),
      'u',
    ),
    hasFinalNorm: false,
    lastIsNormed: false,
    heads: isLanguageModel || isDiscriminator ? [{ map: 'head' }] : [],
    ...(isDiscriminator && { squeeze: true }),
    ...(isLanguageModel && isTied && { tied: 'head' }),
  };
}
