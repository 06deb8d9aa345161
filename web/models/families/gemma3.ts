import { family } from '../architecture.js';
import { activation, flag, number, orNull, size, whole } from '../config-fields.js';
import { rotariesByKind, ropeTheta } from '../rotary.js';
import { DECODER, describeDecoder, layerTypes, windowsOf } from './decoder.js';

const cap = orNull(number(1, 1e-6, 1e6));

/** The text model of Gemma 3. @see Gemma Team, "Gemma 3 Technical Report" (2025) */
export const gemma3 = family(
  {
    ...DECODER,
    vocab_size: size(262_208),
    hidden_size: size(2304),
    intermediate_size: size(9216),
    num_hidden_layers: size(26),
    num_attention_heads: size(8),
    num_key_value_heads: size(4),
    head_dim: size(256),
    hidden_activation: activation('gelu_pytorch_tanh'),
    max_position_embeddings: size(131_072),
    tie_word_embeddings: flag(true),
    pad_token_id: orNull(whole(0, -1), 0),
    attention_bias: flag(false),
    query_pre_attn_scalar: number(256, 1e-6, 1e9),
    sliding_window: orNull(size(4096), 4096),
    sliding_window_pattern: size(6),
    layer_types: orNull(layerTypes),
    final_logit_softcapping: cap,
    // Read and not applied, as in transformers 5.
    attn_logit_softcapping: cap,
    use_bidirectional_attention: orNull(flag(false), false),
    rope_theta: ropeTheta(1_000_000),
    rope_local_base_freq: ropeTheta(10_000),
  },
  (values, tensors) => {
    const { num_hidden_layers: layers, sliding_window_pattern: pattern, attention_bias: bias } = values;
    const {
      use_bidirectional_attention: isBidirectional,
      sliding_window: window,
      head_dim: headDim,
    } = values;
    const kinds =
      values.layer_types ??
      Array.from({ length: layers }, (_, i) =>
        (i + 1) % pattern === 0 ? 'full_attention' : 'sliding_attention',
      );
    // transformers halves the window then, and sees so many keys on both sides, the query's own counted on each.
    const seen = isBidirectional && window !== null ? Math.floor(window / 2) + 1 : window;
    return describeDecoder(
      {
        family: 'gemma3',
        headDim,
        kvHeads: values.num_key_value_heads,
        activation: values.hidden_activation,
        biases: { qkv: bias, output: bias },
        headNorm: 'each',
        isGemma: true,
        scale: values.query_pre_attn_scalar ** -0.5,
        logitSoftcap: values.final_logit_softcapping,
        causal: values.is_causal && !isBidirectional,
        windows: windowsOf(kinds, seen, values),
        rotaries: rotariesByKind(values, { headDim, maxLength: values.max_position_embeddings }),
      },
      values,
      tensors,
    );
  },
);
