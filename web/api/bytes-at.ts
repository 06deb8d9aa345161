import { isPage, pageInstead } from './wrong-file.js';

/** Bytes of a file that are read, which no figure and no model of this package comes near. */
export const MOST_BYTES = 64 * 2 ** 20;

/**
 * The bytes at an address, read only as far as the limit: what a server says of its length may be wrong, and says
 * nothing of what it unpacks to.
 *
 * @throws (rejects) Error for an answer that is none, RangeError for more bytes than `MOST_BYTES`
 */
export async function bytesAt(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { body, headers, ok, status } = await fetch(url, signal ? { signal } : {});
  if (!ok) throw new Error(`${url.href} answered ${status}`);
  const reader = body?.getReader();
  const tooLarge = async (): Promise<RangeError> => {
    await reader?.cancel();
    return new RangeError(`${url.href.slice(0, 200)} must have at most ${MOST_BYTES} bytes, got more`);
  };
  if (Number(headers.get('content-length')) > MOST_BYTES) throw await tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > MOST_BYTES) throw await tooLarge();
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * The bytes of a model's file.
 *
 * @throws (rejects) as `bytesAt`, and WrongFile for a page in the file's place
 */
export async function modelBytesAt(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await bytesAt(url, signal);
  if (isPage(bytes)) throw pageInstead('`model` must be a safetensors file', url.href);
  return bytes;
}
