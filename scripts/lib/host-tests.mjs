import { nodeTests } from './js-tests.mjs';
import { findProgram, isRoot } from './machine.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { attempt } from './run.mjs';

/** Programs that build the sites, and Debian's packages of them. */
const generators = { hugo: ['hugo'], jekyll: ['jekyll', 'jekyll-theme-minima'] };

async function ensureGenerators() {
  const missing = Object.keys(generators).filter((name) => !findProgram(name));
  if (missing.length === 0) return;
  const packages = missing.flatMap((name) => generators[name]);
  let said = '';
  if (isRoot() && findProgram('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await step(`Installing ${missing.join(' and ')} (apt-get install ${packages.join(' ')})`, async () => {
      await attempt('apt-get', ['update'], { env });
      const install = ['install', '--yes', '--no-install-recommends', ...packages];
      said = (await attempt('apt-get', install, { env })).stderr.trim();
    });
  }
  const absent = missing.filter((name) => !findProgram(name));
  if (absent.length > 0) {
    throw new Problem(
      `${absent.join(' and ')} must be there to build the sites of tests/hosts, and could not be installed. Install ` +
        `${packages.join(', ')} with your package manager and run the command again.\n${said}`.trim(),
    );
  }
}

/** tests/hosts: sites that are built with other programs and shown in a real Chromium. */
export async function hostTests(chromePath) {
  await ensureGenerators();
  await ensureNodePackages('tests', 'hosts');
  return nodeTests('hosts', { CHROME_PATH: chromePath });
}
