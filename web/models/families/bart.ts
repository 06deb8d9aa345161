/** BART and its relatives: an encoder, and a decoder that also sees what the encoder gives. */
import {
  type Architecture,
  family,
  layerNorm,
  prefixOf,
  stackOf,
  type RowMapConfig,
  type TextInput,
  TensorNames,
} from '../architecture.js';
import {
  activation,
  flag,
  initializerRange,
  only,
  orNull,
  size,
  tokenId,
  type Values,
} from '../config-fields.js';
import { headWeight } from './decoder.js';

const BART = {
  vocab_size: size(50_265),
  d_model: { ...size(1024), alias: 'hidden_size' },
  encoder_layers: { ...size(12), alias: 'num_hidden_layers' },
  decoder_layers: size(12),
  encoder_attention_heads: { ...size(16), alias: 'num_attention_heads' },
  decoder_attention_heads: size(16),
  encoder_ffn_dim: size(4096),
  decoder_ffn_dim: size(4096),
  max_position_embeddings: size(1024),
  activation_function: activation('gelu'),
  scale_embedding: flag(false),
  tie_word_embeddings: flag(true),
  is_decoder: only(false),
  is_encoder_decoder: only(true),
  init_std: initializerRange,
  pad_token_id: orNull(tokenId(1), 1),
  decoder_start_token_id: tokenId(2),
};

interface BartTraits {
  readonly family: 'bart' | 'mbart' | 'marian';
  /** Norms stand before attention and feed-forward, and one behind the last block. */
  readonly normsBefore?: boolean;
  /** Learned positions from this row of their tables on, and a norm of the embeddings; sinusoids without it. */
  readonly firstPosition?: number;
}

/** Of one of the two stacks. */
interface Side {
  readonly name: 'encoder' | 'decoder';
  readonly layers: number;
  readonly heads: number;
  readonly inner: number;
}

function describeBart(
  { family, normsBefore = false, firstPosition }: BartTraits,
  values: Values<typeof BART>,
  tensors: ReadonlySet<string>,
): Architecture {
  const { d_model: width, vocab_size: vocabulary, max_position_embeddings: maxLength } = values;
  const norm = layerNorm(1e-5);
  const model = prefixOf('encoder.layers.0.fc1.weight', tensors);
  // Files hold the shared table under any of its names.
  const names = ['shared', 'encoder.embed_tokens', 'decoder.embed_tokens'].map(
    (one) => `${model}${one}.weight`,
  );
  const token = names.find((name) => tensors.has(name)) ?? `${model}shared.weight`;
  const uses = new TensorNames();
  const maps: RowMapConfig[] = [];
  const tables = new Map([[token, [vocabulary, width]]]);

  const describe = ({ name, layers, heads, inner }: Side) => {
    const prefix = name === 'encoder' ? 'encoder.' : '';
    for (let i = 0; i < layers; i++) {
      const [theirs, ours] = [`${model}${name}.layers.${i}.`, `${prefix}layers.${i}.`];
      const attentions = name === 'encoder' ? ['self'] : ['self', 'encoder'];
      for (const kind of attentions) {
        const into = kind === 'self' ? ours : `${ours}cross_`;
        for (const part of ['query', 'key', 'value']) {
          uses.linear(into + part, `${theirs}${kind}_attn.${part.charAt(0)}_proj`);
        }
        uses.linear(`${into}output`, `${theirs}${kind}_attn.out_proj`);
        uses.norm(
          kind === 'self' ? `${ours}attention_norm` : `${ours}cross_norm`,
          `${theirs}${kind}_attn_layer_norm`,
        );
      }
      uses.linear(`${ours}up`, `${theirs}fc1`);
      uses.linear(`${ours}down`, `${theirs}fc2`);
      uses.norm(`${ours}feed_forward_norm`, `${theirs}final_layer_norm`);
    }
    const input = `${prefix}input`;
    const position = `${model}${name}.embed_positions.weight`;
    if (firstPosition !== undefined) {
      uses.norm(`${input}.0`, `${model}${name}.layernorm_embedding`);
      maps.push({ name: input, width, stages: [{ norm }] });
      tables.set(position, [maxLength + firstPosition, width]);
    }
    if (normsBefore) {
      uses.norm(`${prefix}final.0`, `${model}${name}.layer_norm`);
      maps.push({ name: `${prefix}final`, width, stages: [{ norm }] });
    }
    const embedding: TextInput = {
      kind: 'text',
      width,
      token,
      ...(values.scale_embedding && { scale: Math.sqrt(width) }),
      ...(firstPosition === undefined
        ? { hasSinusoids: true }
        : { position: { tensor: position, first: firstPosition }, map: input }),
      maxLength,
    };
    return {
      input: embedding,
      hasFinalNorm: normsBefore,
      config: stackOf(layers, {
        width,
        heads,
        innerWidth: inner,
        activation: values.activation_function,
        norm,
        placement: normsBefore ? 'before' : 'after',
        causal: name === 'decoder',
        memoryWidth: name === 'decoder' ? width : null,
      }),
    };
  };

  const encoder = describe({
    name: 'encoder',
    layers: values.encoder_layers,
    heads: values.encoder_attention_heads,
    inner: values.encoder_ffn_dim,
  });
  const decoder = describe({
    name: 'decoder',
    layers: values.decoder_layers,
    heads: values.decoder_attention_heads,
    inner: values.decoder_ffn_dim,
  });
  const head = headWeight('lm_head.weight', token, values.tie_word_embeddings, tensors);
  if (head) {
    uses.add(head.tensor, { parameter: 'head.0.weight' });
    if (tensors.has('final_logits_bias')) uses.add('final_logits_bias', { parameter: 'head.0.bias' });
    maps.push({ name: 'head', width, stages: [{ linear: vocabulary }] });
  }
  return {
    ...decoder,
    family,
    writing: { start: values.decoder_start_token_id, encoder: { ...encoder, prefix: 'encoder.' } },
    maps,
    tensors: uses.uses,
    tables,
    // The shared table once more, sinusoids, and heads of classifiers.
    ignored:
      firstPosition === undefined
        ? /embed_(tokens|positions)\.weight$/u
        : /embed_tokens\.weight$|^classification_head\./u,
    lastIsNormed: true,
    heads: head ? [{ map: 'head' }] : [],
    ...(head?.isTied && { tied: 'head' }),
  };
}

/** @see Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training for Natural Language Generation, Translation, and Comprehension" (2020) */
export const bart = family(BART, (values, tensors) =>
  describeBart({ family: 'bart', firstPosition: 2 }, values, tensors),
);

/** @see Liu et al., "Multilingual Denoising Pre-training for Neural Machine Translation" (2020) */
export const mbart = family({ ...BART, decoder_start_token_id: orNull(tokenId(0)) }, (values, tensors) =>
  describeBart(
    { family: 'mbart', normsBefore: true, firstPosition: 2 },
    { ...values, decoder_start_token_id: values.decoder_start_token_id ?? values.pad_token_id ?? 0 },
    tensors,
  ),
);

/** @see Junczys-Dowmunt et al., "Marian: Fast Neural Machine Translation in C++" (2018) */
export const marian = family(
  {
    ...BART,
    vocab_size: size(58_101),
    decoder_vocab_size: orNull(size(58_101)),
    share_encoder_decoder_embeddings: only(true),
    pad_token_id: orNull(tokenId(58_100), 58_100),
    decoder_start_token_id: tokenId(58_100),
  },
  (values, tensors) => describeBart({ family: 'marian' }, values, tensors),
);
