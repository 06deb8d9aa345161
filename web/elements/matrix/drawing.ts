import { type Drawing, group, line, rect, shape, text, widthOf } from '../base/export.js';
import { LEGEND_HEIGHT, legendDrawing, legendWidth } from '../sentence-view/legend-drawing.js';
import { paintSquare, shadesOf } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { isLong } from '../sentence-view/scale.js';
import type { Place } from '../sentence-view/selection.js';
import type { Strings } from '../sentence-view/strings.js';
import { isHigh } from '../base/theme.js';
import type { MatrixValues } from './values.js';

/** Pixels of the picture. */
const CELL = 44;
const GAP = 2;
const LEVEL = 16;
const MARGIN = 16;
/** Side of a long text's square, where its cells can be as large. */
const SQUARE = 720;

/** The matrix with its names, its numbers and its legend. */
export function matrixDrawing(
  values: MatrixValues,
  shown: Place,
  title: string,
  palette: Palette,
  strings: Strings,
): Drawing {
  const sheet = isLong(values.figure) ? paintedSheet(values, palette) : sheetOfCells(values, palette);
  const { left, top, side, body } = sheet;
  const pitch = side / values.figure.size;
  const frame = (x: number, y: number, columns: number, rows: number, stroke: string) =>
    rect(left + x * pitch, top + y * pitch, columns * pitch, rows * pitch, {
      fill: 'none',
      stroke,
      'stroke-width': 2,
    });
  const { query, key } = shown;
  const frames = [
    query === null ? '' : frame(0, query, values.figure.size, 1, palette.query),
    query === null || key === null ? '' : frame(key, query, 1, 1, palette.key),
  ];
  const axes = group(
    { 'font-size': 12 },
    text(left - 8, top - 22, `${strings.query} ↓`, { 'text-anchor': 'end', fill: palette.query }),
    text(left - 8, top - 6, `${strings.key} →`, { 'text-anchor': 'end', fill: palette.key }),
  );
  const legend = legendDrawing(
    left,
    top + side + 20,
    palette,
    values.signed ? `${strings.difference}, ${values.name}` : `${strings.legend}, ${values.name}`,
    { ...values, note: values.sums },
  );
  return {
    width: left + Math.max(side, legendWidth(values.sums)) + MARGIN,
    height: top + side + 20 + LEGEND_HEIGHT + MARGIN,
    title,
    body: group({}, axes, body, ...frames, legend),
  };
}

interface Sheet {
  left: number;
  top: number;
  side: number;
  body: string;
}

function sheetOfCells(values: MatrixValues, palette: Palette): Sheet {
  const { figure, at, format, scale } = values;
  const widths = figure.tokens.map((token) => widthOf(token, 13));
  const widest = Math.max(...widths);
  const levels = Math.max(1, Math.min(figure.size, Math.ceil((widest + 8) / CELL)));
  // The axes' names stand over the rows' names.
  const left = Math.ceil(Math.max(widest, 56, (widths[0] ?? 0) / 2) + 12 + MARGIN);
  const top = MARGIN + Math.max(2, levels) * LEVEL + 8;
  const rowNames = figure.tokens.map((token, row) =>
    text(left - 8, top + (row + 0.5) * CELL + 4.5, token, { 'text-anchor': 'end', 'font-size': 13 }),
  );
  const columnNames = figure.tokens.map((token, column) => {
    const x = left + (column + 0.5) * CELL;
    const level = levels - 1 - (column % levels);
    const y = top - 8 - level * LEVEL;
    const stem = level === 0 ? '' : line(x, y + 4, x, top - 2, { stroke: palette.line });
    return stem + text(x, y, token, { 'text-anchor': 'middle', 'font-size': 13 });
  });
  const shade = shadesOf(palette);
  const inks = { low: palette.onRamp(0), high: palette.onRamp(1) };
  const cells = figure.tokens.flatMap((_, row) =>
    figure.tokens.map((_, column) => {
      const value = at(row, column);
      const share = value / scale;
      return (
        rect(left + column * CELL + GAP / 2, top + row * CELL + GAP / 2, CELL - GAP, CELL - GAP, {
          rx: 2,
          fill: shade(share),
        }) +
        text(left + (column + 0.5) * CELL, top + (row + 0.5) * CELL + 4, format(value), {
          'text-anchor': 'middle',
          'font-size': 12,
          fill: isHigh(Math.abs(share)) ? inks.high : inks.low,
        })
      );
    }),
  );
  return {
    left,
    top,
    side: figure.size * CELL,
    body: group({}, ...cells, ...rowNames, ...columnNames),
  };
}

/** A rectangle per weight would make a file that no program opens: the cells are one picture within the picture. */
function paintedSheet({ figure, readRow, scale, signed }: MatrixValues, palette: Palette): Sheet {
  const canvas = document.createElement('canvas');
  paintSquare(canvas, palette, figure.size, readRow, scale, signed);
  const left = 72 + MARGIN;
  const top = MARGIN + 40;
  const side = figure.size * Math.max(1, Math.floor(SQUARE / figure.size));
  const body = shape('image', {
    x: left,
    y: top,
    width: side,
    height: side,
    'image-rendering': 'pixelated',
    href: canvas.toDataURL('image/png'),
  });
  return { left, top, side, body };
}
