import { describe, rangeError, typeError } from '../api/errors.js';
import { type NestedArray, read, type ShapedData } from '../api/inputs.js';
import { item } from '../api/item.js';
import type { Int32Block } from '../wasm/training.js';

/** Ids of tokens: `{ data, shape }` or nested arrays of whole numbers. */
export type TokenIds = ShapedData<Int32Array | readonly number[]> | NestedArray<number>;

/** Ids as C++ takes them; which of them the vocabulary has is checked there. */
export function toInt32Block(argument: string, input: unknown): Int32Block {
  const { values, shape } = read(argument, input);
  if (values instanceof Int32Array) return { data: values, shape };
  if (!Array.isArray(values) || typeof values[0] !== 'number') {
    const came = Array.isArray(values) ? `${typeof values[0]}s` : describe(values);
    throw typeError(argument, `hold an Int32Array or whole numbers, got ${came}`);
  }
  const data = new Int32Array(values.length);
  for (let i = 0; i < values.length; ++i) {
    const id = item(values as number[], i);
    data[i] = id;
    if (data[i] !== id) throw rangeError(argument, `hold whole numbers of 32 bits, got ${id}`);
  }
  return { data, shape };
}
