/** The packed package as it is installed for the tests, and its dependencies. */
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repo = fileURLToPath(new URL('../..', import.meta.url));
export const packed = path.join(repo, 'tests', 'node_modules', 'multihead-attention');
export const modules = path.join(repo, 'node_modules');

/** A copy of the package that a test may change, where Node finds its dependencies. */
export function copyPackage() {
  mkdirSync(path.join(repo, 'build'), { recursive: true });
  const copy = mkdtempSync(path.join(repo, 'build', 'faults-'));
  cpSync(packed, copy, { recursive: true });
  return copy;
}
