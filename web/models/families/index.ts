import { rangeError } from '../../api/errors.js';
import type { Architecture, Family } from '../architecture.js';
import type { Config } from '../config-fields.js';
import { albert } from './albert.js';
import { bart, marian, mbart } from './bart.js';
import { bert } from './bert.js';
import { clip } from './clip.js';
import { debertaV2 } from './deberta-v2.js';
import { distilbert } from './distilbert.js';
import { electra } from './electra.js';
import { gemma2 } from './gemma2.js';
import { gemma3 } from './gemma3.js';
import { gptNeoX } from './gpt-neox.js';
import { gpt2 } from './gpt2.js';
import { llama, mistral } from './llama.js';
import { modernbert } from './modernbert.js';
import { mpnet } from './mpnet.js';
import { olmo2 } from './olmo2.js';
import { opt } from './opt.js';
import { phi3 } from './phi3.js';
import { qwen2, qwen3 } from './qwen.js';
import { roberta, xlmRoberta } from './roberta.js';
import { smollm3 } from './smollm3.js';
import { mt5, t5 } from './t5.js';
import { torchEncoder } from './torch-encoder.js';
import { deit, dinov2, dinov2WithRegisters, vit } from './vision.js';

/** By `model_type` of config.json. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  albert,
  bart,
  bert,
  camembert: xlmRoberta,
  clip,
  'deberta-v2': debertaV2,
  deit,
  dinov2,
  dinov2_with_registers: dinov2WithRegisters,
  distilbert,
  electra,
  gemma2,
  gemma3_text: gemma3,
  gpt2,
  gpt_neox: gptNeoX,
  llama,
  marian,
  mbart,
  mistral,
  modernbert,
  mpnet,
  mt5,
  olmo2,
  opt,
  phi3,
  qwen2,
  qwen3,
  roberta,
  smollm3,
  t5,
  torch_encoder: torchEncoder,
  'xlm-roberta': xlmRoberta,
  vit,
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]|text$/gu, '');

/** `model_type`; where it is left out, that of the class in `architectures`: bert of BertForMaskedLM. */
function typeOf({ model_type: type, architectures }: Config): unknown {
  const [name] = Array.isArray(architectures) ? (architectures as unknown[]) : [];
  if (type !== undefined || typeof name !== 'string') return type;
  const stem = name.replace(/(?:Text)?(?:(?:LMHead|DoubleHeads)?Model|For[A-Z]\w*)$/u, '');
  return Object.keys(FAMILIES).find((each) => plain(each) === plain(stem));
}

function familyOf(config: Config): Family | undefined {
  const type = typeOf(config);
  return typeof type === 'string' && Object.hasOwn(FAMILIES, type) ? FAMILIES[type] : undefined;
}

/** Whether a model reads images, and has no tokenizer. */
export const readsImages = (config: Config): boolean => 'patch_size' in (familyOf(config)?.fields ?? {});

/**
 * @param tensors the names in the file
 * @throws RangeError for a family that is not known, or a field of the configuration that does not fit
 */
export function architectureOf(config: Config, tensors: ReadonlySet<string>): Architecture {
  const family = familyOf(config);
  if (!family) {
    throw rangeError(
      'config.json: model_type',
      `be one of ${Object.keys(FAMILIES).join(', ')}, got ${JSON.stringify(config.model_type)}`,
    );
  }
  return family.describe(config, tensors);
}
