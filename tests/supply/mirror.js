import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const archive = fileURLToPath(new URL('archive/', import.meta.url));
export const keyring = path.join(archive, 'signed.gpg');
export const anotherKeyring = path.join(archive, 'another.gpg');

/**
 * A machine whose apt has one source, `http://mirror.test/debian`, and reaches every host through a proxy: this one, which
 * gives the files of archive/ in the name of `host`, its suite in the name of `suite`, each as `change` makes it (`undefined`: 404), and keeps who was `asked`
 * for what. `settings` is more of the machine's configuration.
 */
export async function startMachine({
  host = 'mirror.test',
  suite = 'trixie',
  change = (file, bytes) => bytes,
  settings = '',
} = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    const { hostname, pathname } = new URL(request.url);
    asked.push(`${hostname}${pathname}`);
    const file = pathname.replace(/^\/debian\//, '').replace(`dists/${suite}/`, 'dists/trixie/');
    const known = hostname === host && existsSync(path.join(archive, file));
    const bytes = known ? change(file, readFileSync(path.join(archive, file))) : undefined;
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'mha-apt-'));
  const file = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const before = process.env.APT_CONFIG;
  process.env.APT_CONFIG = file(
    'apt.conf',
    `Dir::Etc::sourcelist "${file('sources.list', 'deb [trusted=yes] http://mirror.test/debian bookworm main\n')}";
Dir::Etc::sourceparts "/dev/null";
Acquire::http::Proxy "http://127.0.0.1:${server.address().port}";
${settings}`,
  );
  return {
    asked,
    /** Where the private apt works. */
    folder: path.join(folder, 'private'),
    async stop() {
      if (before === undefined) delete process.env.APT_CONFIG;
      else process.env.APT_CONFIG = before;
      rmSync(folder, { recursive: true });
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
