import path from 'node:path';
import { ensureUnpacked, prefix } from './debian.mjs';
import { minimumEmscripten, ownEmscripten, unpackedEmscripten } from './emscripten.mjs';
import { atLeast, canUnpackDebianPackages, findProgram, parseVersion } from './machine.mjs';
import { ownNative, unpackedNative } from './native.mjs';
import { Problem } from './problem.mjs';
import { toolchainFolder } from './repo.mjs';
import { attempt } from './run.mjs';

const advice = {
  emscripten:
    `Emscripten ${minimumEmscripten} or later is needed to build the WebAssembly core. Install it with emsdk ` +
    `(https://emscripten.org/docs/getting_started/downloads.html): \`./emsdk install latest && ./emsdk activate latest\`, ` +
    `then \`source ./emsdk_env.sh\`, and run the command again.`,
  libraries: 'Ninja is needed. Install it with your package manager and run the command again.',
  native:
    'LLVM 16 or later (clang, clang-format, clang-tidy, with the sanitizer runtimes) is needed for the native ' +
    'tests and checks. Install it with your package manager and run the command again.',
};

/** CMake fetches the C++ libraries that no environment variable names (cmake/dependencies.cmake). */
const ownLibraries = () => (findProgram('ninja') ? { env: {} } : { reason: 'no ninja on PATH' });

const unpackedLibraries = () => ({
  env: {
    XTENSOR_INCLUDE_DIR: path.join(prefix, 'include'),
    NLOHMANN_INCLUDE_DIR: path.join(prefix, 'include'),
    GOOGLETEST_SOURCE_DIR: path.join(prefix, 'usr', 'src', 'googletest'),
  },
  programs: [path.join(prefix, 'bin')],
});

/** Programs that must already be installed. */
async function requireBasics() {
  const basics = { cmake: [3, 25], python3: [3, 8] };
  for (const [name, minimum] of Object.entries(basics)) {
    const file = findProgram(name);
    const version = file && parseVersion((await attempt(file, ['--version'])).stdout);
    if (!version || !atLeast(version, minimum)) {
      throw new Problem(
        `${name} ${minimum.join('.')} or later is needed, got ${version?.join('.') ?? 'none'}. ` +
          'Install it with your package manager and run the command again.',
      );
    }
  }
}

/**
 * Chooses between the machine's tools and Debian packages unpacked into `.toolchain`. The machine's Emscripten is used if
 * new enough. For the rest unpacked copies are preferred, so that formatting, lints and sanitizers are the same
 * everywhere; `MHA_TOOLCHAIN=machine` uses only the machine's tools.
 */
async function chooseParts(needed) {
  const own = { emscripten: ownEmscripten, libraries: ownLibraries, native: ownNative };
  const unpacked = { emscripten: unpackedEmscripten, libraries: unpackedLibraries, native: unpackedNative };
  const canUnpack = canUnpackDebianPackages();
  const found = {};
  for (const part of needed) {
    if (!canUnpack || part === 'emscripten') found[part] = await own[part]();
  }
  const lacking = needed.filter((part) => !found[part]?.env);
  if (lacking.length === 0) return found;
  if (!canUnpack) {
    const lines = lacking.map((part) => `${advice[part]}\n  (Found: ${found[part].reason}.)`);
    throw new Problem(lines.join('\n'));
  }
  try {
    // Native tools are small beside Emscripten: with them, tests need no second download.
    await ensureUnpacked(lacking.includes('emscripten') ? Object.keys(own) : lacking);
  } catch (error) {
    if (!(error instanceof Problem) && error.code !== 'ENOSPC') throw error;
    if (/ENOSPC|No space left on device|enough free space/.test(error.message)) {
      throw new Problem(
        `The disk is full: unpacking the toolchain needs 2 GB in ${toolchainFolder}, of which it keeps 1.5 GB. ` +
          'Make room and run the command again.',
      );
    }
    const lines = lacking.map((part) => `  ${advice[part]}`);
    throw new Problem(
      `${error.message}\nOr set MHA_TOOLCHAIN=machine to use what you have installed yourself:\n${lines.join('\n')}`,
    );
  }
  for (const part of lacking) found[part] = unpacked[part]();
  return found;
}

/**
 * Provides the C++ libraries and any of `emscripten`, `native`; resolves to the environment for CMake.
 */
export async function ensureToolchain(...parts) {
  await requireBasics();
  const found = Object.values(await chooseParts(['libraries', ...parts]));
  const programs = found.flatMap((part) => part.programs ?? []);
  const env = Object.assign({}, ...found.map((part) => part.env));
  return { ...env, PATH: [...programs, process.env.PATH].join(path.delimiter) };
}
