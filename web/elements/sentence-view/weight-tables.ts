import type { NumberTable } from '../base/data-table.js';
import { sumsOfRows } from './legend.js';
import type { Figure } from './figure.js';
import { isLong } from './scale.js';
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
      columns: figure.tokens,
      rows: figure.tokens.map((name, from) => ({ name, values: figure.tokens.map((_, to) => at(from, to)) })),
    }));
  }
  const from = query ?? 0;
  return [
    {
      caption: strings.tableOfWord(figure.quoted(from)),
      corner: strings.key,
      columns: matrices.map(({ name }) => name),
      rows: figure.tokens.map((name, to) => ({ name, values: matrices.map(({ at }) => at(from, to)) })),
    },
  ];
}
