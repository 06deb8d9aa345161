import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const sha256 = (content) => createHash('sha256').update(content).digest('base64');

/** Writes the service worker: the page's files with their hashes, and a version that changes with any of them. */
export function offline(source) {
  let build;
  return {
    name: 'offline',
    apply: 'build',
    configResolved(config) {
      build = { ...config.build, outDir: path.resolve(config.root, config.build.outDir) };
    },
    writeBundle() {
      const { outDir, assetsDir } = build;
      const integrity = (file) => `sha256-${sha256(readFileSync(path.join(outDir, file)))}`;
      const names = readdirSync(path.join(outDir, assetsDir)).sort();
      const files = [
        ['./', integrity('index.html')],
        ...names.map((name) => `${assetsDir}/${name}`).map((file) => [file, integrity(file)]),
      ];
      const text = readFileSync(source, 'utf8')
        .replace('%FOLDER%', assetsDir)
        .replace("['%FILES%']", JSON.stringify(files));
      writeFileSync(path.join(outDir, 'service-worker.js'), text.replace('%VERSION%', sha256(text)));
    },
  };
}
