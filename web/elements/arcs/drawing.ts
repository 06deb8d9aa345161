import { sumsOfRows } from '../sentence-view/legend.js';
import { type Drawing, group, path, rect, text, widthOf } from '../base/export.js';
import type { Figure } from '../sentence-view/figure.js';
import { LEGEND_HEIGHT, legendDrawing } from '../sentence-view/legend-drawing.js';
import { shadesOf } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { isLong, scaleOf } from '../sentence-view/scale.js';
import type { Place } from '../sentence-view/selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { isHigh } from '../base/theme.js';
import { riseOf, type Stage, strokesOf } from './geometry.js';

/** Pixels of the picture. */
const SIZE = 22;
const NUMBER = 12;
const PADDING = 6;
const GAP = 11;
const MARGIN = 20;
const CLEARANCE = 3;
/** Of a long text. */
const TEXT_SIZE = 15;
const LINE = 26;
const TEXT_WIDTH = 720;

/** The sentence in a row with its arcs; a long text in lines, with the chosen word's weights behind its words. */
export function arcsDrawing(
  figure: Figure,
  head: number,
  place: Place,
  title: string,
  palette: Palette,
  strings: Strings,
): Drawing {
  const name = strings.head(figure.headNames[head] ?? head);
  return isLong(figure)
    ? textDrawing(figure, head, place, title, palette, strings)
    : rowDrawing(figure, head, place, title, palette, name);
}

function rowDrawing(
  figure: Figure,
  head: number,
  place: Place,
  title: string,
  palette: Palette,
  name: string,
): Drawing {
  const { query, key } = place;
  const height = query === null ? 34 : 50;
  let x = MARGIN;
  const boxes = figure.tokens.map((token) => {
    const width = Math.max(widthOf(token, SIZE), query === null ? 0 : widthOf('0.00', NUMBER)) + 2 * PADDING;
    const box = { x, width };
    x += width + GAP;
    return box;
  });
  const width = x - GAP + MARGIN;
  const stageAt = (top: number): Stage => ({
    width,
    height: 0,
    stops: boxes.map((box) => ({
      centre: box.x + box.width / 2,
      reach: box.width / 2,
      ahead: top - CLEARANCE,
      back: top + height + CLEARANCE,
    })),
  });
  const rise = riseOf(stageAt(0), 'row');
  const top = MARGIN + 12 + rise;
  const strokes = strokesOf(figure, head, place, { stage: stageAt(top), direction: 'row', rise, scale: 1 });
  const arcs = strokes.map(
    (stroke) =>
      path(stroke.path, {
        fill: 'none',
        stroke: palette.arc,
        'stroke-width': stroke.width,
        'stroke-linecap': 'round',
        opacity: stroke.opacity,
      }) + (stroke.tip === '' ? '' : path(stroke.tip, { fill: palette.arc, opacity: stroke.opacity })),
  );
  const words = boxes.map((box, index) => {
    const weight = query === null ? null : figure.at(head, query, index);
    const centre = box.x + box.width / 2;
    const fill = weight === null ? palette.ink : palette.onRamp(weight);
    const ring = index === query ? palette.query : index === key ? palette.key : null;
    return group(
      { 'text-anchor': 'middle', fill },
      weight === null
        ? ''
        : rect(box.x, top, box.width, height, {
            rx: 6,
            fill: palette.ramp(weight),
            ...(ring && { stroke: ring, 'stroke-width': 2 }),
          }),
      text(centre, top + 25, figure.token(index), { 'font-size': SIZE }),
      weight === null ? '' : text(centre, top + 43, formatWeight(weight), { 'font-size': NUMBER }),
    );
  });
  return {
    width,
    height: top + height + rise + MARGIN,
    title,
    body: group(
      {},
      text(MARGIN, MARGIN + 6, name, { 'font-size': 13, fill: palette.muted }),
      ...arcs,
      ...words,
    ),
  };
}

function textDrawing(
  figure: Figure,
  head: number,
  { query, key }: Place,
  title: string,
  palette: Palette,
  strings: Strings,
): Drawing {
  const name = strings.head(figure.headNames[head] ?? head);
  const scale = scaleOf(figure);
  const shade = shadesOf(palette);
  const inks = { low: palette.onRamp(0), high: palette.onRamp(1) };
  const top = MARGIN + LEGEND_HEIGHT + 16;
  let x = MARGIN;
  let y = top;
  const words = figure.tokens.map((token, index) => {
    const width = widthOf(token, TEXT_SIZE) + 8;
    if (x > MARGIN && x + width > TEXT_WIDTH - MARGIN) {
      x = MARGIN;
      y += LINE;
    }
    const left = x;
    x += width + 2;
    const weight = query === null ? 0 : figure.at(head, query, index);
    const share = weight / scale;
    const ring = index === query ? palette.query : index === key ? palette.key : null;
    const fill = query === null ? palette.ink : isHigh(share) ? inks.high : inks.low;
    return (
      (query === null
        ? ''
        : rect(left, y, width, LINE - 4, {
            rx: 4,
            fill: shade(share),
            ...(ring && { stroke: ring, 'stroke-width': 2 }),
          })) +
      text(left + width / 2, y + 16, token, { 'text-anchor': 'middle', 'font-size': TEXT_SIZE, fill })
    );
  });
  const legend = legendDrawing(MARGIN, MARGIN, palette, `${strings.legend}, ${name}`, {
    ...{ scale, signed: false, beyond: figure.extent(head).largest > scale },
    note: sumsOfRows(figure, [head], strings),
  });
  return { width: TEXT_WIDTH, height: y + LINE + MARGIN, title, body: legend + group({}, ...words) };
}
