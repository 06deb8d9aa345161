/** Starts programs before any node package is there; what runs later takes execa. */
import { spawn } from 'node:child_process';
import { Problem } from './problem.mjs';

/**
 * Runs a program with its input closed and resolves to `{ code, stdout, stderr }`. A program that is not there gives
 * code 127, as a shell does.
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

/** As `attempt`, but a non-zero exit is a `Problem` that carries what the program said. */
export async function run(command, args = [], options = {}) {
  const result = await attempt(command, args, options);
  if (result.code === 0) return result;
  const said = (result.stdout + result.stderr).trim().slice(-8000);
  throw new Problem(`\`${[command, ...args].join(' ').slice(0, 300)}\` ended with ${result.code}.\n${said}`);
}
