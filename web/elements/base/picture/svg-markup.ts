/** SVG elements as a standalone document has them: well-formed, with colours that need no CSS. */
import { computedColours, type Srgb, toSrgb } from '../palette.js';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element. `fill` and `stroke` are CSS colours until it is written. */
export interface Shape {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content?: string | readonly Shape[];
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Control characters and halves of characters may not stand in XML, not even escaped.
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** Most values, and the long ones: paths and data: URLs. */
const harmless = /^[\w #%(),.:;=+/-]*$/;
const escape = (value: string): string =>
  harmless.test(value)
    ? value
    : value.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A colour's own opacity, and what the shape says of it. */
function opacityOf(key: string, { opacity }: Srgb, attributes: Attributes): string {
  const both = opacity * Number(attributes[`${key}-opacity`] ?? 1);
  return both < 1 ? ` ${key}-opacity="${Math.round(1000 * both) / 1000}"` : '';
}

/** A shape as markup, its colours as sRGB. */
export function svgMarkup(whole: Shape, root: ParentNode & Node): string {
  const colours = new Set<string>();
  const collect = ({ attributes: { fill, stroke }, content }: Shape): void => {
    if (typeof fill === 'string') colours.add(fill);
    if (typeof stroke === 'string') colours.add(stroke);
    if (content && typeof content !== 'string') content.forEach(collect);
  };
  collect(whole);
  colours.delete('none');
  const mixed = [...colours].filter((colour) => colour.startsWith('color-mix('));
  const plain = new Map([...colours].map((colour) => [colour, colour]));
  computedColours(root, mixed).forEach((colour, index) => plain.set(mixed[index] ?? '', colour));
  const found = toSrgb([...plain.values()]);
  const srgb = new Map([...plain.keys()].map((colour, index) => [colour, found[index]]));

  const write = ({ name, attributes, content }: Shape): string => {
    const inside = typeof content === 'string' ? escape(content) : (content ?? []).map(write).join('');
    if (name === '') return inside;
    let list = '';
    for (const key in attributes) {
      const value = attributes[key];
      if (value === undefined || key === 'fill-opacity' || key === 'stroke-opacity') continue;
      const colour = key === 'fill' || key === 'stroke' ? srgb.get(String(value)) : undefined;
      if (!colour) list += ` ${key}="${typeof value === 'number' ? value : escape(value)}"`;
      else list += ` ${key}="${colour.hex}"${opacityOf(key, colour, attributes)}`;
    }
    return inside === '' ? `<${name}${list}/>` : `<${name}${list}>${inside}</${name}>`;
  };
  return write(whole);
}
