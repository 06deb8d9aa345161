import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Reads a `.wasm` file in Node: a path, a `file:` URL, or another URL by `fetch`. */
export async function readWasm(location: string | URL): Promise<Response | BufferSource> {
  const text = String(location);
  const url = isAbsolute(text) || !URL.canParse(text) ? pathToFileURL(text) : new URL(text);
  return url.protocol === 'file:' ? new Uint8Array(await readFile(url)) : fetch(url);
}
