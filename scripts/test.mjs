/**
 * `npm test` runs the quick suites, `npm run test:all` (`--all`) all of them, `-- --full` the long form of those that have
 * one. Installs what is missing, runs the suites as scripts of package.json, and sums up their JUnit reports.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ensureBrowser } from './bootstrap/browser.mjs';
import { ensureNodePackages } from './bootstrap/node-packages.mjs';
import { attemptScript, runScript } from './bootstrap/npm-script.mjs';
import { main } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';
import { ensureToolchain } from './bootstrap/toolchain.mjs';

const reports = inRepo('build', 'test-reports');
const all = process.argv.includes('--all');

/** Returns the counts of one report: `{ passed, failed }`. A skipped test counts as failed. */
function countsOf(file, parser) {
  const counts = { passed: 0, failed: 0 };
  const visit = (node) => {
    for (const [name, value] of Object.entries(node)) {
      const elements = [value].flat().filter((element) => typeof element === 'object');
      if (name !== 'testcase') elements.forEach(visit);
      else for (const element of elements) ++counts[isPassed(element) ? 'passed' : 'failed'];
    }
  };
  visit(parser.parse(readFileSync(file)));
  return counts;
}

const isPassed = (testcase) =>
  ['failure', 'error', 'skipped'].every((tag) => testcase[tag] === undefined) &&
  !['fail', 'disabled', 'notrun'].includes(testcase.status);

/** Prints a line per suite; resolves to the totals. */
async function summarize() {
  const { XMLParser } = await import('fast-xml-parser');
  // alwaysCreateTextNode: elements without children become objects, too.
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    alwaysCreateTextNode: true,
  });
  const total = { passed: 0, failed: 0 };
  console.log('');
  for (const name of readdirSync(reports).sort()) {
    const { passed, failed } = countsOf(`${reports}/${name}`, parser);
    console.log(
      `${failed ? '✗' : '✓'} ${name.replace('.xml', '').padEnd(24)} ${passed} passed, ${failed} failed`,
    );
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

await main(async () => {
  if (process.argv.includes('--full')) process.env.MHA_FULL = '1';
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  await Promise.all([ensureNodePackages().then(ensureBrowser), ensureToolchain('emscripten', 'native')]);
  await runScript('build');
  // Each of the quick suites uses all processors; the others run in parallel.
  const anyway = { WIREIT_FAILURES: 'continue' };
  let done = await attemptScript('test:quick', { ...anyway, WIREIT_PARALLEL: '1' });
  if (all) {
    const lanes = String(availableParallelism());
    done = (await attemptScript('test:more', { ...anyway, WIREIT_PARALLEL: lanes })) && done;
  }
  const { passed, failed } = await summarize();
  // A suite that ended without a report has failed, too.
  const lost = done || failed > 0 ? 0 : 1;
  console.log(`\n${passed} passed, ${failed + lost} failed`);
  if (!done || failed > 0) process.exitCode = 1;
});
