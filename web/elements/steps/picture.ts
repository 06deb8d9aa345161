import { type Drawing, group, rect, text, widthOf } from '../base/export.js';
import type { Palette } from '../base/palette.js';
import { isHigh } from '../base/theme.js';
import type { GridView } from './table.js';
import { formatNumber } from './strings.js';
import { strengthsOf, tintOf } from './thumbnail.js';

const CELL = { width: 48, height: 26 };
const GAP = 2;
const SMALL = 12;
const LINE = 20;
/** A line of prose is broken where it would be wider than this, in pixels. */
const NARROWEST = 480;

/** The open table as a picture, over the formula of the locked cell in words. */
export function picture(view: GridView, title: string, sentence: string, palette: Palette): Drawing {
  const { table, rowNames, columnNames } = view;
  const names = Math.max(...rowNames.map((name) => widthOf(name, SMALL)));
  const cell = Math.max(CELL.width, ...columnNames.map((name) => widthOf(name, SMALL) + 8));
  const left = 20 + names + 8;
  const top = 64;
  const width = Math.max(NARROWEST, left + table.columns * (cell + GAP) + 20);
  const strength = strengthsOf(table);
  const tint = tintOf(table.step);
  const colour = tint === 'ink' ? palette.ink : palette[tint];

  const head = columnNames.map((name, column) =>
    text(left + column * (cell + GAP) + cell / 2, top - 8, name, { 'text-anchor': 'middle' }),
  );
  const body = rowNames.map((name, row) => {
    const y = top + row * (CELL.height + GAP);
    const cells = columnNames.map((_, column) => {
      const value = table.at(row, column);
      const w = strength(value);
      const x = left + column * (cell + GAP);
      const isWeight = table.step === 'weights';
      const locked = view.locked?.row === row && view.locked.column === column;
      return (
        rect(x, y, cell, CELL.height, {
          rx: 2,
          fill: isWeight ? palette.ramp(Math.round(w * 100) / 100) : colour,
          'fill-opacity': isWeight ? undefined : w * STRONGEST,
          stroke: locked ? palette.key : undefined,
          'stroke-width': locked ? 2 : undefined,
        }) +
        text(x + cell / 2, y + 17, formatNumber(value), {
          'text-anchor': 'middle',
          fill: isWeight ? palette.onRamp(isHigh(w) ? 1 : 0) : undefined,
        })
      );
    });
    return text(left - 8, y + 17, name, { 'text-anchor': 'end' }) + cells.join('');
  });
  const bottom = top + table.rows * (CELL.height + GAP) + 24;
  const lines = sentence === '' ? [] : wrap(sentence, width - 40);
  return {
    width,
    height: bottom + lines.length * LINE,
    title: sentence === '' ? title : `${title}. ${sentence}`,
    body: group(
      { 'font-size': SMALL },
      text(20, 28, title, { 'font-size': 15, 'font-weight': 600 }),
      ...head,
      ...body,
      ...lines.map((line, index) => text(20, bottom + index * LINE, line, { 'font-size': 13 })),
    ),
  };
}

/** How much of its colour the strongest cell has: what lies on it stays readable. */
export const STRONGEST = 0.42;

function wrap(sentence: string, width: number): string[] {
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, 13) <= width || line === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
