import { TICKS, tickText } from './legend.js';
import { group, rect, text, widthOf } from '../base/export.js';
import type { Palette } from '../base/palette.js';

const LEGEND_WIDTH = 240;
export const LEGEND_HEIGHT = 64;
const NOTE_SIZE = 11;

/** How much room a note of the legend takes. */
export const legendWidth = (note: string): number => Math.max(LEGEND_WIDTH, widthOf(note, NOTE_SIZE));

const BANDS = 60;

/** The ramp with its numbers, for an exported picture; below it `note`, a sentence. */
export function legendDrawing(
  x: number,
  y: number,
  palette: Palette,
  title: string,
  { scale, signed, beyond, note }: { scale: number; signed: boolean; beyond: boolean; note: string },
): string {
  const shareAt = (place: number) => (signed ? 2 * place - 1 : place);
  const width = LEGEND_WIDTH / BANDS;
  const shares = Array.from({ length: BANDS }, (_, index) => shareAt(index / (BANDS - 1)));
  const bands = palette.ramps(shares).map((fill, index) =>
    // A little wider than they are: no paper shines through between two.
    rect(x + index * width, y + 18, width + (index < BANDS - 1 ? 0.5 : 0), 10, {
      fill,
    }),
  );
  const ticks = TICKS.map((place, index) => {
    const number = tickText(shareAt(place) * scale).replace('-', '−');
    // Whatever lies beyond the scale has its last colour.
    const [first, last] = [index === 0, index === TICKS.length - 1];
    const sign = scale === 1 && !beyond ? '' : last ? '≥ ' : first && signed ? '≤ ' : '';
    return text(x + place * LEGEND_WIDTH, y + 42, sign + number, {
      'font-size': 11,
      'text-anchor': first ? 'start' : last ? 'end' : 'middle',
    });
  });
  return group(
    {},
    text(x, y + 11, title, { 'font-size': 12 }),
    ...bands,
    ...ticks,
    note === '' ? '' : text(x, y + 60, note, { 'font-size': NOTE_SIZE, fill: palette.muted }),
  );
}
