/**
 * Resizes 8-bit images as Pillow's `Image.resize` does, with the same numbers: models were trained on what it gives. The
 * order is that of all versions before 13, which filters some tall images down before across.
 *
 * @see "Resample.c" and "Geometry.c" of https://github.com/python-pillow/Pillow, which the algorithm is taken from
 */

/** An image of 3 bytes per pixel, row by row. */
export interface RgbImage {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

interface Filter {
  /** How far the filter reaches from its centre, in pixels of the smaller image. */
  readonly support: number;
  readonly weight: (x: number) => number;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

/** Pillow's parameter of the cubic convolution. */
const A = -0.5;

const bilinear: Filter = { support: 1, weight: (x) => Math.max(1 - Math.abs(x), 0) };

const bicubic: Filter = {
  support: 2,
  weight: (distance) => {
    const x = Math.abs(distance);
    if (x < 1) return ((A + 2) * x - (A + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * A : 0;
  },
};

const lanczos: Filter = { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) };

/** By Pillow's number of the filter; 0 takes the nearest pixel. */
const FILTERS: readonly (Filter | null)[] = [null, lanczos, bilinear, bicubic];

/** How many filters there are, numbered from 0. */
export const RESAMPLE_COUNT = FILTERS.length;

/** Bits behind the binary point of the weights: sums of 8-bit values times weights fit into 32 bits. */
const PRECISION = 22;
const HALF = 1 << (PRECISION - 1);

/** The pixels of a line that a new pixel is made of, and the weight of each; weights sum to 1. */
interface WeightedRange {
  readonly first: number;
  readonly weights: readonly number[];
}

/** For each of `newSize` new pixels what it is made of. */
function weightedRanges(size: number, newSize: number, { support, weight }: Filter): WeightedRange[] {
  const scale = size / newSize;
  // Smaller images average over all pixels that fall together; larger ones use the filter as it is.
  const widened = Math.max(scale, 1);
  const reach = support * widened;
  return Array.from({ length: newSize }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(Math.trunc(center - reach + 0.5), 0);
    const end = Math.min(Math.trunc(center + reach + 0.5), size);
    const weights = Array.from({ length: end - first }, (__, j) =>
      weight((j + first - center + 0.5) * (1 / widened)),
    );
    const total = weights.reduce((sum, each) => sum + each, 0);
    return { first, weights: total === 0 ? weights : weights.map((each) => each / total) };
  });
}

/** The ranges of Pillow's bicubic filter, which torch's antialiased one shares. */
export const bicubicRanges = (size: number, newSize: number): WeightedRange[] =>
  weightedRanges(size, newSize, bicubic);

/** Ranges with weights in fixed point, as typed arrays: the inner loop reads them for every pixel. */
interface Coefficients {
  readonly first: Int32Array;
  /** Where the weights of each new pixel begin; the last entry is where they end. */
  readonly start: Int32Array;
  readonly weights: Int32Array;
}

function coefficients(size: number, newSize: number, filter: Filter): Coefficients {
  const ranges = weightedRanges(size, newSize, filter);
  const start = new Int32Array(newSize + 1);
  for (const [i, { weights }] of ranges.entries()) start[i + 1] = (start[i] ?? 0) + weights.length;
  const fixed = ranges.flatMap(({ weights }) =>
    weights.map((each) => Math.trunc(each * 2 ** PRECISION + (each < 0 ? -0.5 : 0.5))),
  );
  return {
    first: Int32Array.from(ranges, ({ first }) => first),
    start,
    weights: Int32Array.from(fixed),
  };
}

/** The steps between values in an image's bytes, along the lines that are filtered and from line to line. */
interface Layout {
  readonly lines: number;
  readonly newSize: number;
  readonly pixelStep: number;
  readonly lineStep: number;
  readonly newPixelStep: number;
  readonly newLineStep: number;
}

function filterLines(
  data: RgbImage['data'],
  { first, start, weights }: Coefficients,
  { lines, newSize, pixelStep, lineStep, newPixelStep, newLineStep }: Layout,
): Uint8ClampedArray {
  const result = new Uint8ClampedArray(lines * newSize * 3);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < newSize; i++) {
      let [red, green, blue] = [HALF, HALF, HALF];
      let from = line * lineStep + (first[i] ?? 0) * pixelStep;
      const end = start[i + 1] ?? 0;
      for (let j = start[i] ?? 0; j < end; j++) {
        const weight = weights[j] ?? 0;
        red += weight * (data[from] ?? 0);
        green += weight * (data[from + 1] ?? 0);
        blue += weight * (data[from + 2] ?? 0);
        from += pixelStep;
      }
      const to = line * newLineStep + i * newPixelStep;
      // The clamped array cuts to 0–255.
      result[to] = red >> PRECISION;
      result[to + 1] = green >> PRECISION;
      result[to + 2] = blue >> PRECISION;
    }
  }
  return result;
}

/** The pixel of the line that each new pixel takes. Pillow adds up the steps, and so does this: rounding may show. */
function nearestPlaces(size: number, newSize: number): number[] {
  const step = size / newSize;
  let place = step * 0.5;
  return Array.from({ length: newSize }, () => {
    const pixel = Math.trunc(place);
    place += step;
    return pixel;
  });
}

function takeNearest({ data, width, height }: RgbImage, newWidth: number, newHeight: number): RgbImage {
  const result = new Uint8ClampedArray(newWidth * newHeight * 3);
  const columns = nearestPlaces(width, newWidth);
  let to = 0;
  for (const row of nearestPlaces(height, newHeight)) {
    for (const column of columns) {
      const from = (row * width + column) * 3;
      for (let c = 0; c < 3; c++) result[to++] = data[from + c] ?? 0;
    }
  }
  return { data: result, width: newWidth, height: newHeight };
}

/** @param resample Pillow's number of the filter: 0 nearest, 1 Lanczos, 2 bilinear, 3 bicubic */
export function resize(image: RgbImage, newWidth: number, newHeight: number, resample: number): RgbImage {
  const { width, height } = image;
  if (width === newWidth && height === newHeight) return image;
  const filter = FILTERS[resample];
  if (!filter) return takeNearest(image, newWidth, newHeight);
  let { data } = image;
  if (width !== newWidth) {
    data = filterLines(data, coefficients(width, newWidth, filter), {
      lines: height,
      newSize: newWidth,
      pixelStep: 3,
      lineStep: 3 * width,
      newPixelStep: 3,
      newLineStep: 3 * newWidth,
    });
  }
  if (height !== newHeight) {
    data = filterLines(data, coefficients(height, newHeight, filter), {
      lines: newWidth,
      newSize: newHeight,
      pixelStep: 3 * newWidth,
      lineStep: 3,
      newPixelStep: 3 * newWidth,
      newLineStep: 3,
    });
  }
  return { data, width: newWidth, height: newHeight };
}
