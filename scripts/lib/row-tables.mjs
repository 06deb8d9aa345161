import { fit, textWidth } from './text-width.mjs';

/** Whole numbers as they are, others with four digits. */
function cellText(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(4)));
}

/** Rows of the same columns under one heading. */
function section(rows) {
  const names = Object.keys(rows[0]);
  const cells = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  const widths = names.map((_, c) => Math.max(...cells.map((line) => textWidth(line[c]))));
  return cells.map((line) => `  ${line.map((text, c) => fit(text, widths[c])).join('  ')}`.trimEnd());
}

/** A table of the documents as lines of text. Its rows may change their columns: each change gets a heading. */
export function rowTables(rows) {
  const columns = (row) => Object.keys(row).join();
  const lines = [];
  for (let start = 0; start < rows.length;) {
    const length = rows.slice(start).findIndex((row) => columns(row) !== columns(rows[start]));
    const end = length < 0 ? rows.length : start + length;
    lines.push(...section(rows.slice(start, end)), '');
    start = end;
  }
  return lines.map((line) => `${line}\n`).join('');
}
