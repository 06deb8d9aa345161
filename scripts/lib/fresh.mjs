import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { inRepo } from './repo.mjs';
import { writeIfChanged } from './write-if-changed.mjs';

/** All files below these files and folders, sorted; folders named `node_modules` are left out. */
export function filesBelow(...roots) {
  const below = (entry) => {
    const info = statSync(entry, { throwIfNoEntry: false });
    if (!info) return [];
    if (!info.isDirectory()) return [entry];
    return readdirSync(entry)
      .filter((name) => name !== 'node_modules')
      .flatMap((name) => below(path.join(entry, name)));
  };
  return roots.flatMap(below).sort();
}

function fingerprint(inputs, key) {
  const hash = createHash('sha256').update(JSON.stringify(key));
  for (const file of filesBelow(...inputs)) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`\n${file} ${mtimeMs} ${size}`);
  }
  return hash.digest('hex');
}

/**
 * Runs `work` unless it has already succeeded with the same inputs (files and folders, by time and size) and
 * the same `key`, and its outputs are still there.
 */
export async function whenChanged(name, { inputs = [], key = '', outputs = [] }, work) {
  const stamp = inRepo('build', 'stamps', name);
  const before = fingerprint(inputs, key);
  const done = existsSync(stamp) && readFileSync(stamp, 'utf8') === before;
  if (done && outputs.every((file) => existsSync(file))) return;
  await work();
  writeIfChanged(stamp, before);
}
