import { bytesInUrl } from './data-url.js';

/** Reads a `.wasm` file in browsers and workers. */
export async function readWasm(location: string | URL): Promise<Response | BufferSource> {
  return bytesInUrl(String(location)) ?? fetch(location);
}
