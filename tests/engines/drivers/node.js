import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '../inside/transfer.js';

const inside = fileURLToPath(new URL('../inside/node.js', import.meta.url));

/** A process of another Node version, which computes on request. */
export function launchNode(execPath) {
  const child = fork(inside, [], { execPath, execArgv: [] });
  const ended = once(child, 'exit').then(([code]) => [{ error: `${execPath} ended with ${code}` }]);
  return {
    async call(name, ...args) {
      child.send({ name, text: encode(args) });
      const [{ text, error }] = await Promise.race([once(child, 'message'), ended]);
      if (error) throw new Error(error);
      return decode(text);
    },
    close: () => child.kill(),
  };
}
