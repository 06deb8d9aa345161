import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureNodePackages } from './node-packages.mjs';
import { Problem } from './problem.mjs';
import { inRepo, repo } from './repo.mjs';
import { ensureToolchain } from './toolchain.mjs';

/**
 * Runs a script of package.json; resolves to whether it succeeded. Its output goes to stderr, so that stdout has only
 * results.
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

/** Like `attemptScript`, but a failure throws a `Problem`. */
export async function runScript(name, env) {
  if (!(await attemptScript(name, env))) throw new Problem(`\`npm run ${name}\` failed.`);
}

/** Installs all that is missing and builds the package and the page. @param script without models: `build:site` */
export async function buildPage(script = 'build:page') {
  const isFirst = !existsSync(inRepo('dist', 'index.js'));
  // In a fresh clone TypeScript is compiled while the toolchain is unpacked.
  const compiled = ensureNodePackages().then(() => isFirst && runScript('build:ts'));
  await Promise.all([compiled, ensureToolchain('emscripten')]);
  await runScript(script);
}
