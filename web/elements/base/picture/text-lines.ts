/** The lines in which the browser has laid out a text node. */
import { type Box, union } from './css-boxes.js';

export interface TextLine {
  readonly box: Box;
  readonly text: string;
}

/** A range of characters of a text node that lie on one line. */
interface Run {
  readonly box: Box;
  readonly start: number;
  readonly end: number;
}

/** The lines of a text node; those that reach beyond `clipRight` end with an ellipsis. `range` is only scratch. */
export function textLines(node: Text, clipRight: number, range: Range): TextLine[] {
  const { data } = node;
  const start = data.search(/\S/);
  if (start < 0) return [];
  return runs(node, start, data.trimEnd().length, range).flatMap((run) => {
    if (run.box.right > clipRight + 0.5) return clipped(node, run, clipRight, range);
    return [{ box: run.box, text: collapsed(data.slice(run.start, run.end)) }];
  });
}

const collapsed = (text: string): string => text.replace(/[ \t\n\r\f]+/g, ' ');

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

function bounds(node: Text, start: number, end: number, range: Range): { box: Box; isLine: boolean } | null {
  range.setStart(node, start);
  range.setEnd(node, end);
  const boxes = [...range.getClientRects()].map(boxOf);
  if (boxes.length === 0) return null;
  // Text of both directions has several boxes on one line.
  const isLine = Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom));
  return { box: boxes.reduce(union), isLine: boxes.length === 1 || isLine };
}

/** Splits a text into lines: by words, and by characters where one word takes several lines. */
function runs(node: Text, start: number, end: number, range: Range): Run[] {
  const whole = bounds(node, start, end, range);
  if (!whole) return [];
  const text = node.data.slice(start, end);
  const words = [...text.matchAll(/\S+/g)];
  const pieces = words.length > 1 ? words : [...text.matchAll(/./gsu)];
  if (whole.isLine || pieces.length < 2) return [{ box: whole.box, start, end }];
  const lines: Run[] = [];
  for (const { index, 0: piece } of pieces) {
    for (const next of runs(node, start + index, start + index + piece.length, range)) {
      const last = lines.at(-1);
      if (last && next.box.top < last.box.bottom && last.box.top < next.box.bottom) {
        lines[lines.length - 1] = { box: union(last.box, next.box), start: last.start, end: next.end };
      } else lines.push(next);
    }
  }
  return lines;
}

/** The longest beginning of a line that fits, with an ellipsis; nothing where not even one character fits. */
function clipped(node: Text, { box, start, end }: Run, clipRight: number, range: Range): TextLine[] {
  const characters = Array.from(node.data.slice(start, end));
  const ellipsis = (box.bottom - box.top) / 2;
  while (characters.pop() !== undefined) {
    const text = characters.join('');
    const fitting = bounds(node, start, start + text.length, range)?.box;
    if (fitting && fitting.right + ellipsis <= clipRight) {
      return [{ box: { ...fitting, right: fitting.right + ellipsis }, text: `${collapsed(text)}…` }];
    }
  }
  return [];
}
