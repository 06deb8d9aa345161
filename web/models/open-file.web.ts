import { chunksOf, type ByteRange, type OpenFile } from './folder.js';

const CACHE = 'multihead-attention-models';

/** The store of earlier downloads; null where the browser offers none (private windows, insecure pages). */
const openCache = async (): Promise<Cache | null> => {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
};

/**
 * A file on a server. Whole files are kept in Cache Storage once they have come completely.
 *
 * @returns null for status 404
 * @throws (rejects) Error that names the address
 */
export async function openFile(
  url: URL,
  {
    signal,
    range,
    cache = true,
  }: { signal?: AbortSignal | undefined; range?: ByteRange | undefined; cache?: boolean },
): Promise<OpenFile | null> {
  const store = cache && !range ? await openCache() : null;
  const kept = await store?.match(url.href);
  const headers = range ? { range: `bytes=${range.start}-${range.end - 1}` } : undefined;
  const response =
    kept ??
    (await fetch(url, { ...(signal && { signal }), ...(headers && { headers }) }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new Error(`${url.href} cannot be read: check the address, the network and CORS`, { cause });
    }));
  if (response.status === 404) return null;
  if (!response.ok)
    throw new Error(`${url.href} cannot be read: HTTP ${response.status} ${response.statusText}`);
  if (range && response.status !== 206) throw new Error(`${url.href}: the server answers no Range requests`);
  const length = Number(response.headers.get('content-length'));
  const isEncoded = response.headers.has('content-encoding');
  const size = length > 0 && !isEncoded ? length : null;
  if (!response.body)
    return { size: 0, chunks: chunksOf(new Response('').body as ReadableStream<Uint8Array>) };
  if (!store || kept) return { size, chunks: chunksOf(response.body) };
  const [own, copy] = response.body.tee();
  // A download that breaks off is not kept: put() rejects then.
  store.put(url.href, new Response(copy, { headers: response.headers })).catch(() => undefined);
  return { size, chunks: chunksOf(own) };
}
