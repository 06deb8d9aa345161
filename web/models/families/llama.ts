import { family } from '../architecture.js';
import { activation, flag, orNull, size } from '../config-fields.js';
import { rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, noWindows, windowsOf } from './decoder.js';

/** @see Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023) */
export const llama = family(
  {
    ...DECODER,
    num_key_value_heads: orNull(size(32)),
    head_dim: orNull(size(128)),
    hidden_act: activation('silu'),
    attention_bias: flag(false),
    mlp_bias: flag(false),
  },
  (values, tensors) => {
    const { num_attention_heads: heads, attention_bias: qkv, hidden_size: width } = values;
    const headDim = values.head_dim ?? Math.floor(width / heads);
    return describeDecoder(
      {
        family: 'llama',
        headDim,
        kvHeads: values.num_key_value_heads ?? heads,
        activation: values.hidden_act,
        biases: { qkv, output: qkv, feedForward: values.mlp_bias },
        causal: values.is_causal,
        windows: noWindows(values.num_hidden_layers),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
      },
      values,
      tensors,
    );
  },
);

/** A Llama whose queries see a window of keys. @see Jiang et al., "Mistral 7B" (2023) */
export const mistral = family(
  {
    ...DECODER,
    intermediate_size: size(14_336),
    num_key_value_heads: size(8),
    head_dim: orNull(size(128)),
    hidden_act: activation('silu'),
    max_position_embeddings: size(131_072),
    sliding_window: orNull(size(4096), 4096),
  },
  (values, tensors) => {
    const { num_hidden_layers: layers, sliding_window: window } = values;
    const headDim = values.head_dim ?? Math.floor(values.hidden_size / values.num_attention_heads);
    // Kinds of layers are not read: in transformers, Ministral has them.
    const kinds = noWindows(layers).map(() => (window === null ? 'full_attention' : 'sliding_attention'));
    return describeDecoder(
      {
        family: 'mistral',
        headDim,
        kvHeads: values.num_key_value_heads,
        activation: values.hidden_act,
        causal: values.is_causal,
        windows: windowsOf(kinds, window, values),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
      },
      values,
      tensors,
    );
  },
);
