import { ensureInstalled } from './install-debian.mjs';
import { nodeTests } from './js-tests.mjs';
import { findProgram } from './machine.mjs';
import { ensureNodePackages } from './node-packages.mjs';

/** tests/hosts: sites that are built with other programs and shown in a real Chromium. */
export async function hostTests(chromePath) {
  await ensureInstalled('Hugo', () => findProgram('hugo'), ['hugo']);
  await ensureInstalled('Jekyll', () => findProgram('jekyll'), ['jekyll', 'jekyll-theme-minima']);
  await ensureNodePackages('tests', 'hosts');
  return nodeTests('hosts', { CHROME_PATH: chromePath });
}
