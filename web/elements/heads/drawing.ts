import { type Drawing, group, path, rect, shape, text, widthOf } from '../base/export.js';
import type { Figure } from '../sentence-view/figure.js';
import { isolated } from '../base/language.js';
import { sumsOfRows } from '../sentence-view/legend.js';
import { LEGEND_HEIGHT, legendDrawing, legendWidth } from '../sentence-view/legend-drawing.js';
import { shadesOf } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { scaleOf } from '../sentence-view/scale.js';
import type { Selection } from '../sentence-view/selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { isPainted, paintMiniature, SHADES, shadesOfHead } from './miniature.js';

/** Pixels of the picture. */
const SIDE = 112;
const GAP = 24;
const NAME = 24;
const NOTE = 22;
const MARGIN = 20;
const MOST_COLUMNS = 8;

/** The strip of heads: names, miniatures, and each head's number. */
export function headsDrawing(
  figure: Figure,
  selection: Selection,
  title: string,
  palette: Palette,
  strings: Strings,
): Drawing {
  const rows = Math.ceil(figure.heads / MOST_COLUMNS);
  // Even rows: sixteen heads stand in two of eight, twelve in two of six.
  const columns = Math.ceil(figure.heads / rows);
  const pitch = NAME + SIDE + NOTE + GAP;
  const canvas = document.createElement('canvas');
  const ground = palette.ramp(0);
  const heads = figure.headNames.map((name, head) => {
    const x = MARGIN + (head % columns) * (SIDE + GAP);
    const y = MARGIN + Math.floor(head / columns) * pitch;
    const chosen = head === selection.head;
    return group(
      { 'text-anchor': 'middle' },
      text(x + SIDE / 2, y + 14, strings.head(name), {
        'font-size': 13,
        'font-weight': chosen ? 'bold' : undefined,
      }),
      group(
        { transform: `translate(${x} ${y + NAME})` },
        rect(0, 0, SIDE, SIDE, { fill: ground }),
        miniature(figure, head, selection, palette, canvas),
      ),
      text(x + SIDE / 2, y + NAME + SIDE + 17, noteOf(figure, head, selection, strings), {
        'font-size': 12,
        fill: palette.muted,
      }),
    );
  });
  const bottom = MARGIN + rows * pitch;
  const all = [...figure.headNames.keys()];
  const scale = scaleOf(figure);
  const note = sumsOfRows(figure, all, strings);
  const beyond = all.some((head) => figure.extent(head).largest > scale);
  return {
    width: 2 * MARGIN + Math.max(legendWidth(note), columns * (SIDE + GAP) - GAP),
    height: bottom + LEGEND_HEIGHT + MARGIN,
    title,
    body: group(
      {},
      ...heads,
      legendDrawing(MARGIN, bottom, palette, strings.legend, { scale, signed: false, beyond, note }),
    ),
  };
}

function noteOf(figure: Figure, head: number, { shown }: Selection, strings: Strings): string {
  const { query, key } = shown;
  if (query === null) {
    const [strongest] = figure.strongestPairs(head);
    return strongest ? strings.maximum(formatWeight(strongest.weight)) : '';
  }
  if (key !== null) return formatWeight(figure.at(head, query, key));
  const best = figure.heaviest(head, query);
  if (!best) return '';
  const weight = formatWeight(best.weight);
  const word = figure.token(best.key);
  const letters = Array.from(word);
  while (widthOf(`${letters.join('')}… ${weight}`, 12) > SIDE + GAP / 2) letters.pop();
  const isCut = letters.length < Array.from(word).length;
  return `${isolated(isCut ? `${letters.join('')}…` : word)} ${weight}`;
}

function miniature(
  figure: Figure,
  head: number,
  { shown }: Selection,
  palette: Palette,
  canvas: HTMLCanvasElement,
): string {
  const { query, key } = shown;
  const cell = SIDE / figure.size;
  const shade = shadesOf(palette);
  const cells = isPainted(figure)
    ? paintedCells(figure, head, palette, canvas)
    : [...shadesOfHead(figure, head)]
        .map(([step, d]) =>
          path(d, {
            fill: shade(step / SHADES),
            transform: `scale(${cell})`,
            'shape-rendering': 'crispEdges',
          }),
        )
        .join('');
  return [
    cells,
    query === null
      ? ''
      : rect(0, query * cell, SIDE, cell, { fill: 'none', stroke: palette.query, 'stroke-width': 1.5 }),
    query === null || key === null
      ? ''
      : rect(key * cell, query * cell, cell, cell, { fill: 'none', stroke: palette.key, 'stroke-width': 2 }),
  ].join('');
}

function paintedCells(figure: Figure, head: number, palette: Palette, canvas: HTMLCanvasElement): string {
  paintMiniature(canvas, figure, head, palette);
  return shape('image', { width: SIDE, height: SIDE, href: canvas.toDataURL('image/png') });
}
