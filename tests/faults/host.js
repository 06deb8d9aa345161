import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** How often a host that was gone asks for its port, every tenth of a second. */
const RETRIES = 50;

/** Faulty responses: each handles a request in its own way. */
export const FAULTS = {
  status: (code) => (_, response) => response.writeHead(code).end('<!doctype html><p>sorry'),
  typed: (type) => (file, response) =>
    response.writeHead(200, type === null ? {} : { 'content-type': type }).end(file.bytes),
  replaced: (body) => (file, response) => response.writeHead(200, { 'content-type': file.type }).end(body),
  /** Ends the connection behind so many bytes of the promised ones. */
  cut: (length, type) => (file, response) => {
    response.writeHead(200, {
      'content-type': type ?? file.type,
      'content-length': file.bytes.length,
    });
    // Flush before cutting the connection, which would discard buffered data.
    response.write(file.bytes.subarray(0, length), () => response.destroy());
    if (length === 0) response.flushHeaders();
  },
  refused: () => (_, response) => response.destroy(),
  /** Answers when `released`. */
  held: (released) => (file, response) =>
    void released.then(() => response.writeHead(200, { 'content-type': file.type }).end(file.bytes)),
};

/**
 * Serves folders, one for each prefix of an address, as a static host does, until `host.fault`, a function of the
 * path, gives one of `FAULTS` for it. `pages` are HTML texts by path. `host.requested` are the paths in their order.
 */
export async function startHost(folders, { pages = {}, headers = {} } = {}) {
  const host = { fault: () => undefined, requested: [] };
  const fileAt = (pathname) => {
    if (Object.hasOwn(pages, pathname)) {
      return { bytes: Buffer.from(pages[pathname]), type: TYPES['.html'] };
    }
    const prefix = Object.keys(folders).find((each) => pathname.startsWith(each));
    if (prefix === undefined) return undefined;
    const relative = pathname.slice(prefix.length);
    const file = path.join(
      folders[prefix],
      relative.endsWith('/') || relative === '' ? 'index.html' : relative,
    );
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    return { bytes: readFileSync(file), type: TYPES[path.extname(file)] ?? 'application/octet-stream' };
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    host.requested.push(pathname);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const file = fileAt(pathname);
    const fault = host.fault(pathname);
    // Failed files are requested again, and so are binaries and data.
    const isKept = file?.type === TYPES['.js'] && !fault;
    response.setHeader('cache-control', isKept ? 'max-age=3600' : 'no-cache');
    if (fault) fault(file, response);
    else if (!file) response.writeHead(404).end();
    else FAULTS.typed(file.type)(file, response);
  });
  // A test that fails before it closes its host must not keep the program from its end.
  server.unref();
  /** Rejects when the port is taken. */
  const listen = (port) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address();
  // Somebody else may have been given the port meanwhile, for a connection that soon ends.
  const back = async () => {
    for (let tries = 1; !server.listening; ++tries) {
      try {
        await listen(port);
      } catch (error) {
        if (error.code !== 'EADDRINUSE' || tries === RETRIES) throw error;
        await setTimeout(100);
      }
    }
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(host, {
    url: `http://127.0.0.1:${port}`,
    /** The host is gone; `back` brings it back at the same address. */
    gone: close,
    back,
    close: () => (server.listening ? close() : undefined),
  });
}
