/** How a pretrained model computes the heads' maps of a picture. */
import type { Picture, PictureCrop } from '../../models/pictures.js';
import { type Asked, layersToCompute, type Reading } from '../model/model-controller.js';
import type { ModelAttentions } from './model-figure.js';
import { pictureAt } from './picture-source.js';

/** A model and the picture that it sees. */
export interface PictureRequest extends Asked {
  /** As in the attribute `image`. */
  readonly image: string | null;
}

export const pictureReading: Reading<PictureRequest, ModelAttentions> = {
  isSame: (a, b) => a.address === b.address && a.image === b.image,
  has: ({ weights }, layer) => weights(layer) !== null,
  async read({ model }, { image, layer }) {
    const picture = await pictureAt(image);
    const { pixelValues, crops, patches } = await model.preprocess(picture);
    const { rows, columns, first } = patches;
    const { numLayers, numHeads } = model;
    const wanted = layersToCompute(model, first + rows * columns, layer);
    const { attentions } = await model.forward({ pixelValues }, { attentions: wanted });
    const [crop] = crops;
    const [, , height = 0, width = 0] = pixelValues.shape;
    const patchSize = Number(model.config.patch_size ?? 16);
    return {
      ...{ rows, columns, learned: learnedTokens(model.family, first), layers: numLayers, heads: numHeads },
      weights: (index) => {
        const own = Math.min(index, numLayers - 1);
        return attentions[wanted === true ? own : wanted.indexOf(own)]?.data ?? null;
      },
      picture: seen(picture, crop, (columns * patchSize) / width, (rows * patchSize) / height),
    };
  },
};

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
