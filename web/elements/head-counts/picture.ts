import { type Drawing, group, text } from '../base/export.js';
import type { Palette } from '../base/palette.js';
import { type AxisTitles, chartDrawing, type CurveName, HEIGHT, keyDrawing } from './chart.js';
import type { Curves } from './curves.js';

const WIDTH = 720;
const MARGIN = 20;
const LINE = 24;

/** A curve and what is said of it. */
export type LegendEntry = readonly [name: CurveName, text: string];

/** The chart under its title, over its legend. */
export function headCountDrawing(
  curves: Curves,
  legend: readonly LegendEntry[],
  palette: Palette,
  titles: AxisTitles & { readonly title: string },
): Drawing {
  const top = MARGIN + 36;
  const below = top + HEIGHT + 16;
  return {
    width: WIDTH + 2 * MARGIN,
    height: below + legend.length * LINE + MARGIN,
    title: titles.title,
    body: [
      text(MARGIN, MARGIN + 12, titles.title, { 'font-size': 15, 'font-weight': 'bold' }),
      group({ transform: `translate(${MARGIN} ${top})` }, chartDrawing(curves, WIDTH, titles, palette)),
      ...legend.map(([name, words], index) =>
        group(
          { transform: `translate(${MARGIN} ${below + index * LINE})` },
          keyDrawing(name, palette),
          text(44, 14, words, { 'font-size': 13 }),
        ),
      ),
    ].join(''),
  };
}
