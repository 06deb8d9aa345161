import type { Pair } from '../sentence-view/selection.js';

/** A cell of a grid, both counted from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

const PAGE = 10;

/**
 * Where a key leads in a grid of cells with one tab stop (the grid pattern of the ARIA Authoring Practices): arrows,
 * Home and End within the row, with Ctrl within the grid, Page Up and Page Down by ten rows. null for keys that mean nothing here.
 */
export function gridTarget(event: KeyboardEvent, at: Cell, rows: number, columns: number): Cell | null {
  if (event.altKey || event.metaKey) return null;
  const { row, column } = at;
  const targets: Readonly<Record<string, Cell>> = {
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    PageDown: { row: row + PAGE, column },
    PageUp: { row: row - PAGE, column },
    Home: { row: event.ctrlKey ? 0 : row, column: 0 },
    End: { row: event.ctrlKey ? rows - 1 : row, column: columns - 1 },
  };
  const target = targets[event.key];
  if (!target) return null;
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  return { row: within(target.row, rows), column: within(target.column, columns) };
}

/** The same in a square grid of queries and keys. */
export function pairTarget(event: KeyboardEvent, { query, key }: Pair, size: number): Pair | null {
  const target = gridTarget(event, { row: query, column: key }, size, size);
  return target && { query: target.row, key: target.column };
}
