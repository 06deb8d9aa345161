/**
 * The body of an answer, read only as far as the limit: what a server says of its length may be wrong, and says nothing
 * of what it unpacks to.
 *
 * @throws (rejects) RangeError when there are more bytes
 */
export async function bytesWithin(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new RangeError(`${response.url.slice(0, 200)} must have at most ${most} bytes, got more`);
  if (Number(response.headers.get('content-length')) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > most) {
      await reader?.cancel();
      throw tooLarge();
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
