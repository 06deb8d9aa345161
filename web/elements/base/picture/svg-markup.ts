/** Shapes as the XML of a standalone SVG document, with colours in sRGB: viewers need not know CSS. */
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
