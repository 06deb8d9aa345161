/** Everything in the repository that shows benchmark results, made from the committed ones. */
import { readFileSync } from 'node:fs';
import { benchChart } from './bench-chart.mjs';
import { formatted, readResults } from './bench-results.mjs';
import { allTables, shortTables } from './bench-tables.mjs';
import { Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';

const block = /(<!-- bench -->\n).*?(<!-- \/bench -->)/su;

async function withTables(name, tables) {
  const file = inRepo(name);
  const text = readFileSync(file, 'utf8');
  if (!block.test(text))
    throw new Problem(`${name} must have a block from <!-- bench --> to <!-- /bench -->.`);
  return formatted(
    file,
    text.replace(block, (_, start, end) => `${start}\n${tables}\n\n${end}`),
  );
}

/** The files by their path in the repository: what they hold, or should. */
export async function benchReport() {
  const results = readResults();
  return {
    'docs/bench-en.svg': benchChart(results, 'en', 'light'),
    'docs/bench-en-dark.svg': benchChart(results, 'en', 'dark'),
    'docs/bench-ko.svg': benchChart(results, 'ko', 'light'),
    'docs/bench-ko-dark.svg': benchChart(results, 'ko', 'dark'),
    'README.md': await withTables('README.md', shortTables(results, 'en')),
    'README.ko.md': await withTables('README.ko.md', shortTables(results, 'ko')),
    'docs/bench.md': await withTables('docs/bench.md', allTables(results, 'en')),
    'docs/bench.ko.md': await withTables('docs/bench.ko.md', allTables(results, 'ko')),
  };
}
