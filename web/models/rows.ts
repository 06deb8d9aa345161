/** Embedding tables: rows of float32 by index, whatever the file stores. */
import { rangeError } from '../api/errors.js';

/** Dtypes of weights, as the binary numbers them. */
export const ELEMENT_TYPES: Readonly<Record<string, number>> = { F32: 0, F16: 1, BF16: 2 };

export const bytesOfType = (dtype: string): number => (dtype === 'F32' ? 4 : 2);

/** The value of a binary16 (IEEE 754). A subnormal is a whole number times 2⁻²⁴. */
function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The values of all binary16, computed at the first use: looking one up is 50 times faster. */
let halves: Float32Array | undefined;

/** Writes little-endian values of a file as float32. */
export function decodeInto(dtype: string, bytes: Uint8Array, values: Float32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = values.length;
  if (dtype === 'F32') {
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i, true);
  } else if (dtype === 'F16') {
    halves ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => fromHalf(half));
    for (let i = 0; i < count; i++) values[i] = halves[view.getUint16(2 * i, true)] ?? 0;
  } else {
    const bits = new Uint32Array(values.buffer, values.byteOffset, count);
    for (let i = 0; i < count; i++) bits[i] = view.getUint16(2 * i, true) << 16;
  }
}

/** Gives rows (n, width) by index. */
export interface RowSource {
  rows(indices: readonly number[]): Float32Array;
}

/** A table as the file stores it: rows are decoded when they are read. */
export class StoredRows implements RowSource {
  constructor(
    readonly bytes: Uint8Array,
    private readonly dtype: string,
    private readonly width: number,
  ) {}

  rows(indices: readonly number[]): Float32Array {
    const { width, dtype, bytes } = this;
    const rowBytes = width * bytesOfType(dtype);
    const values = new Float32Array(indices.length * width);
    for (const [i, index] of indices.entries()) {
      const start = index * rowBytes;
      decodeInto(dtype, bytes.subarray(start, start + rowBytes), values.subarray(i * width, (i + 1) * width));
    }
    return values;
  }
}

/** Rows that are fetched one by one before they are read. */
export class FetchedRows implements RowSource {
  readonly #known = new Map<number, Float32Array>();

  /** @param fetchRow reads the bytes of a row */
  constructor(
    private readonly dtype: string,
    private readonly width: number,
    private readonly fetchRow: (index: number) => Promise<Uint8Array>,
  ) {}

  async prepare(indices: readonly number[]): Promise<void> {
    const missing = [...new Set(indices)].filter((index) => !this.#known.has(index));
    await Promise.all(
      missing.map(async (index) => {
        const values = new Float32Array(this.width);
        decodeInto(this.dtype, await this.fetchRow(index), values);
        this.#known.set(index, values);
      }),
    );
  }

  rows(indices: readonly number[]): Float32Array {
    const values = new Float32Array(indices.length * this.width);
    for (const [i, index] of indices.entries()) {
      const row = this.#known.get(index);
      if (!row)
        throw rangeError('input', `be prepared first: await model.prepare(input), got token ${index}`);
      values.set(row, i * this.width);
    }
    return values;
  }
}
