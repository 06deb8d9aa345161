import { rangeError } from '../../api/errors.js';
import { family } from '../architecture.js';
import { activation, flag, orNull, size, type Values, whole } from '../config-fields.js';
import { rotaryOf } from '../rotary.js';
import { DECODER, describeDecoder, layerTypes, windowsOf } from './decoder.js';

const QWEN = {
  ...DECODER,
  vocab_size: size(151_936),
  intermediate_size: size(22_016),
  num_key_value_heads: orNull(size(32), 32),
  hidden_act: activation('silu'),
  max_position_embeddings: size(32_768),
  use_sliding_window: flag(false),
  sliding_window: orNull(size(4096), 4096),
  max_window_layers: whole(28, 0),
  layer_types: orNull(layerTypes),
};

/** What Qwen2 and Qwen3 have in common. Where kinds of layers are not listed, those from `max_window_layers` on have a window. */
function qwenTraits(values: Values<typeof QWEN>, headDim: number) {
  const { num_hidden_layers: layers, max_window_layers: from } = values;
  const window = values.use_sliding_window ? values.sliding_window : null;
  if (!values.use_sliding_window && values.layer_types?.includes('sliding_attention')) {
    throw rangeError('config.json: use_sliding_window', 'be true for layers of the kind sliding_attention');
  }
  const kinds =
    values.layer_types ??
    Array.from({ length: layers }, (_, i) =>
      window !== null && i >= from ? 'sliding_attention' : 'full_attention',
    );
  return {
    headDim,
    kvHeads: values.num_key_value_heads ?? values.num_attention_heads,
    activation: values.hidden_act,
    causal: values.is_causal,
    windows: windowsOf(kinds, window, values),
    rotaries: [rotaryOf(values, { headDim, maxLength: values.max_position_embeddings })],
  };
}

/** @see Qwen Team, "Qwen2 Technical Report" (2024) */
export const qwen2 = family({ ...QWEN, head_dim: orNull(size(128)) }, (values, tensors) => {
  const { hidden_size: width, num_attention_heads: heads, head_dim: headDim } = values;
  const traits = qwenTraits(values, headDim ?? Math.floor(width / heads));
  return describeDecoder({ family: 'qwen2', ...traits, biases: { qkv: true } }, values, tensors);
});

/** @see Qwen Team, "Qwen3 Technical Report" (2025) */
export const qwen3 = family(
  { ...QWEN, head_dim: size(128), attention_bias: flag(false) },
  (values, tensors) => {
    const { attention_bias: bias } = values;
    const traits = qwenTraits(values, values.head_dim);
    return describeDecoder(
      { family: 'qwen3', ...traits, headNorm: 'each', biases: { qkv: bias, output: bias } },
      values,
      tensors,
    );
  },
);
