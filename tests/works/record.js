import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const found = fileURLToPath(new URL('../../build/works/', import.meta.url));

/**
 * Keeps what a test has found, for the tables that `npm run works:report` writes into the READMEs. Call it as the
 * last line of the test: what is not kept has not been shown to work.
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
