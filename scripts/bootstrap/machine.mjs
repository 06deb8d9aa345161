import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** Returns the absolute path of the first of these programs on PATH, or undefined. */
export function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const name of names) {
    const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

/** Reads `/etc/os-release` as an object; empty where there is none. */
function osRelease() {
  const file = '/etc/os-release';
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').matchAll(/^(\w+)="?(.*?)"?$/gm);
  return Object.fromEntries(Array.from(lines, ([, key, value]) => [key, value]));
}

/** Whether Debian packages can be unpacked and run here: Debian itself, 64-bit x86, with apt and dpkg. */
export function canUnpackDebianPackages() {
  return (
    process.env.MHA_TOOLCHAIN !== 'machine' &&
    process.platform === 'linux' &&
    process.arch === 'x64' &&
    osRelease().ID === 'debian' &&
    Boolean(findProgram('apt-get') && findProgram('dpkg-deb') && findProgram('tar'))
  );
}

export const isRoot = () => process.getuid?.() === 0;

/** Reads a version, `3.1.69-git` → [3, 1, 69]; undefined without one. */
export function parseVersion(text) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match?.slice(1).map((part) => Number(part ?? 0));
}

/** Whether version `a` is `b` or later. */
export function atLeast(a, b) {
  const first = a.findIndex((part, i) => part !== (b[i] ?? 0));
  return first === -1 || a[first] > (b[first] ?? 0);
}
