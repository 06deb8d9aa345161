import { existsSync } from 'node:fs';
import path from 'node:path';
import { installDebian } from './install-debian.mjs';
import { findProgram } from './machine.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo, toolchainFolder } from './repo.mjs';
import { attempt } from './run.mjs';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

const installed = () => findProgram(...programs) ?? macApplications.find((file) => existsSync(file));

/** Installs Debian's Chromium system-wide. */
const installWithApt = async () => ((await installDebian('Chromium', 'chromium')) ? installed() : undefined);

/** Downloads Playwright's own Chromium into the repository. */
async function downloadWithPlaywright() {
  process.env.PLAYWRIGHT_BROWSERS_PATH ??= path.join(toolchainFolder, 'browsers');
  const { chromium } = await import('playwright-core');
  const file = chromium.executablePath();
  if (existsSync(file)) return file;
  const cli = inRepo('node_modules', 'playwright-core', 'cli.js');
  return step("Downloading Playwright's Chromium", async () => {
    const { code, stderr } = await attempt(process.execPath, [cli, 'install', 'chromium']);
    if (code !== 0) process.stderr.write(stderr);
    return existsSync(file) ? file : undefined;
  });
}

/** Finds a Chromium that starts: $CHROME_PATH, else an installed one, else a downloaded one. Needs node packages. */
export async function ensureBrowser() {
  const named = process.env.CHROME_PATH;
  if (named && !existsSync(named)) throw new Problem(`$CHROME_PATH must name a browser, got ${named}`);
  const file = named ?? installed() ?? (await installWithApt()) ?? (await downloadWithPlaywright());
  if (!file) {
    throw new Problem(
      'A Chromium is needed for the browser tests, and none could be installed. Install chromium or ' +
        'google-chrome with your package manager, or set $CHROME_PATH, and run the command again.',
    );
  }
  const { code, stdout, stderr } = await attempt(file, ['--version', '--no-sandbox']);
  if (code !== 0) {
    throw new Problem(
      `${file} does not start: ${(stderr || stdout).trim()}\nInstall chromium or google-chrome with your ` +
        'package manager, or set $CHROME_PATH, and run the command again.',
    );
  }
  return file;
}
