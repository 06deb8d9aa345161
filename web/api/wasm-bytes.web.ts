/** Where the bytes of a `.wasm` file come from in browsers and workers. */
export function readWasm(location: string | URL): Promise<Response | BufferSource> {
  return fetch(location);
}
