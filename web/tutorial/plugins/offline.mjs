import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Fonts come when a text needs them, and no static host gives the page several threads. */
const later = (file) => /\.woff2?$|threads/.test(file);

/** Writes the service worker: its list of files, and a name for the cache that changes with their content. */
export function offline(source) {
  let folder;
  return {
    name: 'offline',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .map((file) => file.split(path.sep).join('/'))
        .filter((file) => file !== 'service-worker.js')
        .sort();
      const hash = createHash('sha256');
      for (const file of files) hash.update(file).update(readFileSync(path.join(folder, file)));
      const list = files.filter((file) => !later(file)).map((file) => (file === 'index.html' ? './' : file));
      const text = readFileSync(source, 'utf8')
        .replace("'%VERSION%'", JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replace("['%FILES%']", JSON.stringify(list));
      writeFileSync(path.join(folder, 'service-worker.js'), text);
    },
  };
}
