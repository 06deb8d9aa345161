/** The folder above is a consumer of the packed package: what runs there runs as at a user's. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const consumer = fileURLToPath(new URL('..', import.meta.url));

/** Absolute path of a file of the packed package. */
export const inPackage = (file) => `${consumer}node_modules/multihead-attention/${file}`;

/** The JavaScript examples in a Markdown text. */
export const jsBlocks = (text) => Array.from(text.matchAll(/^```js\n(.*?)^```/gms), ([, code]) => code);

/** Milliseconds that starting Node may take on a busy machine. */
export const limit = 60_000;

/** What `code` prints when Node runs it as a module beside the packed package; rejects when it takes `timeout` ms. */
export async function runBesidePackage(code, timeout = 0) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: consumer,
    timeout,
  });
  return stdout;
}
