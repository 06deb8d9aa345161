/** The error when a server answers with something else than the requested file: a page, an error. */
export class WrongFile extends Error {
  /** @param address '' where unknown */
  constructor(
    message: string,
    readonly address: string,
  ) {
    super(message);
  }
}

const PAGE = /^\s*<(?:!doctype|html|!--)/i;

/** Whether these bytes are HTML: many servers answer so for a missing file. */
export const isPage = (bytes: Uint8Array): boolean =>
  PAGE.test(new TextDecoder().decode(bytes.subarray(0, 256)));

/** Returns " from address" for a message, shortened: standalone.js has its files as long `data:` URLs. */
export const from = (address: string): string => (address === '' ? '' : ` from ${address.slice(0, 200)}`);

export const pageInstead = (expected: string, address: string): WrongFile =>
  new WrongFile(
    `${expected}, got a page (HTML)${from(address)}. Servers answer so for a file that they do not have; ` +
      "Vite before version 8 needs optimizeDeps: { exclude: ['multihead-attention'] } in vite.config.js",
    address,
  );
