/** CSS boxes as SVG shapes: backgrounds, gradients, borders and shadows. */
import type { Attributes, Shape } from './svg-markup.js';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Gradients are drawn as this many bands: SVG gradients do not interpolate in oklab, as CSS does. */
const BANDS = 60;
/** Distance between the lines of a hatched box, in pixels. */
const HATCH = 8;

export const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

export const round = (value: number, factor = 100): number => Math.round(value * factor) / factor;
export const pixels = (length: string): number => parseFloat(length) || 0;

/** Splits a list of CSS values at its commas, except those within parentheses. */
const split = (values: string): string[] => values.split(/,\s*(?![^(]*\))/);

/** The first colour in a computed CSS value. */
const colourIn = (value: string): string =>
  /(?:rgba?|hsla?|oklch|oklab|lch|lab|color)\([^()]*\)|#[0-9a-f]+/i.exec(value)?.[0] ?? 'none';

export const rounded = ({ x, y, width, height }: DOMRect): Attributes => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
});

/** Without a corner radius its edges snap to pixels, so that no gap shows between adjacent rectangles. */
export const rectangle = (box: DOMRect, paint: Attributes, rx?: number): Shape => ({
  name: 'rect',
  attributes: {
    ...rounded(box),
    ...paint,
    rx,
    'shape-rendering': rx === undefined ? 'crispEdges' : undefined,
  },
});

/** A stroked rectangle whose line has its middle `distance` pixels outside of a box. */
export function outline(
  box: DOMRect,
  distance: number,
  strokeWidth: number,
  stroke: string,
  radius = 0,
): Shape {
  const [width, height] = [box.width + 2 * distance, box.height + 2 * distance];
  const outer = new DOMRect(box.x - distance, box.y - distance, width, height);
  const rx = radius > 0 ? round(Math.max(0, radius + distance)) : undefined;
  return rectangle(outer, { fill: 'none', stroke, 'stroke-width': strokeWidth }, rx);
}

/** The borders of a box, each with the box that it covers. */
export function borders(box: DOMRect, style: CSSStyleDeclaration, rx?: number): [Shape, DOMRect][] {
  const { x, y, width, height } = box;
  const [top, right] = [pixels(style.borderTopWidth), pixels(style.borderRightWidth)];
  const [bottom, left] = [pixels(style.borderBottomWidth), pixels(style.borderLeftWidth)];
  if (top > 0 && top === right && top === bottom && top === left) {
    return [[outline(box, -top / 2, top, style.borderTopColor, rx), box]];
  }
  const sides = [
    ['Top', new DOMRect(x, y, width, top)],
    ['Right', new DOMRect(x + width - right, y, right, height)],
    ['Bottom', new DOMRect(x, y + height - bottom, width, bottom)],
    ['Left', new DOMRect(x, y, left, height)],
  ] as const;
  return sides
    .filter(([, side]) => side.width > 0 && side.height > 0)
    .map(([name, side]) => {
      const colour = style[`border${name}Color`];
      const isDotted = style[`border${name}Style`] === 'dotted';
      return [isDotted ? dottedLine(side, colour) : rectangle(side, { fill: colour }), side];
    });
}

/** A dotted line along the middle of a narrow box. */
function dottedLine({ x, y, width, height }: DOMRect, stroke: string): Shape {
  const thickness = Math.min(width, height);
  const d =
    width > height
      ? `M${round(x)} ${round(y + thickness / 2)}h${round(width)}`
      : `M${round(x + thickness / 2)} ${round(y)}v${round(height)}`;
  const attributes = { d, stroke, 'stroke-width': thickness, 'stroke-dasharray': thickness, fill: 'none' };
  return { name: 'path', attributes };
}

/**
 * Shadows without blur. Outer ones are outlines; inset ones are outlines if they have a spread, else bars along one side.
 */
export function shadows(
  box: DOMRect,
  boxShadow: string,
  radius?: number,
): { outer: Shape[]; inset: Shape[] } {
  const { x, y, width, height } = box;
  const [outer, inset]: [Shape[], Shape[]] = [[], []];
  for (const shadow of split(boxShadow).toReversed()) {
    const colour = colourIn(shadow);
    const lengths = [...shadow.replace(colour, '').matchAll(/-?[\d.]+px/g)].map(([length]) => pixels(length));
    const [dx = 0, dy = 0, , spread = 0] = lengths;
    if (!shadow.includes('inset')) outer.push(outline(box, spread / 2, spread, colour, radius));
    else if (spread > 0) inset.push(outline(box, -spread / 2, spread, colour, radius));
    else {
      const [left, top] = [dx < 0 ? x + width + dx : x, dy < 0 ? y + height + dy : y];
      const bar = new DOMRect(left, top, dx === 0 ? width : Math.abs(dx), dy === 0 ? height : Math.abs(dy));
      inset.push(rectangle(bar, { fill: colour }));
    }
  }
  return { outer, inset };
}

/** A background image: a repeating gradient is a hatching, any other one goes from left to right. */
export const gradient = (box: DOMRect, image: string): Shape[] =>
  image.startsWith('repeating-') ? [hatch(box, colourIn(image))] : bands(box, image);

/** Lines from the bottom left to the top right. */
function hatch({ left, top, width, height }: DOMRect, stroke: string): Shape {
  let d = '';
  for (let at = HATCH / 2; at < width + height; at += HATCH) {
    const [x1, y1] = [Math.max(0, at - height), Math.min(at, height)];
    const [x2, y2] = [Math.min(at, width), Math.max(0, at - width)];
    d += `M${round(left + x1)} ${round(top + y1)}L${round(left + x2)} ${round(top + y2)}`;
  }
  return { name: 'path', attributes: { d, fill: 'none', stroke, 'stroke-width': 1 } };
}

function bands({ left, top, width, height }: DOMRect, image: string): Shape[] {
  const [, ...values] = split(image.slice(image.indexOf('(') + 1, -1));
  const stops = values.map((stop, index) => ({
    colour: colourIn(stop),
    percent: Number(/([\d.]+)%$/.exec(stop)?.[1] ?? (100 * index) / (values.length - 1)),
  }));
  return Array.from({ length: BANDS }, (_, index) => {
    const at = (100 * index) / (BANDS - 1);
    const next = Math.max(
      1,
      stops.findIndex(({ percent }) => percent >= at),
    );
    const [a, b] = [stops[next - 1], stops[next]];
    const share = a && b ? (100 * (at - a.percent)) / (b.percent - a.percent) : 0;
    const band = width / BANDS;
    return rectangle(new DOMRect(left + index * band, top, band, height), {
      fill: `color-mix(in oklab, ${b?.colour ?? ''} ${round(share)}%, ${a?.colour ?? ''})`,
    });
  });
}
