import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { openPrivateApt } from './apt.mjs';
import { changesSinceRelease, nameOf } from './debian-lock.mjs';
import { leftOut, packagesOf, recipe, suite } from './debian-packages.mjs';
import { forEachParallel } from './parallel.mjs';
import { megabytes, step } from './progress.mjs';
import { toolchainFolder } from './repo.mjs';
import { run } from './run.mjs';

/** Root of the unpacked packages, with the paths of a Debian system inside. */
export const prefix = path.join(toolchainFolder, 'debian');

const libraryFolder = path.join('usr', 'lib', 'x86_64-linux-gnu');
const llvmPrograms = path.join('usr', 'lib', 'llvm-19', 'bin');

/** The dynamic loader of the unpacked C library. */
export const loader = path.join(prefix, libraryFolder, 'ld-linux-x86-64.so.2');
export const libraries = path.join(prefix, libraryFolder);

const stampFile = path.join(prefix, 'unpacked.json');

/** Returns the contents of the finished folder; undefined if there is none, or one of another recipe or path. */
export function unpacked() {
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
    const sameRecipe = stamp.recipe === recipe && stamp.prefix === prefix;
    const names = stamp.debs.map(nameOf).sort();
    return sameRecipe && packagesOf(stamp.groups).join() === names.join() ? stamp : undefined;
  } catch {
    return undefined;
  }
}

/** Unpacks like `dpkg-deb -x`, without `leftOut`. */
async function unpackDeb(deb, folder) {
  const excludes = leftOut.map((part) => `--exclude=${part}`);
  const script = 'set -o pipefail; dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "${@:3}"';
  await run('bash', ['-c', script, 'unpack', deb, folder, ...excludes]);
}

function elfFiles(folder) {
  const isElf = (file) => {
    if (!lstatSync(file).isFile()) return false;
    const descriptor = openSync(file, 'r');
    const magic = Buffer.alloc(4);
    readSync(descriptor, magic, 0, 4, 0);
    closeSync(descriptor);
    return magic.toString('latin1') === '\x7fELF';
  };
  return readdirSync(folder, { withFileTypes: true, recursive: false })
    .map((entry) => path.join(folder, entry.name))
    .filter(isElf);
}

/**
 * Makes the unpacked programs use the unpacked loader and libraries instead of the machine's. The paths are those in
 * `prefix`, although the files are still in `folder`. It is an old-style RPATH, because that also applies to libraries
 * of libraries; LLVM's own RUNPATH would override it.
 */
async function bindToOwnLibraries(folder) {
  const own = path.join(folder, libraryFolder);
  const patchelf = path.join(folder, 'usr', 'bin', 'patchelf');
  const patch = (...args) =>
    run(path.join(own, 'ld-linux-x86-64.so.2'), ['--library-path', own, patchelf, ...args]);
  const programs = ['usr/bin', llvmPrograms]
    .map((part) => path.join(folder, part))
    .filter((part) => lstatSync(part, { throwIfNoEntry: false }))
    .flatMap(elfFiles)
    .filter((file) => file !== patchelf);
  await forEachParallel(programs, (file) =>
    patch('--set-interpreter', loader, '--force-rpath', '--set-rpath', libraries, file),
  );
  const hiding = elfFiles(own).filter((file) => /^lib(LLVM|clang)/.test(path.basename(file)));
  await forEachParallel(hiding, (file) => patch('--remove-rpath', file));
}

/** Adds links that other packages of a Debian system provide, and include folders with only the libraries in use. */
function addLinks(folder) {
  const link = (target, name) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(target, path.join(folder, name));
  };
  link('usr/lib', 'lib');
  link('usr/lib64', 'lib64');
  for (const library of ['xtensor', 'xtl', 'nlohmann'])
    link(`../usr/include/${library}`, `include/${library}`);
  link('../usr/bin/ninja', 'bin/ninja');
  if (lstatSync(path.join(folder, llvmPrograms), { throwIfNoEntry: false })) {
    for (const tool of ['clang', 'clang++', 'clang-format', 'clang-tidy', 'llvm-symbolizer']) {
      link(`../${llvmPrograms}/${tool}`, `bin/${tool}`);
    }
  }
  const emscripten = path.join(folder, 'usr', 'share', 'emscripten');
  if (lstatSync(emscripten, { throwIfNoEntry: false })) {
    // Debian has acorn in a folder that only CommonJS resolves; Emscripten's own scripts are ES modules.
    link('../nodejs', 'usr/share/emscripten/node_modules');
  }
}

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the folders of interrupted runs. */
function removeLeftovers() {
  for (const name of readdirSync(toolchainFolder)) {
    const pid = Number(/^partial-(\d+)$/.exec(name)?.[1]);
    if (pid && !isRunning(pid)) rmSync(path.join(toolchainFolder, name), { recursive: true });
  }
}

/**
 * Unpacks the packages of these groups into `prefix`. The work is done in another folder, which is renamed when complete,
 * so that an interrupted run leaves nothing that looks finished.
 */
export async function ensureUnpacked(needed) {
  const present = unpacked();
  if (present && needed.every((group) => present.groups.includes(group))) return;
  const groups = [...new Set([...(present?.groups ?? []), ...needed])].sort();
  const packages = packagesOf(groups);

  mkdirSync(toolchainFolder, { recursive: true });
  removeLeftovers();
  const work = path.join(toolchainFolder, `partial-${process.pid}`);
  const folder = path.join(work, 'debian');
  mkdirSync(folder, { recursive: true });
  try {
    const apt = await step('Reading the package lists of Debian', () =>
      openPrivateApt(path.join(work, 'apt'), suite),
    );
    const debs = await apt.list(packages);
    const changes = changesSinceRelease(debs);
    if (changes.length > 0) {
      console.error(`Since the last release of this project Debian has changed: ${changes.join(', ')}.`);
    }
    const size = debs.reduce((sum, { bytes }) => sum + bytes, 0);
    const files = await step(
      `Downloading a private toolchain (${groups.join(', ')}: ${packages.length} packages, ${megabytes(size)})`,
      async (show) => {
        const watch = setInterval(() => show(megabytes(apt.arrived())), 250);
        try {
          return await apt.download(debs);
        } finally {
          clearInterval(watch);
        }
      },
    );
    await step('Unpacking it into .toolchain', async (show) => {
      let done = 0;
      await forEachParallel(files, async (file) => {
        await unpackDeb(file, folder);
        show(`${++done} of ${files.length} packages`);
      });
      await bindToOwnLibraries(folder);
      addLinks(folder);
      // Emscripten's scripts are CommonJS; this repository's package.json would make them ES modules.
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');
      writeFileSync(
        path.join(folder, path.basename(stampFile)),
        JSON.stringify({ recipe, prefix, suite, released: apt.released(), groups, debs }, null, 2),
      );
      rmSync(prefix, { recursive: true, force: true });
      renameSync(folder, prefix);
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
