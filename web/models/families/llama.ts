import type { ConfigReader, Family } from '../architecture.js';
import { describeDecoder } from './decoder.js';

const flag = (config: Readonly<Record<string, unknown>>, name: string): boolean => config[name] === true;

/** The layers whose kind is sliding_attention, or all where kinds are not listed, see `sliding_window` keys. */
export function slidingWindow(layer: number, read: ConfigReader): number | null {
  const window = read.optional('sliding_window');
  const kinds = read.optional('layer_types');
  if (typeof window !== 'number') return null;
  if (Array.isArray(kinds)) return kinds[layer] === 'sliding_attention' ? window : null;
  return window;
}

/** @see Touvron et al., "LLaMA" (2023) */
export const llama: Family = (config, tensors) =>
  describeDecoder(
    {
      family: 'llama',
      qkvBias: flag(config, 'attention_bias'),
      outputBias: flag(config, 'attention_bias'),
      feedForwardBias: flag(config, 'mlp_bias'),
      window: () => null,
    },
    config,
    tensors,
  );

/** A Llama whose queries see a window of keys. @see Jiang et al., "Mistral 7B" (2023) */
export const mistral: Family = (config, tensors) =>
  describeDecoder({ family: 'mistral', qkvBias: false, window: slidingWindow }, config, tensors);
