/** Float16 (IEEE 754-2019 binary16), which JavaScript's engines do not all read. */
import { item } from './shape.js';

/** Converts 16-bit numbers to float32 by their bits, so that NaN payloads are kept. */
export function widen(narrow: Uint16Array, toSingle: (bits: number) => number): Float32Array<ArrayBuffer> {
  const wide = new Uint32Array(narrow.length);
  for (let i = 0; i < wide.length; ++i) wide[i] = toSingle(item(narrow, i));
  return new Float32Array(wide.buffer);
}

/** Converts the bits of a float16 to those of a float32 (section 3.4: binary16 and binary32). */
export function fromHalf(bits: number): number {
  const sign = (bits & 0x8000) << 16;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return sign | 0x7f800000 | (fraction << 13); // ±Infinity, NaN
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13); // the biases are 15 and 127
  if (fraction === 0) return sign;
  // Subnormal: normal in float32, so shift until the leading one is the implicit bit.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}

/** Whether a tensor is one of ONNX Runtime in float16: its `type` tells what the 16 bits are. */
export const isHalf = (type: unknown, kind: string | undefined): boolean =>
  type === 'float16' && kind === 'Uint16Array';
