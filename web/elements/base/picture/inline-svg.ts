/** `<svg>` elements of the page as shapes: their computed style becomes attributes. */
import { fontOf, unless } from './computed-style.js';
import { pixels, round } from './css-boxes.js';
import type { Attributes, Shape } from './svg-markup.js';

/** The exported elements, with the attributes of their geometry. */
const GEOMETRY: Readonly<Record<string, readonly string[]>> = {
  g: ['transform'],
  path: ['d', 'transform'],
  rect: ['x', 'y', 'width', 'height', 'rx'],
  line: ['x1', 'y1', 'x2', 'y2'],
  circle: ['cx', 'cy', 'r'],
  text: ['x', 'y'],
  tspan: ['x', 'y', 'dx', 'dy'],
};

/** An `<svg>` as a group at its place in the window; null where it shows nothing. */
export function inlineSvg(svg: SVGSVGElement, fontFamily: string): Shape | null {
  const matrix = svg.getScreenCTM();
  if (!matrix) return null;
  const { a, b, c, d, e, f } = matrix;
  const content = [...svg.children].flatMap((child) => copyOf(child, a, d, fontFamily));
  if (content.length === 0) return null;
  const place = `${round(e)} ${round(f)}`;
  const isMoved = a === 1 && d === 1 && b === 0 && c === 0;
  const transform = isMoved
    ? `translate(${place})`
    : `matrix(${[a, b, c, d].map((value) => Number(value.toFixed(6))).join(' ')} ${place})`;
  return { name: 'g', attributes: { transform }, content };
}

/** A copy of an element of a drawing that is scaled by `scaleX` and `scaleY`. */
function copyOf(element: Element, scaleX: number, scaleY: number, fontFamily: string): Shape[] {
  const { localName: name } = element;
  const geometry = GEOMETRY[name];
  if (!geometry) return [];
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility !== 'visible') return [];
  const attributes: Record<string, string | number | undefined> = {};
  for (const key of geometry) attributes[key] = element.getAttribute(key) ?? undefined;
  if (name === 'path' && !attributes.d) return [];
  attributes.opacity = unless('1', style.opacity);
  const copyOfChild = (child: Element) => copyOf(child, scaleX, scaleY, fontFamily);
  if (name === 'g') {
    const content = [...element.children].flatMap(copyOfChild);
    return content.length > 0 ? [{ name, attributes, content }] : [];
  }
  Object.assign(attributes, fillAndStroke(style, scaleX, scaleY));
  if (name !== 'text' && name !== 'tspan') return [{ name, attributes }];
  Object.assign(attributes, fontOf(style, fontFamily).attributes, {
    fill: style.fill,
    'text-anchor': unless('start', style.textAnchor),
  });
  const content = [...element.childNodes].flatMap((child): (Shape | string)[] => {
    if (child.nodeType === Node.ELEMENT_NODE) return copyOfChild(child as Element);
    return child.nodeType === Node.TEXT_NODE ? [(child as Text).data] : [];
  });
  return [{ name, attributes, content }];
}

/** Viewers that do not know `non-scaling-stroke` get the scaled width where both scales are equal. */
function fillAndStroke(style: CSSStyleDeclaration, scaleX: number, scaleY: number): Attributes {
  const { fill, stroke, vectorEffect } = style;
  const width = pixels(style.strokeWidth);
  const isFixed = vectorEffect === 'non-scaling-stroke';
  const isUniform = Math.abs(scaleX - scaleY) < 1e-6;
  return {
    fill,
    'fill-opacity': unless('1', style.fillOpacity),
    'shape-rendering': unless('auto', style.shapeRendering),
    ...(stroke !== 'none' && {
      stroke,
      'stroke-width': isFixed && isUniform ? round(width / scaleX, 1e5) : width,
      'vector-effect': isFixed && !isUniform ? vectorEffect : undefined,
      'stroke-opacity': unless('1', style.strokeOpacity),
      'stroke-dasharray': unless('none', style.strokeDasharray)?.replaceAll('px', ''),
      'stroke-linecap': unless('butt', style.strokeLinecap),
      'stroke-linejoin': unless('miter', style.strokeLinejoin),
      'paint-order': unless('normal', style.paintOrder),
    }),
  };
}
