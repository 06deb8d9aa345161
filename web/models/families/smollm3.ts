import { rangeError } from '../../api/errors.js';
import { family } from '../architecture.js';
import { activation, type Field, flag, orNull, size, whole } from '../config-fields.js';
import { ropeTheta, rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, layerTypes, windowsOf } from './decoder.js';

/** 1 for layers with rotary positions, 0 for those without. */
const perLayer: Field<readonly number[]> = {
  fallback: [],
  expected: 'a list of 0 and 1',
  read: (value) =>
    Array.isArray(value) && value.every((one) => one === 0 || one === 1) ? (value as number[]) : undefined,
};

/** A Llama of which every fourth layer has no rotary positions. @see Hugging Face, "SmolLM3: smol, multilingual, long-context reasoner" (2025) */
export const smollm3 = family(
  {
    ...DECODER,
    vocab_size: size(128_256),
    hidden_size: size(2048),
    num_hidden_layers: size(36),
    num_attention_heads: size(16),
    num_key_value_heads: orNull(size(4), 4),
    head_dim: orNull(size(128)),
    hidden_act: activation('silu'),
    max_position_embeddings: size(32_768),
    pad_token_id: orNull(whole(128_004, -1), 128_004),
    rope_theta: ropeTheta(2_000_000),
    use_sliding_window: flag(false),
    sliding_window: orNull(size(4096)),
    no_rope_layers: orNull(perLayer),
    no_rope_layer_interval: size(4),
    layer_types: orNull(layerTypes),
    attention_bias: flag(false),
    mlp_bias: flag(false),
    tie_word_embeddings: flag(true),
  },
  (values, tensors) => {
    const { num_attention_heads: heads, num_hidden_layers: layers, attention_bias: bias } = values;
    const headDim = values.head_dim ?? Math.floor(values.hidden_size / heads);
    const window = values.use_sliding_window ? values.sliding_window : null;
    const turns =
      values.no_rope_layers?.map((one) => one === 1) ??
      Array.from({ length: layers }, (_, i) => (i + 1) % values.no_rope_layer_interval !== 0);
    if (turns.length !== layers) {
      throw rangeError('config.json: no_rope_layers', `list ${layers} layers, got ${turns.length}`);
    }
    const kinds =
      values.layer_types ??
      turns.map((turns) => (window !== null && !turns ? 'sliding_attention' : 'full_attention'));
    return describeDecoder(
      {
        family: 'smollm3',
        headDim,
        kvHeads: values.num_key_value_heads ?? heads,
        activation: values.hidden_act,
        biases: { qkv: bias, output: bias, feedForward: values.mlp_bias },
        causal: values.is_causal,
        windows: windowsOf(kinds, window, values),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
        turns,
      },
      values,
      tensors,
    );
  },
);
