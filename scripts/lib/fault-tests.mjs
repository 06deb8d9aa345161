import { nodeTests } from './js-tests.mjs';
import { installPackedPackage } from './packed-package.mjs';
import { step } from './progress.mjs';

/** tests/faults: everything that can go wrong around the packed package, in Node and in a real Chromium. */
export async function faultTests(chromePath) {
  await step('Packing the package', installPackedPackage);
  return nodeTests('faults', { CHROME_PATH: chromePath });
}
