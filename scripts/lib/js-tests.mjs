import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './fresh.mjs';
import { installPackedPackage } from './packed-package.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { relaxedSimdFlags } from './relaxed-simd.mjs';
import { inRepo, repo } from './repo.mjs';
import { attempt } from './run.mjs';

/** A test that waits for ever must not make the run wait for ever. */
const limitMinutes = 30;

/**
 * tests/js on the packed package, in a Node.js with its flags. Pending tests count as failed: a test that did not run
 * shows nothing.
 */
export async function jestTests(node, flags) {
  const report = inRepo('build', 'test-reports', 'jest.json');
  mkdirSync(path.dirname(report), { recursive: true });
  rmSync(report, { force: true });
  await attempt(
    node,
    [
      ...['--experimental-vm-modules', ...flags],
      inRepo('node_modules', 'jest', 'bin', 'jest.js'),
      ...['--config', inRepo('tests', 'jest.config.js'), '--json', `--outputFile=${report}`],
    ],
    // Jest's readable report goes to stderr; stdout repeats the JSON.
    { cwd: repo, show: 'stderr', limitMinutes },
  );
  if (!existsSync(report)) throw new Problem('Jest ended without a report.');
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const { numPassedTests, numTotalTests, numRuntimeErrorTestSuites } = results;
  const failed = numTotalTests - numPassedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: Math.max(failed, results.success ? 0 : 1) };
}

/** tests/js in the running Node.js. */
export async function apiTests() {
  await step('Packing the package', installPackedPackage);
  return jestTests(process.execPath, relaxedSimdFlags);
}

/** Node's own runner on the `*.test.js` below a folder of tests/. Skipped tests count as failed. */
export async function nodeTests(folder, env = {}) {
  const files = filesBelow(inRepo('tests', folder)).filter((file) => /\.test\.m?js$/.test(file));
  if (files.length === 0) throw new Problem(`tests/${folder} holds no *.test.js.`);
  const { code, stdout } = await attempt(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    cwd: repo,
    env: { ...process.env, ...env },
    show: true,
    limitMinutes,
  });
  const count = (key) => Number(new RegExp(`^.*ℹ ${key} (\\d+)`, 'm').exec(stdout)?.[1] ?? 0);
  if (count('tests') === 0) {
    throw new Problem(`The tests in tests/${folder} ended with ${code} before their last.`);
  }
  const failed = count('tests') - count('pass');
  return { passed: count('pass'), failed: Math.max(failed, code === 0 ? 0 : 1) };
}

/** tests/browser, which drive a real Chromium. */
export const browserTests = (chromePath) => nodeTests('browser', { CHROME_PATH: chromePath });
