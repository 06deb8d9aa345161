import { family } from '../architecture.js';
import { activation, epsilon, flag, orNull, size, whole } from '../config-fields.js';
import { rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, noWindows } from './decoder.js';

/** @see OLMo Team, "2 OLMo 2 Furious" (2025) */
export const olmo2 = family(
  {
    ...DECODER,
    vocab_size: size(50_304),
    num_key_value_heads: orNull(size(32)),
    head_dim: orNull(size(128)),
    hidden_act: activation('silu'),
    rms_norm_eps: epsilon(1e-5),
    pad_token_id: orNull(whole(1, -1), 1),
    attention_bias: flag(false),
  },
  (values, tensors) => {
    const { num_attention_heads: heads, attention_bias: bias, hidden_size: width } = values;
    const headDim = values.head_dim ?? Math.floor(width / heads);
    return describeDecoder(
      {
        family: 'olmo2',
        headDim,
        kvHeads: values.num_key_value_heads ?? heads,
        activation: values.hidden_act,
        biases: { qkv: bias, output: bias },
        headNorm: 'together',
        normsOutputs: true,
        causal: values.is_causal,
        windows: noWindows(values.num_hidden_layers),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
      },
      values,
      tensors,
    );
  },
);
