import type { ConfigReader, Family } from '../architecture.js';
import { describeDecoder } from './decoder.js';
import { slidingWindow } from './llama.js';

/** Where kinds are not listed, every sixth layer sees all keys. */
function gemmaWindow(layer: number, read: ConfigReader): number | null {
  if (read.optional('layer_types') !== undefined) return slidingWindow(layer, read);
  const pattern = read.integer('sliding_window_pattern', 6);
  return (layer + 1) % pattern === 0 ? null : slidingWindow(layer, read);
}

/** The text model of Gemma 3. @see Gemma Team, "Gemma 3 Technical Report" (2025) */
export const gemma3: Family = (config, tensors) =>
  describeDecoder(
    {
      family: 'gemma3',
      qkvBias: config.attention_bias === true,
      outputBias: config.attention_bias === true,
      headNorm: true,
      isGemma: true,
      window: gemmaWindow,
    },
    config,
    tensors,
  );
