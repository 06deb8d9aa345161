/** Reads a `.wasm` file in browsers and workers. */
export async function readWasm(location: string | URL): Promise<Response | BufferSource> {
  // standalone.js has its binaries as data: URLs; `fetch` would need `connect-src data:` in the page's policy.
  const base64 = /^data:[^,]*;base64,(.*)$/su.exec(String(location))?.[1];
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  return fetch(location);
}
