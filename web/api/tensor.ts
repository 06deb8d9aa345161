import type { ResultBlock } from '../wasm/attention.js';
import { checkInteger, formatShape, rangeError, wrongKind } from './errors.js';
import { kindOf, lengthOf } from './typed-array.js';

/** Returns `list[index]`, for an index that is known to be inside. */
export function item<T>(list: ArrayLike<T>, index: number): T {
  return list[index] as T;
}

/** Types of a tensor's `data`. */
export type TensorData = Float32Array | Float64Array | Uint8Array;

/** `toNested()` of a tensor: as many levels of arrays as the tensor has dimensions. */
export type NestedNumbers = number | NestedNumbers[];

/** Checks that `shape` lists positive sizes and returns a copy of it. */
export function checkShape(argument: string, shape: unknown): number[] {
  if (!Array.isArray(shape)) throw wrongKind(argument, 'an array of sizes', shape);
  // Unlike `map`, `Array.from` visits the holes of a sparse array.
  return Array.from(shape, (size, axis) => checkInteger(`${argument}[${axis}]`, size));
}

/** Checks that `length` values fill `shape`. */
export function checkLength(argument: string, length: number, shape: readonly number[]): void {
  const expected = shape.reduce((product, size) => product * size, 1);
  if (length !== expected) {
    throw rangeError(argument, `have ${expected} values for shape ${formatShape(shape)}, got ${length}`);
  }
}

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
   * @param shape positive sizes whose product is `data.length`
   * @throws TypeError when `data` or `shape` is of the wrong kind
   * @throws RangeError when a size is not positive or the product differs from `data.length`
   */
  constructor(data: T, shape: readonly number[]) {
    if (!['Float32Array', 'Float64Array', 'Uint8Array'].includes(String(kindOf(data)))) {
      throw wrongKind('data', 'a Float32Array, Float64Array or Uint8Array', data);
    }
    const sizes = checkShape('shape', shape);
    checkLength('data', lengthOf(data), sizes);
    this.data = data;
    this.shape = Object.freeze(sizes);
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
    let offset = 0;
    this.shape.forEach((size, axis) => {
      const index = checkInteger(`indices[${axis}]`, indices[axis], -size, size - 1);
      offset = offset * size + (index < 0 ? index + size : index);
    });
    return item(this.data, offset);
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
}

export function toTensor({ data, shape }: ResultBlock): Tensor {
  return new Tensor(data, Array.from(shape));
}

export const toTensors = <Name extends string>(blocks: Record<Name, ResultBlock>): Record<Name, Tensor> =>
  Object.fromEntries(
    Object.entries<ResultBlock>(blocks).map(([name, block]) => [name, toTensor(block)]),
  ) as Record<Name, Tensor>;
