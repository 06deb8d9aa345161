import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

export const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/**
 * Serves a folder as any static host would, on a free port of this machine.
 * `pages` are HTML texts by path, for pages that exist only in a test; `headers` are sent with every response;
 * `base` is the folder on the host. `answers` collects the requests: `{ path, status }`.
 */
export async function serve(folder, { pages = {}, headers = {}, base = '' } = {}) {
  const answers = [];
  const server = createServer((request, response) => {
    const { pathname: full } = new URL(request.url, 'http://localhost');
    response.on('finish', () => answers.push({ path: full, status: response.statusCode }));
    if (!full.startsWith(`${base}/`)) {
      response.writeHead(404, headers).end();
      return;
    }
    const pathname = full.slice(base.length);
    if (Object.hasOwn(pages, pathname)) {
      response
        .writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' })
        .end(pages[pathname]);
      return;
    }
    const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404, headers).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'content-type': type });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes its server must not keep the process for ever.
  server.unref();
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
