import type { Float32Block, MaskBlock } from '../wasm/attention.js';
import {
  checkInteger,
  checkText,
  describe,
  formatShape,
  rangeError,
  tagOf,
  typeError,
  wrongKind,
} from './errors.js';
import { fromHalf, isHalf, widen } from './half.js';
import { checkLength, item } from './shape.js';
import { kindOf, lengthOf, plain } from './typed-array.js';

/** Values in row-major order and their shape, which is named `shape` or `dims`. */
export type ShapedData<D> =
  | {
      /** The values, last dimension fastest. */
      readonly data: D;
      /** The sizes of the dimensions, outermost first. */
      readonly shape: readonly number[];
    }
  | {
      /** The values, last dimension fastest. */
      readonly data: D;
      /** The sizes of the dimensions, outermost first. */
      readonly dims: readonly number[];
    };

/** As many levels of arrays as the tensor has dimensions; no array may be empty or ragged. */
export type NestedArray<T> = readonly T[] | readonly NestedArray<T>[];

/**
 * A tensor of numbers in any accepted form: a `Tensor`, `{ data, shape }`, `{ data, dims }` (ONNX Runtime,
 * Transformers.js), with `type: 'float16'` also of a `Uint16Array`, or nested arrays. Computation is in float32: a
 * `Float64Array` or plain numbers are rounded to it.
 */
export type TensorLike =
  | ShapedData<Float32Array | Float64Array | readonly number[]>
  | (ShapedData<Uint16Array> & {
      /** What the 16 bits are. */
      readonly type: 'float16';
    })
  | NestedArray<number>;

/** A boolean mask; true (or any byte but 0) = may attend. */
export type BooleanMask = ShapedData<Uint8Array | readonly boolean[]> | NestedArray<boolean>;

/**
 * Which keys are real tokens: booleans, or integers 1 and 0, as tokenizers give an `attention_mask`. Floating-point arrays are
 * refused: PyTorch adds those to the scores, where 0 means a real token. So are plain numbers that are all 0.
 */
export type PaddingMask =
  | BooleanMask
  | ShapedData<Int8Array | Int16Array | Int32Array | BigInt64Array | readonly number[]>
  | NestedArray<number>;

/**
 * A boolean mask, or numbers that are added to the scaled scores (`-Infinity` = may not attend). Arrays of only the
 * numbers 0 and 1 are refused, because they could mean either.
 */
export type Mask = BooleanMask | TensorLike;

export type Values =
  Float32Array | Float64Array | Int32Array | Uint8Array | readonly number[] | readonly boolean[];

/** Deeper nesting is refused: it may be an array that contains itself. */
const MAX_RANK = 8;

/** Checks that a value has the type of the first one: all numbers or all booleans. */
function checkElement(place: () => string, value: unknown, kind: string): void {
  if (kind !== 'number' && kind !== 'boolean') throw wrongKind(place(), 'a number or a boolean', value);
  if (typeof value !== kind) throw wrongKind(place(), `a ${kind} as the values before it`, value);
}

function flatten(argument: string, nested: readonly unknown[]): { values: Values; shape: number[] } {
  const shape: number[] = [];
  let first: unknown = nested;
  while (Array.isArray(first)) {
    const { length }: { length: unknown } = first;
    if (length === 0) throw rangeError(argument, 'not be empty, got an array of length 0');
    if (shape.length === MAX_RANK) {
      throw rangeError(argument, `be nested at most ${MAX_RANK} levels deep, got more`);
    }
    shape.push(checkInteger(`${argument}.length`, length)); // a proxy may return anything
    first = first[0] as unknown;
  }

  const kind = typeof first;
  const values: unknown[] = [];
  const index: number[] = [];
  const visit = (node: unknown, depth: number): void => {
    const place = () => argument + index.map((i) => `[${i}]`).join('');
    if (depth === shape.length) {
      checkElement(place, node, kind);
      values.push(node);
      return;
    }
    const length = item(shape, depth);
    if (!Array.isArray(node)) throw wrongKind(place(), `an array of length ${length}`, node);
    if (node.length !== length) {
      throw rangeError(
        place(),
        `have length ${length} as its neighbours (no ragged arrays), got length ${node.length}`,
      );
    }
    for (let i = 0; i < length; ++i) {
      index.push(i);
      visit(node[i], depth + 1);
      index.pop();
    }
  };
  visit(nested, 0);
  return { values: values as Values, shape };
}

/** Gets the values of `data`: a view for typed arrays, else a copy. Using them runs none of the caller's code. */
function readValues(argument: string, data: unknown): Values {
  if (kindOf(data) !== undefined) return plain(data as Values & ArrayBufferView);
  if (!Array.isArray(data)) throw wrongKind(argument, 'a typed array or an array', data);
  // Unlike `map`, `Array.from` visits the holes of a sparse array.
  const values: unknown[] = Array.from(data);
  values.forEach((value, i) => {
    checkElement(() => `${argument}[${i}]`, value, typeof values[0]);
  });
  return values as Values;
}

/** Returns values and shape of a tensor in any accepted form, checked against each other. */
export function read(
  argument: string,
  input: unknown,
  mayBeEmpty = false,
): { values: Values; shape: number[] } {
  if (Array.isArray(input)) return flatten(argument, input);
  if (typeof input !== 'object' || input === null || !('data' in input)) {
    throw wrongKind(argument, 'a tensor ({ data, shape }) or nested arrays', input);
  }
  const { type, data } = input as { type?: unknown; data: unknown };
  const read = readValues(`${argument}.data`, data);
  const values = isHalf(type, kindOf(read)) ? widen(read as unknown as Uint16Array, fromHalf) : read;
  const shape = readShape(argument, input, mayBeEmpty);
  checkLength(argument, values.length, shape);
  return { values, shape };
}

/** Returns `shape` or `dims`; refuses sizes of 0, or with `mayBeEmpty` only that of the last dimension. */
export function readShape(argument: string, input: object, mayBeEmpty = false): number[] {
  const name = !('shape' in input) && 'dims' in input ? 'dims' : 'shape';
  const sizes = (input as { shape?: unknown; dims?: unknown })[name];
  if (!Array.isArray(sizes)) throw wrongKind(`${argument}.${name}`, 'an array of sizes', sizes);
  const shape = Array.from(sizes, (size: unknown, axis) =>
    size === 0 ? 0 : checkInteger(`${argument}.${name}[${axis}]`, size),
  );
  if ((mayBeEmpty ? shape.slice(-1) : shape).includes(0))
    throw rangeError(argument, `not be empty, got ${name} ${formatShape(shape)}`);
  return shape;
}

const BITS = 'booleans, a Uint8Array, or integers that are all 0 or 1';
const NUMBERS = 'a Float32Array, a Float64Array or numbers';
const EITHER = `booleans, a Uint8Array, ${NUMBERS}`;

function wrongValues(argument: string, expected: string, values: Values): TypeError {
  const came = Array.isArray(values) ? `${typeof values[0]}s` : describe(values);
  return typeError(argument, `hold ${expected}, got ${came}`);
}

function isBoolean(values: Values): boolean {
  return values instanceof Uint8Array || typeof values[0] === 'boolean';
}

/** The largest integer that `toIntegers` takes: up to it, all are exact in float32. */
const MAX_INTEGER = 2 ** 24;

/** One or more integers, as a number, an array of numbers or a typed array of integers, or a tensor of these. */
export type Integers =
  | number
  | Int32Array
  | BigInt64Array
  | ShapedData<Int32Array | BigInt64Array | readonly number[]>
  | NestedArray<number>;

export function toIntegers(
  argument: string,
  input: unknown,
  min: number,
): { values: number[]; shape: readonly number[] } {
  const { values, shape } =
    typeof input === 'number'
      ? { values: [input], shape: [] }
      : kindOf(input) === undefined
        ? read(argument, input, true)
        : { values: plain(input as Int32Array), shape: [lengthOf(input as Int32Array)] };
  const integers = Array.from<unknown, number>(values, (value, i) =>
    checkInteger(
      values.length === 1 ? argument : `${argument}[${i}]`,
      typeof value === 'bigint' ? Number(value) : value,
      min,
      MAX_INTEGER,
    ),
  );
  return { values: integers, shape };
}

function toFloat32(argument: string, values: Values, expected = NUMBERS): Float32Array {
  if (values instanceof Float32Array) return values;
  if (values instanceof Float64Array) return new Float32Array(values);
  if (Array.isArray(values) && (values.length === 0 || typeof values[0] === 'number'))
    return new Float32Array(values as number[]);
  throw wrongValues(argument, expected, values);
}

function toBytes(values: Values): Uint8Array {
  return values instanceof Uint8Array ? values : Uint8Array.from(values, Number);
}

export function toFloat32Block(argument: string, input: unknown, mayBeEmpty = false): Float32Block {
  const { values, shape } = read(argument, input, mayBeEmpty);
  return { data: toFloat32(argument, values), shape };
}

export function toFloat32Blocks(argument: string, dict: unknown): Record<string, Float32Block> {
  if (tagOf(dict) !== 'Object') throw wrongKind(argument, 'an object of tensors by name', dict);
  return Object.fromEntries(
    Object.entries(dict as object).map(([name, tensor]) => {
      checkText(argument, name);
      return [name, toFloat32Block(name, tensor)];
    }),
  );
}

/**
 * A mask for C++: Uint8Array for a boolean, Float32Array for an additive one.
 *
 * @throws TypeError for plain numbers that are all 0 or 1: many libraries write boolean masks so, and added to the
 *   scores they would mask nothing
 */
export function toMaskBlock(argument: string, input: unknown): MaskBlock {
  const { values, shape } = read(argument, input, true);
  if (isBoolean(values)) return { data: toBytes(values), shape };
  if (Array.isArray(values) && values.length > 0 && values.every((value) => value === 0 || value === 1)) {
    throw typeError(
      argument,
      'hold booleans or a Uint8Array to allow and forbid, or a Float32Array to be added to the scores, got numbers ' +
        'that are all 0 or 1',
    );
  }
  return { data: toFloat32(argument, values, EITHER), shape };
}

/** A mask of keys for C++, see `PaddingMask`. */
export function toPaddingBlock(argument: string, input: unknown): MaskBlock {
  const { values, shape } = read(argument, input, true);
  if (isBoolean(values)) return { data: toBytes(values), shape };
  if (!Array.isArray(values) && !/^(?:Big)?U?[Ii]nt/.test(kindOf(values) ?? '')) {
    throw wrongValues(argument, BITS, values);
  }
  const bits = Array.from<unknown, number>(values, Number);
  const wrong = bits.find((bit) => bit !== 0 && bit !== 1);
  if (wrong !== undefined) throw typeError(argument, `hold ${BITS}, got ${wrong}`);
  if (Array.isArray(values) && values.length > 0 && !bits.includes(1)) {
    throw typeError(argument, `hold ${BITS} and some of them 1, got only 0`);
  }
  return { data: Uint8Array.from(bits), shape };
}
