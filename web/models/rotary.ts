/** Rotary positions as `rope_parameters` (transformers 5) or `rope_scaling` and `rope_theta` (before) describe them. */
import { rangeError } from '../api/errors.js';
import {
  type Config,
  type Field,
  flag,
  number,
  object,
  oneOf,
  orNull,
  readFields,
  size,
  type Values,
} from './config-fields.js';

/** The base of angles. */
export const ropeTheta = (fallback: number): Field<number> => number(fallback, 1, 1e12);

export const ROTARY = {
  rope_parameters: orNull(object),
  rope_scaling: orNull(object),
  rope_theta: ropeTheta(10_000),
  partial_rotary_factor: orNull(number(1, 1e-3, 1)),
  original_max_position_embeddings: orNull(size(1)),
};

const factor = orNull(number(1, 1, 1e6));

type RopeType = 'default' | 'linear' | 'dynamic' | 'llama3' | 'yarn';

/** Fields inside `rope_parameters`. */
const PARAMETERS = {
  rope_type: {
    ...oneOf<RopeType>('default', ['default', 'linear', 'dynamic', 'llama3', 'yarn']),
    alias: 'type',
  },
  rope_theta: orNull(ropeTheta(10_000)),
  partial_rotary_factor: orNull(number(1, 1e-3, 1)),
  factor,
  original_max_position_embeddings: orNull(size(1)),
  low_freq_factor: factor,
  high_freq_factor: factor,
  attention_factor: orNull(number(1, 1e-6, 1e6)),
  beta_fast: orNull(number(32, 1e-6, 1e6)),
  beta_slow: orNull(number(1, 1e-6, 1e6)),
  mscale: orNull(number(1, 0, 1e6)),
  mscale_all_dim: orNull(number(1, 0, 1e6)),
  truncate: flag(true),
};

type Parameters = Values<typeof PARAMETERS>;

/** Kinds of layers that may have positions of their own. */
const KINDS = ['full_attention', 'sliding_attention'] as const;

export interface Rotary {
  /** Radians per position of each pair (i, i + r/2) of the first r components of a head. */
  readonly angles: number[];
  /** Queries and keys are multiplied by it. */
  readonly factor: number;
  /** Of the angles base^(−2i/d) of whole heads; null for others. */
  readonly base: number | null;
}

interface Sizes {
  readonly headDim: number;
  readonly maxLength: number;
  /** Whether the family turns a part of each head, where its configuration says so. */
  readonly isPartial?: boolean;
}

const pathOf = (values: { readonly rope_scaling: Config | null }): string =>
  values.rope_scaling && Object.keys(values.rope_scaling).length > 0 ? 'rope_scaling.' : 'rope_parameters.';

/** Rotary positions that are the same in all layers. */
export function rotaryOf(values: Values<typeof ROTARY>, sizes: Sizes): Rotary {
  const path = pathOf(values);
  const own = (path === 'rope_scaling.' ? values.rope_scaling : values.rope_parameters) ?? {};
  const kind = KINDS.find((each) => own[each] !== undefined);
  if (kind) {
    throw rangeError(
      `config.json: ${path}${kind}`,
      'be left out: this family has the same positions in all layers',
    );
  }
  const parameters = readFields(own, PARAMETERS, `config.json: ${path}`);
  return rotaryFrom(
    {
      ...parameters,
      partial_rotary_factor: parameters.partial_rotary_factor ?? values.partial_rotary_factor,
      rope_theta: parameters.rope_theta ?? values.rope_theta,
      original_max_position_embeddings:
        values.original_max_position_embeddings ?? parameters.original_max_position_embeddings,
    },
    sizes,
    path,
  );
}

/** Rotary positions of the layers that see all keys, and of those that see a window: Gemma. */
export function rotariesByKind(
  values: Values<typeof ROTARY> & { readonly rope_local_base_freq: number },
  sizes: Sizes,
): Rotary[] {
  const all = values.rope_parameters ?? {};
  // Older releases of transformers 5 also write the fields of the default, without a meaning.
  const { rope_type: type = 'default', rope_theta: theta = null, ...others } = all;
  const other = Object.keys(others).find((key) => !KINDS.includes(key as never));
  if (other !== undefined || type !== 'default' || theta !== null) {
    const expected = `have the fields ${KINDS.join(' and ')}, got ${JSON.stringify(all)}`;
    throw rangeError('config.json: rope_parameters', expected);
  }
  const kinds = readFields(all, { full_attention: orNull(object), sliding_attention: orNull(object) });
  const bases = { full_attention: values.rope_theta, sliding_attention: values.rope_local_base_freq };
  return KINDS.map((kind) => {
    // Before transformers 5, scaling was that of full attention alone.
    const older = kind === 'full_attention' ? values.rope_scaling : null;
    const path = older ? 'rope_scaling.' : `rope_parameters.${kind}.`;
    const own = { rope_type: kinds[kind]?.type ?? 'default', ...kinds[kind], ...older };
    const parameters = readFields(
      own,
      { ...PARAMETERS, rope_type: oneOf<RopeType>('default', ['default', 'linear']) },
      `config.json: ${path}`,
    );
    return rotaryFrom(
      {
        ...parameters,
        partial_rotary_factor: parameters.partial_rotary_factor ?? values.partial_rotary_factor,
        rope_theta: parameters.rope_theta ?? bases[kind],
      },
      sizes,
      path,
    );
  });
}

/** @see transformers' modeling_rope_utils.py */
function rotaryFrom(
  parameters: Parameters & { readonly rope_theta: number },
  { headDim, maxLength, isPartial = false }: Sizes,
  path: string,
): Rotary {
  const { rope_type: type, rope_theta: base } = parameters;
  const share = parameters.partial_rotary_factor ?? 1;
  if (share !== 1 && !isPartial) {
    throw rangeError('config.json: partial_rotary_factor', `be 1 for this family, got ${share}`);
  }
  if (share === 1 && headDim % 2 !== 0) {
    throw rangeError('config.json: head_dim', `be even for rotary positions, got ${headDim}`);
  }
  const dim = Math.floor(headDim * share);
  const needed = (name: 'factor' | 'low_freq_factor' | 'high_freq_factor'): number => {
    const value = parameters[name];
    if (value === null) throw rangeError(`config.json: ${path}${name}`, `be given for rope_type "${type}"`);
    return value;
  };
  const length = parameters.original_max_position_embeddings ?? maxLength;
  // Rounded as transformers does, which computes them in float32 for weights of every type.
  const angles = Array.from({ length: Math.ceil(dim / 2) }, (_, i) =>
    Math.fround(1 / Math.fround(base ** Math.fround((2 * i) / dim))),
  );
  switch (type) {
    case 'default':
      return { angles, factor: 1, base: share === 1 ? base : null };
    case 'linear': {
      const divisor = needed('factor');
      return { angles: angles.map((angle) => angle / divisor), factor: 1, base: null };
    }
    case 'dynamic':
      // The base grows for texts longer than max_position_embeddings, which are refused.
      needed('factor');
      return { angles, factor: 1, base: share === 1 ? base : null };
    case 'llama3': {
      const bounds = { low: needed('low_freq_factor'), high: needed('high_freq_factor'), length };
      const divisor = needed('factor');
      if (bounds.high <= bounds.low) {
        const expected = `be above low_freq_factor (${bounds.low}), got ${bounds.high}`;
        throw rangeError(`config.json: ${path}high_freq_factor`, expected);
      }
      return { angles: angles.map((angle) => llama3Angle(angle, divisor, bounds)), factor: 1, base: null };
    }
    case 'yarn':
      if (base === 1) throw rangeError(`config.json: ${path}rope_theta`, 'be above 1 for rope_type "yarn"');
      return yarn(angles, parameters, parameters.factor ?? maxLength / length, length);
  }
}

/** Long wavelengths are stretched, short ones kept, those between interpolated. */
function llama3Angle(
  angle: number,
  factor: number,
  { low, high, length }: { low: number; high: number; length: number },
): number {
  const wavelength = (2 * Math.PI) / angle;
  if (wavelength < length / high) return angle;
  if (wavelength > length / low) return angle / factor;
  const smooth = (length / wavelength - low) / (high - low);
  return ((1 - smooth) * angle) / factor + smooth * angle;
}

/** @see Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models" (2023) */
function yarn(
  angles: readonly number[],
  parameters: Parameters & { readonly rope_theta: number },
  factor: number,
  length: number,
): Rotary {
  const { attention_factor: given, mscale, mscale_all_dim: all, truncate, rope_theta: base } = parameters;
  const scaleFor = (strength: number) => (factor <= 1 ? 1 : 0.1 * strength * Math.log(factor) + 1);
  const inferred = mscale && all ? scaleFor(mscale) / scaleFor(all) : scaleFor(1);
  // The pair that turns so often within the original length.
  const dim = 2 * angles.length;
  const pairOf = (turns: number) => (dim * Math.log(length / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  const [first, last] = [pairOf(parameters.beta_fast ?? 32), pairOf(parameters.beta_slow ?? 1)];
  const low = Math.max(truncate ? Math.floor(first) : first, 0);
  let high = Math.min(truncate ? Math.ceil(last) : last, dim - 1);
  if (high === low) high += 0.001;
  return {
    angles: angles.map((angle, i) => {
      const stretched = Math.min(Math.max((i - low) / (high - low), 0), 1);
      return angle * (1 - stretched + stretched / factor);
    }),
    factor: given ?? inferred,
    base: null,
  };
}
