/**
 * Compiles and runs the C++ tests: `node scripts/test-cpp.mjs sanitize wasm-simd` for test presets of CMakePresets.json,
 * `… sanitize wasm-simd Mask` for tests whose name matches (in WebAssembly only those of the simd build). The reports are
 * build/test-reports/cpp-<preset>.xml and mha_tests-<build>.xml.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import { main } from './bootstrap/problem.mjs';
import { inRepo, repo } from './bootstrap/repo.mjs';

const args = process.argv.slice(2);
const presets = args.filter((arg) => /^(native|sanitize|wasm)\b/.test(arg));
const [filter] = args.filter((arg) => !presets.includes(arg));
const reports = inRepo('build', 'test-reports');

/** Runs a program; resolves to whether it succeeded. */
async function succeeds(command, ...options) {
  const { exitCode } = await execa(command, options, {
    cwd: repo,
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
  });
  return exitCode === 0;
}

/** Configures, compiles and runs one preset. */
async function test(preset) {
  const isWasm = preset.startsWith('wasm');
  const configured = isWasm
    ? await succeeds('emcmake', 'cmake', '--preset', 'wasm')
    : await succeeds('cmake', '--preset', preset);
  if (!configured) return false;
  if (!(await succeeds('cmake', '--build', '--preset', isWasm ? `${preset}-tests` : preset))) return false;
  // CTest cannot filter here: a WebAssembly program is one test of it, and does not get the environment.
  if (isWasm && filter) {
    return succeeds('node', 'build/wasm/mha_tests-simd.cjs', `--gtest_filter=*${filter}*`);
  }
  const native = ['--output-junit', `${reports}/cpp-${preset}.xml`, ...(filter ? ['-R', filter] : [])];
  const parallel = ['--parallel', String(availableParallelism())];
  return succeeds('ctest', '--preset', preset, ...parallel, ...(isWasm ? [] : native));
}

await main(async () => {
  mkdirSync(reports, { recursive: true });
  for (const preset of presets) {
    if (!(await test(preset))) process.exitCode = 1;
  }
});
