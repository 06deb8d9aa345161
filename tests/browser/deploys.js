/** The built page as versions, and a host on which they are deployed one after the other. */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import config from '../../web/tutorial/vite.config.mjs';
import { TYPES } from './server.js';
import { site } from './support.js';

const { assetsDir } = config.build;
const offline = config.plugins.find(({ name }) => name === 'offline');

const HASHED = /[\w.-]+-[\w-]{8}\.\w+/g;

/** Gives every file with a hash in its name another name, everywhere, and lets the page's build list them again. */
function writeVersion(folder, version) {
  // The page's models are large, and its worker leaves them alone.
  const models = path.join(site, 'models');
  cpSync(site, folder, { recursive: true, filter: (file) => file !== models });
  const assets = path.join(folder, assetsDir);
  const names = new Map(
    readdirSync(assets).map((name) => [name, name.replace(/(?=\.\w+$)/, `-version-${version}`)]),
  );
  let renamed = 0;
  const rename = (text) =>
    text.replace(HASHED, (name) => {
      if (names.has(name)) renamed += 1;
      return names.get(name) ?? name;
    });
  for (const [name, other] of names) {
    const file = path.join(assets, name);
    if (/\.(js|css)$/.test(name)) writeFileSync(file, rename(readFileSync(file, 'utf8')));
    renameSync(file, path.join(assets, other));
  }
  const html = path.join(folder, 'index.html');
  const text = rename(readFileSync(html, 'utf8'));
  writeFileSync(html, text.replace('<head>', `<head><meta name="version" content="${version}">`));
  assert.ok(renamed >= names.size, `${renamed} mentions of ${names.size} files`);
  offline.configResolved({ root: folder, build: { ...config.build, outDir: folder } });
  offline.writeBundle();
}

/** Folders with versions of the page: `{ a: 'path', … , remove }`. */
export function writeVersions(...versions) {
  const parent = mkdtempSync(path.join(tmpdir(), 'mha-versions-'));
  const folders = versions.map((version) => [version, path.join(parent, version)]);
  for (const [version, folder] of folders) writeVersion(folder, version);
  return {
    ...Object.fromEntries(folders),
    remove() {
      rmSync(parent, { recursive: true });
    },
  };
}

/**
 * A static host whose fields may be set at any time: `folder` is what is deployed, `older` has files
 * of before that are still there, `maxAge` goes with every file,
 * `isDown` cuts every connection, `headers` go with every file, `isMissing(path)` are files that are not there yet,
 * `fallback` is a file that replaces missing ones with status 200, `other(request)` gives `[status, headers, text]` for
 * paths outside of the page, and `before(path)` is called before the page's files are answered.
 */
export async function openHost(folder, base = '/') {
  const host = { folder, maxAge: 0, headers: {} };
  /** A file of the page, by the end of its name: its bytes. */
  const find = (name) => {
    if (host.isMissing?.(name)) return undefined;
    const folder = [host.folder, host.older].find((each) => each && existsSync(path.join(each, name)));
    return folder && [path.extname(name), readFileSync(path.join(folder, name))];
  };
  const server = createServer((request, response) => {
    if (host.isDown) {
      request.socket.destroy();
      return;
    }
    const other = host.other?.(request);
    if (other) {
      const [status, headers, text] = other;
      response.writeHead(status, headers).end(text);
      return;
    }
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname.startsWith(base) ? pathname.slice(base.length) || 'index.html' : '';
    if (name) host.before?.(name);
    const found = name && (find(name) ?? (host.fallback && find(host.fallback)));
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const [extension, body] = found;
    const headers = {
      'cache-control': `max-age=${host.maxAge}`,
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      ...host.headers,
    };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) response.writeHead(200, headers).end(body);
    else response.writeHead(206, headers).end(body.subarray(Number(first), Number(last) + 1));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  host.origin = `http://127.0.0.1:${server.address().port}`;
  host.url = `${host.origin}${base}`;
  host.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return host;
}
