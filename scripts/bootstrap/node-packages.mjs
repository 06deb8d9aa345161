import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo } from './repo.mjs';
import { attemptTwice } from './run.mjs';

/** Whether a folder's packages are installed and not older than its package-lock.json. */
function isCurrent({ wanted, installed, stamp }) {
  const present = statSync(installed, { throwIfNoEntry: false });
  if (!present) return false;
  if (present.mtimeMs >= statSync(wanted).mtimeMs) return true;
  // Contents are compared, because a checkout can change the time of an unchanged lock file.
  return statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === digest(wanted);
}

const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Installs the packages of a folder's package-lock.json (by default the repository's) if missing or outdated. */
export async function ensureNodePackages(...folder) {
  const files = {
    wanted: inRepo(...folder, 'package-lock.json'),
    // npm writes this file last: it also marks a completed installation.
    installed: inRepo(...folder, 'node_modules', '.package-lock.json'),
    stamp: inRepo(...folder, 'node_modules', '.installed-lock.sha256'),
  };
  if (isCurrent(files)) return;
  if (!findProgram('npm')) throw new Problem('npm is needed, got none. Install it with Node.js 20 or later.');
  const where = folder.length > 0 ? ` in ${folder.join('/')}` : '';
  await step(`Installing node packages${where} (npm ci)`, async () => {
    // Under `npm run --silent` this npm would be silent, too, and not explain a failure.
    const env = { ...process.env, npm_config_loglevel: 'error' };
    // --include=dev: Vite sets NODE_ENV=production in this process, with which npm skips devDependencies.
    // --ignore-scripts: no package needs its install script, and that of a hijacked package would run as the user.
    const command = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
    const { code, stderr } = await attemptTwice('npm', command, { cwd: inRepo(...folder), env });
    if (code !== 0) {
      throw new Problem(
        `\`npm ci\`${where} failed twice. Check the network and run the command again.\n${stderr.trim().slice(0, 1500)}`,
      );
    }
    writeFileSync(files.stamp, digest(files.wanted));
  });
}
