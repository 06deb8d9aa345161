import { csvField, csvLine, type CsvParts } from '../base/csv.js';
import type { Figure } from './figure.js';

const PAIR = ['query', 'key', 'query word', 'key word'] as const;

/** Yields each query's CSV rows, one per pair of words, which start with `prefix` and end with `values`. */
function* pairs(figure: Figure, prefix: string, values: (query: number, key: number) => string) {
  const words = figure.tokens.map(csvField);
  for (const [query, queryWord] of words.entries()) {
    let part = '';
    for (const [key, keyWord] of words.entries()) {
      part += `${prefix},${query},${key},${queryWord},${keyWord},${values(query, key)}\r\n`;
    }
    yield part;
  }
}

/**
 * CSV with a row per weight: indices from 0, as in `weights.at(head, query, key)`, and the words; of a model's layers
 * with a column for the layer.
 *
 * @param figures the layers to write
 * @param only the one head to write; all by default
 */
export function weightsCsv(figures: readonly Figure[], only?: number): CsvParts {
  const hasLayers = figures.some(({ part }) => part !== null);
  const headsOf = (figure: Figure) => (only === undefined ? [...figure.headNames.keys()] : [only]);
  return {
    rows: figures.reduce((sum, figure) => sum + headsOf(figure).length * figure.size ** 2, 0),
    *parts() {
      yield csvLine([...(hasLayers ? ['layer'] : []), 'head', ...PAIR, 'weight']);
      for (const figure of figures) {
        for (const head of headsOf(figure)) {
          const name = csvField(figure.headNames[head] ?? head);
          const prefix = hasLayers ? `${figure.part?.layer ?? 0},${name}` : name;
          yield* pairs(figure, prefix, (query, key) => String(figure.at(head, query, key)));
        }
      }
    },
  };
}

/** CSV with a row per pair of words: its weight in `head`, in `other`, and their difference. */
export const differencesCsv = (figure: Figure, head: number, other: number): CsvParts => ({
  rows: figure.size ** 2,
  *parts() {
    yield csvLine(['head', 'other head', ...PAIR, 'weight', 'other weight', 'difference']);
    const names = [head, other].map((index) => csvField(figure.headNames[index] ?? index));
    yield* pairs(figure, names.join(','), (query, key) => {
      const [weight, otherWeight] = [figure.at(head, query, key), figure.at(other, query, key)];
      return `${weight},${otherWeight},${weight - otherWeight}`;
    });
  },
});
