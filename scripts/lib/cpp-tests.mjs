import { record } from '../../tests/works/record.js';
import { compile } from './cmake.mjs';
import { Problem } from './problem.mjs';
import { relaxedSimdFlags } from './relaxed-simd.mjs';
import { inRepo } from './repo.mjs';
import { attempt } from './run.mjs';

/**
 * Runs a GoogleTest program. Its brief mode prints failures and two closing lines, which are counted; a
 * program that ends before them, or skips or disables a test, has failed.
 */
async function runGoogleTest(command, args, env) {
  const { code, stdout } = await attempt(command, [...args, '--gtest_brief=1'], {
    env,
    show: true,
    limitMinutes: 15,
  });
  const count = (pattern) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const ran = count(/^\[==========\] (\d+) tests? from /m);
  const passed = count(/^\[ {2}PASSED {2}\] (\d+) test/m);
  if (ran === 0) throw new Problem(`The test program ended with ${code} before its last test.`);
  const failed = ran - passed + count(/YOU HAVE (\d+) DISABLED TEST/);
  if (failed === 0 && code === 0) recordSweeps(stdout);
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

/** Keeps how many combinations sweep_test.cpp has tried, which is the same number in every build. */
function recordSweeps(stdout) {
  const counts = stdout.matchAll(/^\[ {2}SWEEP {3}\] (\d+) combinations$/gm);
  const tried = Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  if (tried === 0) throw new Problem('No sweep has said how many combinations it has tried.');
  const name = { en: 'Every combination of small sizes and options', ko: '작은 크기와 옵션의 모든 조합' };
  const note = { en: 'in every build', ko: '모든 빌드에서' };
  record('fuzz', 'sweep', { order: 0, name, tried, survived: tried, note });
}

/** The C++ tests as a native program that stops at memory errors and undefined behaviour. */
export async function nativeTests(toolchain) {
  await compile('sanitize', 'mha_tests', toolchain);
  const env = { ...toolchain.env, UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1' };
  return runGoogleTest(inRepo('build', 'sanitize', 'mha_tests'), [], env);
}

/** The C++ tests as a native program that finds threads which touch the same memory unordered. */
export async function threadTests(toolchain) {
  await compile('sanitize-threads', 'mha_tests', toolchain);
  return runGoogleTest(inRepo('build', 'sanitize-threads', 'mha_tests'), [], toolchain.env);
}

/** The C++ tests as one of the WebAssembly builds, in Node. */
export async function wasmTests(build, toolchain) {
  await compile(`wasm-${build}`, 'mha_tests', toolchain);
  const flags = build.startsWith('relaxed') ? relaxedSimdFlags : [];
  const program = inRepo('build', `wasm-${build}`, 'mha_tests.js');
  return runGoogleTest(process.execPath, [...flags, program], toolchain.env);
}
