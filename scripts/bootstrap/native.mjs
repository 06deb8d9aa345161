import path from 'node:path';
import { libraries, loader, prefix } from './debian.mjs';
import { atLeast, findProgram, parseVersion } from './machine.mjs';
import { toolchainFolder, writeIfChanged } from './repo.mjs';
import { attempt } from './run.mjs';

const minimumClang = [16, 0, 0];
const newestFirst = Array.from({ length: 15 }, (_, i) => 30 - i);
const spellings = (tool) => [tool, ...newestFirst.map((version) => `${tool}-${version}`)];

/** Finds the first program of that name, with or without a version suffix, of at least `minimumClang`. */
async function findClangTool(tool) {
  for (const name of spellings(tool)) {
    const file = findProgram(name);
    const version = file && parseVersion((await attempt(file, ['--version'])).stdout);
    if (version && atLeast(version, minimumClang)) return file;
  }
  return undefined;
}

/** Finds the machine's own compiler and checkers as `{ env }`, or gives `{ reason }` that names what is missing. */
export async function ownNative() {
  const names = ['clang', 'clang++', 'clang-format', 'clang-tidy'];
  const tools = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await findClangTool(name)])),
  );
  const missing = names.filter((name) => !tools[name]);
  if (missing.length > 0) return { reason: `no ${missing.join(', no ')} of version 16 or later on PATH` };
  const { clang: CC, 'clang++': CXX, 'clang-format': CLANG_FORMAT, 'clang-tidy': CLANG_TIDY } = tools;
  return { env: { CC, CXX, CLANG_FORMAT, CLANG_TIDY } };
}

/**
 * Uses the unpacked compiler. Its programs are linked against the unpacked C and C++ libraries and find them, and the
 * matching loader, by absolute path, so they run on a machine with an older C library.
 */
export function unpackedNative() {
  const file = path.join(toolchainFolder, 'native.cmake');
  const bin = (name) => path.join(prefix, 'usr', 'lib', 'llvm-19', 'bin', name);
  // GCC's folder is given explicitly, because clang finds it through the link /lib: Ninja then reads header paths that
  // do not exist and recompiles everything every time.
  const gcc = `--gcc-install-dir=${path.join(prefix, 'usr', 'lib', 'gcc', 'x86_64-linux-gnu', '14')}`;
  const linkerFlags = `-fuse-ld=lld -Wl,--dynamic-linker=\\"${loader}\\" -Wl,-rpath,\\"${libraries}\\" -Wl,--disable-new-dtags`;
  writeIfChanged(
    file,
    `set(CMAKE_C_COMPILER "${bin('clang')}")
set(CMAKE_CXX_COMPILER "${bin('clang++')}")
set(CMAKE_AR "${bin('llvm-ar')}")
set(CMAKE_RANLIB "${bin('llvm-ranlib')}")
set(CMAKE_SYSROOT "${prefix}")
set(CMAKE_CXX_FLAGS_INIT "${gcc}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${linkerFlags}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-fuse-ld=lld")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-fuse-ld=lld")
`,
  );
  return {
    env: {
      CMAKE_TOOLCHAIN_FILE: file,
      ASAN_SYMBOLIZER_PATH: bin('llvm-symbolizer'),
      CLANG_FORMAT: bin('clang-format'),
      CLANG_TIDY: bin('clang-tidy'),
    },
  };
}
