/** The pipeline as a file. */
import { type Drawing, group, text } from '../base/export.js';
import type { Palette } from '../base/palette.js';
import { drawStage, markMarkup, unitFor } from './glyph.js';
import { lettersOf } from './notation.js';
import { shapeOf, type Stage } from './stages.js';
import type { ShapesStrings } from './strings.js';
import { DRAWING } from './pipeline.js';

const COLUMNS = 4;
const WIDTH = 260;
const MARGIN = 24;
const LINE = 18;

/** Four stages to a row: name, drawing, and a line per tensor. */
export function picture(
  stages: readonly Stage[],
  title: string,
  strings: ShapesStrings,
  palette: Palette,
): Drawing {
  const all = stages.map(({ tensors }) => tensors);
  const unit = unitFor(all, DRAWING);
  const tallest = Math.max(...all.map((tensors) => drawStage(tensors, unit).height));
  const lines = Math.max(...all.map((tensors) => tensors.length));
  const rowHeight = LINE + 6 + tallest + 6 + lines * LINE + MARGIN;
  const top = MARGIN + 34;
  const body = stages.map(({ id, tensors }, index) => {
    const x = MARGIN + (index % COLUMNS) * WIDTH;
    const y = top + Math.floor(index / COLUMNS) * rowHeight;
    const drawn = drawStage(tensors, unit, tallest);
    const shapes = tensors.map((tensor, line) =>
      text(
        x,
        y + LINE + 6 + tallest + 6 + (line + 1) * LINE - 4,
        `${tensor.name} (${tensor.sides.map(lettersOf).join(', ')}) = (${shapeOf(tensor).join(', ')})`,
        { 'font-size': 12 },
      ),
    );
    return [
      text(x, y + LINE - 4, `${index > 0 ? '→ ' : ''}${index + 1}. ${strings.stages[id].name}`, {
        'font-size': 14,
        'font-weight': 600,
      }),
      group(
        { transform: `translate(${x} ${y + LINE + 6})` },
        ...drawn.marks.map((mark) => markMarkup(mark, palette)),
      ),
      ...shapes,
    ].join('');
  });
  return {
    width: 2 * MARGIN + COLUMNS * WIDTH,
    height: top + Math.ceil(stages.length / COLUMNS) * rowHeight,
    title,
    body: text(MARGIN, MARGIN + 12, title, { 'font-size': 16, 'font-weight': 600 }) + body.join(''),
  };
}
