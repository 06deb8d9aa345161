/** Pictures as pixels: resized, cut, scaled and normalised as transformers' processors do with Pillow. */
import { checkInteger, rangeError, tagOf, typeError, wrongKind } from '../api/errors.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import { resize, type RgbImage } from './pillow-resize.js';
import type { Size } from './architecture.js';
import type { Preprocessing } from './preprocessing.js';

/** A picture as a canvas gives it: an `ImageData`. */
export interface Picture {
  /** Red, green, blue and alpha of each pixel, row by row. Alpha is left out, as Pillow's `convert('RGB')` does. */
  readonly data: Uint8ClampedArray | Uint8Array;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
}

/** Pictures, of which a model sees the centre, resized. */
export interface PictureInput {
  /** One picture, or those of a batch. */
  readonly image: Picture | readonly Picture[];
}

/** The part of a picture that a model sees, in the picture's pixels. It may reach beyond its edges, which are black there. */
export interface PictureCrop {
  /** The left edge, in pixels of the picture. */
  readonly x: number;
  /** The upper edge, in pixels of the picture. */
  readonly y: number;
  /** In pixels of the picture. */
  readonly width: number;
  /** In pixels of the picture. */
  readonly height: number;
}

/** What a model sees of pictures, before they are cut into patches. */
export interface PictureBatch {
  /** (B,C,H,W) */
  readonly pixelValues: Tensor;
  /** A picture each. */
  readonly crops: readonly PictureCrop[];
}

/** Resized pictures with more pixels would not fit into memory. */
const MOST_PIXELS = 2 ** 26;

/** Without alpha. @throws TypeError, RangeError */
function rgbOf(name: string, picture: Picture): RgbImage {
  if (typeof picture !== 'object' || (picture as unknown) === null || !('data' in picture)) {
    throw wrongKind(name, 'an ImageData or { data, width, height }', picture);
  }
  const { data, width, height } = picture;
  if (!['Uint8ClampedArray', 'Uint8Array'].includes(tagOf(data))) {
    throw wrongKind(`${name}.data`, 'a Uint8ClampedArray', data);
  }
  checkInteger(`${name}.width`, width);
  checkInteger(`${name}.height`, height);
  if (data.length !== width * height * 4) {
    const expected = `${width}·${height}·4 = ${width * height * 4} bytes`;
    throw rangeError(`${name}.data`, `have ${expected} (RGBA), got ${data.length}`);
  }
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    rgb[to++] = data[from] ?? 0;
    rgb[to++] = data[from + 1] ?? 0;
    rgb[to++] = data[from + 2] ?? 0;
  }
  return { data: rgb, width, height };
}

/** The size that a picture is resized to. @throws RangeError where it would take too much memory */
function newSize(name: string, { width, height }: Size, size: Size | { shortestEdge: number }): Size {
  if (!('shortestEdge' in size)) return size;
  const { shortestEdge: edge } = size;
  const long = Math.trunc((edge * Math.max(width, height)) / Math.min(width, height));
  const resized = width <= height ? { width: edge, height: long } : { width: long, height: edge };
  if (edge * long > MOST_PIXELS) {
    const got = `got ${width} × ${height}, which becomes ${resized.width} × ${resized.height}`;
    throw rangeError(name, `have at most ${MOST_PIXELS} pixels after resizing, ${got}`);
  }
  return resized;
}

/** Values (C,H,W) of the part of an image at `left` and `top`; outside of it they are those of black. */
function writeValues(
  { data, width, height }: RgbImage,
  { left, top, size }: { left: number; top: number; size: Size },
  { rescale, normalize }: Preprocessing,
  target: Float32Array,
): void {
  for (let c = 0; c < 3; c++) {
    // As NumPy computes it: scaled in float64, normalised in float32.
    const mean = Math.fround(normalize?.mean[c] ?? 0);
    const std = Math.fround(normalize?.std[c] ?? 1);
    const values = Float32Array.from({ length: 256 }, (_, byte) => {
      const scaled = Math.fround(rescale === null ? byte : byte * rescale);
      return normalize ? Math.fround(scaled - mean) / std : scaled;
    });
    let to = c * size.width * size.height;
    for (let y = top; y < top + size.height; y++) {
      for (let x = left; x < left + size.width; x++) {
        const isInside = y >= 0 && y < height && x >= 0 && x < width;
        target[to++] = values[isInside ? (data[(y * width + x) * 3 + c] ?? 0) : 0] ?? 0;
      }
    }
  }
}

interface Placed {
  readonly resized: RgbImage;
  readonly left: number;
  readonly top: number;
  readonly size: Size;
  readonly crop: PictureCrop;
}

function place(name: string, picture: Picture, steps: Preprocessing): Placed {
  const rgb = rgbOf(name, picture);
  const { size: wanted = rgb, resample = 0 } = steps.resize ?? {};
  const { width, height } = newSize(name, rgb, wanted);
  const resized = resize(rgb, width, height, resample);
  const size = steps.crop ?? { width, height };
  const [left, top] = [Math.floor((width - size.width) / 2), Math.floor((height - size.height) / 2)];
  const [across, down] = [rgb.width / width, rgb.height / height];
  const crop = { x: left * across, y: top * down, width: size.width * across, height: size.height * down };
  return { resized, left, top, size, crop };
}

/** @throws TypeError, RangeError that name the picture and what is wrong with it */
export function pixelsOf(image: unknown, steps: Preprocessing): PictureBatch {
  const isList = Array.isArray(image);
  if (isList && image.length === 0) throw typeError('image', 'be a picture or several, got an empty array');
  const pictures = (isList ? image : [image]) as Picture[];
  const placed = pictures.map((picture, i) => place(isList ? `image[${i}]` : 'image', picture, steps));
  const { width, height } = item(placed, 0).size;
  const other = placed.findIndex(({ size }) => size.width !== width || size.height !== height);
  if (other > 0) {
    const { size } = item(placed, other);
    const got = `${size.width} × ${size.height} instead of ${width} × ${height}`;
    throw rangeError(`image[${other}]`, `have the size of the others after preprocessing, got ${got}`);
  }
  const data = new Float32Array(placed.length * 3 * width * height);
  for (const [i, each] of placed.entries()) {
    writeValues(each.resized, each, steps, data.subarray(i * 3 * width * height));
  }
  return {
    pixelValues: new Tensor(data, [placed.length, 3, height, width]),
    crops: placed.map(({ crop }) => crop),
  };
}
