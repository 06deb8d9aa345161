import type { ResultBlock } from '../wasm/attention.js';
import { checkInteger, formatShape, rangeError, wrongKind } from './errors.js';
import { type TensorLike, toFloat32Block } from './inputs.js';
import { checkLength, checkShape, item } from './shape.js';
import { kindOf, lengthOf } from './typed-array.js';

/** Types of a tensor's `data`. */
export type TensorData = Float32Array | Float64Array | Uint8Array;

/** `toNested()` of a tensor: as many levels of arrays as the tensor has dimensions. */
export type NestedNumbers = number | NestedNumbers[];

/**
 * A dense array of numbers in row-major (C) order. Tensors that the library returns are copies that the caller
 * owns; the constructor wraps `data` without copying it.
 *
 * Weights and outputs are `Tensor<Float32Array>`, draws of the generators `Tensor<Float64Array>` and boolean
 * masks `Tensor<Uint8Array>` (1 = may attend).
 *
 * @example
 * ```js
 * import { Tensor } from 'multihead-attention';
 *
 * const x = new Tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
 * console.log(x.shape, x.size); // [ 2, 3 ] 6
 * console.log(x.data[5]); // 6
 * ```
 */
export class Tensor<T extends TensorData = Float32Array> {
  /** The values, last dimension fastest. */
  readonly data: T;
  /** The sizes of the dimensions, outermost first; empty for a single number. */
  readonly shape: readonly number[];

  /**
   * @param data the values, last dimension fastest
   * @param shape sizes whose product is `data.length`
   * @throws TypeError when `data` or `shape` is of the wrong kind
   * @throws RangeError when a size is negative or the product differs from `data.length`
   */
  constructor(data: T, shape: readonly number[]) {
    if (!['Float32Array', 'Float64Array', 'Uint8Array'].includes(String(kindOf(data)))) {
      throw wrongKind('data', 'a Float32Array, Float64Array or Uint8Array', data);
    }
    const sizes = checkShape('shape', shape, 0);
    checkLength('data', lengthOf(data), sizes);
    this.data = data;
    this.shape = Object.freeze(sizes);
  }

  /**
   * A float32 copy of numbers in any form that the library takes, such as nested arrays.
   *
   * @param values see {@link TensorLike}
   * @throws TypeError or RangeError, naming the place, for ragged or empty arrays and for values that are no numbers
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * const x = Tensor.from([
   *   [1, 2, 3],
   *   [4, 5, 6],
   * ]);
   * console.log(x.shape); // [ 2, 3 ]
   * ```
   */
  static from(values: TensorLike): Tensor {
    const { data, shape } = toFloat32Block('values', values);
    return new Tensor(Float32Array.from(data), Array.from(shape));
  }

  /** The number of values. */
  get size(): number {
    return this.data.length;
  }

  /**
   * One value. A negative index counts from the end, as in NumPy.
   *
   * @throws RangeError when there is not one index per dimension, or one is outside its dimension
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * const x = new Tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * console.log(x.at(1, 0)); // 4
   * console.log(x.at(-1, -1)); // 6
   * ```
   */
  at(...indices: number[]): number {
    if (indices.length !== this.shape.length) {
      throw rangeError(
        'indices',
        `be ${this.shape.length} numbers for shape ${formatShape(this.shape)}, got ${indices.length}`,
      );
    }
    return item(this.data, this.#placeOf(indices));
  }

  /** Where the part of the first dimensions' indices lies, counted in parts. */
  #placeOf(indices: readonly number[]): number {
    return indices.reduce((place, given, axis) => {
      const size = item(this.shape, axis);
      const index = checkInteger(`indices[${axis}]`, given, -size, size - 1);
      return place * size + (index < 0 ? index + size : index);
    }, 0);
  }

  /**
   * The part at the indices of the first dimensions: `weights.get(b, h)` of (B,H,L,S) is head h's (L,S). It shares the memory of
   * this tensor. Negative indices count from the end.
   *
   * @throws RangeError for more indices than dimensions, and for one outside its dimension
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * const x = new Tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * console.log(x.get(1).toNested()); // [ 4, 5, 6 ]
   * ```
   */
  get(...indices: number[]): Tensor<T> {
    const { length } = indices;
    if (length > this.shape.length) {
      const most = `be at most ${this.shape.length} numbers for shape ${formatShape(this.shape)}`;
      throw rangeError('indices', `${most}, got ${length}`);
    }
    const shape = this.shape.slice(length);
    const size = shape.reduce((product, each) => product * each, 1);
    const start = size * this.#placeOf(indices);
    return new Tensor(this.data.subarray(start, start + size) as T, shape);
  }

  /**
   * The parts of the first dimension, each as {@link get} gives it: the rows of a matrix, the heads of (H,L,S).
   *
   * @throws RangeError for a single number, which has no dimension
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * const x = new Tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * console.log(x.rows().map((row) => Math.max(...row.data))); // [ 3, 6 ]
   * ```
   */
  rows(): Tensor<T>[] {
    const [length] = this.shape;
    if (length === undefined) throw rangeError('shape', 'have a dimension, got ()');
    return Array.from({ length }, (_, i) => this.get(i));
  }

  /**
   * The values as nested arrays of numbers; a tensor of shape `()` gives the number itself.
   *
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * const x = new Tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * console.log(x.toNested()); // [ [ 1, 2, 3 ], [ 4, 5, 6 ] ]
   * ```
   */
  toNested(): NestedNumbers {
    const nest = (axis: number, start: number, length: number): NestedNumbers => {
      const size = this.shape[axis];
      if (size === undefined) return item(this.data, start);
      const step = length / size;
      return Array.from({ length: size }, (_, i) => nest(axis + 1, start + i * step, step));
    };
    return nest(0, 0, this.size);
  }

  /**
   * What `JSON.stringify` writes: {@link toNested}, as figures' files have it. JSON has null for NaN and infinities.
   *
   * @example
   * ```js
   * import { Tensor } from 'multihead-attention';
   *
   * console.log(JSON.stringify({ weights: Tensor.from([[0.75, 0.25]]) })); // {"weights":[[0.75,0.25]]}
   * ```
   */
  toJSON(): NestedNumbers {
    return this.toNested();
  }
}

export function toTensor({ data, shape }: ResultBlock): Tensor {
  return new Tensor(data, Array.from(shape));
}

export const toTensors = <Name extends string>(blocks: Record<Name, ResultBlock>): Record<Name, Tensor> =>
  Object.fromEntries(
    Object.entries<ResultBlock>(blocks).map(([name, block]) => [name, toTensor(block)]),
  ) as Record<Name, Tensor>;
