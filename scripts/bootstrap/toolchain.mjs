/** Compilers and C++ libraries: the machine's own, or Debian packages unpacked into `.toolchain`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, findProgram, inRepo, Problem, step, toolchainFolder } from './basics.mjs';

const debianScript = fileURLToPath(new URL('debian.sh', import.meta.url));

/** Root of the unpacked packages, with the paths of a Debian system inside. */
const prefix = path.join(toolchainFolder, 'debian');

/** Whether Debian packages can be unpacked and run here: Debian itself, 64-bit x86, with apt and dpkg. */
export function canUnpackDebianPackages() {
  if (process.env.MHA_TOOLCHAIN === 'machine' || process.arch !== 'x64') return false;
  const isDebian =
    existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  return isDebian && Boolean(findProgram('apt-get') && findProgram('dpkg-deb') && findProgram('tar'));
}

/**
 * Downloads Debian packages into the folder `debs` of a folder, which is an absolute path: those named, else all that
 * debian.sh lists. The suite trixie is the first with Emscripten ≥ 3.1.69 and clang ≥ 16.
 *
 * @throws (rejects) Problem, with what apt says, for packages that no key of the keyring has signed, and without network
 */
export async function downloadPackages(
  folder,
  { names = [], suite = 'trixie', keyring = '/usr/share/keyrings/debian-archive-keyring.gpg' } = {},
) {
  const args = [debianScript, 'download', folder, suite, keyring, ...names];
  const { code, stderr } = await attempt('bash', args);
  if (code !== 0) throw new Problem(stderr.trim());
}

/**
 * Unpacks the packages into `prefix`, unless they are there. The work is done in another folder, which is renamed when
 * complete, so that an interrupted run leaves nothing that looks finished.
 */
async function ensureUnpacked() {
  const stamp = 'unpacked.json';
  const recipe = JSON.stringify({ prefix, script: readFileSync(debianScript, 'utf8') });
  const present = path.join(prefix, stamp);
  // wireit restores the stamp alone where the folder was deleted.
  const isUnpacked = existsSync(path.join(prefix, 'bin')) && existsSync(present);
  if (isUnpacked && readFileSync(present, 'utf8') === recipe) return;
  mkdirSync(toolchainFolder, { recursive: true });
  const work = mkdtempSync(path.join(toolchainFolder, 'partial-'));
  try {
    await step('Downloading a toolchain of Debian packages (320 MB)', () => downloadPackages(work));
    await step('Unpacking it into .toolchain (1.5 GB)', async () => {
      const { code, stderr } = await attempt('bash', [debianScript, 'unpack', work, prefix]);
      if (code !== 0) throw new Problem(`Unpacking failed:\n${stderr.trim()}`);
      writeFileSync(path.join(work, 'debian', stamp), recipe);
      rmSync(prefix, { recursive: true, force: true });
      renameSync(path.join(work, 'debian'), prefix);
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The version that a program names, `[3, 1, 69]`; undefined for a missing program or one that does not start. */
async function versionOf(file) {
  if (!file) return undefined;
  const { code, stdout } = await attempt(file, ['--version']);
  const match = code === 0 ? /(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout) : null;
  return match?.slice(1).map((part) => Number(part ?? 0));
}

/** Whether version `a` is `b` or later; not where there is none. */
function atLeast(a, b) {
  const first = a?.findIndex((part, i) => part !== (b[i] ?? 0));
  return first === -1 || (first !== undefined && a[first] > (b[first] ?? 0));
}

/** Writes a text file only if its content differs, because build systems compare modification times. */
function writeIfChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const advice = {
  emscripten:
    'Emscripten 3.1.69 or later is needed to build the WebAssembly core. Install it with emsdk ' +
    '(https://emscripten.org/docs/getting_started/downloads.html): `./emsdk install latest && ./emsdk activate latest`, ' +
    'then `source ./emsdk_env.sh`, and run the command again.',
  libraries: 'Ninja is needed. Install it with your package manager and run the command again.',
  native:
    'LLVM 16 or later (clang, clang-format, clang-tidy, with the sanitizer runtimes) is needed for the native ' +
    'tests and checks. Install it with your package manager and run the command again.',
};

/** The first of these programs, with or without a version suffix, of LLVM 16 or later. */
async function findClangTool(tool) {
  const suffixes = ['', ...Array.from({ length: 15 }, (_, i) => `-${30 - i}`)];
  for (const file of suffixes.map((suffix) => findProgram(tool + suffix)).filter(Boolean)) {
    if (atLeast(await versionOf(file), [16])) return file;
  }
  return undefined;
}

/** What the machine has, as `{ env, programs }`, or `{ reason }` why it is not usable. */
const own = {
  // 3.1.69 is the first with an ES-module output that runs in Node and with the final relaxed-SIMD opcodes.
  async emscripten() {
    const inEmsdk = process.env.EMSDK && path.join(process.env.EMSDK, 'upstream', 'emscripten', 'emcc');
    const emcc = [inEmsdk, findProgram('emcc')].find((file) => file && existsSync(file));
    if (!emcc) return { reason: 'no emcc on PATH and no $EMSDK' };
    const version = await versionOf(emcc);
    if (atLeast(version, [3, 1, 69])) return { env: {}, programs: [path.dirname(emcc)] };
    return { reason: `${emcc} ${version ? `is ${version.join('.')}` : 'does not run'}` };
  },
  // CMake fetches the C++ libraries that no environment variable names (cmake/dependencies.cmake).
  libraries: () => (findProgram('ninja') ? { env: {} } : { reason: 'no ninja on PATH' }),
  async native() {
    const variables = { CC: 'clang', CXX: 'clang++', CLANG_FORMAT: 'clang-format', CLANG_TIDY: 'clang-tidy' };
    const env = {};
    for (const [name, tool] of Object.entries(variables)) env[name] = await findClangTool(tool);
    const missing = Object.keys(env).filter((name) => !env[name]);
    if (missing.length === 0) return { env };
    return { reason: `no ${missing.map((name) => variables[name]).join(', no ')} of version 16 or later` };
  },
};

const libraries = path.join(prefix, 'usr', 'lib', 'x86_64-linux-gnu');
const loader = path.join(libraries, 'ld-linux-x86-64.so.2');

/** The same parts of the unpacked packages, with the configuration files that they need. */
const unpacked = {
  emscripten() {
    const config = path.join(toolchainFolder, 'emscripten.py');
    writeIfChanged(
      config,
      `LLVM_ROOT = ${JSON.stringify(path.join(prefix, 'usr', 'bin'))}
BINARYEN_ROOT = ${JSON.stringify(path.join(prefix, 'usr'))}
NODE_JS = ${JSON.stringify(process.execPath)}
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
FROZEN_CACHE = True
`,
    );
    const programs = [path.join(prefix, 'usr', 'share', 'emscripten'), inRepo('node_modules', '.bin')];
    return { env: { EM_CONFIG: config }, programs };
  },
  libraries: () => ({
    env: {
      XTENSOR_INCLUDE_DIR: path.join(prefix, 'include'),
      NLOHMANN_INCLUDE_DIR: path.join(prefix, 'include'),
      GOOGLETEST_SOURCE_DIR: path.join(prefix, 'usr', 'src', 'googletest'),
    },
    programs: [path.join(prefix, 'bin')],
  }),
  // Programs that it links find the unpacked C and C++ libraries and the matching loader by absolute path, so they run
  // on a machine with an older C library.
  native() {
    const file = path.join(toolchainFolder, 'native.cmake');
    const bin = (name) => path.join(prefix, 'usr', 'lib', 'llvm-19', 'bin', name);
    // GCC's folder is given explicitly, because clang finds it through the link /lib: Ninja then reads header paths that
    // do not exist and recompiles everything every time.
    const gcc = path.join(prefix, 'usr', 'lib', 'gcc', 'x86_64-linux-gnu', '14');
    const linked = `-Wl,--dynamic-linker=\\"${loader}\\" -Wl,-rpath,\\"${libraries}\\" -Wl,--disable-new-dtags`;
    writeIfChanged(
      file,
      `set(CMAKE_C_COMPILER "${bin('clang')}")
set(CMAKE_CXX_COMPILER "${bin('clang++')}")
set(CMAKE_AR "${bin('llvm-ar')}")
set(CMAKE_RANLIB "${bin('llvm-ranlib')}")
set(CMAKE_SYSROOT "${prefix}")
set(CMAKE_CXX_FLAGS_INIT "--gcc-install-dir=${gcc}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld ${linked}")
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
  },
};

async function requireProgram(name, minimum) {
  const version = await versionOf(findProgram(name));
  if (atLeast(version, minimum)) return;
  throw new Problem(
    `${name} ${minimum.join('.')} or later is needed, got ${version?.join('.') ?? 'none'}. ` +
      'Install it with your package manager and run the command again.',
  );
}

/**
 * Provides the C++ libraries and any of `emscripten`, `native`; resolves to the environment for CMake.
 *
 * The machine's Emscripten is used if new enough. For the rest unpacked copies are preferred where they can be unpacked,
 * so that formatting, lints and sanitizers are the same everywhere; `MHA_TOOLCHAIN=machine` uses only the machine's tools.
 */
export async function ensureToolchain(...parts) {
  await requireProgram('cmake', [3, 25]);
  await requireProgram('python3', [3, 8]);
  const needed = ['libraries', ...parts];
  const canUnpack = canUnpackDebianPackages();
  const found = {};
  for (const part of needed) {
    found[part] =
      !canUnpack || part === 'emscripten' ? await own[part]() : { reason: 'unpacked copies are used' };
  }
  const lacking = needed.filter((part) => !found[part].env);
  if (lacking.length > 0 && !canUnpack) {
    const lines = lacking.map((part) => `${advice[part]}\n  (Found: ${found[part].reason}.)`);
    throw new Problem(lines.join('\n'));
  }
  if (lacking.length > 0) {
    try {
      await ensureUnpacked();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const ownTools = lacking.map((part) => `  ${advice[part]}`).join('\n');
      throw new Problem(
        `${error.message}\nOr set MHA_TOOLCHAIN=machine to use what you have installed yourself:\n${ownTools}`,
      );
    }
    for (const part of lacking) found[part] = unpacked[part]();
  }
  const programs = Object.values(found).flatMap((part) => part.programs ?? []);
  const env = Object.assign({}, ...Object.values(found).map((part) => part.env));
  return { ...env, PATH: [...programs, process.env.PATH].join(path.delimiter) };
}
