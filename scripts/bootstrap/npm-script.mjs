import { spawn } from 'node:child_process';
import { Problem } from './problem.mjs';
import { repo } from './repo.mjs';

/**
 * Runs a script of package.json with what it depends on. Its output goes to stderr, so that stdout stays free for results.
 * Resolves to whether it succeeded.
 */
export async function attemptScript(name, env = {}) {
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: repo,
    env: { ...process.env, ...env },
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  return (await new Promise((resolve) => child.on('close', resolve))) === 0;
}

/** As `attemptScript`, but a failure, which the script has explained, ends the command. */
export async function runScript(name, env) {
  if (!(await attemptScript(name, env))) throw new Problem(`\`npm run ${name}\` failed.`);
}
