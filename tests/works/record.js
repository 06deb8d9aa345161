/** What tests find out for the tables of docs/works.md. Imports nothing that `npm ci` brings. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const found = fileURLToPath(new URL('../../build/works/', import.meta.url));
const mark = path.join(found, 'passed');

/**
 * Records a test's result for the tables that `npm run works:report` writes into docs/works.md. Call it as the last line
 * of the test, so that only passed tests are recorded.
 *
 * - `consumers`: `{ order, name, version, checks, difference }`, `checks` of `install types import build dev server
 *   browser`, `difference` the largest of any weight from NumPy's
 * - `hosts`: `{ order, name, version, difference }`
 * - `engines`: `{ order, name, version, build, threads, difference, elements }`, `elements` the number of tags drawn
 * - `faults`: `{ order, name, where, tried, survived, note }`
 * - `fuzz`: `{ order, name, tried, survived, note }`
 *
 * Texts for readers (`name`, `where`, `note`) are strings, or `{ en, ko }` where the languages differ.
 */
export function record(table, id, row) {
  mkdirSync(path.join(found, table), { recursive: true });
  writeFileSync(path.join(found, table, `${id}.json`), `${JSON.stringify({ id, ...row }, null, 2)}\n`);
}

/** Deletes the results of earlier runs, before a whole test run. */
export const forgetResults = () => rmSync(found, { recursive: true, force: true });

/** After a whole test run: nothing in it has failed. */
export function markPassed() {
  mkdirSync(found, { recursive: true });
  writeFileSync(mark, '');
}

/** The rows of a table in their order, found by a whole test run without a failure. */
export function recordedRows(table) {
  const folder = path.join(found, table);
  if (!existsSync(mark) || !existsSync(folder)) {
    throw new Error(
      'The tables show what a whole test run without a failure has found: run `npm run test:all` first, until all passes.',
    );
  }
  return readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')))
    .sort((a, b) => a.order - b.order);
}
