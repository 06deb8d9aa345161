import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { attempt } from './run.mjs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo } from './repo.mjs';

/** Whether a folder's packages are installed and not older than its package-lock.json. */
function isCurrent({ wanted, installed, stamp }) {
  const present = statSync(installed, { throwIfNoEntry: false });
  if (!present) return false;
  if (present.mtimeMs >= statSync(wanted).mtimeMs) return true;
  // A checkout can give an unchanged lock file a new time.
  return statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === digest(wanted);
}

const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Installs the packages of a folder's package-lock.json, this repository's own or another's in it, when they are missing or older than it. */
export async function ensureNodePackages(...folder) {
  const files = {
    wanted: inRepo(...folder, 'package-lock.json'),
    // npm writes this file last, so it also tells that an installation was completed.
    installed: inRepo(...folder, 'node_modules', '.package-lock.json'),
    stamp: inRepo(...folder, 'node_modules', '.installed-lock.sha256'),
  };
  if (isCurrent(files)) return;
  if (!findProgram('npm')) throw new Problem('npm is needed, got none. Install it with Node.js 20 or later.');
  const where = folder.length > 0 ? ` in ${folder.join('/')}` : '';
  await step(`Installing node packages${where} (npm ci)`, async () => {
    // Under `npm run --silent` this npm would inherit the silence and not say why it failed.
    const env = { ...process.env, npm_config_loglevel: 'error' };
    // Vite leaves NODE_ENV=production behind in this process, for which npm would leave the tools out.
    // No package here needs its install script, and one that is taken over would run with all that its user may do.
    const command = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
    const install = () => attempt('npm', command, { cwd: inRepo(...folder), env });
    let answer = await install();
    if (answer.code !== 0) answer = await install();
    if (answer.code !== 0) {
      throw new Problem(
        `\`npm ci\`${where} failed twice. Check the network and run the command again.\n${answer.stderr.trim().slice(0, 1500)}`,
      );
    }
    writeFileSync(files.stamp, digest(files.wanted));
  });
}
