/** A file that is read range by range, so that parts of it can be left out. */
import { rangeError } from '../api/errors.js';
import type { ByteRange, ModelFolder, OpenFile } from './folder.js';

/** What is read first: more than the header of most files. */
const FIRST = 2 ** 20;

/** A file in a folder, as ranges of it are asked for. */
export interface FilePlace {
  readonly folder: ModelFolder;
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
}

/** Refuses a range of another version than the file's first bytes. */
function checkVersion(file: string, before: string | null, now: string | null | undefined): void {
  if (before !== null && now != null && before !== now) {
    throw rangeError(file, `stay the version ${before} that was loaded, got ${now}: load the model anew`);
  }
}

/** @throws (rejects) Error that names the file; RangeError where it ends before, or is another version now */
export async function readRange(
  { folder, file, signal }: FilePlace,
  { start, end }: { start: number; end: number },
  version: string | null,
): Promise<Uint8Array> {
  const opened = await folder.open(file, signal, { start, end });
  if (!opened) throw new Error(`the model has no file ${file}`);
  const bytes = new Uint8Array(end - start);
  let position = opened.isRange ? start : 0;
  try {
    checkVersion(file, version, opened.version);
    while (position < end) {
      const next = await opened.chunks.next();
      if (next.done === true) throw rangeError(file, `hold at least ${end} bytes, got ${position}`);
      const part = next.value.subarray(Math.max(0, start - position), Math.max(0, end - position));
      bytes.set(part, Math.max(0, position - start));
      position += next.value.length;
    }
    // Complete only then, and kept.
    if (opened.isRange) await opened.chunks.next();
  } finally {
    await opened.chunks.return?.();
  }
  return bytes;
}

/** The chunks of a file from its first byte on, of which ranges may be skipped. */
export class RangedFile implements AsyncIterator<Uint8Array> {
  readonly version: string | null;
  #current: AsyncIterator<Uint8Array>;
  #position = 0;
  /** Where what is open ends. */
  #end: number;
  /** The range that is left out, and the end of the file. */
  #gap: ByteRange | null = null;
  #size: number | null = null;

  private constructor(
    private readonly place: FilePlace,
    opened: OpenFile,
  ) {
    this.#current = opened.chunks;
    this.#end = FIRST;
    this.version = opened.version ?? null;
  }

  /** Opens the begin of a file. @returns the whole file where the server gives no ranges; null where there is none */
  static async open(place: FilePlace): Promise<RangedFile | OpenFile | null> {
    const opened = await place.folder.open(place.file, place.signal, { start: 0, end: FIRST });
    return opened?.isRange ? new RangedFile(place, opened) : opened;
  }

  /** Tells the length of the file and the range to leave out, once they are known. */
  plan(size: number, gap: { start: number; end: number } | null): void {
    this.#size = size;
    this.#gap = gap;
  }

  /** Bytes that come of the file, the planned range left out except for what is open already. */
  get planned(): number {
    const { start = 0, end = 0 } = this.#gap ?? {};
    return (this.#size ?? 0) - Math.max(0, (end ?? 0) - Math.max(start, Math.min(this.#end, end ?? 0)));
  }

  /** Where the next chunk begins. */
  get position(): number {
    return this.#position;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const next = await this.#current.next();
      if (next.done !== true) {
        this.#position += next.value.length;
        return next;
      }
      // A file shorter than the first range, or all of it.
      if (this.#position < this.#end || (this.#size !== null && this.#position >= this.#size)) {
        return { done: true, value: undefined };
      }
      await this.#openNext();
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    await this.#current.return?.();
    return { done: true, value: undefined };
  }

  async #openNext(): Promise<void> {
    const gap = this.#gap;
    const isInGap = gap && this.#position >= gap.start && this.#position < (gap.end ?? 0);
    const start = isInGap ? (gap.end ?? 0) : this.#position;
    const end = gap && start < gap.start ? gap.start : null;
    this.#position = start;
    this.#end = end ?? this.#size ?? Infinity;
    if (this.#size !== null && start >= this.#size) return;
    const { folder, file, signal } = this.place;
    const opened = await folder.open(file, signal, { start, end });
    if (!opened?.isRange) {
      await opened?.chunks.return?.();
      throw new Error(`${file} cannot be read: the server answers Range requests no more`);
    }
    this.#current = opened.chunks;
    checkVersion(file, this.version, opened.version);
  }
}
