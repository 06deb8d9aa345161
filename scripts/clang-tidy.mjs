/**
 * Runs clang-tidy once on every C++ file of this repository, with the compile command of the native tests, or of the
 * fuzzers or WebAssembly builds for files that only these compile. Needs the environment of provide.mjs.
 *
 * Files with the same flags are checked as one: the checks walk through all that a file includes, and file by file that
 * takes ten times as long. So no two of them may give the same name to different things of their own.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { forEachParallel, inRepo, main, repo } from './bootstrap/basics.mjs';

const database = inRepo('build', 'tidy-all');
const ours = ['cpp/', 'tests/'].map((folder) => path.join(repo, folder));

/** Returns the compile commands of a preset. */
async function compilationsOf(preset, program, ...args) {
  await execa(program, [...args, '--preset', preset], { cwd: repo });
  const all = JSON.parse(readFileSync(inRepo('build', preset, 'compile_commands.json'), 'utf8'));
  return all.filter(({ file }) => ours.some((part) => file.startsWith(part)));
}

await main(async () => {
  const { stdout: flags } = await execa('em++', ['--cflags']);
  const native = await compilationsOf('tidy', 'cmake');
  // emcmake would take the toolchain file of native builds for Emscripten's.
  const wasm = await compilationsOf('tidy-wasm', 'env', '-u', 'CMAKE_TOOLCHAIN_FILE', 'emcmake', 'cmake');
  // clang-tidy does not know em++: use clang++ with the flags that em++ adds. Commands with threads first, so that `each`
  // keeps these.
  wasm.sort((a, b) => b.command.includes('MHA_THREADS') - a.command.includes('MHA_THREADS'));
  for (const entry of wasm) entry.command = entry.command.replace(/^\S+/, `clang++ ${flags.trim()}`);
  const all = [...native, ...wasm];
  const each = all.filter(({ file }, i) => all.findIndex((other) => other.file === file) === i);
  /** The flags of a file, and for fuzzers and bindings themselves: these give their functions the same names. */
  const keyOf = ({ file, command }) =>
    /\/fuzz\/|\/bindings/.test(file) ? file : command.replace(file, '').replace(/ -o \S+/, '');
  const groups = [...new Set(each.map(keyOf))].map((key) => each.filter((entry) => keyOf(entry) === key));
  // The largest takes longer than all others together: it begins first.
  groups.sort((a, b) => b.length - a.length);
  const units = groups.map((entries) => {
    const [{ file, command }] = entries;
    const unit = path.join(database, path.relative(repo, file));
    mkdirSync(path.dirname(unit), { recursive: true });
    writeFileSync(unit, entries.map((entry) => `#include "${entry.file}"\n`).join(''));
    // clang-tidy looks for its configuration in the folder of the file that it is given, and in those above.
    const config = path.join(path.dirname(file), '.clang-tidy');
    if (existsSync(config)) cpSync(config, path.join(path.dirname(unit), '.clang-tidy'));
    return { ...entries[0], file: unit, command: command.replaceAll(file, unit) };
  });
  writeFileSync(path.join(database, 'compile_commands.json'), JSON.stringify(units));
  console.log(`${each.length} files in ${units.length} units`);
  // The static analyzer looks at functions of included files only when it is told to.
  const analyzer = ['-Xclang', '-analyzer-opt-analyze-headers'].map((arg) => `-extra-arg=${arg}`);
  const args = ['-p', database, '-quiet', '-checks=-bugprone-suspicious-include', ...analyzer];
  await forEachParallel(units, async ({ file }) => {
    const { exitCode, stdout, stderr } = await execa(process.env.CLANG_TIDY, [...args, file], {
      cwd: repo,
      reject: false,
    });
    if (exitCode === 0) return;
    console.log(`${stdout}\n${stderr}`);
    process.exitCode = 1;
  });
});
