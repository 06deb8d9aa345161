/**
 * Weights in 8 bits with a scale per output feature, as the format `int-quantized` of compressed-tensors stores them
 * (https://github.com/vllm-project/compressed-tensors): beside each weight (out, in) in I8 stands `weight_scale` (out, 1).
 */
import { rangeError } from '../api/errors.js';
import { type Entry, label } from '../api/safetensors-header.js';
import type { Architecture, TensorUse } from './architecture.js';
import { type Config, type Field, type Fields, isObject, readFields } from './config-fields.js';

const only = (value: unknown): Field<true> => ({
  fallback: value,
  expected: JSON.stringify(value),
  read: (given) => (given === value ? true : undefined),
});

/** A field that must be there. */
const exactly = (value: unknown): Field<true> => ({ ...only(value), fallback: null });

/** What config.json must say of such weights: nothing else is computed. */
const SCHEME: Fields = {
  quant_method: exactly('compressed-tensors'),
  format: exactly('int-quantized'),
  kv_cache_scheme: only(null),
};
const GROUP: Fields = { input_activations: only(null), output_activations: only(null) };
const WEIGHTS: Fields = {
  num_bits: exactly(8),
  type: exactly('int'),
  strategy: exactly('channel'),
  symmetric: exactly(true),
  dynamic: only(false),
};

/** @throws RangeError that names the field of config.json */
function checkScheme({ quantization_config: scheme }: Config): void {
  const objectIn = (value: unknown, place: string): Config => {
    if (!isObject(value)) throw rangeError(place, `be an object, got ${JSON.stringify(value)}`);
    return value;
  };
  const place = 'config.json: quantization_config';
  const { config_groups: groups, ...fields } = objectIn(scheme, place);
  readFields(fields, SCHEME, `${place}.`);
  for (const [name, value] of Object.entries(objectIn(groups, `${place}.config_groups`))) {
    const at = `${place}.config_groups.${label(name)}`;
    const { weights, ...others } = objectIn(value, at);
    readFields(others, GROUP, `${at}.`);
    readFields(objectIn(weights, `${at}.weights`), WEIGHTS, `${at}.weights.`);
  }
}

const SCALE = /(?<=\.weight)_scale$/u;

/** A scale of shape (out, 1) as a vector, and every other tensor as it is. */
export const asVector = (name: string, entry: Entry): Entry =>
  SCALE.test(name) && entry.shape.length === 2 && entry.shape[1] === 1
    ? { ...entry, shape: entry.shape.slice(0, 1) }
    : entry;

/**
 * Adds the scales of weights in 8 bits to the tensors of a model.
 *
 * @throws RangeError that names a field or a tensor
 */
export function withScales(
  architecture: Architecture,
  config: Config,
  entries: ReadonlyMap<string, Entry>,
): Architecture {
  const whole = [...architecture.tensors].filter(([name, uses]) => {
    const { dtype, shape } = entries.get(name) ?? {};
    // Of a weight (in, out) the format does not say which axis the scales belong to: its dtype is refused.
    const isStraight = uses.every(({ transposed = false }) => !transposed);
    return dtype === 'I8' && shape?.length === 2 && isStraight && !architecture.tables.has(name);
  });
  const [[first] = []] = whole;
  const isDescribed = (config.quantization_config ?? null) !== null;
  if (isDescribed) checkScheme(config);
  else if (first !== undefined) {
    throw rangeError(
      'config.json',
      `describe weights of 8 bits in quantization_config, as that of ${label(first)}`,
    );
  }
  const tensors = new Map<string, readonly TensorUse[]>(architecture.tensors);
  const scales = new Set<string>();
  for (const [name, uses] of whole) {
    scales.add(`${name}_scale`);
    const scaled = uses.map((use) => ({ ...use, parameter: use.parameter.replace(/weight$/u, 'scale') }));
    tensors.set(`${name}_scale`, scaled);
  }
  return { ...architecture, tensors, scales };
}
