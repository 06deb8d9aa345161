/** SVG shapes: their XML, with colours in sRGB because viewers need not know CSS, and those of CSS boxes. */
import { computedColours, type Srgb, toSrgb } from '../palette.js';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element. `fill` and `stroke` are CSS colours. */
export interface Shape {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content?: readonly (Shape | string)[];
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Control characters and lone surrogates are not allowed in XML, not even escaped.
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** Matches most values, among them the long ones (paths, data: URLs), faster than two replacements. */
const SAFE = /^[\w #%(),.:;=+/-]*$/;
const escape = (value: string): string =>
  SAFE.test(value)
    ? value
    : value.replace(FORBIDDEN, '\ufffd').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** A shape as markup. `root`: the shadow tree in which `color-mix()` is computed. */
export function svgMarkup(document: Shape, root: ParentNode & Node): string {
  const colours = coloursIn(document, root);

  const write = (shape: Shape | string): string => {
    if (typeof shape === 'string') return escape(shape);
    const { name, attributes, content = [] } = shape;
    let list = '';
    for (const key in attributes) {
      const value = attributes[key];
      if (value === undefined || key === 'fill-opacity' || key === 'stroke-opacity') continue;
      const srgb = key === 'fill' || key === 'stroke' ? colours.get(String(value)) : undefined;
      list += ` ${key}="${srgb?.hex ?? (typeof value === 'number' ? value : escape(value))}"`;
      if (srgb) {
        const opacity = srgb.opacity * Number(attributes[`${key}-opacity`] ?? 1);
        if (opacity < 1) list += ` ${key}-opacity="${Math.round(1000 * opacity) / 1000}"`;
      }
    }
    const inside = content.map(write).join('');
    return inside === '' ? `<${name}${list}/>` : `<${name}${list}>${inside}</${name}>`;
  };
  return write(document);
}

/** All fills and strokes, converted at once: reading the canvas for each of thousands would take too long. */
function coloursIn(document: Shape, root: ParentNode & Node): ReadonlyMap<string, Srgb> {
  const found = new Set<string>();
  const collect = ({ attributes: { fill, stroke }, content = [] }: Shape): void => {
    if (typeof fill === 'string') found.add(fill);
    if (typeof stroke === 'string') found.add(stroke);
    for (const part of content) if (typeof part !== 'string') collect(part);
  };
  collect(document);
  found.delete('none');
  const colours = [...found];
  const mixed = colours.filter((colour) => colour.startsWith('color-mix('));
  const computed = computedColours(root, mixed);
  const plain = new Map(mixed.map((colour, index) => [colour, computed[index] ?? colour]));
  const srgb = toSrgb(colours.map((colour) => plain.get(colour) ?? colour));
  return new Map(srgb.map((value, index) => [colours[index] ?? '', value]));
}

// CSS boxes: backgrounds, gradients, borders and shadows.

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
