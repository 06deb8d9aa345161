import { family } from '../architecture.js';
import { activation, flag, number, only, orNull, size, whole } from '../config-fields.js';
import { rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, layerTypes, windowsOf } from './decoder.js';

const cap = (fallback: number) => orNull(number(fallback, 1e-6, 1e6), fallback);

/** @see Gemma Team, "Gemma 2: Improving Open Language Models at a Practical Size" (2024) */
export const gemma2 = family(
  {
    ...DECODER,
    vocab_size: size(256_000),
    hidden_size: size(2304),
    intermediate_size: size(9216),
    num_hidden_layers: size(26),
    num_attention_heads: size(8),
    num_key_value_heads: size(4),
    head_dim: size(256),
    hidden_activation: activation('gelu_pytorch_tanh'),
    max_position_embeddings: size(8192),
    tie_word_embeddings: flag(true),
    pad_token_id: orNull(whole(0, -1), 0),
    attention_bias: flag(false),
    query_pre_attn_scalar: number(256, 1e-6, 1e9),
    sliding_window: orNull(size(4096), 4096),
    layer_types: orNull(layerTypes),
    use_bidirectional_attention: orNull(only(false)),
    final_logit_softcapping: cap(30),
    attn_logit_softcapping: cap(50),
  },
  (values, tensors) => {
    const { num_hidden_layers: layers, attention_bias: bias, head_dim: headDim } = values;
    // Every other layer sees a window, the first one does.
    const kinds =
      values.layer_types ??
      Array.from({ length: layers }, (_, i) => (i % 2 === 0 ? 'sliding_attention' : 'full_attention'));
    return describeDecoder(
      {
        family: 'gemma2',
        headDim,
        kvHeads: values.num_key_value_heads,
        activation: values.hidden_activation,
        biases: { qkv: bias, output: bias },
        isGemma: true,
        scale: values.query_pre_attn_scalar ** -0.5,
        softcap: values.attn_logit_softcapping,
        logitSoftcap: values.final_logit_softcapping,
        causal: values.is_causal,
        windows: windowsOf(kinds, values.sliding_window, values),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
      },
      values,
      tensors,
    );
  },
);
