/** Embedding tables: rows of float32 by index, whatever the file stores. */
import { fromHalf, widen } from '../api/half.js';

/** Dtypes of weights, as safetensors and the binary name them. */
export const DTYPES: readonly string[] = ['F32', 'F16', 'BF16'];

const bytesOfType = (dtype: string): number => (dtype === 'F32' ? 4 : 2);

/** The values of all binary16, computed at the first use: looking one up is 50 times faster. */
let halves: Float32Array | undefined;

/** Writes little-endian values of a file as float32. */
function decodeInto(dtype: string, bytes: Uint8Array, values: Float32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = values.length;
  if (dtype === 'F32') {
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i, true);
  } else if (dtype === 'F16') {
    halves ??= widen(
      Uint16Array.from({ length: 2 ** 16 }, (_, half) => half),
      fromHalf,
    );
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

/** Rows of a block of a table that is fetched at once. Vocabularies begin with frequent words: blocks serve many texts. */
const BLOCK_ROWS = 128;

/** A table of which only the blocks are fetched whose rows are needed. */
export class FetchedRows implements RowSource {
  readonly #blocks = new Map<number, Promise<StoredRows>>();
  readonly #ready = new Map<number, StoredRows>();

  constructor(
    private readonly shape: readonly [count: number, width: number],
    private readonly dtype: string,
    /** Reads the bytes of rows `start` … `end` − 1. */
    private readonly fetchRows: (start: number, end: number) => Promise<Uint8Array>,
  ) {}

  /** Fetches what `rows` will need. Indices that are none are left to the checks of `forward`. */
  async prepare(indices: Iterable<number>): Promise<void> {
    const [count] = this.shape;
    const blocks = new Set<number>();
    for (const index of indices) {
      if (Number.isInteger(index) && index >= 0 && index < count) blocks.add(Math.floor(index / BLOCK_ROWS));
    }
    await Promise.all(Array.from(blocks, (block) => this.#fetch(block)));
  }

  rows(indices: readonly number[]): Float32Array {
    const [, width] = this.shape;
    const values = new Float32Array(indices.length * width);
    for (const [i, index] of indices.entries()) {
      const block = Math.floor(index / BLOCK_ROWS);
      const rows = this.#ready.get(block);
      if (!rows) throw new Error(`the row of token ${index} was not fetched`);
      values.set(rows.rows([index - block * BLOCK_ROWS]), i * width);
    }
    return values;
  }

  async #fetch(block: number): Promise<void> {
    const [count, width] = this.shape;
    let fetching = this.#blocks.get(block);
    if (!fetching) {
      const start = block * BLOCK_ROWS;
      fetching = this.fetchRows(start, Math.min(count, start + BLOCK_ROWS)).then(
        (bytes) => new StoredRows(bytes, this.dtype, width),
      );
      this.#blocks.set(block, fetching);
      // The next call tries again.
      fetching.catch(() => this.#blocks.delete(block));
    }
    this.#ready.set(block, await fetching);
  }
}
