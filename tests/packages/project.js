import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

export const consumers = fileURLToPath(new URL('./consumers/', import.meta.url));
const pack = fileURLToPath(new URL('../../build/pack/', import.meta.url));
const LIBRARY = 'multihead-attention';

/** As on a machine where nothing of this repository runs around the project. */
const env = {
  ...process.env,
  CI: '1',
  NO_COLOR: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_ignore_scripts: 'true',
  npm_config_loglevel: 'error',
  // What package-lock.json names has not changed since it was last downloaded.
  npm_config_prefer_offline: 'true',
};
delete env.NODE_ENV;

/** The variables for a project whose package.json needs a later Node than this one: it is one of $NODE_PATHS. */
function envFor({ engines }) {
  const least = Number(/\d+/.exec(engines?.node ?? '0')[0]);
  const majorOf = (file) => Number(/node-(\d+)-/.exec(file)?.[1] ?? 0);
  if (Number.parseInt(process.versions.node) >= least) return env;
  const file = JSON.parse(process.env.NODE_PATHS ?? '[]').find((each) => majorOf(each) >= least);
  assert.ok(file, `Node ${least} is needed, which \`npm run test:packages\` installs`);
  return { ...env, PATH: `${path.dirname(file)}${path.delimiter}${env.PATH}` };
}

const remove = (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** What was installed last, in a project that needs it no more, and the package-lock.json that it was installed from. */
let spare = null;
export async function removeSpare() {
  if (spare) await remove(spare.folder);
  spare = null;
}

const json = async (...file) => JSON.parse(await readFile(path.join(...file), 'utf8'));

/** A separate project in a new folder outside of the repository. */
export class Project {
  #lock;
  #env;

  constructor(folder, settings = {}) {
    this.folder = folder;
    this.#env = envFor(settings);
  }

  /** Of these folders of consumers/, one laid over the other, and the packed package beside them. */
  static async copy(...parts) {
    const [tarball] = await readdir(pack).catch(() => []);
    assert.ok(tarball, 'build/pack must hold the packed package: run `npm run pack` first');
    // Where the temporary folder is a link, tools would report other paths than they are given.
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mha-consumer-')));
    for (const part of parts) await cp(path.join(consumers, part), folder, { recursive: true });
    await copyFile(path.join(pack, tarball), path.join(folder, `${LIBRARY}.tgz`));
    return new Project(folder, await json(folder, 'package.json').catch(() => undefined));
  }

  /** Only these files, in a new folder, as uploaded to a host. */
  async uploaded(files, below = '') {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mha-uploaded-')));
    for (const file of files) {
      await cp(path.join(this.folder, below, file), path.join(folder, file), { recursive: true });
    }
    return new Project(folder);
  }

  /** Installs exactly package-lock.json. */
  async install() {
    const lock = await readFile(path.join(this.folder, 'package-lock.json'), 'utf8');
    if (spare?.lock === lock) {
      await rename(path.join(spare.folder, 'node_modules'), path.join(this.folder, 'node_modules'));
    } else {
      // Two attempts: networks fail, and cached registry data may be old.
      await this.npm('ci').catch(() => this.npm('ci', '--no-prefer-offline', '--prefer-online'));
    }
    await removeSpare();
    this.#lock = lock;
    const installed = await this.installed(LIBRARY);
    const { packages } = await json(this.folder, 'package-lock.json');
    const locked = packages[`node_modules/${LIBRARY}`].dependencies;
    assert.deepEqual(locked, installed.dependencies, 'run `node tests/packages/renew-locks.js`');
  }

  /** package.json of an installed package. */
  installed(name) {
    return json(this.folder, 'node_modules', name, 'package.json');
  }

  npm(...args) {
    return execa('npm', args, {
      cwd: this.folder,
      env: this.#env,
      extendEnv: false,
      stdin: 'ignore',
      timeout: 600_000,
    });
  }

  /** What Node prints that runs a file of the project. */
  async node(...args) {
    const options = { cwd: this.folder, env, extendEnv: false, stdin: 'ignore', timeout: 300_000 };
    return (await execa(process.execPath, args, options)).stdout;
  }

  /** Runs a server script of package.json, with more `settings` in its environment, and waits for its address. */
  async serve(script, args = [], settings = {}) {
    // A separate process group: npm does not forward signals.
    const server = spawn('npm', ['run', script, '--', ...args], {
      cwd: this.folder,
      env: { ...this.#env, ...settings },
      detached: true,
    });
    const closed = once(server, 'close');
    const kill = () => {
      try {
        process.kill(-server.pid);
      } catch (error) {
        // It has ended by itself.
        if (error.code !== 'ESRCH') throw error;
      }
    };
    process.once('exit', kill);
    const forget = () => process.off('exit', kill);
    closed.then(forget, forget);
    let said = '';
    let limit;
    const url = new Promise((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          said += text;
          const [found] = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(said) ?? [];
          if (found) resolve(found);
        });
      }
      const fail = (how) => reject(new Error(`\`npm run ${script}\` ${how}:\n${said}`));
      closed.then(() => fail('ended before it served'), reject);
      limit = setTimeout(fail, 120_000, 'has not said within two minutes where it serves');
    });
    try {
      return {
        url: await url,
        async close() {
          kill();
          await closed;
        },
      };
    } catch (error) {
      kill();
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  /** Keeps node_modules for the next project with the same package-lock.json. */
  async handOver() {
    const folder = await mkdtemp(path.join(tmpdir(), 'mha-spare-'));
    await rename(path.join(this.folder, 'node_modules'), path.join(folder, 'node_modules'));
    spare = { lock: this.#lock, folder };
  }

  remove() {
    return remove(this.folder);
  }
}
