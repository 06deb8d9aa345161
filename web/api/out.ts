/** The caller's tensors that results are written to. */
import { formatShape, rangeError, wrongKind } from './errors.js';
import { readShape, type ShapedData } from './inputs.js';
import { type OrNull, readOptions } from './options.js';
import { checkLength } from './shape.js';
import { Tensor } from './tensor.js';
import { kindOf, lengthOf, viewOf } from './typed-array.js';

/** Tensors for the results of `forward`. */
export interface Out {
  /** Receives the output, (B,L,outDim). */
  output?: ShapedData<Float32Array>;
  /** Receives the weights, (B,H,L,S), or with `averageWeights` (B,L,S). */
  weights?: ShapedData<Float32Array>;
}

export class OutTensor {
  readonly tensor: Tensor;
  readonly values: Float32Array;
  readonly #argument: string;
  readonly #shape: readonly number[];

  constructor(argument: string, tensor: ShapedData<Float32Array>) {
    if (typeof tensor !== 'object' || !('data' in tensor)) {
      throw wrongKind(argument, 'a tensor ({ data, shape }) of a Float32Array', tensor);
    }
    const { data } = tensor;
    if (kindOf(data) !== 'Float32Array') throw wrongKind(`${argument}.data`, 'a Float32Array', data);
    this.#argument = argument;
    this.#shape = readShape(argument, tensor, true);
    checkLength(argument, lengthOf(data), this.#shape);
    this.values = viewOf(data);
    this.tensor = tensor instanceof Tensor ? (tensor as Tensor) : new Tensor(data, this.#shape);
  }

  /** @throws RangeError when the result has another shape, or the buffer was transferred */
  check(expected: readonly number[]): void {
    // The caller's code may have run since the first check and transferred the buffer.
    checkLength(this.#argument, this.values.length, this.#shape);
    const shape = this.#shape;
    if (shape.length === expected.length && shape.every((size, axis) => size === expected[axis])) return;
    throw rangeError(this.#argument, `have shape ${formatShape(expected)}, got shape ${formatShape(shape)}`);
  }
}

/** @throws TypeError for anything but tensors of float32 */
export function readOut(out: OrNull<Out>): { output?: OutTensor; weights?: OutTensor } {
  const { output, weights } = readOptions('out', out, ['output', 'weights'], 'out');
  return {
    ...(output !== undefined && { output: new OutTensor('out.output', output) }),
    ...(weights !== undefined && { weights: new OutTensor('out.weights', weights) }),
  };
}
