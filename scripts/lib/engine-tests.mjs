import { ensureFirefox, ensureNode, ensureWebKit, nodeVersions } from './engines.mjs';
import { jestTests, nodeTests } from './js-tests.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { installPackedPackage } from './packed-package.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo } from './repo.mjs';
import { run } from './run.mjs';

/** Paths of all versions of Node.js, one after the other: they share npm's cache. */
async function ensureNodes() {
  const nodes = [];
  for (const version of nodeVersions) nodes.push(await ensureNode(version));
  return nodes;
}

/** tests/engines: the same checks in Chromium, Firefox, WebKit and every version of Node.js. */
export async function engineTests(chromePath) {
  await ensureNodePackages('tests', 'engines');
  const environment = { CHROME_PATH: chromePath };
  let missing = 0;
  const find = async (variable, ensure) => {
    try {
      environment[variable] = await ensure();
    } catch (error) {
      // The others are asked all the same.
      console.error(`✗ ${error instanceof Problem ? error.message : error.stack}`);
      ++missing;
    }
  };
  await find('FIREFOX_PATH', ensureFirefox);
  await find('WEBKIT_DRIVER', ensureWebKit);
  await find('NODE_PATHS', async () => JSON.stringify(await ensureNodes()));
  await step('Packing the package', installPackedPackage);
  const { passed, failed } = await nodeTests('engines', environment);
  return { passed, failed: failed + missing };
}

/** The flags that let this Node.js run the relaxed build. */
async function flagsOf(node) {
  const module = inRepo('scripts', 'lib', 'relaxed-simd.mjs');
  const source = `import { relaxedSimdFlags } from ${JSON.stringify(module)}; console.log(JSON.stringify(relaxedSimdFlags));`;
  const { stdout } = await run(node, ['--input-type=module', '--eval', source]);
  return JSON.parse(stdout);
}

/** tests/js on the versions of Node.js that are not the running one. */
export async function nodeVersionTests() {
  await step('Packing the package', installPackedPackage);
  const counts = { passed: 0, failed: 0 };
  for (const node of await ensureNodes()) {
    if (node === process.execPath) continue;
    const { passed, failed } = await jestTests(node, await flagsOf(node));
    counts.passed += passed;
    counts.failed += failed;
  }
  return counts;
}
