/** What tests record with tests/works/record.js. Runs before `npm ci`. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './fresh.mjs';
import { inRepo } from './repo.mjs';

const folder = inRepo('build', 'works');

/** What an earlier run has found says nothing about this one. */
export const forgetResults = () => rmSync(folder, { recursive: true, force: true });

const mark = path.join(folder, 'passed');

/** Says of the results that nothing has failed in the run that has found them. */
export function markPassed() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(mark, '');
}

export const havePassed = () => existsSync(mark);

/** The rows of a table, in their order. */
export const recordedRows = (table) =>
  filesBelow(path.join(folder, table))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .sort((a, b) => a.order - b.order);
