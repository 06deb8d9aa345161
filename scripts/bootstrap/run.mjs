/** Runs programs without node packages; scripts that run after `npm ci` use execa. */
import { spawn } from 'node:child_process';
import { Problem } from './problem.mjs';

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

/** Like `attempt`, but tries a second time after a failure: for downloads. */
export async function attemptTwice(...call) {
  const first = await attempt(...call);
  return first.code === 0 ? first : attempt(...call);
}

/** Like `attempt`, but a non-zero exit throws a `Problem` with the program's output. */
export async function run(command, args = [], options = {}) {
  const result = await attempt(command, args, options);
  if (result.code === 0) return result;
  const output = (result.stdout + result.stderr).trim().slice(-8000);
  throw new Problem(
    `\`${[command, ...args].join(' ').slice(0, 300)}\` ended with ${result.code}.\n${output}`,
  );
}
