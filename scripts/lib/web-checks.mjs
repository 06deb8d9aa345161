import { existsSync } from 'node:fs';
import { compileTypeScript } from './dist.mjs';
import { inRepo, repo } from './repo.mjs';
import { run } from './run.mjs';

/** Runs a program of an installed node package, by the file that its package.json names. */
const runNodeTool = (file, args) =>
  run(process.execPath, [inRepo('node_modules', ...file), ...args], { cwd: repo });

/** Strict types in the package and, against its built declarations, in the page. */
export async function checkTypes() {
  await compileTypeScript();
  const page = inRepo('web', 'tutorial', 'tsconfig.json');
  if (existsSync(page)) await runNodeTool(['typescript', 'bin', 'tsc'], ['--noEmit', '-p', page]);
}

export const eslint = () => runNodeTool(['eslint', 'bin', 'eslint.js'], ['--max-warnings', '0', '.']);

/**
 * Writes build/reference. A public name without a docstring or a link that leads nowhere is an error, as
 * typedoc.json says.
 */
export const writeReference = () => runNodeTool(['typedoc', 'bin', 'typedoc'], ['--logLevel', 'Warn']);

/** Formats all that Prettier knows, or with `check` fails where a file is not formatted. */
export const prettier = ({ check }) =>
  runNodeTool(
    ['prettier', 'bin', 'prettier.cjs'],
    [check ? '--check' : '--write', '--log-level', 'warn', '.'],
  );
