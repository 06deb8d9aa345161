import { spawn } from 'node:child_process';
import { Problem } from './problem.mjs';

/**
 * Runs a program with its input closed and resolves to `{ code, stdout, stderr }`.
 * `show` passes its output on to the terminal as it comes, `true` all of it, `'stdout'` or `'stderr'` that
 * stream; it is collected either way.
 * A program that is not there gives code 127, as a shell does; one that takes longer than `limitMinutes` is
 * ended.
 */
export function attempt(
  command,
  args = [],
  { cwd, env = process.env, show = false, limitMinutes, onSpawn } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
        if (show === true || show === stream) process[stream].write(text);
      });
    }
    const limit = limitMinutes && setTimeout(() => child.kill(), limitMinutes * 60_000);
    child.on('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code: code ?? `signal ${signal}`, ...output });
    });
    onSpawn?.(child);
  });
}

/** As `attempt`, but a non-zero exit is a `Problem` that carries what the program said. */
export async function run(command, args = [], options = {}) {
  const result = await attempt(command, args, options);
  if (result.code === 0) return result;
  const said = options.show ? '' : `\n${(result.stdout + result.stderr).trim().slice(-8000)}`;
  throw new Problem(`\`${[command, ...args].join(' ').slice(0, 300)}\` ended with ${result.code}.${said}`);
}
