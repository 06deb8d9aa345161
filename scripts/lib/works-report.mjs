/** What tests found to work, from a test run into the repository: the tables of the READMEs. */
import { readFileSync } from 'node:fs';
import { formatted } from './formatted.mjs';
import { withBlock } from './marked-block.mjs';
import { Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';
import { writeIfChanged } from './write-if-changed.mjs';
import { havePassed, recordedRows } from './works-results.mjs';
import { tableNames, worksTables } from './works-tables.mjs';

const committed = inRepo('tests', 'works', 'results.json');

/** Keeps what the last test run recorded; committed, it is what the READMEs show. */
export async function keepResults() {
  if (!havePassed()) {
    throw new Problem(
      'The tables show what a whole test run without a failure has found: run `npm test` first, until all passes.',
    );
  }
  const found = Object.fromEntries(tableNames.map((name) => [name, recordedRows(name)]));
  const empty = tableNames.filter((name) => found[name].length === 0);
  if (empty.length > 0) {
    throw new Problem(`No test has recorded anything for ${empty.join(', ')}: run \`npm test\` first.`);
  }
  writeIfChanged(committed, await formatted(committed, JSON.stringify(found)));
}

/** The files by their path in the repository: what they hold, or should. */
export async function worksReport() {
  const found = JSON.parse(readFileSync(committed, 'utf8'));
  return {
    'README.md': await withBlock('README.md', 'works', worksTables(found, 'en')),
    'README.ko.md': await withBlock('README.ko.md', 'works', worksTables(found, 'ko')),
  };
}
