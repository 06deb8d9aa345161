/**
 * Runs clang-tidy once on every C++ file of this repository, with the compile command of the native tests, or of the
 * fuzzers or WebAssembly builds for files that only these compile. Needs the environment of provide.mjs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { inRepo, main, repo } from './bootstrap/basics.mjs';

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
  const wasm = await compilationsOf('tidy-wasm', 'emcmake', 'cmake');
  // clang-tidy does not know em++: use clang++ with the flags that em++ adds. Commands with threads first, so that `each`
  // keeps these.
  wasm.sort((a, b) => b.command.includes('MHA_THREADS') - a.command.includes('MHA_THREADS'));
  for (const entry of wasm) entry.command = entry.command.replace(/^\S+/, `clang++ ${flags.trim()}`);
  const all = [...native, ...wasm];
  const each = all.filter(({ file }, i) => all.findIndex((other) => other.file === file) === i);
  mkdirSync(database, { recursive: true });
  writeFileSync(path.join(database, 'compile_commands.json'), JSON.stringify(each));
  console.log(`${each.length} files`);
  const tidy = process.env.CLANG_TIDY;
  // This program is installed beside clang-tidy, with the same version suffix.
  const run = path.join(path.dirname(tidy), path.basename(tidy).replace('clang-tidy', 'run-clang-tidy'));
  const { exitCode } = await execa(run, ['-p', database, '-clang-tidy-binary', tidy, '-quiet'], {
    cwd: repo,
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
  });
  process.exitCode = exitCode;
});
