/** `preprocessor_config.json`: what happens to a picture before a model sees it. */
import { rangeError } from '../api/errors.js';
import type { ImageInput, Size } from './architecture.js';
import type { Config } from './config-fields.js';
import { RESAMPLE_COUNT } from './pillow-resize.js';

const FILE = 'preprocessor_config.json';

/** The steps in their order; null where one is left out. */
export interface Preprocessing {
  readonly resize: {
    readonly size: Size | { readonly shortestEdge: number };
    readonly resample: number;
  } | null;
  /** What the centre is cut to. */
  readonly crop: Size | null;
  /** Every value is multiplied by it. */
  readonly rescale: number | null;
  /** Of red, green and blue: the mean is subtracted, then the standard deviation divided by. */
  readonly normalize: { readonly mean: readonly number[]; readonly std: readonly number[] } | null;
}

const square = (side: number): Size => ({ width: side, height: side });

const IMAGENET = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
const HALVES = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
const CLIP = {
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
};

/** What a class of transformers does where the file leaves a field out. */
interface Defaults extends Config {
  /** What a single number as `size` means. */
  readonly sizeIsSquare: boolean;
}

const always = { do_resize: true, do_rescale: true, rescale_factor: 1 / 255, do_normalize: true };
const vit: Defaults = {
  ...always,
  ...HALVES,
  sizeIsSquare: true,
  size: square(224),
  resample: 2,
  do_center_crop: false,
  crop_size: square(224),
};
const deit: Defaults = { ...vit, size: square(256), resample: 3, do_center_crop: true };
const bit: Defaults = { ...deit, ...CLIP, sizeIsSquare: false, size: { shortest_edge: 224 } };

/** By `image_processor_type`, without the ending of its fast relative. */
const PROCESSORS: Readonly<Record<string, Defaults>> = {
  ViTImageProcessor: vit,
  DeiTImageProcessor: deit,
  BitImageProcessor: bit,
  CLIPImageProcessor: bit,
};

/** The class that transformers uses for a family where the file names none. */
const BY_FAMILY: Readonly<Record<string, string>> = { vit: 'ViTImageProcessor', deit: 'DeiTImageProcessor' };

/** Reads the file with messages that name the field. */
class Fields {
  constructor(
    private readonly given: Config,
    private readonly defaults: Defaults,
  ) {}

  value(name: string): unknown {
    return this.given[name] ?? this.defaults[name];
  }

  wrong(name: string, expected: string, value: unknown): RangeError {
    return rangeError(`${FILE}: ${name}`, `be ${expected}, got ${JSON.stringify(value)}`);
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false', value);
    return value;
  }

  /** Above 0, and so that 255 times it is no larger than float32's numbers. */
  factor(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number' || !(value >= 1e-6 && value <= 1e6)) {
      throw this.wrong(name, 'a number from 1e-6 to 1e6', value);
    }
    return value;
  }

  side(name: string, value: unknown): number {
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MOST_SIDE) {
      throw this.wrong(name, `a whole number of pixels from 1 to ${MOST_SIDE}`, value);
    }
    return value as number;
  }

  size(name: string, value: unknown): Size {
    if (typeof value === 'number') return square(this.side(name, value));
    const { width, height } = (value ?? {}) as Partial<Size>;
    if (width === undefined || height === undefined) {
      throw this.wrong(name, '{ height, width } or a number', value);
    }
    return { width: this.side(`${name}.width`, width), height: this.side(`${name}.height`, height) };
  }

  channels(name: string): number[] {
    const value = this.value(name);
    const isList = Array.isArray(value) && value.length === 3;
    if (!isList || !value.every((each) => typeof each === 'number' && Math.abs(each) <= 1e6)) {
      throw this.wrong(name, 'three numbers from -1e6 to 1e6', value);
    }
    return value as number[];
  }
}

/** Larger pictures are none that a model was trained on. */
const MOST_SIDE = 4096;

/** Steps that are not done here. */
const OTHER_STEPS = ['do_pad', 'do_thumbnail', 'do_align_long_axis', 'do_flip_channel_order'];

function defaultsOf(given: Config, family: string): Defaults {
  // Older files name the class of a time before it was called so.
  const named = given.image_processor_type ?? given.feature_extractor_type;
  const fallback = BY_FAMILY[family] ?? 'BitImageProcessor';
  const type = typeof named === 'string' ? named.replace(/FeatureExtractor$/u, 'ImageProcessor') : fallback;
  const known = type.replace(/(Fast|Pil)$/u, '');
  const defaults = Object.hasOwn(PROCESSORS, known) ? PROCESSORS[known] : undefined;
  if (!defaults) {
    throw rangeError(
      `${FILE}: image_processor_type`,
      `be one of ${Object.keys(PROCESSORS).join(', ')}, got ${JSON.stringify(named)}`,
    );
  }
  return defaults;
}

/** Without the file: as published models of the family, for the size of config.json. */
function usual({ imageSize }: ImageInput, family: string): Preprocessing {
  const rescale = 1 / 255;
  const crop = imageSize;
  if (family === 'vit') {
    const normalize = { mean: HALVES.image_mean, std: HALVES.image_std };
    return { resize: { size: crop, resample: 2 }, crop: null, rescale, normalize };
  }
  if (family === 'clip') {
    const normalize = { mean: CLIP.image_mean, std: CLIP.image_std };
    return { resize: { size: { shortestEdge: imageSize.height }, resample: 3 }, crop, rescale, normalize };
  }
  const normalize = { mean: IMAGENET.image_mean, std: IMAGENET.image_std };
  const larger = (side: number) => Math.round((side * 256) / 224);
  const size =
    family === 'deit'
      ? { width: larger(imageSize.width), height: larger(imageSize.height) }
      : { shortestEdge: larger(imageSize.height) };
  return { resize: { size, resample: 3 }, crop, rescale, normalize };
}

/**
 * @param given the file, or null where the folder has none
 * @throws RangeError that names the field
 */
export function preprocessingFrom(given: Config | null, input: ImageInput, family: string): Preprocessing {
  if (!given) return usual(input, family);
  const defaults = defaultsOf(given, family);
  const fields = new Fields(given, defaults);
  for (const name of OTHER_STEPS) {
    if (given[name] === true) throw fields.wrong(name, 'false or left out', true);
  }
  const steps = {
    resize: fields.flag('do_resize')
      ? { size: sizeOf(fields, defaults), resample: resampleOf(fields) }
      : null,
    crop: fields.flag('do_center_crop') ? fields.size('crop_size', fields.value('crop_size')) : null,
    rescale: fields.flag('do_rescale') ? fields.factor('rescale_factor') : null,
    normalize: fields.flag('do_normalize') ? normalizeOf(fields) : null,
  };
  checkResult(steps, input);
  return steps;
}

/** Checks that the model has positions for what comes out. */
function checkResult({ crop, resize }: Preprocessing, { imageSize, resizedPositions }: ImageInput): void {
  const size = crop ?? resize?.size;
  if (resizedPositions || !size || 'shortestEdge' in size) return;
  if (size.width === imageSize.width && size.height === imageSize.height) return;
  throw rangeError(
    `${FILE}: ${crop ? 'crop_size' : 'size'}`,
    `be ${imageSize.width} × ${imageSize.height} (image_size of config.json), got ${size.width} × ${size.height}`,
  );
}

function sizeOf(fields: Fields, { sizeIsSquare }: Defaults): Size | { shortestEdge: number } {
  const size = fields.value('size');
  if (typeof size === 'number' && !sizeIsSquare) return { shortestEdge: fields.side('size', size) };
  const { shortest_edge: shortest, longest_edge: longest } = (size ?? {}) as Record<string, unknown>;
  if (shortest === undefined) return fields.size('size', size);
  if (longest != null) throw fields.wrong('size', '{ height, width } or { shortest_edge }', size);
  return { shortestEdge: fields.side('size.shortest_edge', shortest) };
}

function resampleOf(fields: Fields): number {
  const resample = fields.value('resample');
  if (!Number.isInteger(resample) || (resample as number) < 0 || (resample as number) >= RESAMPLE_COUNT) {
    const names = '0 (nearest), 1 (Lanczos), 2 (bilinear) or 3 (bicubic)';
    throw fields.wrong('resample', names, resample);
  }
  return resample as number;
}

function normalizeOf(fields: Fields): Preprocessing['normalize'] {
  const [mean, std] = [fields.channels('image_mean'), fields.channels('image_std')];
  if (std.some((each) => Math.abs(each) < 1e-6)) {
    throw fields.wrong('image_std', 'three numbers of at least 1e-6, without sign', std);
  }
  return { mean, std };
}
