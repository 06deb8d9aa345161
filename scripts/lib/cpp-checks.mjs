import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configure } from './cmake.mjs';
import { filesBelow, whenChanged } from './fresh.mjs';
import { forEachParallel } from './parallel.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo, repo } from './repo.mjs';
import { attempt, run } from './run.mjs';

const folders = [inRepo('cpp'), ...['cpp', 'bench', 'fuzz'].map((name) => inRepo('tests', name))];
const cppFiles = () => filesBelow(...folders).filter((file) => /\.[ch]pp$/.test(file));

/** Formats the C++ files in place, or with `check` fails where one is not formatted. */
export async function clangFormat({ tools }, { check }) {
  await run(tools['clang-format'], [...(check ? ['--dry-run', '-Werror'] : ['-i']), ...cppFiles()]);
}

/** Our files that a preset compiles. */
function compiledFiles(preset) {
  const database = JSON.parse(readFileSync(inRepo('build', preset, 'compile_commands.json'), 'utf8'));
  return database
    .map(({ file }) => file)
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
}

/**
 * Checks every translation unit: those of the native build as that compiles them, and what only the
 * WebAssembly builds compile (the bindings) with the flags that Emscripten gives its own clang.
 */
export async function clangTidy(toolchain) {
  const nativePresets = ['tidy', 'fuzz'];
  // The one has what several threads need, the other what only one thread runs.
  const wasmPresets = ['wasm-scalar-threads', 'wasm-scalar'];
  for (const preset of [...nativePresets, ...wasmPresets]) await configure(preset, toolchain);
  const native = nativePresets.flatMap((preset) =>
    compiledFiles(preset).map((file) => ({ file, preset, flags: [] })),
  );
  const { stdout } = await run('em++', ['--cflags'], { env: toolchain.env });
  const flags = stdout
    .trim()
    .split(/\s+/)
    .map((flag) => `--extra-arg-before=${flag}`);
  const wasm = wasmPresets.flatMap((preset) =>
    compiledFiles(preset).map((file) => ({ file, preset, flags })),
  );
  const all = [...native, ...wasm];
  const units = all.filter(({ file }, i) => all.findIndex((unit) => unit.file === file) === i);
  const shared = [
    ...cppFiles().filter((file) => file.endsWith('.hpp')),
    ...['.clang-tidy', 'CMakeLists.txt', 'CMakePresets.json'].map((name) => inRepo(name)),
  ];
  const program = toolchain.tools['clang-tidy'];
  await step(`Checking ${units.length} files with clang-tidy`, async (show) => {
    let done = 0;
    const complaints = [];
    const checkUnit = async ({ file, preset, flags }) => {
      const args = ['--quiet', '-p', inRepo('build', preset), ...flags, file];
      const { code, stdout, stderr } = await attempt(program, args, { cwd: repo });
      if (code !== 0) throw new Problem(stdout.trim() || stderr.trim());
    };
    await forEachParallel(units, async (unit) => {
      const what = { inputs: [unit.file, ...shared], key: program };
      const name = path.relative(repo, unit.file).replaceAll(path.sep, '-');
      await whenChanged(`clang-tidy-${name}`, what, () => checkUnit(unit)).catch((error) =>
        complaints.push(error.message),
      );
      show(`${++done} of ${units.length}`);
    });
    if (complaints.length > 0) throw new Problem(complaints.join('\n\n'));
  });
}
