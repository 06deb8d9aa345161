/** One exported part of a figure: walks its DOM and collects SVG shapes in coordinates of the window. */
import { CachedStyle, type DrawOptions, type Font } from './computed-style.js';
import {
  borders,
  type Box,
  gradient,
  outline,
  pixels,
  rectangle,
  round,
  rounded,
  shadows,
} from './css-boxes.js';
import { inlineSvg } from './inline-svg.js';
import type { Attributes, Shape } from './svg-markup.js';
import { textLines } from './text-lines.js';

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
