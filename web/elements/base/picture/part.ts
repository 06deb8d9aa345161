/** One exported part of a figure: walks its DOM and collects SVG shapes in coordinates of the window. */
import {
  type Attributes,
  borders,
  type Box,
  gradient,
  outline,
  pixels,
  rectangle,
  round,
  rounded,
  shadows,
  type Shape,
  union,
} from './shapes.js';

// The lines in which the browser has laid out a text node.

interface TextLine {
  readonly box: Box;
  readonly text: string;
}

/** A range of characters of a text node that lie on one line. */
interface Run {
  readonly box: Box;
  readonly start: number;
  readonly end: number;
}

/** The lines of a text node; those that reach beyond `clipRight` end with an ellipsis. `range` is only scratch. */
function textLines(node: Text, clipRight: number, range: Range): TextLine[] {
  const { data } = node;
  const start = data.search(/\S/);
  if (start < 0) return [];
  return runs(node, start, data.trimEnd().length, range).flatMap((run) => {
    if (run.box.right > clipRight + 0.5) return clipped(node, run, clipRight, range);
    return [{ box: run.box, text: collapsed(data.slice(run.start, run.end)) }];
  });
}

const collapsed = (text: string): string => text.replace(/[ \t\n\r\f]+/g, ' ');

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

function bounds(node: Text, start: number, end: number, range: Range): { box: Box; isLine: boolean } | null {
  range.setStart(node, start);
  range.setEnd(node, end);
  const boxes = [...range.getClientRects()].map(boxOf);
  if (boxes.length === 0) return null;
  // Text of both directions has several boxes on one line.
  const isLine = Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom));
  return { box: boxes.reduce(union), isLine: boxes.length === 1 || isLine };
}

/** Splits a text into lines: by words, and by characters where one word takes several lines. */
function runs(node: Text, start: number, end: number, range: Range): Run[] {
  const whole = bounds(node, start, end, range);
  if (!whole) return [];
  const text = node.data.slice(start, end);
  const words = [...text.matchAll(/\S+/g)];
  const pieces = words.length > 1 ? words : [...text.matchAll(/./gsu)];
  if (whole.isLine || pieces.length < 2) return [{ box: whole.box, start, end }];
  const lines: Run[] = [];
  for (const { index, 0: piece } of pieces) {
    for (const next of runs(node, start + index, start + index + piece.length, range)) {
      const last = lines.at(-1);
      if (last && next.box.top < last.box.bottom && last.box.top < next.box.bottom) {
        lines[lines.length - 1] = { box: union(last.box, next.box), start: last.start, end: next.end };
      } else lines.push(next);
    }
  }
  return lines;
}

/** The longest beginning of a line that fits, with an ellipsis; nothing where not even one character fits. */
function clipped(node: Text, { box, start, end }: Run, clipRight: number, range: Range): TextLine[] {
  const characters = Array.from(node.data.slice(start, end));
  const ellipsis = (box.bottom - box.top) / 2;
  while (characters.pop() !== undefined) {
    const text = characters.join('');
    const fitting = bounds(node, start, start + text.length, range)?.box;
    if (fitting && fitting.right + ellipsis <= clipRight) {
      return [{ box: { ...fitting, right: fitting.right + ellipsis }, text: `${collapsed(text)}…` }];
    }
  }
  return [];
}

// `<svg>` elements of the page as shapes: their computed style becomes attributes.

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
function inlineSvg(svg: SVGSVGElement, fontFamily: string): Shape | null {
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

// A cache of computed styles: getComputedStyle() for each of thousands of cells would take too long.

interface DrawOptions {
  /** Computed background of the document; boxes of this colour are not drawn. */
  readonly background: string;
  /** The document's font; texts in another one name it. */
  readonly fontFamily: string;
  /** Selector of the elements that are not exported. */
  readonly excluded: string;
}

/** Attributes that the selectors of the style sheets use. */
const STYLED_ATTRIBUTES = [
  ...['class', 'part', 'role', 'hidden'],
  ...['aria-pressed', 'aria-selected', 'aria-checked'],
];

interface Paint {
  readonly background: string;
  readonly opacity: string;
}

const computedPaint = (element: Element): Paint => {
  const { backgroundColor, opacity } = getComputedStyle(element);
  return { background: backgroundColor, opacity };
};

/** The style of all elements that match the same rules, taken from the first of them. */
class CachedStyle {
  readonly style: CSSStyleDeclaration;
  readonly isExcluded: boolean;
  readonly isVisible: boolean;
  readonly hasEllipsis: boolean;
  /** Whether the box may have more than a background colour: borders, shadows, a canvas. */
  readonly isDecorated: boolean;
  /** Radius of the corners. */
  readonly rx: number | undefined;
  readonly #paint: Paint;
  /** By the text of the `style` attribute, which sets custom properties such as a cell's weight. */
  readonly #paints = new Map<string, Paint>();
  readonly #children = new Map<string, CachedStyle>();
  #font: Font | undefined;

  constructor(
    element: Element,
    private readonly options: DrawOptions,
  ) {
    const style = getComputedStyle(element);
    this.style = style;
    this.isExcluded = element.matches(options.excluded) || style.display === 'none';
    this.isVisible = style.visibility === 'visible';
    this.hasEllipsis = style.textOverflow === 'ellipsis';
    this.#paint = computedPaint(element);
    this.rx = pixels(style.borderTopLeftRadius) || undefined;
    this.isDecorated =
      ['canvas', 'input', 'select'].includes(element.localName) ||
      [style.backgroundImage, style.boxShadow, style.outlineStyle, style.borderStyle].some(
        (value) => value !== 'none',
      );
  }

  /** The style of a child of an element of this style. */
  ofChild(element: Element): CachedStyle {
    let key = element.localName;
    for (const name of STYLED_ATTRIBUTES) key += `|${element.getAttribute(name) ?? ''}`;
    if (element.matches(':hover')) key += '|hover';
    let child = this.#children.get(key);
    if (!child) this.#children.set(key, (child = new CachedStyle(element, this.options)));
    return child;
  }

  /** Background and opacity. `inherits`: an ancestor has a `style` attribute, whose custom properties may matter. */
  paintOf(element: Element, inherits: boolean): Paint {
    const own = element.getAttribute('style');
    if (own === null) return inherits ? computedPaint(element) : this.#paint;
    let paint = this.#paints.get(own);
    if (!paint) this.#paints.set(own, (paint = computedPaint(element)));
    return paint;
  }

  get font(): Font {
    return (this.#font ??= fontOf(this.style, this.options.fontFamily));
  }
}

/** SVG attributes of a text, and how far its font reaches above and below the baseline, in pixels. */
interface Font {
  readonly attributes: Attributes;
  readonly ascent: number;
  readonly descent: number;
}

const metrics = new Map<string, { ascent: number; descent: number }>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** The font of a style; what equals the document's `fontFamily` and the defaults of SVG is left out. */
function fontOf(style: CSSStyleDeclaration, defaultFamily: string): Font {
  const { fontStyle, fontWeight, fontSize, fontFamily, fontVariantNumeric, textDecorationLine } = style;
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const size = pixels(fontSize);
  let measured = metrics.get(font);
  if (!measured) {
    canvas ??= document.createElement('canvas').getContext('2d');
    if (canvas) canvas.font = font;
    const text = canvas?.measureText('x');
    measured = {
      ascent: text?.fontBoundingBoxAscent ?? 0.8 * size,
      descent: text?.fontBoundingBoxDescent ?? 0.2 * size,
    };
    metrics.set(font, measured);
  }
  const attributes = {
    fill: style.color,
    'font-size': size,
    'font-family': unless(defaultFamily, fontFamily),
    'font-weight': unless('400', fontWeight),
    'font-style': unless('normal', fontStyle),
    'font-variant': unless('normal', fontVariantNumeric),
    'text-decoration': unless('none', textDecorationLine),
  };
  return { ...measured, attributes };
}

/** A value, left out where it is the default. */
const unless = (defaultValue: string, value: string): string | undefined =>
  value === defaultValue ? undefined : value;

export class Part {
  shapes: Shape[] = [];
  /** Outlines of selected elements, which are drawn over their neighbours. */
  readonly outlines: Shape[] = [];
  /** Bounds of the shapes. */
  readonly box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  /** Top of the element, whether or not anything is drawn there. */
  readonly elementTop: number;
  readonly #options: DrawOptions;
  readonly #range: Range;

  constructor(element: Element, options: DrawOptions) {
    this.#options = options;
    this.#range = element.ownerDocument.createRange();
    this.elementTop = element.getBoundingClientRect().top;
    this.#draw(element, new CachedStyle(element, options), Infinity, false);
  }

  /** `clipRight`: where texts are cut off; `inherits`: an ancestor in the same tree has a `style` attribute. */
  #draw(element: Element, cached: CachedStyle, clipRight: number, inherits: boolean): void {
    if (cached.isExcluded) return;
    const { background, opacity } = cached.paintOf(element, inherits);
    const outer = this.shapes;
    if (opacity !== '1') this.shapes = [];
    if (cached.isVisible) this.#drawBox(element, cached, background);
    if (element.localName === 'svg') this.#drawSvg(element as SVGSVGElement);
    else this.#drawChildren(element, cached, clipRight, inherits);
    if (opacity === '1') return;
    const content = this.shapes;
    this.shapes = outer;
    if (content.length > 0) this.shapes.push({ name: 'g', attributes: { opacity }, content });
  }

  #drawChildren(element: Element, cached: CachedStyle, clipRight: number, inherits: boolean): void {
    const { shadowRoot } = element;
    const isCut = cached.hasEllipsis && element.scrollWidth > element.clientWidth;
    const right = isCut ? element.getBoundingClientRect().right : clipRight;
    const childInherits = element.hasAttribute('style') || (inherits && !shadowRoot);
    for (let child = (shadowRoot ?? element).firstChild; child; child = child.nextSibling) {
      if (child.nodeType === Node.ELEMENT_NODE) {
        // Cells that are too small for their number have an empty <data>.
        if ((child as Element).localName === 'data' && child.textContent?.trim() === '') continue;
        this.#draw(child as Element, cached.ofChild(child as Element), right, childInherits);
      } else if (child.nodeType === Node.TEXT_NODE && cached.isVisible) {
        this.#drawText(child as Text, cached.font, right);
      }
    }
  }

  #add(shape: Shape, { left, top, right, bottom }: Box): void {
    this.shapes.push(shape);
    const { box } = this;
    box.left = Math.min(box.left, left);
    box.top = Math.min(box.top, top);
    box.right = Math.max(box.right, right);
    box.bottom = Math.max(box.bottom, bottom);
  }

  #drawBox(element: Element, cached: CachedStyle, background: string): void {
    const isFilled = background !== 'rgba(0, 0, 0, 0)' && background !== this.#options.background;
    if (!isFilled && !cached.isDecorated) return;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return;
    const { rx, style } = cached;
    if (isFilled) this.#add(rectangle(box, { fill: background }, rx), box);
    if (!cached.isDecorated) return;
    if (style.backgroundImage !== 'none') {
      for (const shape of gradient(box, style.backgroundImage)) this.#add(shape, box);
    }
    if (style.borderStyle !== 'none') {
      for (const [shape, side] of borders(box, style, rx)) this.#add(shape, side);
    }
    if (style.boxShadow !== 'none') {
      const { outer, inset } = shadows(box, style.boxShadow, rx);
      this.outlines.push(...outer);
      this.shapes.push(...inset);
    }
    // Without the focus ring, which is not part of the figure.
    if (style.outlineStyle !== 'none' && !element.matches(':focus-visible')) {
      const width = pixels(style.outlineWidth);
      const distance = pixels(style.outlineOffset) + width / 2;
      this.outlines.push(outline(box, distance, width, style.outlineColor, rx));
    }
    if (element.localName === 'canvas') this.#drawCanvas(element as HTMLCanvasElement, box, style);
    else if (element.localName === 'input' || element.localName === 'select') {
      this.#drawControl(element as HTMLInputElement | HTMLSelectElement, box, cached);
    }
  }

  #drawCanvas(canvas: HTMLCanvasElement, box: DOMRect, { imageRendering }: CSSStyleDeclaration): void {
    if (canvas.width === 0 || canvas.height === 0) return;
    const attributes = {
      ...rounded(box),
      preserveAspectRatio: 'none',
      'image-rendering': imageRendering === 'auto' ? undefined : imageRendering,
      href: canvas.toDataURL('image/png'),
    };
    this.#add({ name: 'image', attributes }, box);
  }

  /** The value of a form control. Browsers do not tell where its text is, so it is put after the padding. */
  #drawControl(
    control: HTMLInputElement | HTMLSelectElement,
    box: DOMRect,
    { style, font }: CachedStyle,
  ): void {
    const middle = (box.top + box.bottom) / 2;
    if (control.type === 'radio' || control.type === 'checkbox') {
      const centre = { cx: round((box.left + box.right) / 2), cy: round(middle) };
      const r = round(box.width / 2 - 1);
      const circle = (attributes: Attributes) => {
        this.#add({ name: 'circle', attributes: { ...centre, ...attributes } }, box);
      };
      circle({ r, fill: 'none', stroke: style.color });
      if (control.checked) circle({ r: round(r / 2), fill: style.color });
      return;
    }
    const content = 'selectedOptions' in control ? control.selectedOptions[0]?.text : control.value;
    if (!content) return;
    const x = round(box.left + pixels(style.borderLeftWidth) + pixels(style.paddingLeft));
    const y = round(middle + (font.ascent - font.descent) / 2);
    this.#add({ name: 'text', attributes: { x, y, ...font.attributes }, content: [content.trim()] }, box);
  }

  #drawText(node: Text, { attributes, ascent, descent }: Font, clipRight: number): void {
    for (const { box, text } of textLines(node, clipRight, this.#range)) {
      const { left, top, right, bottom } = box;
      const y = round(top + ((bottom - top) * ascent) / (ascent + descent));
      // A viewer without this font keeps the width.
      const textLength = right - left > 0 ? round(right - left) : undefined;
      const placed = { x: round(left), y, ...attributes, textLength, lengthAdjust: 'spacingAndGlyphs' };
      this.#add({ name: 'text', attributes: placed, content: [text] }, box);
    }
  }

  #drawSvg(svg: SVGSVGElement): void {
    const box = svg.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return;
    const shape = inlineSvg(svg, this.#options.fontFamily);
    if (shape) this.#add(shape, box);
  }
}
