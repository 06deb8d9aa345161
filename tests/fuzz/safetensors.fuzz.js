/**
 * Compares the reader of safetensors files with the simple one: they accept the same files with the same numbers, and what
 * is refused is refused by a RangeError that names what is wrong. Jazzer.js calls `fuzz` and traces which branches of
 * the reader an input takes.
 */
import { read } from '../../dist/api/safetensors.js';
import { readPlainly } from './safetensors-oracle.js';

/** An odd first byte: the rest is a header, before as many bytes of data as the second says. Else it is a whole file. */
export function fileOf(input) {
  if (input.length < 2 || input[0] % 2 === 0) return new Uint8Array(input.subarray(1));
  const header = input.subarray(2);
  const file = new Uint8Array(8 + header.length + input[1]);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  for (let i = 0; i < input[1]; ++i) file[8 + header.length + i] = (37 * i) % 256;
  return file;
}

/** What the library makes of a file; undefined where it refuses it. */
function tensorsOf(file) {
  try {
    return read(file);
  } catch (error) {
    if (error.constructor === RangeError && /^`[^]*` must [^]+, got [^]+/.test(error.message))
      return undefined;
    throw error;
  }
}

export function fuzz(input) {
  const file = fileOf(input);
  const before = file.slice();
  const [actual, expected] = [tensorsOf(file), readPlainly(file)];
  if (Buffer.compare(file, before) !== 0) throw new Error('The file has changed.');
  if ((actual === undefined) !== (expected === undefined)) {
    throw new Error(`The library ${actual ? 'takes' : 'refuses'} what it should not.`);
  }
  if (!actual) return;
  if (Object.keys(actual).length !== expected.length) throw new Error('There are other tensors.');
  for (const [name, { shape, values }] of expected) {
    const tensor = Object.hasOwn(actual, name) ? actual[name] : undefined;
    if (String(tensor?.shape) !== String(shape)) throw new Error(`${name} has another shape.`);
    if (tensor.size !== values.length || !values.every((x, i) => Object.is(x, tensor.data[i]))) {
      throw new Error(`${name} holds other numbers.`);
    }
  }
}
