/** What every element's pictures are made of: SVG from a few shapes, PNG from SVG. */

/** A picture of what an element shows now. Numbers are pixels. */
export interface Drawing {
  width: number;
  height: number;
  /** One sentence that says what it shows; becomes the picture's name. */
  title: string;
  /** SVG elements, made by the functions below. */
  body: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Control characters and halves of characters may not stand in XML, not even escaped.
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const escape = (value: string): string =>
  value.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const rounded = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : escape(value);

/** `<name …>content</name>`; attributes that are undefined are left out, `content` is markup already. */
export function shape(name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${rounded(value ?? '')}"`)
    .join('');
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`;
}

/** A line of text; y is its baseline. Set `font-size`, `text-anchor`, `fill` … as SVG does. */
export const text = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
  shape('text', { x, y, ...attributes }, escape(content) || ' ');

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  attributes: Attributes = {},
): string => shape('rect', { x, y, width, height, ...attributes });

export const line = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes = {}): string =>
  shape('line', { x1, y1, x2, y2, ...attributes });

export const path = (d: string, attributes: Attributes = {}): string => shape('path', { d, ...attributes });

export const group = (attributes: Attributes, ...content: readonly string[]): string =>
  shape('g', attributes, content.join(''));

/** How wide a text comes out, roughly: the font that will draw it is not known. */
export function widthOf(content: string, size: number): number {
  let ems = 0;
  for (const character of content) {
    if (/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]/u.test(character)) ems += 0.95;
    else if (/[iljtfrI.,:;'|!() ]/.test(character)) ems += 0.32;
    else if (/[mwMW@]/.test(character)) ems += 0.88;
    else ems += 0.58;
  }
  return ems * size;
}

/** A whole SVG document on the page's paper, in the page's font. */
export function svgDocument(
  { width, height, title, body }: Drawing,
  colours: { paper: string; ink: string },
  fontFamily: string,
): string {
  return shape(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: Math.ceil(width),
      height: Math.ceil(height),
      viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
      role: 'img',
      'font-family': fontFamily,
      'font-size': 14,
      fill: colours.ink,
    },
    shape('title', {}, escape(title)) +
      rect(0, 0, Math.ceil(width), Math.ceil(height), { fill: colours.paper }) +
      body,
  );
}

/**
 * The picture as a PNG, `scale` pixels to each of its own.
 *
 * @throws (rejects) Error where the browser cannot draw or encode it, for a size beyond its limits for example
 */
export async function toPngBlob(svg: string, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    try {
      await image.decode();
    } catch {
      throw new Error(
        'the picture could not be drawn: it is too large, or a content security policy does not allow img-src blob:',
      );
    }
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png');
    });
    if (!blob) {
      throw new Error(`the picture of ${canvas.width} × ${canvas.height} pixels could not be encoded`);
    }
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
