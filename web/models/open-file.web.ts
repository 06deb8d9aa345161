/** Files as they come: from a server, or from earlier downloads in the browser's Cache Storage. */
import { rangeError } from '../api/errors.js';
import type { Platform } from '../api/platform.js';
import { bytesInUrl } from '../wasm/data-url.js';

/** What relative addresses are relative to; undefined where there is no page. */
export const hereBase = (): string | undefined =>
  typeof location === 'undefined' ? undefined : location.href;

/** An open file, or a range of it. Whoever opens it reads it to its end or calls `chunks.return`. */
export interface OpenFile {
  /** Bytes that will come, checked by whoever gives them; null where nobody says. */
  readonly size: number | null;
  /** Each is valid until the next. */
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Whether it is exactly the range that was asked for, not the whole file. */
  readonly isRange: boolean;
  /** Of a range: bytes of the whole file. */
  readonly total?: number | null;
  /** Whether it comes from Cache Storage. */
  readonly isKept?: boolean;
  /** What the server calls this version of the file; null where it does not say. */
  readonly version?: string | null;
}

/** Bytes from `start` up to `end`; to the last one where `end` is null. */
export interface ByteRange {
  readonly start: number;
  readonly end: number | null;
}

export interface OpenOptions {
  readonly signal?: Platform<'AbortSignal'> | undefined;
  /** A server that knows no ranges gives the whole file. */
  readonly range?: ByteRange | undefined;
  /** Whether Cache Storage is read and written. */
  readonly cache?: boolean;
}

/** Opens a file by its address; null for status 404. The environment decides: the network, or the disk in Node. */
export type OpenUrl = (url: Platform<'URL'>, options: OpenOptions) => Promise<OpenFile | null>;

export interface ModelFolder {
  /**
   * @returns null where the folder has no such file
   * @throws (rejects) Error that names the file when it cannot be read
   */
  open(
    file: string,
    signal: Platform<'AbortSignal'> | undefined,
    range?: ByteRange,
  ): Promise<OpenFile | null>;
  /** The error for a file that it needs and does not have. @param instead ends it: what it has in its place */
  missing(file: string, instead?: string): Error;
  /** Whether reading a range costs less than reading the file. */
  readonly isRemote: boolean;
  /** Removes what was opened from Cache Storage. @returns whether any of it came from there */
  forget(): Promise<boolean>;
}

/** What tells one version of a file from another; null where nothing does. */
function versionOf(headers: Headers): string | null {
  const tag = headers.get('etag') ?? headers.get('last-modified');
  // A weak tag does not promise the same bytes.
  return tag?.startsWith('W/') ? null : tag;
}

/**
 * The length of the file of which a response holds exactly the range that was asked for; null where it holds something
 * else or does not say, as where it is compressed or another origin does not expose Content-Range.
 */
function totalOf(headers: Headers, { start, end }: ByteRange): number | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (!match || headers.has('content-encoding')) return null;
  const [first = NaN, last = NaN, total = NaN] = match.slice(1).map(Number);
  return first === start && last + 1 === Math.min(end ?? total, total) ? total : null;
}

/** Without Cache Storage, or where it is full, files are downloaded each time. */
const CACHE = 'multihead-attention-models';

/** null where there is none: Node, private windows, insecure pages. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

/** Cache Storage keeps no partial responses and ignores fragments: a range has an address of its own. */
function keyOf(url: URL, range?: ByteRange): string {
  const key = new URL(url);
  if (range) key.searchParams.set('mha-bytes', `${range.start}-${range.end ?? ''}`);
  return key.href;
}

/** A response that is kept; null for none. Its status is 404 where the server said so. */
async function keptFile(url: URL, range?: ByteRange): Promise<Response | null> {
  const store = await openCache();
  return (await store?.match(keyOf(url, range)).catch(() => undefined)) ?? null;
}

/** Removes a file with all ranges of it. */
export async function forgetFile(url: Platform<'URL'>): Promise<void> {
  const store = await openCache();
  if (!store) return;
  const plain = (address: string): string => {
    const own = new URL(address);
    own.searchParams.delete('mha-bytes');
    return own.href;
  };
  const own = (await store.keys()).filter((request) => plain(request.url) === plain(url.href));
  await Promise.all(own.map((request) => store.delete(request)));
}

/** Notes that the server has no such file, for a later visit without network. */
async function keepAbsence(url: URL): Promise<void> {
  const store = await openCache();
  await store?.put(keyOf(url), new Response(null, { status: 404 })).catch(() => undefined);
}

/** Writes a file into Cache Storage while it is read. It is kept once it has come completely. */
class KeptCopy {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Resolves when the store takes no more: the file is kept, or cannot be. */
  readonly #stored: Promise<void>;
  #isOver = false;

  private constructor(store: Cache, key: string, headers: Headers) {
    // One chunk waits at a time: tee() would collect the file where the store is slower than the network.
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = writable.getWriter();
    this.#stored = store.put(key, new Response(readable, { headers })).then(
      () => this.#end(),
      () => this.#end(),
    );
    this.#writer.closed.catch(() => undefined);
  }

  /** null where nothing can be kept. */
  static async of(url: URL, range: ByteRange | undefined, headers: Headers): Promise<KeptCopy | null> {
    const store = await openCache();
    try {
      return store && new KeptCopy(store, keyOf(url, range), headers);
    } catch {
      // Streams as bodies are newer than Cache Storage.
      return null;
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isOver) return;
    this.#writer.write(chunk).catch(() => undefined);
    await Promise.race([this.#writer.ready, this.#stored]).catch(() => undefined);
  }

  /** The file is complete. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    await Promise.race([this.#writer.close(), this.#stored]).catch(() => undefined);
    await this.#stored;
  }

  /** The file will not be complete. */
  discard(reason: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#writer.abort(reason).catch(() => undefined);
  }

  #end(): void {
    this.#isOver = true;
  }
}

/** What a status may mean. */
const HINTS: Readonly<Record<number, string>> = {
  401: ': no such model, or one that needs a login',
  403: ': the model may need a login',
  416: ': the file is shorter than its header says',
};

async function request(
  url: URL,
  { signal, range }: OpenOptions,
  cache: RequestCache = 'default',
): Promise<Response> {
  const last = range?.end == null ? '' : range.end - 1;
  const headers = range && { range: `bytes=${range.start}-${last}` };
  const inlined = bytesInUrl(url.href);
  if (inlined) return new Response(inlined);
  return fetch(url, { cache, ...(signal && { signal }), ...(headers && { headers }) }).catch(
    (cause: unknown) => {
      if (signal?.aborted) throw signal.reason;
      const hint =
        url.protocol === 'file:'
          ? 'pages read no files of the disk by address; choose or drop the files, or use a server'
          : 'check the address, the network and CORS';
      throw new Error(`${url.href} cannot be read: ${hint}`, { cause });
    },
  );
}

/** The bytes that a whole file will hold; null where that is unknown. */
function sizeOf({ headers, type }: Response): number | null {
  // In another origin, Content-Encoding may be hidden, and the length be that of a compressed file.
  if (headers.has('content-encoding') || type === 'cors') return null;
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}

/** The headers that matter in the store: the body is there as it was read, not as it was sent. */
function keptHeaders(sent: Headers, size: number | null): Headers {
  const headers = new Headers(size === null ? {} : { 'content-length': String(size) });
  for (const name of ['content-type', 'content-range', 'etag', 'last-modified']) {
    const value = sent.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** An earlier download, of the whole file if there is one. */
async function keptOf(url: URL, range?: ByteRange): Promise<Response | null> {
  const whole = await keptFile(url);
  if (whole && (whole.status !== 404 || !range)) return whole;
  const part = range && (await keptFile(url, range));
  // Earlier versions of this package kept ranges without what they are of.
  return part?.headers.has('content-range') ? part : null;
}

/** Whether a response is exactly the range that was asked for, of a version that can be told from others. */
const isPart = ({ headers }: Response, range: ByteRange | undefined): boolean =>
  range !== undefined && totalOf(headers, range) !== null && versionOf(headers) !== null;

/** @returns null for status 404 */
async function fromServer(url: URL, options: OpenOptions): Promise<Response | null> {
  let response = await request(url, options);
  if (options.range && response.status === 206 && !isPart(response, options.range)) {
    await response.body?.cancel();
    // Chromium would complete the part it has: where that is compressed, with bytes that do not belong to it.
    response = await request(url, { ...options, range: undefined }, 'no-store');
  }
  const { ok, status, statusText, body } = response;
  if (ok && (status !== 206 || isPart(response, options.range))) return response;
  await body?.cancel();
  if (status === 404) return null;
  throw new Error(`${url.href} cannot be read: HTTP ${status} ${statusText}${HINTS[status] ?? ''}`);
}

/** The chunks of a response, which are copied to Cache Storage on their way. */
class Download implements AsyncIterator<Uint8Array> {
  #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  #loaded = 0;

  constructor(
    { body }: Response,
    private readonly options: {
      readonly url: URL;
      readonly signal: AbortSignal | undefined;
      /** Bytes that must come; null where nobody says. */
      readonly size: number | null;
      readonly copy: KeptCopy | null;
      /** Whether it comes from Cache Storage. */
      readonly isKept: boolean;
    },
  ) {
    this.#reader = body?.getReader() ?? null;
  }

  /** @throws (rejects) Error where the file does not come whole, RangeError where it is longer or was not kept whole */
  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { signal, size, copy, url } = this.options;
    try {
      signal?.throwIfAborted();
      const chunk = await this.#reader?.read().catch((cause: unknown) => {
        throw this.#broken(cause);
      });
      if (chunk?.value) {
        this.#loaded += chunk.value.length;
        if (this.#loaded > (size ?? Infinity)) {
          throw rangeError(url.href, `give ${size} bytes, as its headers say, got more`);
        }
        await copy?.write(chunk.value);
        return { done: false, value: chunk.value };
      }
      if (this.#loaded < (size ?? 0)) throw this.#broken();
    } catch (error) {
      await this.#stop(error);
      throw error;
    }
    await copy?.close();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    await this.#stop(new Error('the file is not read to its end'));
    return { done: true, value: undefined };
  }

  #broken(cause?: unknown): Error {
    const { signal, size, isKept, url } = this.options;
    if (signal?.aborted) return signal.reason as Error;
    const came = `${this.#loaded} of ${size ?? 'an unknown number of'} bytes`;
    // A RangeError, as for other damaged files: it is removed from the store then.
    if (isKept) return rangeError(url.href, `be kept whole, got ${came}`);
    return new Error(`${url.href} did not come whole: the connection ended after ${came}`, { cause });
  }

  async #stop(reason: unknown): Promise<void> {
    this.options.copy?.discard(reason);
    await this.#reader?.cancel(reason).catch(() => undefined);
    this.#reader = null;
  }
}

/**
 * A file on a server, or in Cache Storage, where files are kept once they have come completely. A range is asked for only
 * once: where the answer is not exactly that range, or does not tell its version, the whole file is given.
 *
 * @returns null for status 404
 * @throws (rejects) Error that names the address; the signal's reason
 */
export async function openFile(url: Platform<'URL'>, options: OpenOptions): Promise<OpenFile | null> {
  const { signal, range, cache = true } = options;
  signal?.throwIfAborted();
  const found = cache ? await keptOf(url, range) : null;
  const isKept = found !== null && found.status !== 404;
  // The server is asked anew for a file that it did not have. Without network, that is the answer.
  const response = isKept
    ? found
    : await fromServer(url, options).catch((error: unknown) => {
        if (found && !signal?.aborted) return null;
        throw error;
      });
  if (!response) {
    if (cache && !found) await keepAbsence(url);
    return null;
  }
  const { headers } = response;
  const total = range && (isKept || response.status === 206) ? totalOf(headers, range) : null;
  const part = total === null ? undefined : range;
  const size = part && total !== null ? Math.min(part.end ?? total, total) - part.start : sizeOf(response);
  const copy = cache && !isKept ? await KeptCopy.of(url, part, keptHeaders(headers, size)) : null;
  return {
    size,
    total,
    isRange: part !== undefined,
    isKept,
    version: versionOf(headers),
    chunks: new Download(response, { url, signal, size, copy, isKept }),
  };
}
