import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { attempt } from './run.mjs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo, repo } from './repo.mjs';

const wanted = inRepo('package-lock.json');
/** npm writes this file last, so it also tells that an installation was completed. */
const installed = inRepo('node_modules', '.package-lock.json');
const stamp = inRepo('node_modules', '.installed-lock.sha256');

const digest = () => createHash('sha256').update(readFileSync(wanted)).digest('hex');

function isCurrent() {
  const present = statSync(installed, { throwIfNoEntry: false });
  if (!present) return false;
  if (present.mtimeMs >= statSync(wanted).mtimeMs) return true;
  // A checkout can give an unchanged lock file a new time.
  return statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === digest();
}

/** Installs the packages of package-lock.json when they are missing or older than it. */
export async function ensureNodePackages() {
  if (isCurrent()) return;
  if (!findProgram('npm')) throw new Problem('npm is needed, got none. Install it with Node.js 20 or later.');
  await step('Installing node packages (npm ci)', async () => {
    // Under `npm run --silent` this npm would inherit the silence and not say why it failed.
    const env = { ...process.env, npm_config_loglevel: 'error' };
    const install = () => attempt('npm', ['ci', '--no-audit', '--no-fund'], { cwd: repo, env });
    let answer = await install();
    if (answer.code !== 0) answer = await install();
    if (answer.code !== 0) {
      throw new Problem(
        `\`npm ci\` failed twice. Check the network and run the command again.\n${answer.stderr.trim().slice(0, 1500)}`,
      );
    }
    writeFileSync(stamp, digest());
  });
}
