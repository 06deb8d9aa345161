import { rangeError } from '../api/errors.js';
import type { ByteRange } from './folder.js';
import type { KeptCopy } from './kept-files.js';

/** How often in a row a broken download is continued before it is given up. */
const TRIES = 4;
/** Milliseconds before the second try; twice as many before each further one. */
const PAUSE = 250;

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/** What tells one version of a file from another; null where nothing does. */
export function versionOf(headers: Headers): string | null {
  const tag = headers.get('etag') ?? headers.get('last-modified');
  // A weak tag does not promise the same bytes.
  return tag?.startsWith('W/') ? null : tag;
}

/**
 * The length of the file of which a response holds exactly the range that was asked for; null where it holds something
 * else or does not say, as where it is compressed or another origin does not expose Content-Range.
 */
export function totalOf(headers: Headers, { start, end }: ByteRange): number | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (!match || headers.has('content-encoding')) return null;
  const [first = NaN, last = NaN, total = NaN] = match.slice(1).map(Number);
  return first === start && last + 1 === Math.min(end ?? total, total) ? total : null;
}

export interface DownloadOptions {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  /** What was asked for and is being given; undefined for the whole file. */
  readonly range: ByteRange | undefined;
  /** Bytes that must come; null where nobody says. */
  readonly size: number | null;
  /** Bytes of the whole file; null where nobody says. */
  readonly total: number | null;
  readonly copy: KeptCopy | null;
  /** Whether it comes from Cache Storage, and is not to be continued. */
  readonly isKept: boolean;
}

/**
 * The chunks of a response. A download that breaks off is continued where it did, if the server answers Range requests and
 * says that the file is the same.
 */
export class Download implements AsyncIterator<Uint8Array> {
  readonly #headers: Headers;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  #loaded = 0;
  #failures = 0;

  constructor(
    response: Response,
    private readonly options: DownloadOptions,
  ) {
    this.#headers = response.headers;
    this.#reader = response.body?.getReader() ?? null;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { signal, size, copy } = this.options;
    for (;;) {
      let chunk: ReadableStreamReadResult<Uint8Array>;
      try {
        signal?.throwIfAborted();
        chunk = (await this.#reader?.read()) ?? { done: true, value: undefined };
        if (chunk.done && size !== null && this.#loaded < size) throw new Error('the connection was closed');
      } catch (cause) {
        await this.#continue(cause);
        continue;
      }
      if (chunk.done) {
        await copy?.close();
        return { done: true, value: undefined };
      }
      this.#failures = 0;
      this.#loaded += chunk.value.length;
      if (this.#loaded > (size ?? Infinity)) {
        await this.return();
        throw rangeError(this.options.url.href, `give ${size} bytes, as its headers say, got more`);
      }
      await copy?.write(chunk.value);
      return { done: false, value: chunk.value };
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    await this.#stop(new Error('the file is not read to its end'));
    return { done: true, value: undefined };
  }

  async #stop(reason: unknown): Promise<void> {
    this.options.copy?.discard(reason);
    await this.#reader?.cancel(reason).catch(() => undefined);
    this.#reader = null;
  }

  /** Requests the rest. @throws what ends the download */
  async #continue(cause: unknown): Promise<void> {
    const { signal, isKept, size, url } = this.options;
    try {
      signal?.throwIfAborted();
      const came = `${this.#loaded} of ${size ?? 'an unknown number of'} bytes`;
      // A RangeError, as for other damaged files: it is removed from the store then.
      if (isKept) throw rangeError(url.href, `be kept whole, got ${came}`);
      const broken = (why: string) =>
        new Error(`${url.href} did not come whole: the connection ended after ${came}${why}`, { cause });
      if (this.#headers.has('content-encoding')) throw broken(', and compressed files cannot be continued');
      if (++this.#failures >= TRIES) throw broken(` and ${TRIES} tries`);
      if (this.#failures > 1) await pause(PAUSE * 2 ** (this.#failures - 2), signal);
      signal?.throwIfAborted();
      const response = await this.#requestRest();
      // Still no answer: the next read fails, and it is tried again.
      if (!response) return;
      const refusal = this.#refusalOf(response);
      if (refusal !== null) {
        await response.body?.cancel().catch(() => undefined);
        throw broken(`, and ${refusal}`);
      }
      this.#reader = response.body?.getReader() ?? null;
    } catch (error) {
      await this.#stop(error);
      throw error;
    }
  }

  async #requestRest(): Promise<Response | null> {
    const { url, signal, range } = this.options;
    const from = (range?.start ?? 0) + this.#loaded;
    const to = range?.end == null ? '' : range.end - 1;
    // Without If-Range, which would need a preflight request in another origin: the answer's version is compared.
    return fetch(url, { headers: { range: `bytes=${from}-${to}` }, ...(signal && { signal }) }).catch(
      () => null,
    );
  }

  /** Why a response cannot continue the download; null where it can. */
  #refusalOf({ status, headers }: Response): string | null {
    if (status === 200) return 'the server answers no Range requests';
    if (status !== 206) return `the server answers HTTP ${status} for the rest`;
    const { range, total } = this.options;
    const rest = totalOf(headers, { start: (range?.start ?? 0) + this.#loaded, end: range?.end ?? null });
    if (rest === null) return 'the server does not say that it answers with the bytes that are missing';
    if (rest !== (total ?? rest)) return 'the file has changed meanwhile';
    const [before, now] = [versionOf(this.#headers), versionOf(headers)];
    if (before === null || now === null) return 'the server does not tell whether the file is still the same';
    return before === now ? null : 'the file has changed meanwhile';
  }
}
