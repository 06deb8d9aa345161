/**
 * Regenerates package-lock.json of the consumers, all or those that are named: after a change of a package.json here, or of the
 * package's own dependencies. `npm run pack` first; `node tests/packages/renew-locks.js [consumer …]`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { consumers, Project } from './project.js';

const LOCK = 'package-lock.json';
const installing = readdirSync(consumers).filter((name) =>
  existsSync(path.join(consumers, name, 'package.json')),
);

for (const name of process.argv.length > 2 ? process.argv.slice(2) : installing) {
  const project = await Project.copy(name);
  const file = path.join(project.folder, LOCK);
  const before = JSON.parse(await readFile(file, 'utf8'));
  // npm would keep what the lock says of the package, also its dependencies, without opening the file.
  delete before.packages['node_modules/multihead-attention'];
  await writeFile(file, JSON.stringify(before));
  await project.npm('install', '--package-lock-only', '--omit-lockfile-registry-resolved');
  const lock = { ...JSON.parse(await readFile(file, 'utf8')), name: before.name };
  // Every build of the package is another file, and one lock is for all of them.
  delete lock.packages['node_modules/multihead-attention'].integrity;
  await writeFile(path.join(consumers, name, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
  await project.remove();
}
