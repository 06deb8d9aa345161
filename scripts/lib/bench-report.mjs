/** Everything in the repository that shows benchmark results, made from the committed ones. */
import { benchChart } from './bench-chart.mjs';
import { readResults } from './bench-results.mjs';
import { allTables, shortTables } from './bench-tables.mjs';
import { withBlock } from './marked-block.mjs';

/** The files by their path in the repository: what they hold, or should. */
export async function benchReport() {
  const results = readResults();
  return {
    'docs/bench-en.svg': benchChart(results, 'en', 'light'),
    'docs/bench-en-dark.svg': benchChart(results, 'en', 'dark'),
    'docs/bench-ko.svg': benchChart(results, 'ko', 'light'),
    'docs/bench-ko-dark.svg': benchChart(results, 'ko', 'dark'),
    'README.md': await withBlock('README.md', 'bench', shortTables(results, 'en')),
    'README.ko.md': await withBlock('README.ko.md', 'bench', shortTables(results, 'ko')),
    'docs/bench.md': await withBlock('docs/bench.md', 'bench', allTables(results, 'en')),
    'docs/bench.ko.md': await withBlock('docs/bench.ko.md', 'bench', allTables(results, 'ko')),
  };
}
