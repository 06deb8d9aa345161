import { existsSync } from 'node:fs';
import path from 'node:path';
import { prefix } from './debian.mjs';
import { atLeast, findProgram, parseVersion } from './machine.mjs';
import { inRepo, toolchainFolder, writeIfChanged } from './repo.mjs';
import { attempt } from './run.mjs';

/** The first version with an ES-module output that runs in Node and with the final relaxed-SIMD opcodes. */
export const minimumEmscripten = '3.1.69';

/**
 * Finds the machine's own Emscripten (`$EMSDK`, else `emcc` on PATH) as `{ env, programs }`, or gives `{ reason }` why
 * there is no usable one.
 */
export async function ownEmscripten() {
  const inEmsdk = process.env.EMSDK && path.join(process.env.EMSDK, 'upstream', 'emscripten', 'emcc');
  const emcc = [inEmsdk, findProgram('emcc')].find((file) => file && existsSync(file));
  if (!emcc) return { reason: 'no emcc on PATH and no $EMSDK' };
  const { code, stdout, stderr } = await attempt(emcc, ['--version']);
  if (code !== 0) return { reason: `${emcc} does not run: ${stderr.trim()}` };
  const version = parseVersion(stdout.split('\n')[0]);
  if (!version || !atLeast(version, parseVersion(minimumEmscripten))) {
    return { reason: `${emcc} is ${version?.join('.') ?? 'of an unknown version'}` };
  }
  return { env: {}, programs: [path.dirname(emcc)] };
}

/** Uses Emscripten from the unpacked Debian packages, with a configuration file of the paths. */
export function unpackedEmscripten() {
  const config = path.join(toolchainFolder, 'emscripten.py');
  const root = path.join(prefix, 'usr', 'share', 'emscripten');
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
  return {
    env: { EM_CONFIG: config },
    programs: [root, inRepo('node_modules', '.bin')],
  };
}
