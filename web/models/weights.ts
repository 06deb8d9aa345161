/** Reads a safetensors file as a stream, tensor by tensor, so that it is never in memory as a whole. */
import { formatShape, rangeError } from '../api/errors.js';
import { type Entry, type Header, label, parseHeader } from '../api/safetensors-header.js';
import { LENGTH_BYTES, MAX_HEADER } from '../api/safetensors-file.js';
import { isPage } from '../api/wrong-file.js';

/** Bytes that are handed on at a time, at most: a large matrix comes in several pieces, of which copies are in memory. */
const PIECE = 2 ** 20;

/** So many bytes after the first eight tell a page. */
const PAGE_BYTES = 16;

/** Takes bytes of any length and gives them in the lengths that are asked for. */
export class ByteReader {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #read = 0;

  constructor(
    private readonly source: AsyncIterator<Uint8Array>,
    private readonly file: string,
    private readonly onRead: (bytes: number) => void = () => undefined,
  ) {}

  /** The next `count` bytes. @throws (rejects) RangeError where the file ends before */
  async take(count: number): Promise<Uint8Array> {
    while (this.#length < count) {
      const next = await this.source.next();
      if (next.done === true) {
        throw rangeError(
          this.file,
          `hold at least ${this.#read + count} bytes, got ${this.#read + this.#length}`,
        );
      }
      this.#chunks.push(next.value);
      this.#length += next.value.length;
      this.onRead(next.value.length);
    }
    this.#read += count;
    this.#length -= count;
    const [first] = this.#chunks;
    if (first && first.length > count) {
      this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const bytes = new Uint8Array(count);
    for (let filled = 0; filled < count;) {
      const chunk = this.#chunks.shift();
      if (!chunk) break;
      const part = chunk.subarray(0, count - filled);
      bytes.set(part, filled);
      filled += part.length;
      if (part.length < chunk.length) this.#chunks.unshift(chunk.subarray(part.length));
    }
    return bytes;
  }

  /** Passes over `count` bytes, some of which the source may leave out: its `position` is where the next chunk begins. */
  async skip(count: number, source: { readonly position: number }): Promise<void> {
    const end = this.#read + count;
    let begin = source.position - this.#length;
    for (;;) {
      const bytes = this.#chunks.reduce((sum, { length }) => sum + length, 0);
      if (begin + bytes >= end) break;
      this.#chunks = [];
      const next = await this.source.next();
      if (next.done === true) throw rangeError(this.file, `hold at least ${end} bytes, got ${begin + bytes}`);
      this.onRead(next.value.length);
      begin = source.position - next.value.length;
      this.#chunks = [next.value];
    }
    this.#chunks = this.#chunks.flatMap((chunk) => {
      const rest = chunk.subarray(Math.max(0, end - begin));
      begin += chunk.length;
      return rest.length > 0 ? [rest] : [];
    });
    this.#length = this.#chunks.reduce((sum, { length }) => sum + length, 0);
    this.#read = end;
  }

  /** The first bytes that have come and are not taken. */
  get waiting(): Uint8Array {
    return this.#chunks[0] ?? new Uint8Array();
  }

  /** Ends the download, wherever it is. */
  async close(): Promise<void> {
    this.#chunks = [];
    await this.source.return?.();
  }

  /** @throws (rejects) RangeError where bytes are left */
  async end(): Promise<void> {
    const { done } = this.#length > 0 ? { done: false } : await this.source.next();
    if (done !== true) throw rangeError(this.file, `end after ${this.#read} bytes, got more`);
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
  const start = await reader.take(LENGTH_BYTES);
  const length = new DataView(start.buffer, start.byteOffset).getBigUint64(0, true);
  if (length > MAX_HEADER) {
    // A page is shorter than what its first letters would mean as a length.
    const more = await reader.take(PAGE_BYTES).catch(() => reader.waiting);
    if (isPage(Uint8Array.of(...start, ...more)))
      throw rangeError(file, 'be a safetensors file, got a page (HTML)');
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

/**
 * Reads the tensors in the order of the file. `take` gets the rows of each, about 1 MB at a time; `skip` passes over a tensor
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
