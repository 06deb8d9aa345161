/** A file that is read range by range, so that parts of it can be left out. */
import { rangeError } from '../api/errors.js';
import type { ModelFolder, OpenFile } from './open-file.web.js';

/** What is read first: more than the header of most files. */
const FIRST = 2 ** 20;

/** A file in a folder, as ranges of it are asked for. */
export interface FilePlace {
  readonly folder: ModelFolder;
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
}

/** What tells one version of a file from another. */
interface FileState {
  readonly size: number;
  readonly version: string | null;
}

/** A file is not the one any more whose first bytes were read. */
export class ChangedFile extends RangeError {
  override readonly name = 'ChangedFile';

  constructor(
    readonly argument: string,
    before: FileState,
    { version, total, size }: OpenFile,
  ) {
    const [old, now] = [before, { version, size: total ?? size }].map((each) =>
      [each.version ?? 'unknown', `of ${each.size ?? 'unknown'} bytes`].join(' '),
    );
    super(`\`${argument}\` must stay the version ${old} that was loaded, got ${now}: load the model anew`);
  }
}

/** @throws ChangedFile for a part of another file than the first bytes were of */
function checkSame(file: string, before: FileState, now: OpenFile): void {
  const size = now.total ?? now.size ?? before.size;
  if (now.version !== before.version || size !== before.size) throw new ChangedFile(file, before, now);
}

/** @throws (rejects) Error that names the file; RangeError where it ends before; ChangedFile, which is forgotten */
export async function readRange(
  { folder, file, signal }: FilePlace,
  { start, end }: { start: number; end: number },
  state: FileState,
): Promise<Uint8Array> {
  const opened = await folder.open(file, signal, { start, end });
  if (!opened) throw folder.missing(file);
  const bytes = new Uint8Array(end - start);
  let position = opened.isRange ? start : 0;
  try {
    checkSame(file, state, opened);
    while (position < end) {
      const next = await opened.chunks.next();
      if (next.done === true) throw rangeError(file, `hold at least ${end} bytes, got ${position}`);
      const part = next.value.subarray(Math.max(0, start - position), Math.max(0, end - position));
      bytes.set(part, Math.max(0, position - start));
      position += next.value.length;
    }
    // Complete only then, and kept.
    if (opened.isRange) await opened.chunks.next();
  } catch (error) {
    if (error instanceof ChangedFile) await folder.forget();
    throw error;
  } finally {
    await opened.chunks.return?.();
  }
  return bytes;
}

/** The chunks of a file from its first byte on, of which ranges may be skipped. */
export class RangedFile implements AsyncIterator<Uint8Array> {
  readonly version: string | null;
  readonly size: number;
  #current: AsyncIterator<Uint8Array>;
  #position = 0;
  /** Where what is open ends. */
  #end: number;
  /** The range that is left out. */
  #gap = { start: 0, end: 0 };

  private constructor(
    private readonly place: FilePlace,
    { chunks, total, version }: OpenFile,
  ) {
    this.#current = chunks;
    this.version = version ?? null;
    this.size = total ?? 0;
    this.#end = Math.min(FIRST, this.size);
  }

  /** Opens the begin of a file. @returns the whole file where the server gives no ranges; null where there is none */
  static async open(place: FilePlace): Promise<RangedFile | OpenFile | null> {
    const opened = await place.folder.open(place.file, place.signal, { start: 0, end: FIRST });
    return opened?.isRange ? new RangedFile(place, opened) : opened;
  }

  /** Tells the range to leave out. */
  skip(gap: { start: number; end: number }): void {
    this.#gap = gap;
  }

  /** Bytes that come of the file, the planned range left out except for what is open already. */
  get planned(): number {
    const { start, end } = this.#gap;
    return this.size - Math.max(0, end - Math.max(start, Math.min(this.#end, end)));
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
      if (this.#position >= this.size) return { done: true, value: undefined };
      await this.#openNext();
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    await this.#current.return?.();
    return { done: true, value: undefined };
  }

  async #openNext(): Promise<void> {
    const gap = this.#gap;
    const isInGap = this.#position >= gap.start && this.#position < gap.end;
    const start = isInGap ? gap.end : this.#position;
    const end = start < gap.start ? gap.start : null;
    this.#position = start;
    this.#end = end ?? this.size;
    if (start >= this.size) return;
    const { folder, file, signal } = this.place;
    const opened = await folder.open(file, signal, { start, end });
    if (!opened) throw folder.missing(file);
    this.#current = opened.chunks;
    if (!opened.isRange) throw new ChangedFile(file, this, opened);
    checkSame(file, this, opened);
  }
}
