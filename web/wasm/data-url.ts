/**
 * The bytes in a base64 `data:` URL, as which bundlers write small files into scripts; null for other addresses. `fetch` would
 * need `connect-src data:` in the page's policy.
 */
export function bytesInUrl(address: string): Uint8Array<ArrayBuffer> | null {
  const base64 = /^data:[^,]*;base64,(.*)$/su.exec(address)?.[1];
  return base64 === undefined ? null : Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}
