import { isPage, pageInstead } from './wrong-file.js';

/** The largest number of bytes that is read: far more than any figure or model of this package has. */
export const MOST_BYTES = 64 * 2 ** 20;

/** Why a file could not be read; a number is the HTTP status. */
export type NoBytesReason = 'unreachable' | 'too large' | number;

export class NoBytesError extends Error {
  constructor(
    readonly address: string,
    readonly reason: NoBytesReason,
    options?: ErrorOptions,
  ) {
    super(`${address.slice(0, 200)} cannot be read: ${reason}`, options);
  }
}

/**
 * Fetches the bytes at an address, up to `MOST_BYTES`. `Content-Length` may be wrong, and counts compressed bytes.
 *
 * @throws (rejects) NoBytesError
 */
export function bytesAt(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(url, signal).catch((cause: unknown) => {
    throw cause instanceof NoBytesError ? cause : new NoBytesError(url.href, 'unreachable', { cause });
  });
}

/**
 * Fetches the bytes of a model's file.
 *
 * @throws (rejects) as `bytesAt`, and WrongFile for a page of HTML
 */
export async function modelBytesAt(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await bytesAt(url, signal);
  if (isPage(bytes)) throw pageInstead('`model` must be a safetensors file', url.href);
  return bytes;
}

async function bytesOf(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { body, headers, ok, status } = await fetch(url, signal ? { signal } : {});
  if (!ok) throw new NoBytesError(url.href, status);
  const reader = body?.getReader();
  const tooLarge = async (): Promise<NoBytesError> => {
    await reader?.cancel();
    return new NoBytesError(url.href, 'too large');
  };
  if (Number(headers.get('content-length')) > MOST_BYTES) throw await tooLarge();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > MOST_BYTES) throw await tooLarge();
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
