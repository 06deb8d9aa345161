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
}

export type Direction = 'row' | 'column';

interface Arc {
  /** SVG path of the line, which ends within an arrow head of this size. */
  line(tipSize: number): string;
  /** SVG path of the arrow head at the key; '' if query and key are the same word. */
  tip(size: number): string;
}

/** Length of an arrow head, and how much of it the line leaves free, in sizes of the head. */
const TIP_LENGTH = 1.4;
const TIP_FREE = 1.2;

/** Height of the highest arc above the words, in pixels. */
export function riseOf({ stops, width }: Stage, direction: Direction): number {
  const first = stops[0];
  const last = stops.at(-1);
  if (!first || !last) return 0;
  if (direction === 'row') return Math.round(Math.min(100, 30 + 0.1 * (last.centre - first.centre)));
  return Math.round(Math.max(24, Math.min(180, (width - (first.ahead - first.back)) / 2 - 1)));
}

/** Arc from one word to another; arcs to later words go up in a row and to the right in a column. */
function arcBetween({ stops }: Stage, direction: Direction, rise: number, from: number, to: number): Arc {
  const inRow = direction === 'row';
  const start = stops[from];
  const end = stops[to];
  const first = stops[0];
  const last = stops.at(-1);
  if (!start || !end || !first || !last) return { line: () => '', tip: () => '' };
  const point = (along: number, across: number) =>
    (inRow ? [along, across] : [across, along]).map((value) => value.toFixed(1)).join(' ');
  const ahead = from <= to;
  const away = ahead === inRow ? -1 : 1;
  const edge = (stop: Stop) => (ahead ? stop.ahead : stop.back);

  if (from === to) {
    const { centre, reach } = start;
    const across = edge(start);
    const half = Math.min(5, reach);
    const far = across + away * Math.min(26, rise * 0.5);
    return {
      line: () =>
        `M${point(centre - half, across)}C${point(centre - 3 * half, far)} ${point(centre + 3 * half, far)} ${point(centre + half, across)}`,
      tip: () => '',
    };
  }
  const side = ahead ? 1 : -1;
  const a = start.centre + side * Math.min(7, start.reach / 2);
  const b = end.centre - side * Math.min(7, end.reach / 2);
  const span = Math.abs(b - a) / Math.max(1, last.centre - first.centre);
  // A cubic Bézier curve peaks at 3/4 of its control points' height.
  const height = (Math.min(1, span) ** 0.62 * (rise - 8)) / 0.75;
  const peak = (across: number) => across + away * height;
  return {
    line: (tipSize) => {
      const stop = edge(end) + away * tipSize * TIP_FREE;
      return `M${point(a, edge(start))}C${point(a, peak(edge(start)))} ${point(b, peak(edge(end)))} ${point(b, stop)}`;
    },
    tip: (size) => {
      const base = edge(end) + away * size * TIP_LENGTH;
      return `M${point(b, edge(end))}L${point(b - size * 0.62, base)}L${point(b + size * 0.62, base)}Z`;
    },
  };
}

export interface Stroke {
  path: string;
  width: number;
  opacity: number;
  /** SVG path of the arrow head; '' if query and key are the same word. */
  tip: string;
}

/** Weights below this get no arc, because a visible arc would contradict a weight that is shown as 0.00. */
const SMALLEST_WEIGHT = 0.02;

/**
 * Arcs of all queries, or of `query`. Weights above 1 (after dropout) are drawn like 1.
 *
 * @param weightAt the weight of a query and a key
 */
export function strokesOf(
  weightAt: (query: number, key: number) => number,
  { query, key }: Place,
  place: { stage: Stage; direction: Direction; rise: number; scale: number },
): Stroke[] {
  const { stage, direction, rise, scale } = place;
  const strokes: Stroke[] = [];
  for (let from = query ?? 0; from < (query === null ? stage.stops.length : query + 1); from++) {
    for (let to = 0; to < stage.stops.length; to++) {
      const weight = Math.min(1, weightAt(from, to));
      if (weight < SMALLEST_WEIGHT) continue;
      const arc = arcBetween(stage, direction, rise, from, to);
      if (query === null) {
        strokes.push({
          path: arc.line(0),
          width: (0.6 + 5 * weight) * scale,
          opacity: weight ** 0.7,
          tip: '',
        });
      } else {
        const width = (1 + 7 * weight) * scale;
        const opacity = weight ** 0.4 * (key === null || key === to ? 1 : 0.3);
        const size = 3 * scale + 1.2 * width;
        strokes.push({ path: arc.line(size), width, opacity, tip: arc.tip(size) });
      }
    }
  }
  return strokes;
}
