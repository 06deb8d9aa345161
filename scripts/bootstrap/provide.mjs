/**
 * Installs what a command needs and runs the command:
 *
 *   node scripts/bootstrap/provide.mjs emscripten chromium -- <command> <arguments>
 *   eval "$(node scripts/bootstrap/provide.mjs emscripten native)"      sets the variables in a shell
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, findProgram, inRepo, main, Problem, runScript, step, toolchainFolder } from './basics.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** Whether a folder has the packages of its package-lock.json and no others; of the optional ones each platform has some. */
function hasNodePackages(folder) {
  // npm writes this file last: it also marks a completed installation.
  const list = inRepo(...folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesOf(list);
  const locked = packagesOf(inRepo(...folder, 'package-lock.json'));
  // The folder itself.
  delete locked[''];
  const isCurrent = ([name, { version, integrity, optional }]) =>
    Object.hasOwn(installed, name)
      ? installed[name].version === version && installed[name].integrity === integrity
      : optional === true;
  return (
    Object.entries(locked).every(isCurrent) &&
    Object.keys(installed).every((name) => Object.hasOwn(locked, name))
  );
}

/** Installs the packages of a folder's package-lock.json (by default the repository's) if missing or outdated. */
export async function ensureNodePackages(...folder) {
  if (hasNodePackages(folder)) return;
  if (!findProgram('npm')) throw new Problem('npm is needed, got none. Install it with Node.js 20 or later.');
  const where = folder.length > 0 ? ` in ${folder.join('/')}` : '';
  await step(`Installing node packages${where} (npm ci)`, async () => {
    // Under `npm run --silent` this npm would be silent, too, and not explain a failure.
    const env = { ...process.env, npm_config_loglevel: 'error' };
    // --include=dev: Vite sets NODE_ENV=production in this process, with which npm skips devDependencies.
    // --ignore-scripts: no package needs its install script, and that of a hijacked package would run as the user.
    const command = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
    const { code, stderr } = await attempt('npm', command, { cwd: inRepo(...folder), env });
    if (code !== 0) {
      throw new Problem(
        `\`npm ci\`${where} failed. Check the network and run the command again.\n${stderr.trim().slice(0, 1500)}`,
      );
    }
  });
}

/** Returns the result of `find`, or of a second `find` after installing these Debian packages, which needs root. */
async function ensureInstalled(name, find, ...packages) {
  const isRoot = process.getuid?.() === 0;
  if (!find() && isRoot && findProgram('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // apt waits for its lock, because another test suite may be installing at the same time.
    const install = [
      'install',
      '--yes',
      '--no-install-recommends',
      '-o',
      'DPkg::Lock::Timeout=600',
      ...packages,
    ];
    await step(`Installing ${name} (apt-get install ${packages.join(' ')})`, async () => {
      await attempt('apt-get', ['update'], { env });
      const { code, stderr } = await attempt('apt-get', install, { env });
      if (code !== 0) process.stderr.write(stderr);
    });
  }
  return find();
}

/** A program that an environment variable names, else an installed one. */
async function programOf(variable, find, name, ...packages) {
  const file = process.env[variable] || (await ensureInstalled(name, find, ...packages));
  if (file && existsSync(file)) return { [variable]: file };
  throw new Problem(
    `${name} is needed for these tests, got ${file ?? 'none'}. Install Debian's ${packages.join(' and ')}, or what holds ` +
      `the same on your system, or set $${variable}, and run the command again.`,
  );
}

/** A Chromium with windows. */
function findDesktopChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
  const applications = ['Chromium', 'Google Chrome'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  return findProgram(...names) ?? applications.find((file) => existsSync(file));
}

/** Chromium, if need be Playwright's own, downloaded into the repository. Needs node packages. */
async function ensureChromium() {
  process.env.PLAYWRIGHT_BROWSERS_PATH ??= path.join(toolchainFolder, 'browsers');
  const { chromium } = await import('playwright-core');
  const shell = 'chromium-headless-shell';
  // The shell comes first: in it a page takes two thirds of the time.
  const find = () =>
    findProgram(shell) ??
    findDesktopChromium() ??
    [chromium.executablePath()].find((file) => existsSync(file));
  if (!process.env.CHROME_PATH && !(await ensureInstalled('Chromium', find, shell))) {
    const cli = inRepo('node_modules', 'playwright-core', 'cli.js');
    await step("Downloading Playwright's Chromium", () =>
      attempt(process.execPath, [cli, 'install', 'chromium']),
    );
  }
  return programOf('CHROME_PATH', find, 'Chromium', shell);
}

/** Each resolves to environment variables with the paths of what it has installed. */
const providers = {
  chromium: ensureChromium,
  /** The shell hides no tab, and restores no page that was left. */
  'desktop-chromium': () =>
    programOf('DESKTOP_CHROME_PATH', findDesktopChromium, 'Chromium with windows', 'chromium'),
  firefox: () =>
    programOf('FIREFOX_PATH', () => findProgram('firefox-esr', 'firefox'), 'Firefox', 'firefox-esr'),
  // WebKitGTK has no headless mode, so Xvfb is needed.
  async webkit() {
    const find = () => findProgram('Xvfb') && findProgram('WebKitWebDriver');
    return programOf('WEBKIT_DRIVER', find, 'WebKitGTK', 'webkit2gtk-driver', 'xvfb');
  },
  async sites() {
    const find = () => findProgram('jekyll');
    return {
      ...(await programOf('HUGO', () => findProgram('hugo'), 'Hugo', 'hugo')),
      ...(await programOf('JEKYLL', find, 'Jekyll', 'jekyll', 'jekyll-theme-minima')),
      ...(await programOf('SPHINX', () => findProgram('sphinx-build'), 'Sphinx', 'python3-sphinx')),
      ...(await programOf('MKDOCS', () => findProgram('mkdocs'), 'MkDocs', 'mkdocs')),
    };
  },
  /** Debian's own Python: another that is first on PATH does not see Debian's packages. */
  async notebooks() {
    const python = '/usr/bin/python3';
    const find = () =>
      spawnSync(python, ['-c', 'import ipykernel, nbconvert, numpy'], { stdio: 'ignore' }).status === 0
        ? python
        : undefined;
    const packages = ['python3-nbconvert', 'python3-ipykernel', 'python3-numpy'];
    return programOf('NOTEBOOK_PYTHON', find, 'Jupyter', ...packages);
  },
  /** The running Node.js and the versions in tests/engines/package.json, as a JSON array of paths. */
  async nodes() {
    await ensureNodePackages('tests', 'engines');
    const folder = inRepo('tests', 'engines', 'node_modules');
    const program = process.platform === 'win32' ? 'node.exe' : path.join('bin', 'node');
    const installed = readdirSync(folder).filter((name) => name.startsWith('node-'));
    const files = installed.map((name) => path.join(folder, name, program));
    return { NODE_PATHS: JSON.stringify([process.execPath, ...files]) };
  },
};

/** Installs parts: `emscripten`, `native`, those above, or `tests/…`, which stands for the node packages of a folder. */
export async function provide(...parts) {
  const isForCpp = (part) => part === 'emscripten' || part === 'native';
  const env = parts.some(isForCpp) ? await ensureToolchain(...parts.filter(isForCpp)) : {};
  for (const part of parts.filter((name) => !isForCpp(name))) {
    if (part.startsWith('tests/')) await ensureNodePackages(...part.split('/'));
    else if (Object.hasOwn(providers, part)) Object.assign(env, await providers[part]());
    else throw new Problem(`There is no part ${part}.`);
  }
  return env;
}

/** Installs what a build needs, and builds what has changed of the page and all that it uses. */
export async function buildPage() {
  await Promise.all([ensureNodePackages(), ensureToolchain('emscripten')]);
  await runScript('build:page');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const args = process.argv.slice(2);
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const env = await provide(...args.slice(0, end));
    const [command, ...rest] = args.slice(end + 1);
    if (command === undefined) {
      const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
      for (const [name, value] of Object.entries(env)) console.log(`export ${name}=${quoted(value)}`);
      return;
    }
    const child = spawn(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    process.exitCode = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
  });
}
