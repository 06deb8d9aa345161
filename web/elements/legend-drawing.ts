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
  const ticks = TICKS.map((place, index) => {
    const number = tickText(shareAt(place) * scale).replace('-', '−');
    // Where the scale ends below 1, whatever lies beyond has its last colour.
    const [first, last] = [index === 0, index === TICKS.length - 1];
    const sign = scale === 1 ? '' : last ? '≥ ' : first && signed ? '≤ ' : '';
    return text(x + place * LEGEND_WIDTH, y + 42, sign + number, {
      'font-size': 11,
      'text-anchor': first ? 'start' : last ? 'end' : 'middle',
    });
  });
  return group({}, text(x, y + 11, title, { 'font-size': 12 }), ...bands, ...ticks);
}
