import { family } from '../architecture.js';
import { activation, epsilon, orNull, size, whole } from '../config-fields.js';
import { rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, noWindows, windowsOf } from './decoder.js';

/** @see Abdin et al., "Phi-3 Technical Report" (2024) */
export const phi3 = family(
  {
    ...DECODER,
    vocab_size: size(32_064),
    hidden_size: size(3072),
    intermediate_size: size(8192),
    num_key_value_heads: orNull(size(32)),
    head_dim: orNull(size(96)),
    hidden_act: activation('silu'),
    max_position_embeddings: size(4096),
    original_max_position_embeddings: orNull(size(4096), 4096),
    rms_norm_eps: epsilon(1e-5),
    pad_token_id: orNull(whole(32_000, -1), 32_000),
    sliding_window: orNull(size(4096)),
  },
  (values, tensors) => {
    const { num_attention_heads: heads, num_hidden_layers: layers, sliding_window: window } = values;
    const headDim = values.head_dim ?? Math.floor(values.hidden_size / heads);
    const kinds = noWindows(layers).map(() => (window === null ? 'full_attention' : 'sliding_attention'));
    return describeDecoder(
      {
        family: 'phi3',
        headDim,
        kvHeads: values.num_key_value_heads ?? heads,
        activation: values.hidden_act,
        isFused: true,
        causal: values.is_causal,
        windows: windowsOf(kinds, window, values),
        rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings, isPartial: true })],
      },
      values,
      tensors,
    );
  },
);
