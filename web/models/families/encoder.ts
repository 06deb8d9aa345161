/** BERT and its relatives: bidirectional encoders with norms behind each half of a block. */
import {
  type Architecture,
  type Config,
  ConfigReader,
  type RowMapConfig,
  TensorNames,
} from '../architecture.js';

/** What differs between the relatives of BERT. */
export interface EncoderNames {
  readonly family: string;
  /** Of the encoder's tensors; a file may leave it out. */
  readonly prefix: string;
  readonly fields?: Readonly<Record<'width' | 'layers' | 'heads' | 'inner' | 'activation', string>>;
  readonly layer: (index: number) => string;
  readonly parts: Readonly<
    Record<
      'query' | 'key' | 'value' | 'output' | 'up' | 'down' | 'attention_norm' | 'feed_forward_norm',
      string
    >
  >;
  readonly hasTypes: boolean;
  /** Linear map from a narrower embedding, in ELECTRA and ALBERT. */
  readonly projection?: string;
  /** Position 0 is the row after the padding id: RoBERTa. */
  readonly positionsAfterPadding?: boolean;
  /** All layers share the parameters of this many groups: ALBERT. */
  readonly groups?: string;
  /** Head of masked language models: dense, activation, norm, decoder tied to the token embedding. */
  readonly maskedHead?: {
    readonly dense: string;
    readonly norm: string;
    readonly bias: string;
  };
  /** ELECTRA's discriminator: dense, activation, one number. */
  readonly discriminator?: { readonly dense: string; readonly output: string };
  readonly ignored: RegExp;
}

const BERT_FIELDS = {
  width: 'hidden_size',
  layers: 'num_hidden_layers',
  heads: 'num_attention_heads',
  inner: 'intermediate_size',
  activation: 'hidden_act',
};

export function describeEncoder(
  names: EncoderNames,
  config: Config,
  tensors: ReadonlySet<string>,
): Architecture {
  const read = new ConfigReader(config);
  const {
    width: widthField,
    layers: layersField,
    heads: headsField,
    inner,
    activation,
  } = names.fields ?? BERT_FIELDS;
  const width = read.integer(widthField);
  const layers = read.integer(layersField);
  const heads = read.integer(headsField);
  const epsilon = read.number('layer_norm_eps', 1e-12);
  const embeddingWidth = names.projection ? read.integer('embedding_size', width) : width;
  const activationName = read.activation(activation, 'gelu');
  const prefix = [...tensors].some((name) => name.startsWith(names.prefix)) ? names.prefix : '';
  const embeddings = `${prefix}embeddings.`;
  const blocks = names.groups ? read.integer(names.groups, 1) : layers;
  const norm = { rms: false, epsilon, offset: 0 };

  const uses = new TensorNames();
  for (let i = 0; i < blocks; i++) {
    for (const [part, name] of Object.entries(names.parts)) {
      uses.linear(`layers.${i}.${part}`, prefix + names.layer(i) + name);
    }
  }
  uses.norm('input.0', `${embeddings}LayerNorm`);
  const isProjected = names.projection !== undefined && tensors.has(`${prefix}${names.projection}.weight`);
  if (isProjected) uses.linear('input.1', `${prefix}${names.projection}`);
  const token = `${embeddings}word_embeddings.weight`;
  const vocabulary = read.integer('vocab_size');
  const maps: RowMapConfig[] = [
    { name: 'input', width: embeddingWidth, stages: [{ norm }, ...(isProjected ? [{ linear: width }] : [])] },
  ];
  const { maskedHead, discriminator } = names;
  const isMasked = maskedHead !== undefined && tensors.has(`${maskedHead.dense}.weight`);
  const isDiscriminator = discriminator !== undefined && tensors.has(`${discriminator.dense}.weight`);
  if (isMasked) {
    maps.push({
      name: 'head',
      width,
      stages: [{ linear: embeddingWidth }, { activation: activationName }, { norm }, { linear: vocabulary }],
    });
    uses.linear('head.0', maskedHead.dense);
    uses.norm('head.2', maskedHead.norm);
    uses.add(maskedHead.bias, { parameter: 'head.3.bias' });
    uses.add(token, { parameter: 'head.3.weight' });
  }
  if (isDiscriminator) {
    maps.push({ name: 'head', width, stages: [{ linear: width }, { activation: 'gelu' }, { linear: 1 }] });
    uses.linear('head.0', discriminator.dense);
    uses.linear('head.2', discriminator.output);
  }
  const first = names.positionsAfterPadding ? read.number('pad_token_id', 1) + 1 : 0;
  const positions = read.integer('max_position_embeddings');
  const position = `${embeddings}position_embeddings.weight`;
  const type = `${embeddings}token_type_embeddings.weight`;
  return {
    family: names.family,
    config: {
      width,
      heads,
      kvHeads: heads,
      headDim: width / heads,
      innerWidth: read.integer(inner),
      gated: false,
      activation: activationName,
      norm,
      placement: 1,
      headNorm: null,
      layerScale: false,
      causal: false,
      softcap: 0,
      blocks,
      layers: Array.from({ length: layers }, (_, i) => ({
        scale: 1 / Math.sqrt(width / heads),
        window: null,
        rotary: null,
        block: Math.floor(i / (layers / blocks)),
      })),
      rotaries: [],
    },
    maps,
    input: {
      kind: 'text',
      width: embeddingWidth,
      token,
      position: { tensor: position, first },
      ...(names.hasTypes && { type }),
      ...(names.positionsAfterPadding && { paddingId: first - 1 }),
      maxLength: positions - first,
    },
    tensors: uses.uses,
    tables: new Map([
      [token, [vocabulary, embeddingWidth]],
      [position, [positions, embeddingWidth]],
      ...(names.hasTypes ? [[type, [read.integer('type_vocab_size', 2), embeddingWidth]] as const] : []),
    ]),
    ignored: names.ignored,
    hasFinalNorm: false,
    lastIsNormed: false,
    heads: isMasked || isDiscriminator ? [{ map: 'head' }] : [],
    ...(isDiscriminator && { squeeze: true }),
    ...(isMasked && { tied: 'head' }),
  };
}
