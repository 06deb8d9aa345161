/** How a model of images sees a picture. Loaded with the first model. */
import { bytesAt, MOST_BYTES } from '../../api/bytes-at.js';
import type { Picture, PictureCrop } from '../../models/pictures.js';
import { chosenName, serverOfFile } from '../../sources/addresses.js';
import { layersToCompute, type OpenSession } from '../../sources/model.js';
import { pictureOfPatches, SIDE } from '../../sources/patch-picture.js';
import { Refusal } from '../base/problem.js';
import { compareTexts } from './compare-texts.js';
import type { ModelAttentions } from './maps.js';
import { pictureSize } from './picture-size.js';
import { chosenPicture, PictureError, pictureName, type PictureRequest } from './pictures.js';

/** Width of a patch of the built-in picture, in pixels: it has 224 × 224, the size that most models see. */
const PATCH = 16;

/** Pixels of the largest picture that is read: four bytes each. */
const MOST_PIXELS = 2 ** 26;

function builtIn(): Picture {
  const { data: colours } = pictureOfPatches();
  const size = SIDE * PATCH;
  const data = new Uint8ClampedArray(4 * size * size).fill(255);
  for (let pixel = 0; pixel < size * size; pixel++) {
    const [row, column] = [Math.floor(pixel / size / PATCH), Math.floor((pixel % size) / PATCH)];
    for (let c = 0; c < 3; c++) data[4 * pixel + c] = 255 * (colours[3 * (row * SIDE + column) + c] ?? 0);
  }
  return { data, width: size, height: size };
}

async function decode(blob: Blob, name: string): Promise<Picture> {
  const size = pictureSize(new Uint8Array(await blob.slice(0, MOST_BYTES).arrayBuffer()));
  if (!size) throw new PictureError((strings) => strings.noPicture(name));
  if (size[0] * size[1] > MOST_PIXELS) throw new PictureError((strings) => strings.tooManyPixels(name));
  let bitmap: ImageBitmap;
  try {
    // Models were trained on the file's own numbers, without its colour profile.
    bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
  } catch {
    throw new PictureError((strings) => strings.noPicture(name));
  }
  const { width, height } = bitmap;
  try {
    if (width * height > MOST_PIXELS) throw new PictureError((strings) => strings.tooManyPixels(name));
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new PictureError((strings) => strings.noPicture(name));
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height);
  } finally {
    bitmap.close();
  }
}

/**
 * @param address of the attribute `image`; null for the built-in picture
 * @throws (rejects) PictureError; NoBytesError for an address that cannot be fetched, Refusal for one that is not plain
 */
async function pictureAt(address: string | null): Promise<Picture> {
  if (address === null) return builtIn();
  const name = pictureName(address);
  if (chosenName(address) !== null) {
    const file = chosenPicture(address);
    if (!file) throw new PictureError((strings) => strings.lostPicture(name));
    return decode(file, name);
  }
  if (serverOfFile(address) === 'refused') throw new Refusal((strings) => strings.badAddress(address));
  return decode(new Blob([await bytesAt(new URL(address, document.baseURI))]), name);
}

/** What a pretrained model sees of a picture: the maps of its heads, and of CLIP how alike texts and the picture are. */
export async function compute(
  { model }: OpenSession,
  { image, texts, layer }: PictureRequest,
): Promise<ModelAttentions> {
  const picture = await pictureAt(image);
  const { pixelValues, crops, patches } = await model.preprocess(picture);
  const { rows, columns, first } = patches;
  const { numLayers, numHeads, patchSize } = model.viewer;
  const wanted = layersToCompute(model.viewer, first + rows * columns, layer);
  const compared = model.comparesPictures
    ? await compareTexts(model, texts, pixelValues, wanted).catch((error: unknown) => ({
        similarities: { error },
      }))
    : { similarities: null };
  const { attentions } =
    'attentions' in compared ? compared : await model.forward({ pixelValues }, { attentions: wanted });
  const [crop] = crops;
  const [, , height = 0, width = 0] = pixelValues.shape;
  return {
    ...{ rows, columns, learned: learnedTokens(model.family, first), layers: numLayers, heads: numHeads },
    weights: (index) => {
      const own = Math.min(index, numLayers - 1);
      return attentions[wanted === true ? own : wanted.indexOf(own)]?.data ?? null;
    },
    similarities: compared.similarities,
    picture: seen(picture, crop, (columns * patchSize) / width, (rows * patchSize) / height),
  };
}

/** Names of the tokens before the patches. */
function learnedTokens(family: string, count: number): string[] {
  const others = Array.from({ length: count - 1 }, (_, index) =>
    family === 'deit' ? 'distillation' : `register-${index + 1}`,
  );
  return ['cls', ...others];
}

/** Pixels of the longer side of the drawn picture. */
const DRAWN = 448;

/** The part of the picture that the patches cover: `across` and `down` of the crop. */
function seen(
  { data, width, height }: Picture,
  crop: PictureCrop = { x: 0, y: 0, width, height },
  across: number,
  down: number,
): HTMLCanvasElement {
  const whole = document.createElement('canvas');
  Object.assign(whole, { width, height });
  const pixels = new ImageData(Uint8ClampedArray.from(data), width, height);
  // The model does not see alpha.
  for (let i = 3; i < pixels.data.length; i += 4) pixels.data[i] = 255;
  whole.getContext('2d')?.putImageData(pixels, 0, 0);
  const [cropWidth, cropHeight] = [crop.width * across, crop.height * down];
  const scale = DRAWN / Math.max(cropWidth, cropHeight);
  const canvas = document.createElement('canvas');
  canvas.ariaHidden = 'true';
  Object.assign(canvas, { width: Math.round(cropWidth * scale), height: Math.round(cropHeight * scale) });
  const context = canvas.getContext('2d');
  if (context) {
    // Outside of the picture the model sees black.
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.setTransform(canvas.width / cropWidth, 0, 0, canvas.height / cropHeight, 0, 0);
    context.drawImage(whole, -crop.x, -crop.y);
  }
  return canvas;
}
