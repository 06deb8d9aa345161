/** A tensor as a glyph: a stack of sheets whose sides are as long as the logarithms of its axes. */
import { svg, type TemplateResult } from 'lit';
import type { Axis } from './sizes.js';
import { lengthOf, type Role, type ShapedTensor, type Side } from './stages.js';

/** Largest length of one doubling, in pixels. */
const UNIT = 6.5;
/** Largest number of sheets or bands that are drawn. */
const MAX_SHEETS = 12;
/** Margins for the letters, and the gap between two glyphs, in pixels. */
const LEFT = 13;
const RIGHT = 6;
const TOP = 12;
const BOTTOM = 15;
const GAP = 4;

type Mark =
  | { kind: 'sheet'; x: number; y: number; width: number; height: number; role: Role | null }
  | { kind: 'edge'; x1: number; y1: number; x2: number; y2: number; axis: Axis; thin: boolean }
  | { kind: 'letter'; x: number; y: number; letter: string; axis: Axis }
  | { kind: 'name'; x: number; y: number; name: string; role: Role };

export interface Glyph {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** Width of a letter with its subscript and a space, in pixels. */
const letterWidth = (letter: string): number => 9 + 4.5 * (letter.split('_')[1]?.length ?? 0);

/** Length of a side in doublings; 1 for size 1. */
const doublings = (size: number): number => 1 + Math.log2(size);

interface Sides {
  readonly batch: Side;
  readonly stack: Side | null;
  readonly rows: Side;
  readonly columns: Side;
}

function sidesOf({ sides }: ShapedTensor): Sides {
  const [batch = [], second = [], third = [], fourth] = sides;
  return fourth
    ? { batch, stack: second, rows: third, columns: fourth }
    : { batch, stack: null, rows: second, columns: third };
}

const depthOf = ({ stack }: Sides): number =>
  stack && lengthOf(stack) > 1 ? doublings(lengthOf(stack)) * Math.SQRT1_2 : 0;

/** Width of a stage: a part that scales, in doublings, and a fixed one, in pixels. */
function extent(tensors: readonly ShapedTensor[]): { doublings: number; fixed: number } {
  const widths = tensors.map((tensor) => {
    const sides = sidesOf(tensor);
    return doublings(lengthOf(sides.columns)) + depthOf(sides);
  });
  return {
    doublings: widths.reduce((sum, width) => sum + width, 0),
    fixed: tensors.length * (LEFT + RIGHT) + (tensors.length - 1) * GAP,
  };
}

/** Length of one doubling, in pixels, with which every stage is at most `room` wide. */
export function unitFor(stages: readonly (readonly ShapedTensor[])[], room: number): number {
  const fitting = stages.map((tensors) => {
    const { doublings: total, fixed } = extent(tensors);
    return (room - fixed) / total;
  });
  return Math.min(UNIT, ...fitting);
}

function glyphOf(tensor: ShapedTensor, unit: number): Glyph {
  const sides = sidesOf(tensor);
  const { batch, stack, rows, columns } = sides;
  const width = doublings(lengthOf(columns)) * unit;
  const height = doublings(lengthOf(rows)) * unit;
  const depth = depthOf(sides) * unit;
  const x = LEFT;
  const y = TOP + depth;
  const marks: Mark[] = [];
  const count = stack ? Math.min(MAX_SHEETS, lengthOf(stack)) : 1;
  for (let sheet = count - 1; sheet >= 0; sheet--) {
    const offset = count > 1 ? (depth * sheet) / (count - 1) : 0;
    const role = sheet === 0 ? tensor.role : null;
    marks.push({ kind: 'sheet', x: x + offset, y: y - offset, width, height, role });
  }
  const edge = (x1: number, y1: number, x2: number, y2: number, axis: Axis, thin = false): Mark => ({
    kind: 'edge',
    x1,
    y1,
    x2,
    y2,
    axis,
    thin,
  });
  const letters = (side: Side, atX: number, atY: number) => {
    let left = atX - side.reduce((sum, { letter }) => sum + letterWidth(letter), 0) / 2;
    for (const { letter, axis } of side) {
      marks.push({ kind: 'letter', x: left + letterWidth(letter) / 2, y: atY, letter, axis });
      left += letterWidth(letter);
    }
  };
  const [outer, inner] = columns;
  if (outer && inner) {
    const bands = Math.min(MAX_SHEETS, outer.size);
    for (let band = 1; band < bands; band++) {
      const at = x + (width * band) / bands;
      marks.push(edge(at, y, at, y + height, outer.axis, true));
    }
  }
  const last = columns.at(-1);
  if (last) marks.push(edge(x, y + height, x + width, y + height, last.axis));
  letters(columns, x + width / 2, y + height + 11);
  if (rows[0]) marks.push(edge(x, y, x, y + height, rows[0].axis));
  letters(rows, x - 7, y + height / 2 + 3.5);
  if (stack?.[0] && depth > 0) {
    const ground = y + height;
    marks.push(edge(x + width, ground, x + width + depth, ground - depth, stack[0].axis));
    letters(stack, x + width + depth / 2 + 1.5 + letterWidth(stack[0].letter) / 2, ground - depth / 2 + 9);
  }
  if (batch[0] && batch[0].size > 1) {
    const length = doublings(batch[0].size) * unit;
    marks.push(edge(x, 4, x + length, 4, batch[0].axis));
    letters(batch, x - 7, 8);
  }
  marks.push({
    kind: 'name',
    x: x + width / 2,
    y: y + height / 2 + 4.5,
    name: tensor.name,
    role: tensor.role,
  });
  return { width: x + width + depth + RIGHT, height: y + height + BOTTOM, marks };
}

/** The tensors of a stage side by side on one baseline, at least `height` pixels high. */
export function drawStage(tensors: readonly ShapedTensor[], unit: number, height = 0): Glyph {
  const glyphs = tensors.map((tensor) => glyphOf(tensor, unit));
  const tallest = Math.max(height, ...glyphs.map((glyph) => glyph.height));
  let left = 0;
  const marks = glyphs.flatMap((glyph) => {
    const dx = left;
    left += glyph.width + GAP;
    return glyph.marks.map((mark) => moved(mark, dx, tallest - glyph.height));
  });
  return { width: left - GAP, height: tallest, marks };
}

function moved(mark: Mark, dx: number, dy: number): Mark {
  if (mark.kind !== 'edge') return { ...mark, x: mark.x + dx, y: mark.y + dy };
  const { x1, y1, x2, y2 } = mark;
  return { ...mark, x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy };
}

const nameSize = (name: string): number => (name.length > 3 ? 11 : 13);

export const markTemplate = (mark: Mark): TemplateResult => {
  switch (mark.kind) {
    case 'sheet':
      return svg`<rect class="sheet" x=${mark.x} y=${mark.y} width=${mark.width} height=${mark.height} />
        ${
          mark.role
            ? svg`<rect class="tint ${mark.role}" x=${mark.x} y=${mark.y} width=${mark.width} height=${mark.height} />`
            : ''
        }`;
    case 'edge':
      return svg`<line class="edge ${mark.axis} ${mark.thin ? 'thin' : ''}"
        x1=${mark.x1} y1=${mark.y1} x2=${mark.x2} y2=${mark.y2} />`;
    case 'letter': {
      const [base = '', subscript] = mark.letter.split('_');
      return svg`<text class="letter ${mark.axis}" x=${mark.x} y=${mark.y}>${base}${
        subscript ? svg`<tspan class="below" dy="2.5">${subscript}</tspan>` : ''
      }</text>`;
    }
    case 'name':
      return svg`<text class="name ${mark.role}" font-size=${nameSize(mark.name)} x=${mark.x} y=${mark.y}>${mark.name}</text>`;
  }
};
