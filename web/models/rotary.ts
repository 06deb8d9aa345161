import { rangeError } from '../api/errors.js';
import type { Config } from './architecture.js';

interface RopeParameters {
  readonly rope_theta?: number;
  readonly rope_type?: string;
  readonly type?: string;
  readonly factor?: number;
  readonly low_freq_factor?: number;
  readonly high_freq_factor?: number;
  readonly original_max_position_embeddings?: number;
}

/**
 * Radians per position of each pair (i, i + d/2): base^(−2i/d), changed as `rope_parameters` (transformers 5) or
 * `rope_scaling` (before) say: `linear` and `llama3` scaling.
 *
 * @param kind whose parameters are read where they differ by kind of layer
 * @see transformers' modeling_rope_utils.py
 */
export function rotaryAngles(
  config: Config,
  headDim: number,
  kind: 'full_attention' | 'sliding_attention',
): number[] {
  const all = (config.rope_parameters ?? config.rope_scaling ?? {}) as Record<string, unknown> &
    RopeParameters;
  const own = (all[kind] ?? all) as RopeParameters;
  const isLocal = kind === 'sliding_attention';
  const base =
    own.rope_theta ??
    Number(
      (isLocal ? config.rope_local_base_freq : config.rope_theta) ??
        (isLocal ? 10_000 : (config.rope_theta ?? 10_000)),
    );
  const type = own.rope_type ?? own.type ?? 'default';
  const angles = Array.from({ length: headDim / 2 }, (_, i) => base ** ((-2 * i) / headDim));
  if (type === 'default') return angles;
  const factor = own.factor ?? 1;
  if (type === 'linear') return angles.map((angle) => angle / factor);
  if (type === 'llama3') return angles.map((angle) => llama3Angle(angle, own, factor));
  throw rangeError('config.json: rope_type', `be default, linear or llama3, got ${JSON.stringify(type)}`);
}

/** Long wavelengths are stretched, short ones kept, those between interpolated. */
function llama3Angle(angle: number, own: RopeParameters, factor: number): number {
  const {
    low_freq_factor: low = 1,
    high_freq_factor: high = 4,
    original_max_position_embeddings: length = 8192,
  } = own;
  const wavelength = (2 * Math.PI) / angle;
  if (wavelength < length / high) return angle;
  if (wavelength > length / low) return angle / factor;
  const smooth = (length / wavelength - low) / (high - low);
  return ((1 - smooth) * angle) / factor + smooth * angle;
}
