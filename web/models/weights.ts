/** Reads a safetensors file as a stream, tensor by tensor, so that it is never in memory as a whole. */
import { formatShape, rangeError } from '../api/errors.js';
import { type Entry, type Header, label, parseHeader } from '../api/safetensors-header.js';
import { LENGTH_BYTES, MAX_HEADER } from '../api/safetensors-file.js';
import type { ModelHandle } from '../wasm/models.js';
import type { TensorPart, TensorUse } from './architecture.js';
import { chunksOf } from './folder.js';

/** Bytes that are handed on at a time, at most: a large matrix comes in several pieces. */
const PIECE = 2 ** 20;

/** Takes bytes of any length and gives them in the lengths that are asked for. */
export class ByteReader {
  /** What is left of the last chunk. A source may use the memory of a chunk again for the next. */
  #rest = new Uint8Array();
  /** Holds bytes from several chunks: for each piece anew, memory would pile up until it is collected. */
  #joined = new Uint8Array();
  #read = 0;
  /** What `hold` has waited for. */
  #held: AsyncIterator<Uint8Array> | null = null;

  constructor(
    private readonly source: AsyncIterator<Uint8Array>,
    private readonly file: string,
    private readonly onRead: (bytes: number) => void = () => undefined,
  ) {}

  /** The next `count` bytes, valid until the next call. @throws (rejects) RangeError where the file ends before */
  async take(count: number): Promise<Uint8Array> {
    if (this.#rest.length >= count) {
      const bytes = this.#rest.subarray(0, count);
      this.#rest = this.#rest.subarray(count);
      this.#read += count;
      return bytes;
    }
    if (this.#joined.length < count) this.#joined = new Uint8Array(count);
    const bytes = this.#joined.subarray(0, count);
    bytes.set(this.#rest);
    let filled = this.#rest.length;
    while (filled < count) {
      const chunk = await this.#next();
      if (!chunk) {
        this.#rest = bytes.slice(0, filled);
        throw rangeError(this.file, `hold at least ${this.#read + count} bytes, got ${this.#read + filled}`);
      }
      const part = chunk.subarray(0, count - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.#rest = chunk.subarray(part.length);
    }
    this.#read += count;
    return bytes;
  }

  /** Waits until the next `count` bytes, the last ones of the file, have come. A browser keeps them on the disk. */
  async hold(count: number): Promise<void> {
    const parts = [new Blob([this.#rest.slice()])];
    let { length } = this.#rest;
    while (length <= count) {
      const chunk = await this.#next();
      if (!chunk) break;
      parts.push(new Blob([chunk]));
      length += chunk.length;
    }
    if (length !== count) throw rangeError(this.file, `hold ${count} bytes after its header, got ${length}`);
    this.#rest = new Uint8Array();
    this.#held = chunksOf(new Blob(parts).stream());
  }

  /** Passes over `count` bytes, some of which the source may leave out: its `position` is where the next chunk begins. */
  async skip(count: number, source: { readonly position: number }): Promise<void> {
    const end = this.#read + count;
    let position = source.position;
    while (position < end) {
      const chunk = await this.#next();
      position = source.position;
      // The file may end with what is left out.
      if (!chunk && position < end)
        throw rangeError(this.file, `hold at least ${end} bytes, got ${position}`);
      this.#rest = chunk ?? new Uint8Array();
    }
    // The chunk may reach beyond the end: keep what lies behind it.
    this.#rest = this.#rest.subarray(Math.max(0, this.#rest.length - (position - end)));
    this.#read = end;
  }

  /** The next `count` bytes, fewer where the file ends before; they are not taken. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#rest.length < count) {
      const before = this.#rest.slice();
      const chunk = await this.#next();
      if (!chunk) return (this.#rest = before);
      this.#rest = new Uint8Array(before.length + chunk.length);
      this.#rest.set(before);
      this.#rest.set(chunk, before.length);
    }
    return this.#rest.subarray(0, count);
  }

  /** Ends the download, wherever it is. */
  async close(): Promise<void> {
    await this.source.return?.();
  }

  /** @throws (rejects) RangeError where bytes are left */
  async end(): Promise<void> {
    const isOver = this.#rest.length === 0 && (await this.#next()) === null;
    if (!isOver) throw rangeError(this.file, `end after ${this.#read} bytes, got more`);
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | null> {
    const next = await (this.#held ?? this.source).next();
    if (next.done === true) return null;
    if (!this.#held) this.onRead(next.value.length);
    return next.value as Uint8Array<ArrayBuffer>;
  }
}

/**
 * The header of a file of `size` bytes, or of unknown size (null).
 *
 * @returns with the position at which the data begins
 */
export async function readHeader(
  reader: ByteReader,
  file: string,
  size: number | null,
): Promise<Header & { dataStart: number }> {
  const start = (await reader.take(LENGTH_BYTES)).slice();
  const length = new DataView(start.buffer, start.byteOffset).getBigUint64(0, true);
  if (length > MAX_HEADER) {
    throw rangeError(
      file,
      `be a safetensors file with a header of at most ${MAX_HEADER} bytes, got ${length}`,
    );
  }
  const bytes = await reader.take(Number(length));
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.slice());
  } catch {
    throw rangeError(file, 'have a header in UTF-8, got bytes that are not');
  }
  const dataStart = LENGTH_BYTES + Number(length);
  const header = parseHeader(text, size === null ? null : size - dataStart);
  return { ...header, dataStart };
}

/** Some rows of a tensor, which is read as a matrix (rows, columns). */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly count: number;
}

/** A tensor as a matrix: a vector is one row, further axes belong to the columns. */
export function matrixOf(shape: readonly number[]): [rows: number, columns: number] {
  const [first = 1, ...rest] = shape;
  return shape.length < 2 ? [1, first] : [first, rest.reduce((product, n) => product * n, 1)];
}

/** @throws RangeError that names a tensor with NaN or ±∞, of which all bits of the exponent are set */
export function checkFinite(name: string, dtype: string, bytes: Uint8Array): void {
  const size = dtype === 'F32' ? 4 : 2;
  const [exponent, more] = dtype === 'F16' ? [0x7c, 0] : [0x7f, 0x80];
  for (let last = size - 1; last < bytes.length; last += size) {
    if (((bytes[last] ?? 0) & exponent) !== exponent || ((bytes[last - 1] ?? 0) & more) !== more) continue;
    throw rangeError(label(name), 'hold finite numbers, got NaN or an infinite one');
  }
}

/**
 * Reads the tensors in the order of the file. `take` gets the rows of each, about a MB at a time; `skip` passes over a tensor
 * of so many bytes, if it is to be left out.
 */
export async function readTensors(
  reader: ByteReader,
  entries: ReadonlyMap<string, Entry>,
  take: (name: string, entry: Entry, rows: Rows) => void,
  skip: (name: string, bytes: number) => Promise<boolean> = () => Promise.resolve(false),
): Promise<void> {
  const inOrder = Array.from(entries).sort(([, a], [, b]) => a.begin - b.begin);
  for (const [name, entry] of inOrder) {
    if (await skip(name, entry.end - entry.begin)) continue;
    const [rows, columns] = matrixOf(entry.shape);
    const rowBytes = (entry.end - entry.begin) / rows;
    const most = Math.max(1, Math.floor(PIECE / rowBytes));
    for (let first = 0; first < rows; first += most) {
      const count = Math.min(most, rows - first);
      take(name, entry, { bytes: await reader.take(count * rowBytes), first, count });
    }
    if (columns === 0) throw rangeError(label(name), `not be empty, got shape ${formatShape(entry.shape)}`);
  }
}

/** Writes some rows of a tensor of the file to the parameters that it holds. */
export function writeRows(
  model: ModelHandle,
  parameters: readonly TensorUse[],
  { dtype, shape }: Entry,
  rows: Rows,
): void {
  const [, columns] = matrixOf(shape);
  const isVector = shape.length < 2;
  const total = shape[0] ?? 1;
  const rowBytes = rows.bytes.length / rows.count;
  for (const { parameter, transposed = false, part = WHOLE } of parameters) {
    if (isVector || transposed) {
      const runs = runsOf(part, columns);
      const [{ from } = { from: 0 }, ...others] = runs;
      const piece = { dtype, rows: rows.count, transposed, firstRow: isVector ? 0 : rows.first };
      if (others.length === 0) {
        model.write(parameter, rows.bytes, { ...piece, columns, firstColumn: from });
      } else {
        const width = runs.reduce((sum, { count }) => sum + count, 0);
        const bytes = columnsOf(rows, rowBytes / columns, columns, runs, width);
        model.write(parameter, bytes, { ...piece, columns: width, firstColumn: 0 });
      }
      continue;
    }
    for (const { from, to, count } of runsOf(part, total)) {
      const first = Math.max(rows.first, from);
      const end = Math.min(rows.first + rows.count, from + count);
      if (end <= first) continue;
      const bytes = rows.bytes.subarray((first - rows.first) * rowBytes, (end - rows.first) * rowBytes);
      const piece = { dtype, rows: end - first, columns, firstColumn: 0, transposed };
      model.write(parameter, bytes, { ...piece, firstRow: to + first - from });
    }
  }
}

const WHOLE: TensorPart = { first: 0, of: 1 };

/** Output features that lie side by side in a file, from `from` on, and in a parameter, from `to` on. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function runsOf({ first, count: units = 1, of, groups = 1 }: TensorPart, total: number): Run[] {
  const unit = total / groups / of;
  const count = units * unit;
  return Array.from({ length: groups }, (_, group) => ({
    from: (group * of + first) * unit,
    to: group * count,
    count,
  }));
}

/** `width` of the columns of rows, side by side. */
function columnsOf(
  { bytes, count: rowCount }: Rows,
  size: number,
  columns: number,
  runs: readonly Run[],
  width: number,
): Uint8Array {
  const result = new Uint8Array(rowCount * width * size);
  for (let row = 0; row < rowCount; row++) {
    for (const { from, to, count } of runs) {
      const start = (row * columns + from) * size;
      result.set(bytes.subarray(start, start + count * size), (row * width + to) * size);
    }
  }
  return result;
}
