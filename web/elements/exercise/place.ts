/** A place in a matrix, counted from 0; a whole row has no column, a whole column no row. */
export interface Place {
  readonly row: number | null;
  readonly column: number | null;
}

/** `r4`, `c1`, `4.1` */
export function placeText({ row, column }: Place): string {
  if (column === null) return `r${row ?? 0}`;
  return row === null ? `c${column}` : `${row}.${column}`;
}

/** null for invalid text. */
export function parsePlace(text: string): Place | null {
  const found = /^(?:r(\d+)|c(\d+)|(\d+)\.(\d+))$/.exec(text);
  if (!found) return null;
  const [, row, column, cellRow, cellColumn] = found;
  if (row !== undefined) return { row: Number(row), column: null };
  if (column !== undefined) return { row: null, column: Number(column) };
  return { row: Number(cellRow), column: Number(cellColumn) };
}

/** The ones of each row: `1.3..24` is one in column 1, one in column 3, none, and two in columns 2 and 4. */
export const parseOnes = (text: string, rows: number): readonly (readonly number[])[] => {
  const parts = text.split('.');
  return Array.from({ length: rows }, (_, row) =>
    Array.from(parts[row] ?? '', Number).filter((column) => Number.isInteger(column)),
  );
};

/** The inverse of `parseOnes`, for columns below 10; empty without ones. */
export const onesText = (ones: readonly (readonly number[])[]): string =>
  ones.every((row) => row.length === 0) ? '' : ones.map((row) => [...row].sort().join('')).join('.');
