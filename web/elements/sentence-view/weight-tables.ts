import { csvField, csvLine, type CsvParts } from '../base/csv.js';
import type { NumberTable } from '../base/data-table.js';
import type { Figure } from '../../sources/figure.js';
import { isLong, sumsOfRows } from './legend.js';
import type { Strings } from './strings.js';

/** A matrix to show as a table: a head's weights, or a difference of two heads. */
export interface NamedMatrix {
  readonly name: string;
  /** Caption of the matrix's table. */
  readonly caption: string;
  /** Sentence about the row sums; '' for matrices whose rows have no meaningful sum, such as differences. */
  readonly sums: string;
  readonly at: (query: number, key: number) => number;
}

export const headMatrix = (figure: Figure, head: number, strings: Strings): NamedMatrix => {
  const name = figure.nameOf(head, strings);
  const sums = sumsOfRows(figure, [head], strings);
  return {
    name,
    caption: strings.dataTableCaption(name),
    sums,
    at: (query, key) => figure.at(head, query, key),
  };
};

/**
 * One table per matrix. A long text, which has millions of weights, gets a single table of the word `query` (else the
 * first), with a column per matrix.
 */
export function weightTables(
  figure: Figure,
  matrices: readonly NamedMatrix[],
  query: number | null,
  strings: Strings,
): NumberTable[] {
  const corner = `${strings.query} ↓ ${strings.key} →`;
  if (!isLong(figure)) {
    return matrices.map(({ caption, sums, at }) => ({
      caption: sums === '' ? caption : `${caption}. ${sums}`,
      corner,
      columns: figure.keyTokens,
      rows: figure.tokens.map((name, from) => ({
        name,
        values: figure.keyTokens.map((_, to) => at(from, to)),
      })),
    }));
  }
  const from = query ?? 0;
  return [
    {
      caption: strings.tableOfWord(figure.quoted(from)),
      corner: strings.key,
      columns: matrices.map(({ name }) => name),
      rows: figure.keyTokens.map((name, to) => ({ name, values: matrices.map(({ at }) => at(from, to)) })),
    },
  ];
}

const PAIR = ['query', 'key', 'query word', 'key word'] as const;

/** Yields each query's CSV rows, one per pair of words, which start with `prefix` and end with `values`. */
function* pairs(figure: Figure, prefix: string, values: (query: number, key: number) => string) {
  const keyWords = figure.keyTokens.map(csvField);
  for (const [query, queryWord] of figure.tokens.map(csvField).entries()) {
    let part = '';
    for (const [key, keyWord] of keyWords.entries()) {
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
    rows: figures.reduce((sum, figure) => sum + headsOf(figure).length * figure.size * figure.keys, 0),
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
  rows: figure.size * figure.keys,
  *parts() {
    yield csvLine(['head', 'other head', ...PAIR, 'weight', 'other weight', 'difference']);
    const names = [head, other].map((index) => csvField(figure.headNames[index] ?? index));
    yield* pairs(figure, names.join(','), (query, key) => {
      const [weight, otherWeight] = [figure.at(head, query, key), figure.at(other, query, key)];
      return `${weight},${otherWeight},${weight - otherWeight}`;
    });
  },
});
