/** What came is not the file that was asked for. */
export class WrongFile extends Error {
  /** @param address where it came from, '' where nobody knows */
  constructor(
    message: string,
    readonly address: string,
  ) {
    super(message);
  }
}

const PAGE = /^\s*<(?:!doctype|html|!--)/i;

/** Whether these bytes are a page of HTML: many servers answer with one for a file that they do not have. */
export const isPage = (bytes: Uint8Array): boolean =>
  PAGE.test(new TextDecoder().decode(bytes.subarray(0, 256)));

/** " from address" for a message. standalone.js has its files as `data:` URLs, which are long. */
export const from = (address: string): string => (address === '' ? '' : ` from ${address.slice(0, 200)}`);

/** An error that reads "`expected`, got a page (HTML) from address", and what to do. */
export const pageInstead = (expected: string, address: string): WrongFile =>
  new WrongFile(
    `${expected}, got a page (HTML)${from(address)}. Servers answer so for a file that they do not have; ` +
      "Vite before version 8 needs optimizeDeps: { exclude: ['multihead-attention'] } in vite.config.js",
    address,
  );
