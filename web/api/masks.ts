/**
 * `module.masks` of a loaded module: masks as tensors. In boolean ones 1 means that a query may attend to a key.
 *
 * @module
 */
import { checkInteger, MAX_SIZE, rangeError, wrongKind } from './errors.js';
import { type BooleanMask, type Mask, type TensorLike, toMaskBlock } from './inputs.js';
import { checkWindow, type Window } from './score-options.js';
import { item } from './shape.js';
import { Tensor } from './tensor.js';

/** The longest side of a square mask. */
const MAX_SIDE = Math.floor(Math.sqrt(MAX_SIZE));

function fill(
  rows: number,
  columns: number,
  may: (row: number, column: number) => boolean,
): Tensor<Uint8Array> {
  const data = new Uint8Array(rows * columns);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) data[i * columns + j] = Number(may(i, j));
  }
  return new Tensor(data, [rows, columns]);
}

/**
 * (n,n): query i may attend to keys 0 … i.
 *
 * @param n the number of queries and of keys
 * @throws TypeError or RangeError when `n` is not an integer 1 … 46340 (n² values must be countable in 32 bits)
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { masks } = await load();
 * console.log(masks.causal(3).toNested()); // [ [ 1, 0, 0 ], [ 1, 1, 0 ], [ 1, 1, 1 ] ]
 * ```
 */
export function causal(n: number): Tensor<Uint8Array> {
  checkInteger('n', n, 1, MAX_SIDE);
  return fill(n, n, (i, j) => j <= i);
}

/**
 * (B,maxLen), for `keyPaddingMask`: row b has `lengths[b]` real tokens, then padding.
 *
 * @param lengths the number of real tokens of each of the B sequences
 * @param maxLen S, to which the sequences are padded
 * @throws TypeError when `lengths` is not an array of numbers
 * @throws RangeError when it is empty or a length is not an integer 0 … `maxLen`
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { masks } = await load();
 * console.log(masks.padding([3, 1], 4).toNested()); // [ [ 1, 1, 1, 0 ], [ 1, 0, 0, 0 ] ]
 * ```
 */
export function padding(lengths: readonly number[], maxLen: number): Tensor<Uint8Array> {
  if (!Array.isArray(lengths)) throw wrongKind('lengths', 'an array of integers', lengths);
  const real: readonly number[] = Array.from(lengths);
  if (real.length === 0) throw rangeError('lengths', 'not be empty, got an array of length 0');
  checkInteger('maxLen', maxLen, 1, Math.floor(MAX_SIZE / real.length));
  real.forEach((length, b) => checkInteger(`lengths[${b}]`, length, 0, maxLen));
  return fill(real.length, maxLen, (b, j) => j < item(real, b));
}

/**
 * (n,n): query i may attend to keys i − left … i + right.
 *
 * @param n the number of queries and of keys
 * @param window [left, right], or one number w for [w, w]
 * @throws TypeError when `window` is neither an integer nor a pair
 * @throws RangeError when `n` or a side of the window is negative, or not an integer
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { masks } = await load();
 * console.log(masks.slidingWindow(3, [1, 0]).toNested()); // [ [ 1, 0, 0 ], [ 1, 1, 0 ], [ 0, 1, 1 ] ]
 * ```
 */
export function slidingWindow(n: number, window: Window): Tensor<Uint8Array> {
  checkInteger('n', n, 1, MAX_SIDE);
  const [left, right] = checkWindow(window);
  return fill(n, n, (i, j) => i - left <= j && j <= i + right);
}

/**
 * A mask as `torch.nn.MultiheadAttention` takes it, in this library's polarity. There True means "ignore": a
 * boolean mask is flipped. An additive mask means the same in both and keeps its values. The shape stays: a mask of
 * PyTorch's shape (B·H,L,S) is the same data as (B,H,L,S), so give it that shape.
 *
 * @throws TypeError or RangeError when `mask` is not a tensor or not a rectangular nested array
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { masks } = await load();
 * const ignore = [
 *   [false, true],
 *   [false, false],
 * ];
 * console.log(masks.fromTorch(ignore).toNested()); // [ [ 1, 0 ], [ 1, 1 ] ]
 * ```
 */
export function fromTorch(mask: BooleanMask): Tensor<Uint8Array>;
export function fromTorch(mask: TensorLike): Tensor;
export function fromTorch(mask: Mask): Tensor<Uint8Array> | Tensor;
export function fromTorch(mask: Mask): Tensor<Uint8Array> | Tensor {
  const { data, shape } = toMaskBlock('mask', mask);
  return data instanceof Uint8Array
    ? new Tensor(
        Uint8Array.from(data, (ignore) => Number(ignore === 0)),
        shape,
      )
    : new Tensor(new Float32Array(data), shape);
}
