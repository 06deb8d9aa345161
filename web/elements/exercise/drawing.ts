import { type Drawing, group, line, rect, text, widthOf } from '../base/export.js';
import type { Palette } from '../base/palette.js';

/** One question with the reader's answer. */
export interface DrawnPart {
  readonly prompt: string;
  readonly answer: string;
  /** null as long as it is not checked. */
  readonly isRight: boolean | null;
  /** Of a matrix of ones and zeros: which are one. */
  readonly ones: readonly (readonly boolean[])[] | null;
}

export interface DrawnExercise {
  readonly title: string;
  readonly statement: readonly string[];
  readonly parts: readonly DrawnPart[];
}

const WIDTH = 640;
const MARGIN = 24;
const LINE = 22;
const CELL = 18;

/** Lines no wider than `width`, broken between words. */
function wrapped(content: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last ?? ''} ${word}`;
    if (last !== undefined && widthOf(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The statement, and every question with its answer, as a sheet of paper would hold them. */
export function exerciseDrawing({ title, statement, parts }: DrawnExercise, palette: Palette): Drawing {
  const shapes: string[] = [];
  let y = MARGIN + 18;
  const write = (
    content: string,
    size: number,
    attributes: Record<string, string | number> = {},
    x = MARGIN,
  ) => {
    for (const one of wrapped(content, size, WIDTH - MARGIN - x)) {
      shapes.push(text(x, y, one, { 'font-size': size, ...attributes }));
      y += Math.max(LINE, size * 1.4);
    }
  };
  write(title, 18, { 'font-weight': 700 });
  y += 4;
  for (const paragraph of statement) write(paragraph, 14, { fill: palette.muted });
  for (const { prompt, answer, isRight, ones } of parts) {
    y += 10;
    shapes.push(line(MARGIN, y - 16, WIDTH - MARGIN, y - 16, { stroke: palette.line }));
    y += 6;
    write(prompt, 14);
    const mark = isRight === null ? '' : isRight ? '✓ ' : '✗ ';
    const fill = isRight === null ? palette.ink : isRight ? palette.value : palette.query;
    if (ones) {
      if (mark) write(mark, 14, { fill, 'font-weight': 700 });
      shapes.push(matrix(ones, y - 12, palette));
      y += ones.length * CELL + 14;
    } else {
      write(`${mark}${answer || '…'}`, 14, { fill, 'font-weight': 700 }, MARGIN + 14);
    }
  }
  return { width: WIDTH, height: y - LINE + MARGIN + 8, title, body: shapes.join('') };
}

const matrix = (ones: readonly (readonly boolean[])[], top: number, palette: Palette): string =>
  group(
    { 'font-size': 11, 'text-anchor': 'middle' },
    ...ones.flatMap((row, i) =>
      row.map((one, j) => {
        const [x, y] = [MARGIN + 14 + j * CELL, top + i * CELL];
        const fill = palette.ramp(one ? 1 : 0);
        return (
          rect(x, y, CELL - 2, CELL - 2, { fill }) +
          text(x + CELL / 2 - 1, y + CELL / 2 + 3, one ? '1' : '0', { fill: palette.onRamp(one ? 1 : 0) })
        );
      }),
    ),
  );
