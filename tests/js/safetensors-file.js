/** Writes and reads files of weights, for the tests of the reader. */
import { load } from 'multihead-attention';

export const m = await load();
export const { read, write } = m.safetensors;

/** A file with this header, as an object, as text or as bytes, and this data. */
export function file(header, data = []) {
  const plain = typeof header === 'string' || Buffer.isBuffer(header);
  const bytes = Buffer.from(plain ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes, Buffer.from(data)]);
}

export const floats = (...values) => Buffer.from(Float32Array.from(values).buffer);
export const bitsOf = ({ data }) => Array.from(new Uint32Array(data.buffer, data.byteOffset, data.length));
export const contents = (dict) =>
  Object.entries(dict).map(([name, tensor]) => [name, Array.from(tensor.shape), bitsOf(tensor)]);

export function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Each case: the call, the class of its error and the whole message. */
export function itThrows(cases) {
  test.each(cases)('%s', (_, call, ErrorClass, message) => {
    const error = errorOf(call);
    expect(error.message).toBe(message);
    expect(error.constructor).toBe(ErrorClass);
    expect(error.argument).toBe(/^`([^`]+)` must /.exec(message)[1]);
  });
}
