import { cpSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of something in this repository. */
export const inRepo = (...parts) => path.join(fileURLToPath(new URL('../..', import.meta.url)), ...parts);

const made = ['.git', '.toolchain', 'build', 'dist', 'node_modules'];

/** What this repository is made of, or these parts of it, in a new folder whose path is returned. */
export function copyElsewhere(parts = readdirSync(inRepo()).filter((name) => !made.includes(name))) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mha-elsewhere-')));
  const isSource = (file) => path.basename(file) !== 'node_modules';
  for (const part of parts)
    cpSync(inRepo(part), path.join(folder, part), { recursive: true, filter: isSource });
  return folder;
}
