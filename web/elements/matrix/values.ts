import type { CsvParts } from '../base/csv.js';
import type { Figure } from '../../sources/figure.js';
import { scaleOf } from '../sentence-view/legend.js';
import { formatDifference, formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { differencesCsv, headMatrix, type NamedMatrix, weightsCsv } from '../sentence-view/weight-tables.js';

/** Values of the drawn matrix: one head's weights, or the difference of two heads. */
export interface MatrixValues extends NamedMatrix {
  readonly figure: Figure;
  /** Accessible name of the grid. */
  readonly label: string;
  /** Whether values can be negative. */
  readonly signed: boolean;
  /** The value (in a difference, the absolute value) that gets the colour ramp's last colour. */
  readonly scale: number;
  /** Whether some values exceed `scale`. */
  readonly beyond: boolean;
  readonly readRow: (query: number, row: Float64Array) => void;
  readonly format: (value: number) => string;
  /** Returns a cell's accessible name. */
  readonly labelOf: (query: number, key: number) => string;
  readonly csv: () => CsvParts;
}

export function weightsOf(figure: Figure, head: number, strings: Strings): MatrixValues {
  const matrix = headMatrix(figure, head, strings);
  return {
    ...matrix,
    figure,
    label: strings.matrix(matrix.name),
    signed: false,
    beyond: figure.extent(head).largest > scaleOf(figure),
    scale: scaleOf(figure),
    readRow: (query, row) => figure.readRow(head, query, row),
    format: (value) => formatWeight(value),
    labelOf: (query, key) => {
      if (figure.isMasked(query, key)) {
        return `${matrix.name}: ${strings.maskedPair(figure.quoted(query), figure.quotedKey(key))}`;
      }
      const weight = formatWeight(figure.at(head, query, key));
      return `${matrix.name}: ${strings.pair(figure.quoted(query), figure.quotedKey(key), weight)}`;
    },
    csv: () => weightsCsv([figure], head),
  };
}

export function differenceOf(figure: Figure, head: number, other: number, strings: Strings): MatrixValues {
  const nameOf = (index: number) => figure.nameOf(index, strings);
  const names = [nameOf(head), nameOf(other)] as const;
  const name = strings.differenceName(...names);
  const at = (query: number, key: number) => figure.at(head, query, key) - figure.at(other, query, key);
  const subtrahend = new Float64Array(figure.keys);
  return {
    figure,
    name,
    caption: strings.tableOfDifference(name),
    sums: '',
    beyond: false,
    label: strings.matrixOfDifference(...names),
    signed: true,
    scale: scaleOf(figure),
    at,
    readRow: (query, row) => {
      figure.readRow(other, query, subtrahend);
      figure.readRow(head, query, row);
      for (let key = 0; key < row.length; key++) row[key] = (row[key] ?? 0) - (subtrahend[key] ?? 0);
    },
    format: (value) => formatDifference(value),
    labelOf: (query, key) => {
      const difference = at(query, key);
      const words = [figure.quoted(query), figure.quotedKey(key)] as const;
      const size = formatWeight(Math.abs(difference));
      if (Number(size) === 0) return strings.noDifferenceOfPair(...words);
      const [larger, smaller] = difference > 0 ? names : [names[1], names[0]];
      return strings.differenceOfPair(...words, larger, smaller, size);
    },
    csv: () => differencesCsv(figure, head, other),
  };
}

/** The pair with the largest absolute value, among those of one query or of all. */
export function largestPair(
  { figure, readRow }: MatrixValues,
  query: number | null,
): { query: number; key: number } {
  let best = { query: query ?? 0, key: 0 };
  let size = 0;
  const queries = query === null ? figure.tokens.keys() : [query];
  const row = new Float64Array(figure.keys);
  for (const from of queries) {
    readRow(from, row);
    for (let key = 0; key < row.length; key++) {
      const value = Math.abs(row[key] ?? 0);
      if (value <= size) continue;
      size = value;
      best = { query: from, key };
    }
  }
  return best;
}
