import { Download, totalOf, versionOf } from './download.js';
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
    response = await request(url, { ...options, range: undefined });
  }
  const { ok, status, statusText, body } = response;
  if (ok && (status !== 206 || isPart(response, options.range))) return response;
  await body?.cancel();
  if (status === 404) return null;
  throw new Error(`${url.href} cannot be read: HTTP ${status} ${statusText}${HINTS[status] ?? ''}`);
}

/**
 * A file on a server, or in Cache Storage, where files are kept once they have come completely. A range is asked for only
 * once: where the answer is not exactly that range, or does not tell its version, the whole file is given.
 *
 * @returns null for status 404
 * @throws (rejects) Error that names the address; the signal's reason
 */
export async function openFile(url: URL, options: OpenOptions): Promise<OpenFile | null> {
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
    chunks: new Download(response, { url, signal, range: part, size, total: total ?? size, copy, isKept }),
  };
}
