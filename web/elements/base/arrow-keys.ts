/** Computes where arrow keys, Home, End and Page keys move the focus in lists, radio groups and grids. */

/** A cell of a grid; row and column are counted from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Number of rows that Page Up and Page Down move by. */
const PAGE = 10;

export const clamp = (index: number, last: number): number => Math.max(0, Math.min(last, index));

/** Index that the key moves to in a list that does not wrap around; null for other keys. */
export function listTarget({ key }: KeyboardEvent, index: number, count: number): number | null {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? null : clamp(target, count - 1);
}

/** Index that the key chooses in a radio group (wraps around; Space and Enter choose `index`); null for other keys. */
export function radioTarget(event: KeyboardEvent, index: number, count: number, perRow = 1): number | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: (index + 1) % count,
    ArrowDown: (index + perRow) % count,
    ArrowLeft: (index + count - 1) % count,
    ArrowUp: (index + count - perRow) % count,
    Home: 0,
    End: count - 1,
    ' ': index,
    Enter: index,
  };
  return targets[event.key] ?? null;
}

/**
 * Cell that the key moves to, by the grid pattern of the ARIA Authoring Practices. Home and End stay in the row; with
 * Ctrl they move in the whole grid. null for other keys.
 *
 * @param pages whether Page Up and Page Down move by ten rows
 */
export function gridTarget(
  event: KeyboardEvent,
  { row, column }: Cell,
  rows: number,
  columns: number,
  pages = false,
): Cell | null {
  if (event.altKey || event.metaKey) return null;
  const targets: Readonly<Record<string, Cell>> = {
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ...(pages && { PageDown: { row: row + PAGE, column }, PageUp: { row: row - PAGE, column } }),
    Home: { row: event.ctrlKey ? 0 : row, column: 0 },
    End: { row: event.ctrlKey ? rows - 1 : row, column: columns - 1 },
  };
  const target = targets[event.key];
  return target ? { row: clamp(target.row, rows - 1), column: clamp(target.column, columns - 1) } : null;
}
