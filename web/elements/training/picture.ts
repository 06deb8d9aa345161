import { RELATION_KINDS } from '../../training/language/sentence.js';
import { type Drawing, group, path, rect, text } from '../base/export.js';
import type { Figure } from '../sentence-view/figure.js';
import { SHADES, shadesOfHead } from '../heads/miniature.js';
import { LEGEND_HEIGHT, legendDrawing } from '../sentence-view/legend-drawing.js';
import { shadesOf } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { type Chart, chartDrawing, HEIGHT, NARROW, WIDE } from './chart.js';
import { accuracyChart, type ChartSource, lossChart, roleChart } from './charts.js';
import type { History } from './history.js';

const MARGIN = 20;
const GAP = 28;
const SIDE = 104;
const NAME = 20;

/** What the picture says beside the numbers. */
export interface PictureTexts {
  readonly title: string;
  /** What kind of weights these are. */
  readonly label: string;
  readonly sentence: string;
  readonly legend: string;
}

/** The charts in two rows, under them every head of the sentence. */
export function trainingDrawing(
  source: ChartSource & { history: History },
  figures: readonly Figure[],
  palette: Palette,
  texts: PictureTexts,
): Drawing {
  const top = MARGIN + 30;
  const row = (charts: readonly Chart[], index: number) =>
    charts.map((chart, column) => {
      const [x, y] = [MARGIN + column * (chart.width + GAP), top + 24 + index * (HEIGHT + GAP + 10)];
      return group({ transform: `translate(${x} ${y})` }, chartDrawing(chart, palette));
    });
  const drawnCharts = [
    ...row([lossChart(source), accuracyChart(source)], 0),
    ...row(
      RELATION_KINDS.map((kind) => roleChart(source, kind)),
      1,
    ),
  ];
  const below = top + 2 * (HEIGHT + GAP + 10) + 24;
  const shade = shadesOf(palette);
  const { numHeads } = source.history.plan;
  const columns = Math.min(8, numHeads);
  const rowsOfLayer = Math.ceil(numHeads / columns);
  const pitch = SIDE + NAME + 14;
  const place = (layer: number, head: number) => ({
    x: MARGIN + (head % columns) * (SIDE + 16),
    y: below + NAME + 16 + (layer * rowsOfLayer + Math.floor(head / columns)) * pitch,
  });
  const heads = figures.flatMap((figure, layer) =>
    figure.headNames.map((_, head) => {
      const { x, y } = place(layer, head);
      return group(
        { transform: `translate(${x} ${y})` },
        text(0, -5, source.strings.head(layer, head), { 'font-size': 12 }),
        rect(0, 0, SIDE, SIDE, { fill: palette.ramp(0) }),
        ...[...shadesOfHead(figure, head)].map(([step, d]) =>
          path(d, {
            fill: shade(step / SHADES),
            transform: `scale(${SIDE / figure.size})`,
            'shape-rendering': 'crispEdges',
          }),
        ),
      );
    }),
  );
  const bottom = below + NAME + figures.length * rowsOfLayer * pitch + 16;
  return {
    width: 2 * MARGIN + Math.max(2 * WIDE + GAP, 4 * NARROW + 3 * GAP, columns * (SIDE + 16)),
    height: bottom + LEGEND_HEIGHT + MARGIN,
    title: `${texts.title}. ${texts.label}`,
    body: [
      text(MARGIN, MARGIN + 12, texts.label, { 'font-size': 13, fill: palette.muted }),
      ...drawnCharts,
      text(MARGIN, below, `${texts.title}: ${texts.sentence}`, { 'font-size': 13, 'font-weight': 'bold' }),
      ...heads,
      legendDrawing(MARGIN, bottom, palette, texts.legend, {
        ...{ scale: 1, signed: false, beyond: false, note: '' },
      }),
    ].join(''),
  };
}
