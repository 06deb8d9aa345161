import type { Figure } from '../../sources/figure.js';
import type { Place } from '../sentence-view/selection.js';

/** A word's position along the line of words, and the edges at which its arcs start and end, in pixels. */
export interface Stop {
  readonly centre: number;
  readonly reach: number;
  readonly ahead: number;
  readonly back: number;
}

export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly stops: readonly Stop[];
  /** Those of the keys, which in a figure of one text are the same words. */
  readonly keys: readonly Stop[];
}

export type Direction = 'row' | 'column';

/** Length of an arrow head, how much of it the line leaves free, and half its breadth, in sizes of the head. */
const TIP_LENGTH = 1.4;
const TIP_FREE = 1.2;
const TIP_BREADTH = 0.62;
/** Widest line into an arrow head, in sizes of the head, and the longest head, as a share of the arc's height. */
const LINE = 0.9;
const LONGEST_TIP = 0.6;
/** Distance from a word's centre at which arcs start and end, in pixels. */
const footOf = ({ reach }: Stop): number => Math.min(7, reach / 2);

/** Height of the highest arc above the words, in pixels. */
export function riseOf({ stops, width }: Stage, direction: Direction): number {
  const first = stops[0];
  const last = stops.at(-1);
  if (!first || !last) return 0;
  if (direction === 'row') return Math.round(Math.min(100, 30 + 0.1 * (last.centre - first.centre)));
  return Math.round(Math.max(24, Math.min(180, (width - (first.ahead - first.back)) / 2 - 1)));
}

/** Height of an arc over a share of the line of words, in pixels. */
const heightOf = (share: number, rise: number): number => Math.min(1, share) ** 0.62 * (rise - 8);
/** Room for a self-arc and for an arrow head over neighbours, in pixels at the scale 1. */
const LOWEST_ROOM = 36;

/** How an arc is drawn; `size` is that of its arrow head, 0 for none. */
export interface Stroke {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly opacity: number;
  readonly size: number;
}

/** Writes points of a drawing whose words stand in a row or in a column. */
const pointIn = (direction: Direction) => (along: number, across: number) =>
  (direction === 'row' ? [along, across] : [across, along]).map((value) => value.toFixed(1)).join(' ');

/** An arrow head from its point at `edge` to its `base`; its line is no thicker than it allows. */
function tipOf(
  { width, size }: Stroke,
  point: ReturnType<typeof pointIn>,
  { along, edge, base, head }: { along: number; edge: number; base: number; head: number },
): { tip: string; width: number } {
  if (size === 0) return { tip: '', width };
  const [left, right] = [along - head * TIP_BREADTH, along + head * TIP_BREADTH];
  return {
    tip: `M${point(along, edge)}L${point(left, base)}L${point(right, base)}Z`,
    width: Math.min(width, head * LINE),
  };
}

/** SVG paths of an arc's line and arrow head; arcs to later words go up in a row and to the right in a column. */
export function pathsOf(
  stroke: Stroke,
  { stops }: Stage,
  direction: Direction,
  rise: number,
): { line: string; tip: string; width: number } {
  const { from, to, width, size } = stroke;
  const inRow = direction === 'row';
  const start = stops[from];
  const end = stops[to];
  const first = stops[0];
  const last = stops.at(-1);
  if (!start || !end || !first || !last) return { line: '', tip: '', width: 0 };
  const point = pointIn(direction);
  const ahead = from <= to;
  const away = ahead === inRow ? -1 : 1;
  const edge = (stop: Stop) => (ahead ? stop.ahead : stop.back);

  if (from === to) {
    const { centre, reach } = start;
    const across = edge(start);
    // The two legs of a thick line stay apart.
    const half = Math.min(Math.max(5, 0.7 * width), 0.6 * reach);
    const far = across + away * Math.min(Math.max(26, 2.4 * width), rise * 0.6);
    return {
      line: `M${point(centre - half, across)}C${point(centre - 3 * half, far)} ${point(centre + 3 * half, far)} ${point(centre + half, across)}`,
      tip: '',
      width: Math.min(width, half / 0.7),
    };
  }
  const side = ahead ? 1 : -1;
  const a = start.centre + side * footOf(start);
  const b = end.centre - side * footOf(end);
  const span = Math.abs(b - a) / Math.max(1, last.centre - first.centre);
  // An arc is high enough for its arrow head, and neither is broader than its words leave.
  const room = Math.min(...[start, end].map((stop) => stop.reach - footOf(stop)));
  const wanted = Math.min(size, room / TIP_BREADTH);
  const height = Math.min(rise - 8, Math.max(heightOf(span, rise), (wanted * TIP_LENGTH) / LONGEST_TIP));
  const head = Math.min(wanted, (height * LONGEST_TIP) / TIP_LENGTH);
  // A cubic Bézier curve peaks at 3/4 of its control points' height.
  const peak = (across: number) => across + away * (height / 0.75);
  const base = edge(end) + away * head * TIP_LENGTH;
  return {
    line: `M${point(a, edge(start))}C${point(a, peak(edge(start)))} ${point(b, peak(edge(end)))} ${point(b, edge(end) + away * head * TIP_FREE)}`,
    ...tipOf(stroke, point, { along: b, edge: edge(end), base, head }),
  };
}

/**
 * SVG paths from a word of one text to a word of another: up to the row of keys, or to the left to their column.
 */
export function linkOf(
  stroke: Stroke,
  { stops, keys }: Stage,
  direction: Direction,
): { line: string; tip: string; width: number } {
  const inRow = direction === 'row';
  const start = stops[stroke.from];
  const end = keys[stroke.to];
  if (!start || !end) return { line: '', tip: '', width: 0 };
  const point = pointIn(direction);
  const [begin, stop] = inRow ? [start.ahead, end.back] : [start.back, end.ahead];
  const gap = begin - stop;
  const head = Math.min(stroke.size, end.reach / TIP_BREADTH, (gap * LONGEST_TIP) / TIP_LENGTH);
  const base = stop + head * TIP_LENGTH;
  const line =
    `M${point(start.centre, begin)}C${point(start.centre, begin - gap / 2)} ` +
    `${point(end.centre, stop + gap / 2)} ${point(end.centre, stop + head * TIP_FREE)}`;
  return { line, ...tipOf(stroke, point, { along: end.centre, edge: stop, base, head }) };
}

/** Weights below this get no arc, because a visible arc would contradict a weight that is shown as 0.00. */
const SMALLEST_WEIGHT = 0.02;

/** Room above and below a row of words, in pixels. */
export interface Room {
  readonly above: number;
  readonly below: number;
}

/** Room for the arcs of all heads: `rise` for those to the farthest word of a side, nothing on a side without arcs. */
export function roomOf(figure: Figure, { stops }: Stage, rise: number, scale: number): Room {
  const length = Math.max(1, (stops.at(-1)?.centre ?? 0) - (stops[0]?.centre ?? 0));
  const lowest = Math.min(rise, LOWEST_ROOM * Math.max(1, scale));
  const room = { above: 0, below: 0 };
  for (const head of figure.headNames.keys()) {
    for (const [from, start] of stops.entries()) {
      for (const [to, end] of stops.entries()) {
        if (figure.at(head, from, to) < SMALLEST_WEIGHT) continue;
        const side = from <= to ? 'above' : 'below';
        const share = Math.abs(end.centre - start.centre) / length;
        room[side] = Math.max(room[side], lowest, Math.ceil(heightOf(share, rise)) + 8);
      }
    }
  }
  return room;
}

/**
 * Arcs of all queries of a head, of `query`, or to a `key` that is chosen alone, by query and key. Weights above 1 (after
 * dropout) are drawn like 1.
 */
export function strokesOf(
  figure: Figure,
  head: number,
  { query, key }: Place,
  scale: number,
): Map<number, Stroke> {
  const strokes = new Map<number, Stroke>();
  const isChosen = (query ?? key) !== null;
  const isOther = (to: number) => key !== null && to !== key;
  for (let from = query ?? 0; from < (query === null ? figure.size : query + 1); from++) {
    for (let to = 0; to < figure.keys; to++) {
      const weight = Math.min(1, figure.at(head, from, to));
      if (weight < SMALLEST_WEIGHT || (query === null && isOther(to))) continue;
      const width = (isChosen ? 1 + 7 * weight : 0.6 + 5 * weight) * scale;
      const opacity = isChosen ? weight ** 0.4 * (isOther(to) ? 0.3 : 1) : weight ** 0.7;
      const isLoop = from === to && !figure.isOfTwo;
      const size = !isChosen || isLoop ? 0 : 3 * scale + 1.2 * width;
      strokes.set(from * figure.keys + to, { from, to, width, opacity, size });
    }
  }
  return strokes;
}
