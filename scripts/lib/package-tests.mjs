import { nodeTests } from './js-tests.mjs';
import { packPackage } from './packed-package.mjs';
import { step } from './progress.mjs';

/** tests/packages: projects that install the packed package, are built, served and opened in Chromium. */
export async function packageTests(chromePath) {
  const { tarball } = await step('Packing the package', packPackage);
  return nodeTests('packages', { CHROME_PATH: chromePath, MHA_TARBALL: tarball });
}
