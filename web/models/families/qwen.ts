import type { ConfigReader, Family } from '../architecture.js';
import { describeDecoder } from './decoder.js';
import { slidingWindow } from './llama.js';

/** Windows are used where `use_sliding_window` says so, from layer `max_window_layers` on if kinds are not listed. */
function qwenWindow(layer: number, read: ConfigReader): number | null {
  if (!read.flag('use_sliding_window', false)) return null;
  if (read.optional('layer_types') !== undefined) return slidingWindow(layer, read);
  return layer >= read.number('max_window_layers', 28) ? slidingWindow(layer, read) : null;
}

/** @see Qwen Team, "Qwen2 Technical Report" (2024) */
export const qwen2: Family = (config, tensors) =>
  describeDecoder({ family: 'qwen2', qkvBias: true, window: qwenWindow }, config, tensors);

/** @see Qwen Team, "Qwen3 Technical Report" (2025) */
export const qwen3: Family = (config, tensors) =>
  describeDecoder(
    {
      family: 'qwen3',
      qkvBias: config.attention_bias === true,
      outputBias: config.attention_bias === true,
      headNorm: true,
      window: qwenWindow,
    },
    config,
    tensors,
  );
