import path from 'node:path';
import { Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';
import { run } from './run.mjs';

/** What each archive that the linker may take from, and each of our targets, is made of, by the names that NOTICE.md gives. */
const partsOf = {
  attention: [],
  training: [],
  mha_malloc: ['Emscripten'],
  libmha: ['xtensor', 'xtl'],
  libmha_training: ['xtensor', 'xtl'],
  libbulkmemory: ['Emscripten'],
  'libc++': ['LLVM'],
  'libc++abi': ['LLVM'],
  libc: ['musl'],
  libcompiler_rt: ['LLVM', 'Emscripten'],
  libembind: ['Emscripten'],
  libnoexit: ['Emscripten'],
  libstubs: ['Emscripten'],
  libunwind: ['LLVM'],
};

/** Archives come in several builds, `libc++-mt-except.a` and the like. */
const libraryOf = (archive) => path.basename(archive).replace(/(-(mt|except|rtti|wasm|sjlj|debug))*\.a$/, '');

/** Links a WebAssembly program again, asking the linker what it takes; resolves to whose code that is. */
export async function linkedParts(preset, program, { env }) {
  const cwd = inRepo('build', preset);
  const { stdout } = await run('ninja', ['-C', cwd, '-t', 'commands', `${program}.js`], { env });
  const link = stdout.trim().split('\n').at(-1);
  const traced = link.replace(`-o ${program}.js`, '-o traced.js -Wl,--trace');
  const trace = await run('sh', ['-c', traced], { cwd, env });
  const taken = /^(.+\.a)\(|^CMakeFiles\/(\w+)\.dir\//gm;
  const archives = Array.from(trace.stdout.matchAll(taken), ([, archive, target]) =>
    archive ? libraryOf(archive) : target,
  );
  if (!archives.includes('mha_malloc'))
    throw new Problem(`The linker named nothing that ${program}.wasm is made of.`);
  const unknown = archives.filter((name) => !Object.hasOwn(partsOf, name));
  if (unknown.length > 0) {
    throw new Problem(
      `${program}.wasm holds code of ${unknown.join(', ')}: say in scripts/lib/linked-parts.mjs whose that is.`,
    );
  }
  return [...new Set(archives.flatMap((name) => partsOf[name]))].sort();
}
