/**
 * Installs what a command needs and runs the command:
 *
 *   node scripts/bootstrap/provide.mjs emscripten chromium -- <command> <arguments>
 *   eval "$(node scripts/bootstrap/provide.mjs emscripten native)"      sets the variables in a shell
 */
import { spawn } from 'node:child_process';
import { ensureBrowser } from './browser.mjs';
import { ensureFirefox, ensureNodes, ensureWebKit } from './engines.mjs';
import { ensureInstalled } from './install-debian.mjs';
import { findProgram } from './machine.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { main, Problem } from './problem.mjs';
import { ensureToolchain } from './toolchain.mjs';

const cppTools = ['emscripten', 'native'];

/** Each resolves to the environment variables with the paths of what it has installed. */
const providers = {
  chromium: async () => ({ CHROME_PATH: await ensureBrowser() }),
  firefox: async () => ({ FIREFOX_PATH: await ensureFirefox() }),
  webkit: async () => ({ WEBKIT_DRIVER: await ensureWebKit() }),
  nodes: async () => ({ NODE_PATHS: JSON.stringify(await ensureNodes()) }),
  async sites() {
    await ensureInstalled('Hugo', () => findProgram('hugo'), ['hugo']);
    await ensureInstalled('Jekyll', () => findProgram('jekyll'), ['jekyll', 'jekyll-theme-minima']);
    return {};
  },
};

function providerOf(name) {
  if (Object.hasOwn(providers, name)) return providers[name];
  // Such a name stands for the node packages of a folder, such as `tests/bench`.
  if (name.startsWith('tests/')) return () => ensureNodePackages(...name.split('/'));
  const known = [...cppTools, ...Object.keys(providers)].join(', ');
  throw new Problem(`Each part must be one of ${known}, or a folder of tests/, got ${name}.`);
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

await main(async () => {
  const args = process.argv.slice(2);
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const parts = args.slice(0, end);
  const forCpp = parts.filter((part) => cppTools.includes(part));
  const others = parts.filter((part) => !cppTools.includes(part)).map(providerOf);
  const env = forCpp.length > 0 ? await ensureToolchain(...forCpp) : {};
  for (const provider of others) Object.assign(env, await provider());

  const [command, ...rest] = args.slice(end + 1);
  if (command === undefined) {
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
