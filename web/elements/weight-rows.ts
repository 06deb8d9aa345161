import type { CsvRow } from './export.js';
import type { Figure } from './figure.js';

/** The weights of some heads as lines of a CSV file, with words and their places from 0. */
export function weightRows(figure: Figure, heads: readonly number[]): CsvRow[] {
  const rows: CsvRow[] = [['head', 'query', 'query_token', 'key', 'key_token', 'weight']];
  for (const head of heads) {
    figure.tokens.forEach((queryToken, query) => {
      figure.tokens.forEach((keyToken, key) => {
        const name = figure.headNames[head] ?? head;
        rows.push([name, query, queryToken, key, keyToken, figure.at(head, query, key)]);
      });
    });
  }
  return rows;
}
