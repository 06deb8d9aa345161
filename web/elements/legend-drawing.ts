import { TICKS, tickText } from './details.js';
import { group, rect, text } from './export.js';
import type { Palette } from './palette.js';

export const LEGEND_WIDTH = 240;
export const LEGEND_HEIGHT = 46;

const BANDS = 60;

/** The ramp with its numbers, for an exported picture. */
export function legendDrawing(
  x: number,
  y: number,
  palette: Palette,
  title: string,
  { scale, signed }: { scale: number; signed: boolean },
): string {
  const shareAt = (place: number) => (signed ? 2 * place - 1 : place);
  const width = LEGEND_WIDTH / BANDS;
  const bands = Array.from({ length: BANDS }, (_, index) =>
    // A little wider than they are: no paper shines through between two.
    rect(x + index * width, y + 18, width + (index < BANDS - 1 ? 0.5 : 0), 10, {
      fill: palette.ramp(shareAt(index / (BANDS - 1))),
    }),
  );
  const ticks = TICKS.map((place, index) =>
    text(x + place * LEGEND_WIDTH, y + 42, tickText(shareAt(place) * scale).replace('-', '−'), {
      'font-size': 11,
      'text-anchor': index === 0 ? 'start' : index === TICKS.length - 1 ? 'end' : 'middle',
    }),
  );
  return group({}, text(x, y + 11, title, { 'font-size': 12 }), ...bands, ...ticks);
}
