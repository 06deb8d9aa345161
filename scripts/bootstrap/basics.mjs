/** What all scripts use. It runs before `npm ci`, so it imports only Node's own modules. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the repository's top folder. */
export const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Returns the absolute path of something inside the repository. */
export const inRepo = (...parts) => path.join(repo, ...parts);

/** The folder that holds everything that is downloaded; it can be deleted at any time. */
export const toolchainFolder = inRepo('.toolchain');

/** An error that the user can fix: only its message is printed, without a stack. */
export class Problem extends Error {
  name = 'Problem';
}

/** Runs the body of an entry script; an error becomes a message and exit code 1. */
export async function main(body) {
  try {
    if (Number.parseInt(process.versions.node, 10) < 20) {
      throw new Problem(`Node.js 20 or later is needed, got ${process.versions.node}.`);
    }
    await body();
  } catch (error) {
    console.error(`\n✗ ${error instanceof Problem ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}

/** Runs a step and prints its name and duration on stderr, so that stdout has only results. */
export async function step(label, work) {
  const started = performance.now();
  console.error(`• ${label} …`);
  const result = await work();
  console.error(`✓ ${label} · ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/**
 * Runs a program with its input closed; resolves to `{ code, stdout, stderr }`. A missing program gives code 127, as in a
 * shell.
 */
export function attempt(command, args = [], { cwd, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => (output[stream] += text));
    }
    child.on('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? `signal ${signal}`, ...output }));
  });
}

/** Runs a script of package.json, with its output on stderr, so that stdout has only results. */
export async function runScript(name) {
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: repo,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Problem(`\`npm run ${name}\` failed.`);
}

/** Runs `work` on every item, as many at a time as there are processors. */
export async function forEachParallel(items, work) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** Returns the absolute path of the first of these programs on PATH, or undefined. */
export function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}
