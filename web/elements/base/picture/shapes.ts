/** Boxes, and the SVG shapes that CSS draws around and within them. */
import type { Attributes, Shape } from './svg-markup.js';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A gradient is drawn as so many bands: an SVG gradient does not mix colours as CSS does. */
const BANDS = 60;
/** Distance of the lines of a hatched box, in pixels. */
const HATCH = 8;

export const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

export const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

export const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

export const round = (value: number, factor = 100): number => Math.round(value * factor) / factor;
export const pixels = (length: string): number => parseFloat(length) || 0;

/** The parts of a list of CSS values. */
export const listed = (values: string): string[] => values.split(/,\s*(?![^(]*\))/);

/** The first colour in a computed CSS value. */
export const colourIn = (value: string): string =>
  /(?:rgba?|hsla?|oklch|oklab|lch|lab|color)\([^()]*\)|#[0-9a-f]+/i.exec(value)?.[0] ?? 'none';

export const rounded = ({ x, y, width, height }: Frame): Attributes => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
});

/** A rectangle; one without round corners in whole pixels: between two that touch no paper shines through. */
export function rectangle({ x, y, width, height }: Frame, { rx, fill, ...lines }: Attributes): Shape {
  return {
    name: 'rect',
    attributes: {
      x: round(x),
      y: round(y),
      width: round(width),
      height: round(height),
      fill,
      ...lines,
      rx,
      'shape-rendering': rx === undefined ? 'crispEdges' : undefined,
    },
  };
}

/** A line around a box whose middle is so far outside of it. */
export function ring(
  { x, y, width, height }: Frame,
  reach: number,
  thick: number,
  stroke: string,
  radius: number,
): Shape {
  const frame = { x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach };
  const rx = radius > 0 ? round(Math.max(0, radius + reach)) : undefined;
  return rectangle(frame, { rx, fill: 'none', stroke, 'stroke-width': thick });
}

/** A dotted line along the middle of a narrow box. */
export function dots({ x, y, width, height }: Frame, thick: number, stroke: string): Shape {
  const d =
    width > height
      ? `M${round(x)} ${round(y + thick / 2)}h${round(width)}`
      : `M${round(x + thick / 2)} ${round(y)}v${round(height)}`;
  const attributes = { d, stroke, 'stroke-width': thick, 'stroke-dasharray': thick };
  return { name: 'path', attributes: { ...attributes, fill: 'none' } };
}

/** Lines across a box, from its left bottom to its right top. */
export function hatch({ left, top, width, height }: DOMRect, stroke: string): Shape {
  let d = '';
  for (let at = HATCH / 2; at < width + height; at += HATCH) {
    const [x1, y1] = [Math.max(0, at - height), Math.min(at, height)];
    const [x2, y2] = [Math.min(at, width), Math.max(0, at - width)];
    d += `M${round(left + x1)} ${round(top + y1)}L${round(left + x2)} ${round(top + y2)}`;
  }
  return { name: 'path', attributes: { d, fill: 'none', stroke, 'stroke-width': 1 } };
}

/** A gradient from left to right, mixed in oklab as the page mixes it. */
export function bands({ left, top, width, height }: DOMRect, gradient: string): Shape[] {
  const [, ...stops] = listed(gradient.slice(gradient.indexOf('(') + 1, -1));
  const colours = stops.map((stop, index) => ({
    colour: colourIn(stop),
    at: Number(/([\d.]+)%$/.exec(stop)?.[1] ?? (100 * index) / (stops.length - 1)),
  }));
  const band = width / BANDS;
  return Array.from({ length: BANDS }, (_, index) => {
    const place = (100 * index) / (BANDS - 1);
    const next = Math.max(
      1,
      colours.findIndex(({ at }) => at >= place),
    );
    const [a, b] = [colours[next - 1], colours[next]];
    const share = a && b ? (100 * (place - a.at)) / (b.at - a.at) : 0;
    const frame = { x: left + index * band, y: top, width: band, height };
    return rectangle(frame, {
      fill: `color-mix(in oklab, ${b?.colour ?? ''} ${round(share)}%, ${a?.colour ?? ''})`,
    });
  });
}
