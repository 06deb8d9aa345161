import { type Drawing, path, rect, group, text } from '../base/export.js';
import type { Palette } from '../base/palette.js';
import { formatWeight } from '../base/strings.js';
import { CLS, type PatchFigure } from './patch-figure.js';
import { type PatchStrings, tokenName } from './strings.js';

/** Sizes in pixels. */
const CELL = 14;
const GAP = 20;
const MARGIN = 16;
const TOP = 44;

/** What is drawn: where from, where to, and the weight that has the ramp's last colour in each head. */
export interface Shown {
  readonly query: number;
  readonly key: number | null;
  readonly top: (head: number) => number;
}

/** The picture and the map of every head, side by side. */
export function patchDrawing(
  figure: PatchFigure,
  { query, key, top }: Shown,
  palette: Palette,
  strings: PatchStrings,
): Drawing {
  const { side } = figure;
  const size = side * CELL;
  const title = `${strings.maps(tokenName(figure, query, strings))}. ${strings.constructed}`;
  const shades = new Map<number, string>();
  const shade = (weight: number) => {
    const step = Math.round(weight * 100) / 100;
    const colour = shades.get(step) ?? palette.ramp(step);
    shades.set(step, colour);
    return colour;
  };
  const mark = (token: number | null, stroke: string) => {
    if (token === null || token === CLS) return '';
    const { row, column } = figure.placeOf(token);
    return rect(column * CELL, row * CELL, CELL, CELL, { fill: 'none', stroke, 'stroke-width': 2 });
  };
  const panel = (
    index: number,
    name: string,
    note: string,
    fill: (token: number) => string,
    isMap: boolean,
  ) =>
    group(
      { transform: `translate(${MARGIN + index * (size + GAP)} ${TOP})` },
      text(0, -8, name, { 'font-size': 13 }),
      ...Array.from({ length: figure.size }, (_, patch) => {
        const { row, column } = figure.placeOf(patch + 1);
        return rect(column * CELL, row * CELL, CELL, CELL, {
          fill: fill(patch + 1),
          'shape-rendering': 'crispEdges',
        });
      }),
      isMap
        ? path(figure.contours, {
            transform: `scale(${CELL})`,
            fill: 'none',
            stroke: palette.muted,
            'stroke-width': 1 / CELL,
            'stroke-opacity': 0.5,
          })
        : '',
      mark(query, palette.query),
      isMap ? mark(key, palette.key) : '',
      text(0, size + 18, note, { 'font-size': 12, fill: palette.muted }),
    );
  const maps = figure.heads.map(({ pattern }, head) =>
    panel(
      head + 1,
      strings.head(head, pattern),
      key === null
        ? `${strings.maximum} ${formatWeight(figure.maximum(head, query), 3)}`
        : `→ ${tokenName(figure, key, strings)} ${formatWeight(figure.at(head, query, key), 3)}`,
      (token) => shade(figure.at(head, query, token) / top(head)),
      true,
    ),
  );
  return {
    width: 2 * MARGIN + (figure.heads.length + 1) * (size + GAP) - GAP,
    height: TOP + size + 56,
    title,
    body: [
      panel(
        0,
        strings.pictureTitle,
        tokenName(figure, query, strings),
        (token) => figure.colour(token),
        false,
      ),
      ...maps,
      text(MARGIN, TOP + size + 42, strings.constructed, { 'font-size': 12, fill: palette.muted }),
    ].join(''),
  };
}
