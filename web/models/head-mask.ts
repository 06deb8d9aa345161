import { formatShape, rangeError } from '../api/errors.js';
import { type TensorLike, toFloat32Block } from '../api/inputs.js';

/** What takes heads out of a model. */
export interface HeadMaskOptions {
  /**
   * (numLayers, numHeads): a head's weights are multiplied by its number before they meet the values. 0 takes the head
   * out, 1 leaves it as it is.
   *
   * As `head_mask` of transformers 4, except that `forward` gives the attentions as the softmax gave them, not
   * multiplied: where a masked head looks is still seen.
   */
  headMask?: TensorLike;
}

/**
 * The factors of all heads, layer by layer; none where all are 1.
 *
 * @throws TypeError, RangeError for anything but (layers, heads) finite numbers
 */
export function readHeadMask(value: unknown, layers: number, heads: number): number[] {
  if (value == null) return [];
  const { data, shape } = toFloat32Block('headMask', value);
  if (shape.join() !== [layers, heads].join()) {
    throw rangeError(
      'headMask',
      `have shape ${formatShape([layers, heads])} (layers, heads), got ${formatShape(shape)}`,
    );
  }
  const wrong = data.findIndex((factor) => !Number.isFinite(factor));
  if (wrong >= 0) {
    const place = `headMask[${Math.floor(wrong / heads)}][${wrong % heads}]`;
    throw rangeError(place, `be a finite number, got ${data[wrong] ?? ''}`);
  }
  return Array.from(data);
}
