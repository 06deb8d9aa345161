/** A cell, row or column of a matrix, counted from 0; for a row `column` is null, for a column `row`. */
export interface Place {
  readonly row: number | null;
  readonly column: number | null;
}

/** Writes a row as `r4`, a column as `c1`, a cell as `4.1`. */
export function placeText({ row, column }: Place): string {
  if (column === null) return `r${row ?? 0}`;
  return row === null ? `c${column}` : `${row}.${column}`;
}

/** The inverse of `placeText`; null for invalid text. */
export function parsePlace(text: string): Place | null {
  const found = /^(?:r(\d+)|c(\d+)|(\d+)\.(\d+))$/.exec(text);
  if (!found) return null;
  const [, row, column, cellRow, cellColumn] = found;
  if (row !== undefined) return { row: Number(row), column: null };
  if (column !== undefined) return { row: null, column: Number(column) };
  return { row: Number(cellRow), column: Number(cellColumn) };
}

/** Columns of the ones in each row: `1.3..24` has ones in column 1 of row 0, 3 of row 1, 2 and 4 of row 3. */
export const parseOnes = (text: string, rows: number): readonly (readonly number[])[] => {
  const parts = text.split('.');
  return Array.from({ length: rows }, (_, row) =>
    Array.from(parts[row] ?? '', Number).filter((column) => Number.isInteger(column)),
  );
};

/** The inverse of `parseOnes`, for at most 10 columns; '' without ones. */
export const onesText = (ones: readonly (readonly number[])[]): string =>
  ones.every((row) => row.length === 0) ? '' : ones.map((row) => [...row].sort().join('')).join('.');
