/**
 * Runs test suites, and prints a line for each and the sum:
 *
 *   node scripts/test.mjs                    the quick suites: cpp, api, page (`npm test`)
 *   node scripts/test.mjs --all              every suite; `--full` the long form of those that have one
 *   node scripts/test.mjs api masks          one suite; what follows goes to its runner as a filter
 *
 * It installs and builds what the suites need. Each writes a JUnit report to build/test-reports.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { forEachParallel, inRepo, main, Problem, repo, runScript } from './bootstrap/basics.mjs';
import { ensureNodePackages, provide } from './bootstrap/provide.mjs';

const reports = inRepo('build', 'test-reports');
/** Ends a suite with a test that never finishes. Beside others, and where a machine is slow, the longest takes half of it. */
const timeout = 45 * 60_000;

/** Runs a program; resolves to whether it succeeded. `run` is a suite's environment and where its output goes. */
async function succeeds({ env, stdio }, command, ...args) {
  const { execa } = await import('execa');
  const { exitCode, all } = await execa(command, args, {
    ...{ cwd: repo, env: { ...process.env, ...env }, stdin: 'ignore', reject: false, timeout },
    ...(stdio === 'pipe' ? { all: true } : { stdout: 'inherit', stderr: 'inherit' }),
  });
  if (stdio === 'pipe') process.stdout.write(`\n${all}\n`);
  return exitCode === 0;
}

/** GoogleTest by presets of CMakePresets.json; a filter is a part of the tests' names. */
async function cpp(run, presets, [filter]) {
  let done = true;
  for (const preset of presets) {
    const isWasm = preset.startsWith('wasm');
    // emcmake would take the toolchain file of native builds for Emscripten's.
    const emcmake = ['env', '-u', 'CMAKE_TOOLCHAIN_FILE', 'emcmake'];
    const configure = [...(isWasm ? emcmake : []), 'cmake', '--preset', isWasm ? 'wasm' : preset];
    const build = ['cmake', '--build', '--preset', isWasm ? `${preset}-tests` : preset];
    const ctest = ['ctest', '--preset', preset, '--parallel', String(availableParallelism())];
    // CTest cannot filter: a program is one test of it, or a few.
    const program = isWasm
      ? ['node', 'build/wasm/mha_tests-simd.cjs']
      : [`build/${preset}/mha_tests-native-threads`];
    const test = filter ? [...program, `--gtest_filter=*${filter}*`] : ctest;
    const ran =
      (await succeeds(run, ...configure)) &&
      (await succeeds(run, ...build)) &&
      (await succeeds(run, ...test));
    if (!ran) done = false;
  }
  return done;
}

/** Jest on the packed package, in this Node.js or in each of $NODE_PATHS. */
async function api(run, filters) {
  const { execa } = await import('execa');
  const nodes = run.env.NODE_PATHS ? JSON.parse(run.env.NODE_PATHS) : [process.execPath];
  let done = true;
  for (const node of nodes) {
    const { stdout: version } = await execa(node, ['--version']);
    // Node 20 has relaxed SIMD behind a flag, later versions without one.
    const isOld = version.startsWith('v20.');
    const flags = ['--experimental-vm-modules', ...(isOld ? ['--experimental-wasm-relaxed-simd'] : [])];
    const jest = ['node_modules/jest/bin/jest.js', '--config', 'tests/jest.config.js', ...filters];
    done = (await succeeds(run, node, ...flags, ...jest)) && done;
  }
  return done;
}

const page = (run, projects, filters) =>
  succeeds(
    run,
    ...['node_modules/.bin/playwright', 'test', '-c', 'tests/browser/playwright.config.js'],
    ...projects.map((project) => `--project=${project}`),
    ...filters,
  );

/** The report of a suite, and of the second run of its failed tests. */
const reportOf = (name) => path.join(reports, `${name}.xml`);
const secondOf = (name) => path.join(reports, 'second', `${name}.xml`);

/**
 * The tests of a folder of tests/ with Node's runner; a filter is a pattern of their names. In CI those that fail run a second
 * time, as with Playwright; the sum names them.
 */
function folder(name) {
  return async (run, patterns) => {
    const files = readdirSync(inRepo('tests', name), { recursive: true })
      .filter((file) => file.endsWith('.test.js') && !file.includes('node_modules'))
      .map((file) => path.join('tests', name, file));
    const test = (report, names) =>
      succeeds(
        run,
        ...[process.execPath, '--test', `--test-concurrency=${availableParallelism()}`],
        ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
        ...['--test-reporter=junit', `--test-reporter-destination=${report}`],
        ...names.map((pattern) => `--test-name-pattern=${pattern}`),
        ...files,
      );
    const hasPassed = await test(reportOf(name), patterns);
    if (hasPassed || !process.env.CI) return hasPassed;
    const { readReport, readReports } = await import('./test-report.mjs');
    const failed = readReport(reportOf(name)).filter(({ outcome }) => outcome === 'failed');
    // The suite itself was ended, or could not begin.
    if (failed.length === 0) return false;
    mkdirSync(path.dirname(secondOf(name)), { recursive: true });
    // A pattern that may fit more names than one: signs would mean something in it.
    await test(
      secondOf(name),
      failed.map((one) => one.name.replace(/\W/g, '.')),
    );
    const all = readReports(reportOf(name), secondOf(name));
    return all.every(({ outcome }) => outcome !== 'failed');
  };
}

/** Compiles by CMake, which knows itself what is up to date, and then runs a suite. */
const after = (commands, suite) => async (run, filters) => {
  for (const command of commands) if (!(await succeeds(run, ...command))) return false;
  return suite(run, filters);
};
const fuzzers = [
  ['cmake', '--preset', 'fuzz'],
  ['cmake', '--build', '--preset', 'fuzz'],
];
const kernels = [['cmake', '--build', 'build/wasm', '--target', 'bench-kernels']];

const isFull = process.argv.includes('--full');
if (isFull) process.env.MHA_FULL = '1';
const cppTools = ['emscripten', 'native'];

/** By name: the scripts of package.json that build what it needs, the parts of provide.mjs, and how it runs. */
const suites = {
  cpp: {
    builds: [],
    parts: cppTools,
    // cpp-all has all of WebAssembly.
    run: (run, filters) => cpp(run, isAll ? ['sanitize'] : ['sanitize', 'wasm-simd'], filters),
  },
  api: { builds: ['pack', 'models'], parts: isFull ? ['nodes'] : [], run: api },
  page: {
    builds: ['build'],
    parts: ['chromium'],
    run: (run, filters) => page(run, isAlone ? [] : ['page'], filters),
  },
  'cpp-all': {
    builds: ['build'],
    parts: cppTools,
    run: (run) => cpp(run, ['sanitize-threads', 'wasm'], []),
  },
  'page-all': {
    builds: ['build'],
    parts: ['chromium'],
    run: (run) => page(run, ['thorough', 'adverse'], []),
  },
  engines: {
    builds: ['pack', 'build'],
    parts: ['chromium', 'firefox', 'webkit', 'nodes'],
    run: folder('engines'),
  },
  packages: { builds: ['pack', 'build'], parts: ['chromium', 'nodes'], run: folder('packages') },
  hosts: {
    builds: ['pack', 'build'],
    parts: ['chromium', 'sites', 'notebooks', 'tests/hosts'],
    run: folder('hosts'),
  },
  faults: { builds: ['pack', 'build'], parts: ['chromium', 'desktop-chromium'], run: folder('faults') },
  supply: { builds: ['build'], parts: ['emscripten'], run: folder('supply') },
  fuzz: {
    builds: ['build'],
    parts: ['native', 'tests/fuzz'],
    run: after(fuzzers, folder('fuzz')),
  },
  bench: {
    builds: ['pack', 'build'],
    parts: ['emscripten', 'chromium', 'tests/bench'],
    run: after(kernels, folder('bench')),
  },
};
const quick = ['cpp', 'api', 'page'];

const args = process.argv.slice(2).filter((arg) => arg !== '--full');
const isAll = args[0] === '--all';
const [alone, ...filters] = isAll ? [] : args;
const isAlone = alone !== undefined;

/** Prints a line per report and per test that failed at least once; resolves to the totals. A skipped test has failed. */
async function summarize() {
  const { readReports } = await import('./test-report.mjs');
  const total = { passed: 0, failed: 0 };
  console.log('');
  const names = readdirSync(reports).filter((file) => file.endsWith('.xml'));
  for (const name of names.map((file) => path.basename(file, '.xml')).sort()) {
    const tests = readReports(reportOf(name), secondOf(name));
    const passed = tests.filter(({ hasPassed }) => hasPassed).length;
    const failed = tests.length - passed;
    console.log(`${failed ? '✗' : '✓'} ${name.padEnd(24)} ${passed} passed, ${failed} failed`);
    for (const { label, outcome, reason } of tests) {
      if (outcome !== 'passed') console.log(`    ${outcome}: ${label}: ${reason}`);
    }
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

/** Runs a suite; an error in it is a failure. */
async function runSuite(name, stdio) {
  try {
    return await suites[name].run({ env: await provide(...suites[name].parts), stdio }, filters);
  } catch (error) {
    console.error(`\n✗ ${name}: ${error.message}`);
    return false;
  }
}

await main(async () => {
  if (isAlone && !Object.hasOwn(suites, alone)) {
    throw new Problem(`The suite must be one of ${Object.keys(suites).join(', ')}, got ${alone}.`);
  }
  await Promise.all([ensureNodePackages(), provide(...cppTools)]);
  mkdirSync(reports, { recursive: true });
  if (isAlone) {
    for (const name of suites[alone].builds) await runScript(name);
    if (!(await runSuite(alone, 'inherit'))) process.exitCode = 1;
    return;
  }
  rmSync(reports, { recursive: true });
  mkdirSync(reports);
  for (const name of ['build', 'pack']) await runScript(name);
  const failures = [];
  // These use all processors, and cpp-all writes to build/wasm as bench does. The others run in parallel, and print when
  // they end.
  const first = isAll ? [...quick, 'cpp-all'] : quick;
  for (const name of first) if (!(await runSuite(name, 'inherit'))) failures.push(name);
  const others = Object.keys(suites).filter((name) => !first.includes(name));
  await forEachParallel(isAll ? others : [], async (name) => {
    if (!(await runSuite(name, 'pipe'))) failures.push(name);
  });
  const { passed, failed } = await summarize();
  // A suite that ended without a report has failed, too.
  const lost = failures.length > 0 && failed === 0 ? 1 : 0;
  if (failures.length > 0) console.log(`\n✗ ${failures.join(', ')}`);
  console.log(`\n${passed} passed, ${failed + lost} failed`);
  if (failures.length > 0 || failed > 0) process.exitCode = 1;
});
