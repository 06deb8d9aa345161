import { fit, textWidth } from './text-width.mjs';

/** Whole numbers as they are, others with four digits. */
function cellText(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(4)));
}

/** Which columns stand side by side in `width`: in the first block as many as fit; below, the first one beside the others. */
function blocksOf(widths, width) {
  const lineWidth = (block) => block.reduce((sum, c) => sum + 2 + widths[c], 0);
  const blocks = [[0]];
  for (let c = 1; c < widths.length; c++) {
    const wider = [...blocks.at(-1), c];
    if (lineWidth(wider) <= width) blocks[blocks.length - 1] = wider;
    else blocks.push(lineWidth([0, c]) <= width ? [0, c] : [c]);
  }
  return blocks;
}

/** Rows of the same columns under one heading, or several where they are too wide. */
function section(rows, width) {
  const names = Object.keys(rows[0]);
  const cells = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  const widths = names.map((_, c) =>
    Math.min(width - 2, Math.max(...cells.map((line) => textWidth(line[c])))),
  );
  return blocksOf(widths, width)
    .map((block) =>
      cells.map((line) =>
        block
          .map((c) => `  ${fit(line[c], widths[c])}`)
          .join('')
          .trimEnd(),
      ),
    )
    .reduce((above, block) => [...above, '', ...block]);
}

/**
 * A table of the documents as lines of text of at most `width` columns. Its rows may change their columns: each change
 * gets a heading.
 */
export function rowTables(rows, width = 80) {
  const columns = (row) => Object.keys(row).join();
  const lines = [];
  for (let start = 0; start < rows.length;) {
    const length = rows.slice(start).findIndex((row) => columns(row) !== columns(rows[start]));
    const end = length < 0 ? rows.length : start + length;
    lines.push(...section(rows.slice(start, end), width), '');
    start = end;
  }
  return lines.map((line) => `${line}\n`).join('');
}
