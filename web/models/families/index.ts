import { rangeError } from '../../api/errors.js';
import type { Architecture, Config, Family } from '../architecture.js';
import { albert } from './albert.js';
import { bert } from './bert.js';
import { distilbert } from './distilbert.js';
import { electra } from './electra.js';
import { gemma3 } from './gemma3.js';
import { gpt2 } from './gpt2.js';
import { llama, mistral } from './llama.js';
import { qwen2, qwen3 } from './qwen.js';
import { roberta } from './roberta.js';
import { deit, dinov2, dinov2WithRegisters, vit } from './vision.js';

/** By `model_type` of config.json. */
const FAMILIES: Readonly<Record<string, Family>> = {
  albert,
  bert,
  deit,
  dinov2,
  dinov2_with_registers: dinov2WithRegisters,
  distilbert,
  electra,
  gemma3_text: gemma3,
  gpt2,
  llama,
  mistral,
  qwen2,
  qwen3,
  roberta,
  'xlm-roberta': roberta,
  vit,
};

/**
 * @param tensors the names in the file
 * @throws RangeError for a family that is not known, or a field of the configuration that does not fit
 */
export function architectureOf(config: Config, tensors: ReadonlySet<string>): Architecture {
  const type = String(config.model_type);
  const family = Object.hasOwn(FAMILIES, type) ? FAMILIES[type] : undefined;
  if (!family) {
    throw rangeError(
      'config.json: model_type',
      `be one of ${Object.keys(FAMILIES).join(', ')}, got ${JSON.stringify(config.model_type)}`,
    );
  }
  return family(config, tensors);
}
