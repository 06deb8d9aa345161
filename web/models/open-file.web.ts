import { Download, versionOf } from './download.js';
import type { ByteRange, OpenFile, OpenOptions } from './folder.js';
import { keepAbsence, keptFile, KeptCopy } from './kept-files.js';

/** What a status may mean. */
const HINTS: Readonly<Record<number, string>> = {
  401: ': no such model, or one that needs a login',
  403: ': the model may need a login',
  416: ': the file is shorter than its header says',
};

async function request(url: URL, { signal, range }: OpenOptions): Promise<Response> {
  const last = range?.end == null ? '' : range.end - 1;
  const headers = range && { range: `bytes=${range.start}-${last}` };
  return fetch(url, { ...(signal && { signal }), ...(headers && { headers }) }).catch((cause: unknown) => {
    if (signal?.aborted) throw signal.reason;
    const hint =
      url.protocol === 'file:'
        ? 'pages read no files of the disk by address; choose or drop the files, or use a server'
        : 'check the address, the network and CORS';
    throw new Error(`${url.href} cannot be read: ${hint}`, { cause });
  });
}

/** The bytes that a response will hold; null where that is unknown. */
function sizeOf({ headers, status, type }: Response, isKept: boolean): number | null {
  if (headers.has('content-encoding')) return null;
  // In another origin, Content-Encoding may be hidden, and the length be that of a compressed file. Ranges are not compressed.
  if (type === 'cors' && status !== 206 && !isKept) return null;
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}

/** The headers that matter in the store: the body is there as it was read, not as it was sent. */
function keptHeaders(response: Response): Headers {
  const size = sizeOf(response, false);
  const headers = new Headers(size === null ? {} : { 'content-length': String(size) });
  for (const name of ['content-type', 'etag', 'last-modified']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** An earlier download, of the whole file if there is one. */
async function opened(url: URL, range?: ByteRange): Promise<{ kept: Response; isRange: boolean } | null> {
  const whole = await keptFile(url);
  if (whole && (whole.status !== 404 || !range)) return { kept: whole, isRange: false };
  const part = range && (await keptFile(url, range));
  return part ? { kept: part, isRange: true } : null;
}

/**
 * A file on a server, or in Cache Storage, where files are kept once they have come completely.
 *
 * @returns null for status 404
 * @throws (rejects) Error that names the address; the signal's reason
 */
export async function openFile(url: URL, options: OpenOptions): Promise<OpenFile | null> {
  const { signal, range, cache = true } = options;
  signal?.throwIfAborted();
  const found = cache ? await opened(url, range) : null;
  if (found && found.kept.status !== 404) {
    const { kept, isRange } = found;
    const size = sizeOf(kept, true);
    const part = isRange ? range : undefined;
    return {
      size,
      isRange,
      isKept: true,
      version: versionOf(kept.headers),
      chunks: new Download(kept, { url, signal, range: part, size, copy: null, isKept: true }),
    };
  }
  // The server is asked anew for a file that it did not have. Without network, that is the answer.
  const response = await request(url, options).catch((error: unknown) => {
    if (found && !signal?.aborted) return found.kept;
    throw error;
  });
  if (!response.ok) await response.body?.cancel();
  if (response.status === 404) {
    if (cache && !found) await keepAbsence(url);
    return null;
  }
  if (!response.ok) {
    const hint = HINTS[response.status] ?? '';
    throw new Error(`${url.href} cannot be read: HTTP ${response.status} ${response.statusText}${hint}`);
  }
  const isRange = response.status === 206;
  const part = isRange ? range : undefined;
  const size = sizeOf(response, false);
  const copy = cache ? await KeptCopy.of(url, part, keptHeaders(response)) : null;
  return {
    size,
    isRange,
    version: versionOf(response.headers),
    chunks: new Download(response, { url, signal, range: part, size, copy, isKept: false }),
  };
}
