/**
 * Checks every C++ file of ours once with clang-tidy, as the native tests compile it, and what only the fuzzers or the
 * WebAssembly builds compile as these do. Needs the environment of provide.mjs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { main } from './bootstrap/problem.mjs';
import { inRepo, repo } from './bootstrap/repo.mjs';

const databases = inRepo('build', 'tidy');
const ours = ['cpp/', 'tests/'].map((folder) => path.join(repo, folder));

/** The compilations of a preset, every file by itself. */
async function compilationsOf(preset, ...wrapper) {
  const folder = path.join(databases, preset);
  const cmake = ['cmake', '--preset', preset, '-B', folder, '-D', 'CMAKE_UNITY_BUILD=OFF'];
  const [program, ...args] = [...wrapper, ...cmake];
  await execa(program, args, { cwd: repo });
  const all = JSON.parse(readFileSync(path.join(folder, 'compile_commands.json'), 'utf8'));
  return all.filter(({ file }) => ours.some((part) => file.startsWith(part)));
}

await main(async () => {
  const { stdout: flags } = await execa('em++', ['--cflags']);
  const native = [...(await compilationsOf('sanitize')), ...(await compilationsOf('fuzz'))];
  const wasm = await compilationsOf('wasm', 'emcmake');
  // Emscripten's driver is no compiler that clang-tidy knows: its own clang takes the flags that the driver adds. What
  // several threads need goes first.
  wasm.sort((a, b) => b.command.includes('MHA_THREADS') - a.command.includes('MHA_THREADS'));
  for (const entry of wasm) entry.command = entry.command.replace(/^\S+/, `clang++ ${flags.trim()}`);
  const all = [...native, ...wasm];
  const each = all.filter(({ file }, i) => all.findIndex((other) => other.file === file) === i);
  mkdirSync(databases, { recursive: true });
  writeFileSync(path.join(databases, 'compile_commands.json'), JSON.stringify(each));
  console.log(`${each.length} files`);
  const tidy = process.env.CLANG_TIDY;
  const run = path.join(path.dirname(tidy), 'run-clang-tidy');
  const { exitCode } = await execa(run, ['-p', databases, '-clang-tidy-binary', tidy, '-quiet'], {
    cwd: repo,
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
  });
  process.exitCode = exitCode;
});
