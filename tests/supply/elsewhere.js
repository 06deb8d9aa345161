import { cpSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRepo, repo } from '../../scripts/bootstrap/repo.mjs';

const made = ['.git', '.toolchain', 'build', 'dist', 'node_modules'];

/** What this repository is made of, or these parts of it, in a new folder whose path is returned. */
export function copyElsewhere(parts = readdirSync(repo).filter((name) => !made.includes(name))) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mha-elsewhere-')));
  const isSource = (file) => path.basename(file) !== 'node_modules';
  for (const part of parts)
    cpSync(inRepo(part), path.join(folder, part), { recursive: true, filter: isSource });
  return folder;
}
