/** A server of models' files, as good or bad as servers are. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const versionsOf = new WeakMap();
/** The ETag of a file: another for other bytes. Of a large one it takes longer than a range of it. */
function versionOf(bytes) {
  if (!versionsOf.has(bytes)) versionsOf.set(bytes, `"${createHash('sha1').update(bytes).digest('hex')}"`);
  return versionsOf.get(bytes);
}

/**
 * Serves files in memory. `server.answer`, a function of the name, may return a function of request and response
 * that answers instead. `ranges` and `versions` switch off what some servers lack. `sent` counts bytes by name.
 */
export async function serve(files, { ranges = true, versions = true, lengths = true } = {}) {
  const state = { files, answer: () => undefined, requests: [], sent: {} };
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.slice(1));
    state.requests.push({ name, range: request.headers.range });
    const other = state.answer(name, request);
    if (other) {
      other(response);
      return;
    }
    const bytes = state.files[name];
    if (!bytes) {
      response.writeHead(404).end('nothing here');
      return;
    }
    if (versions) response.setHeader('etag', versionOf(bytes));
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const isPart = ranges && from !== undefined;
    if (isPart && Number(from) >= bytes.length) {
      response.writeHead(416).end();
      return;
    }
    const end = isPart && to ? Math.min(bytes.length, Number(to) + 1) : bytes.length;
    const body = isPart ? bytes.subarray(Number(from), end) : bytes;
    state.sent[name] = (state.sent[name] ?? 0) + body.length;
    if (isPart) response.setHeader('content-range', `bytes ${from}-${end - 1}/${bytes.length}`);
    response.writeHead(isPart ? 206 : 200, lengths ? { 'content-length': body.length } : {});
    response.end(body);
  });
  // On a busy machine a connection could be closed in the moment in which it is used again.
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { url: `http://127.0.0.1:${server.address().port}/`, close });
}

const servers = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
