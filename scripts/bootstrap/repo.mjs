import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the repository's top folder. */
export const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Returns the absolute path of something inside the repository. */
export const inRepo = (...parts) => path.join(repo, ...parts);

/** The folder that holds everything that is downloaded; it can be deleted at any time. */
export const toolchainFolder = inRepo('.toolchain');

/** Writes a text file only if its content differs, because build systems compare modification times. */
export function writeIfChanged(file, text) {
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
