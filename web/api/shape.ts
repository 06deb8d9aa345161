import { checkInteger, formatShape, rangeError, wrongKind } from './errors.js';

/** Returns `list[index]`, for an index that is known to be inside. */
export function item<T>(list: ArrayLike<T>, index: number): T {
  return list[index] as T;
}

/** Checks that `shape` lists sizes from `min` on and returns a copy of it. */
export function checkShape(argument: string, shape: unknown, min = 1): number[] {
  if (!Array.isArray(shape)) throw wrongKind(argument, 'an array of sizes', shape);
  // Unlike `map`, `Array.from` visits the holes of a sparse array.
  return Array.from(shape, (size, axis) => checkInteger(`${argument}[${axis}]`, size, min));
}

/** Checks that `length` values fill `shape`. */
export function checkLength(argument: string, length: number, shape: readonly number[]): void {
  const expected = shape.reduce((product, size) => product * size, 1);
  if (length !== expected) {
    throw rangeError(argument, `have ${expected} values for shape ${formatShape(shape)}, got ${length}`);
  }
}
