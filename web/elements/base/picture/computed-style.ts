/** A cache of computed styles: getComputedStyle() for each of thousands of cells would take too long. */
import { pixels } from './css-boxes.js';
import type { Attributes } from './svg-markup.js';

export interface DrawOptions {
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
export class CachedStyle {
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
export interface Font {
  readonly attributes: Attributes;
  readonly ascent: number;
  readonly descent: number;
}

const metrics = new Map<string, { ascent: number; descent: number }>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** The font of a style; what equals the document's `fontFamily` and the defaults of SVG is left out. */
export function fontOf(style: CSSStyleDeclaration, defaultFamily: string): Font {
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
export const unless = (defaultValue: string, value: string): string | undefined =>
  value === defaultValue ? undefined : value;
