/** The tensors of a stage as stacks of sheets, whose sides are as long as the logarithms of the axes. */
import { nothing, svg, type TemplateResult } from 'lit';
import { type Dimension, lengthOf, type ShapedTensor, type Side } from './layer.js';

/** Largest length of one doubling, in pixels. */
const UNIT = 6.5;
/** Largest number of sheets or bands that are drawn. */
const MAX_SHEETS = 12;
/** Margins for the letters, and the gap between two tensors, in pixels. */
const [LEFT, RIGHT, TOP, BOTTOM, GAP] = [13, 6, 12, 15, 4];

/** Length of a side in doublings; 1 for size 1. */
const doublings = (side: Side): number => 1 + Math.log2(lengthOf(side));

/** A tensor's sides by where they are drawn; without a stack it is a single sheet. */
function placesOf({ sides }: ShapedTensor) {
  const [batch = [], second = [], third = [], fourth] = sides;
  const [stack, rows, columns] = fourth ? [second, third, fourth] : [null, second, third];
  const depth = stack && lengthOf(stack) > 1 ? doublings(stack) * Math.SQRT1_2 : 0;
  return { batch, stack, rows, columns, depth };
}

/** Length of one doubling, in pixels, with which every stage is at most `room` wide. */
function unitFor(stages: readonly (readonly ShapedTensor[])[], room: number): number {
  const fitting = stages.map((tensors) => {
    const margins = tensors.length * (LEFT + RIGHT + GAP) - GAP;
    const places = tensors.map(placesOf);
    return (room - margins) / places.reduce((sum, { columns, depth }) => sum + doublings(columns) + depth, 0);
  });
  return Math.min(UNIT, ...fitting);
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly content: TemplateResult;
}

/** Width of a letter with its subscript and a space, in pixels. */
const letterWidth = ({ letter }: Dimension): number => 9 + 4.5 * (letter.split('_')[1]?.length ?? 0);

/** The letters of a side, centred on a point. */
function letters(side: Side, x: number, y: number): TemplateResult[] {
  let left = x - side.reduce((sum, dimension) => sum + letterWidth(dimension), 0) / 2;
  return side.map((dimension) => {
    const width = letterWidth(dimension);
    const [base, subscript] = dimension.letter.split('_');
    left += width;
    return svg`<text class="letter ${dimension.axis}" x=${left - width / 2} y=${y}>${base}${
      subscript ? svg`<tspan class="below" dy="2.5">${subscript}</tspan>` : nothing
    }</text>`;
  });
}

const edge = (dimension: Dimension | undefined, x1: number, y1: number, x2: number, y2: number, thin = '') =>
  svg`<line class="edge ${dimension?.axis ?? ''} ${thin}" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;

function drawTensor(tensor: ShapedTensor, unit: number): Drawing {
  const { name, role } = tensor;
  const { batch, stack, rows, columns, ...places } = placesOf(tensor);
  const [width, height, depth] = [doublings(columns) * unit, doublings(rows) * unit, places.depth * unit];
  const [x, y] = [LEFT, TOP + depth];
  const [right, ground] = [x + width, y + height];
  const sheets = stack ? Math.min(MAX_SHEETS, lengthOf(stack)) : 1;
  const bands = columns.length > 1 ? Math.min(MAX_SHEETS, columns[0]?.size ?? 1) : 1;
  const sheet = (back: number) => {
    const offset = sheets > 1 ? (depth * back) / (sheets - 1) : 0;
    return svg`<rect class="sheet" x=${x + offset} y=${y - offset} width=${width} height=${height} />`;
  };
  const isBatched = (batch[0]?.size ?? 1) > 1;
  return {
    width: right + depth + RIGHT,
    height: ground + BOTTOM,
    content: svg`
      ${Array.from({ length: sheets }, (_, index) => sheet(sheets - 1 - index))}
      <rect class="tint ${role}" x=${x} y=${y} width=${width} height=${height} />
      ${Array.from({ length: bands - 1 }, (_, index) => {
        const at = x + (width * (index + 1)) / bands;
        return edge(columns[0], at, y, at, ground, 'thin');
      })}
      ${edge(columns.at(-1), x, ground, right, ground)} ${letters(columns, x + width / 2, ground + 11)}
      ${edge(rows[0], x, y, x, ground)} ${letters(rows, x - 7, y + height / 2 + 3.5)}
      ${
        stack?.[0] && depth > 0
          ? svg`${edge(stack[0], right, ground, right + depth, ground - depth)}
            ${letters(stack, right + (depth + letterWidth(stack[0])) / 2 + 1.5, ground - depth / 2 + 9)}`
          : nothing
      }
      ${isBatched ? svg`${edge(batch[0], x, 4, x + doublings(batch) * unit, 4)} ${letters(batch, x - 7, 8)}` : nothing}
      <text class="name ${role}" font-size=${name.length > 3 ? 11 : 13} x=${x + width / 2}
        y=${y + height / 2 + 4.5}>${name}</text>`,
  };
}

/** A drawing of every stage, all of one height and at most `room` pixels wide: its tensors side by side on one line. */
export function drawStages(stages: readonly (readonly ShapedTensor[])[], room: number): Drawing[] {
  const unit = unitFor(stages, room);
  const drawn = stages.map((tensors) => tensors.map((tensor) => drawTensor(tensor, unit)));
  const height = Math.max(...drawn.flat().map((tensor) => tensor.height));
  return drawn.map((tensors) => {
    let left = 0;
    const content = tensors.map((tensor) => {
      const place = `translate(${left} ${height - tensor.height})`;
      left += tensor.width + GAP;
      return svg`<g transform=${place}>${tensor.content}</g>`;
    });
    return { width: left - GAP, height, content: svg`${content}` };
  });
}
