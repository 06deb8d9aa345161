import type { CsvRow } from './export.js';
import type { Figure } from './figure.js';

/** One row per weight of these heads: places from 0, as in `weights.at(head, query, key)`, and the words there. */
export function weightRows(figure: Figure, heads: readonly number[]): CsvRow[] {
  const rows: CsvRow[] = [['head', 'query', 'key', 'query word', 'key word', 'weight']];
  for (const head of heads) {
    const name = figure.headNames[head] ?? head;
    figure.tokens.forEach((queryWord, query) => {
      figure.tokens.forEach((keyWord, key) => {
        rows.push([name, query, key, queryWord, keyWord, figure.at(head, query, key)]);
      });
    });
  }
  return rows;
}
