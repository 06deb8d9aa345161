import { findProgram, isRoot } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { attempt } from './run.mjs';

/**
 * Installs Debian packages system-wide, only as root. Resolves to whether it succeeded; errors go to stderr.
 */
export async function installDebian(name, ...packages) {
  if (!isRoot() || !findProgram('apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // apt waits for its lock, because another test suite may be installing at the same time.
  const waiting = ['-o', 'DPkg::Lock::Timeout=600'];
  return step(`Installing ${name} (apt-get install ${packages.join(' ')})`, async (show) => {
    const succeeds = async (...args) => {
      const { code, stderr } = await attempt('apt-get', args, { env });
      if (code !== 0) process.stderr.write(stderr);
      return code === 0;
    };
    const install = async () => {
      show('reading package lists');
      await succeeds('update');
      show('downloading and installing');
      return succeeds('install', '--yes', '--no-install-recommends', ...waiting, ...packages);
    };
    // The second attempt is for network failures.
    return (await install()) || install();
  });
}

/** Returns the result of `find`, or of a second `find` after installing these packages. */
export async function ensureInstalled(name, find, packages) {
  const found = find() ?? ((await installDebian(name, ...packages)) ? find() : undefined);
  if (found) return found;
  throw new Problem(
    `${name} is needed for these tests, got none. Install Debian's ${packages.join(' and ')}, or what holds the same ` +
      'on your system, and run the command again.',
  );
}
