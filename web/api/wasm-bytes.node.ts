import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the bytes of a `.wasm` file come from in Node: a path or `file:` URL, or the network. */
export async function readWasm(location: string | URL): Promise<Response | BufferSource> {
  const text = String(location);
  const url = isAbsolute(text) || !URL.canParse(text) ? pathToFileURL(text) : new URL(text);
  return url.protocol === 'file:' ? new Uint8Array(await readFile(url)) : fetch(url);
}
