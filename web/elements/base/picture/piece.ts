/** One piece of a figure as SVG shapes, each where the browser has put it. */
import { type Font, fontOf, Look, type Surroundings } from './look.js';
import {
  bands,
  type Box,
  boxOf,
  colourIn,
  dots,
  type Frame,
  hatch,
  listed,
  pixels,
  rectangle,
  ring,
  round,
  rounded,
  union,
} from './shapes.js';
import type { Attributes, Shape } from './svg-markup.js';

/** A line of a text node, from one offset in it to another. */
interface Line extends Box {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

/** Attributes that say where a shape of a drawing is. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  g: ['transform'],
  path: ['d', 'transform'],
  rect: ['x', 'y', 'width', 'height', 'rx'],
  line: ['x1', 'y1', 'x2', 'y2'],
  circle: ['cx', 'cy', 'r'],
  text: ['x', 'y'],
  tspan: ['x', 'y', 'dx', 'dy'],
};

/** How a shape is filled and outlined. */
function inked(style: CSSStyleDeclaration, across: number, down: number): Attributes {
  const { fill, stroke, vectorEffect } = style;
  const other = (value: string, usual: string) => (value === usual ? undefined : value);
  const isEven = Math.abs(across - down) < 1e-6;
  const isScaled = vectorEffect === 'non-scaling-stroke';
  return {
    fill,
    'fill-opacity': other(style.fillOpacity, '1'),
    'shape-rendering': other(style.shapeRendering, 'auto'),
    ...(stroke !== 'none' && {
      stroke,
      'stroke-width':
        isScaled && isEven ? round(pixels(style.strokeWidth) / across, 1e5) : pixels(style.strokeWidth),
      'vector-effect': isScaled && !isEven ? vectorEffect : undefined,
      'stroke-opacity': other(style.strokeOpacity, '1'),
      'stroke-dasharray': other(style.strokeDasharray, 'none')?.replaceAll('px', ''),
      'stroke-linecap': other(style.strokeLinecap, 'butt'),
      'stroke-linejoin': other(style.strokeLinejoin, 'miter'),
      'paint-order': other(style.paintOrder, 'normal'),
    }),
  };
}

const collapsed = (text: string): string => text.replace(/[ \t\n\r\f]+/g, ' ');

/** Everything that an element and what is in it shows, at its place in the window. */
export class Piece implements Box {
  left = Infinity;
  top = Infinity;
  right = -Infinity;
  bottom = -Infinity;
  shapes: Shape[] = [];
  /** What lies over its neighbours: rings around what is chosen. */
  readonly rings: Shape[] = [];
  /** Where the element begins, whether anything is drawn there or not. */
  readonly start: number;
  readonly #surroundings: Surroundings;
  readonly #range: Range;

  constructor(element: Element, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#range = element.ownerDocument.createRange();
    this.start = element.getBoundingClientRect().top;
    this.#draw(element, new Look(element, surroundings), Infinity, false);
  }

  get isEmpty(): boolean {
    return this.shapes.length === 0;
  }

  /** Draws an element; text beyond `end` is shortened. `isStyled`: it or one around it has a style of its own. */
  #draw(element: Element, look: Look, end: number, isStyled: boolean): void {
    if (look.isSkipped) return;
    const hasStyle = element.hasAttribute('style');
    const { background, opacity } = look.paintOf(element, isStyled);
    const outer = this.shapes;
    if (opacity !== '1') this.shapes = [];
    if (look.isVisible) this.#box(element, look, background);
    if (element.localName === 'svg') this.#drawing(element as SVGSVGElement);
    else {
      const isCut = look.isCut && element.scrollWidth > element.clientWidth;
      const edge = isCut ? element.getBoundingClientRect().right : end;
      const { shadowRoot } = element;
      for (let child = (shadowRoot ?? element).firstChild; child; child = child.nextSibling) {
        if (child.nodeType === Node.ELEMENT_NODE) {
          // Cells that are too small for their numbers.
          if (child.nodeName === 'DATA' && child.textContent?.trim() === '') continue;
          this.#draw(
            child as Element,
            look.below(child as Element),
            edge,
            hasStyle || (isStyled && !shadowRoot),
          );
        } else if (child.nodeType === Node.TEXT_NODE && look.isVisible)
          this.#text(child as Text, look.font, edge);
      }
    }
    if (opacity === '1') return;
    const { shapes } = this;
    this.shapes = outer;
    if (shapes.length > 0) this.shapes.push({ name: 'g', attributes: { opacity }, content: shapes });
  }

  #push(shape: Shape, box: Box): void {
    this.shapes.push(shape);
    this.#reach(box);
  }

  #reach(box: Box): void {
    this.left = Math.min(this.left, box.left);
    this.top = Math.min(this.top, box.top);
    this.right = Math.max(this.right, box.right);
    this.bottom = Math.max(this.bottom, box.bottom);
  }

  #box(element: Element, look: Look, background: string): void {
    const isFilled = background !== 'rgba(0, 0, 0, 0)' && background !== this.#surroundings.paper;
    if (!isFilled && !look.hasFrame) return;
    const box = element.getBoundingClientRect();
    const { left, top, width, height } = box;
    if (width === 0 || height === 0) return;
    const frame = { x: left, y: top, width, height };
    const { rx } = look;
    if (isFilled) this.#push(rectangle(frame, { rx, fill: background }), box);
    if (!look.hasFrame) return;
    const { style } = look;
    const { backgroundImage, boxShadow } = style;
    if (backgroundImage.startsWith('repeating-')) this.#push(hatch(box, colourIn(backgroundImage)), box);
    else if (backgroundImage !== 'none')
      for (const band of bands(box, backgroundImage)) this.#push(band, box);
    if (style.borderStyle !== 'none') this.#border(frame, style, rx);
    if (boxShadow !== 'none') this.#shadows(frame, boxShadow, rx ?? 0);
    // The focus is the reader's, not the figure's.
    if (style.outlineStyle !== 'none' && !element.matches(':focus-visible')) {
      const thick = pixels(style.outlineWidth);
      const reach = pixels(style.outlineOffset) + thick / 2;
      this.rings.push(ring(frame, reach, thick, style.outlineColor, rx ?? 0));
    }
    if (element.localName === 'canvas') this.#canvas(element as HTMLCanvasElement, frame, style);
    else if (element.localName === 'input' || element.localName === 'select') {
      this.#control(element as HTMLInputElement | HTMLSelectElement, box, look);
    }
  }

  #border({ x, y, width, height }: Frame, style: CSSStyleDeclaration, rx: number | undefined): void {
    const widths = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
      pixels(style[`border${side as 'Top'}Width`]),
    );
    const [top = 0, right = 0, bottom = 0, left = 0] = widths;
    if (widths.every((one) => one === top) && top > 0) {
      const around = { left: x, top: y, right: x + width, bottom: y + height };
      this.#push(ring({ x, y, width, height }, -top / 2, top, style.borderTopColor, rx ?? 0), around);
      return;
    }
    const side = (name: 'Top' | 'Right' | 'Bottom' | 'Left', thick: number, at: Frame) => {
      if (thick === 0) return;
      const fill = style[`border${name}Color`];
      const isDotted = style[`border${name}Style`] === 'dotted';
      const box = { left: at.x, top: at.y, right: at.x + at.width, bottom: at.y + at.height };
      this.#push(isDotted ? dots(at, thick, fill) : rectangle(at, { fill }), box);
    };
    side('Top', top, { x, y, width, height: top });
    side('Right', right, { x: x + width - right, y, width: right, height });
    side('Bottom', bottom, { x, y: y + height - bottom, width, height: bottom });
    side('Left', left, { x, y, width: left, height });
  }

  /** Shadows without blur: rings around a box, rings within it, and bars along one of its sides. */
  #shadows(frame: Frame, shadows: string, radius: number): void {
    for (const shadow of listed(shadows).toReversed()) {
      const colour = colourIn(shadow);
      const [dx = 0, dy = 0, , spread = 0] = [...shadow.replace(colour, '').matchAll(/-?[\d.]+px/g)].map(
        ([length]) => pixels(length),
      );
      const { x, y, width, height } = frame;
      if (!shadow.includes('inset')) this.rings.push(ring(frame, spread / 2, spread, colour, radius));
      else if (spread > 0) this.shapes.push(ring(frame, -spread / 2, spread, colour, radius));
      else {
        const bar = {
          ...{ x: dx < 0 ? x + width + dx : x, width: dx === 0 ? width : Math.abs(dx) },
          ...{ y: dy < 0 ? y + height + dy : y, height: dy === 0 ? height : Math.abs(dy) },
        };
        this.shapes.push(rectangle(bar, { fill: colour }));
      }
    }
  }

  #canvas(canvas: HTMLCanvasElement, frame: Frame, { imageRendering }: CSSStyleDeclaration): void {
    if (canvas.width === 0 || canvas.height === 0) return;
    const attributes = {
      ...rounded(frame),
      preserveAspectRatio: 'none',
      'image-rendering': imageRendering === 'auto' ? undefined : imageRendering,
      href: canvas.toDataURL('image/png'),
    };
    this.#push({ name: 'image', attributes }, canvas.getBoundingClientRect());
  }

  /** What a reader has entered. Its place within the control is not to be had from the browser. */
  #control(control: HTMLInputElement | HTMLSelectElement, box: DOMRect, { style, font }: Look): void {
    const middle = (box.top + box.bottom) / 2;
    if (control.type === 'radio' || control.type === 'checkbox') {
      const centre = { cx: round((box.left + box.right) / 2), cy: round(middle) };
      const r = round(box.width / 2 - 1);
      const attributes = { ...centre, r, fill: 'none', stroke: style.color };
      this.#push({ name: 'circle', attributes }, box);
      if (control.checked) {
        this.#push({ name: 'circle', attributes: { ...centre, r: round(r / 2), fill: style.color } }, box);
      }
      return;
    }
    const content = 'selectedOptions' in control ? control.selectedOptions[0]?.text : control.value;
    if (!content) return;
    const { ascent, descent, attributes } = font;
    this.#push(
      {
        name: 'text',
        attributes: {
          x: round(box.left + pixels(style.borderLeftWidth) + pixels(style.paddingLeft)),
          y: round(middle + (ascent - descent) / 2),
          ...attributes,
        },
        content: content.trim(),
      },
      box,
    );
  }

  #text(node: Text, { attributes, ascent, descent }: Font, end: number): void {
    const { data } = node;
    const start = data.search(/\S/);
    if (start < 0) return;
    const lines = this.#lines(node, start, data.trimEnd().length);
    if (lines.length === 0) return;
    for (let line of lines) {
      if (line.right > end + 0.5) {
        const shorter = this.#shortened(node, line, end);
        if (!shorter) continue;
        line = shorter;
      }
      const { left, top, right, bottom, content } = line;
      const baseline = top + ((bottom - top) * ascent) / (ascent + descent);
      // Whatever font draws the picture, the text takes the room that it has here.
      const textLength = right - left > 0 ? round(right - left) : undefined;
      this.#push(
        {
          name: 'text',
          attributes: {
            x: round(left),
            y: round(baseline),
            ...attributes,
            textLength,
            lengthAdjust: 'spacingAndGlyphs',
          },
          content,
        },
        line,
      );
    }
  }

  #boxOf(node: Text, start: number, end: number): (Box & { isLine: boolean }) | null {
    this.#range.setStart(node, start);
    this.#range.setEnd(node, end);
    const boxes = this.#range.getClientRects();
    const [first] = boxes;
    if (!first) return null;
    if (boxes.length === 1) {
      const { left, top, right, bottom } = first;
      return { left, top, right, bottom, isLine: true };
    }
    const all = [...boxes];
    // Text of both directions has several boxes in one line.
    const isLine = Math.max(...all.map(({ top }) => top)) < Math.min(...all.map(({ bottom }) => bottom));
    return { ...all.map(boxOf).reduce(union), isLine };
  }

  /** A text node from `start` to `end`, line by line. */
  #lines(node: Text, start: number, end: number): Line[] {
    const whole = this.#boxOf(node, start, end);
    if (!whole) return [];
    if (whole.isLine) return [{ ...whole, start, end, content: collapsed(node.data.slice(start, end)) }];
    const text = node.data.slice(start, end);
    const words = [...text.matchAll(/\S+/g)];
    const pieces = words.length > 1 ? words : [...text.matchAll(/./gsu)];
    // What is one character cannot be parted.
    if (pieces.length < 2) return [{ ...whole, start, end, content: collapsed(text) }];
    const lines: Line[] = [];
    for (const piece of pieces) {
      const from = start + piece.index;
      for (const next of this.#lines(node, from, from + piece[0].length)) {
        const last = lines.at(-1);
        if (last && next.top < last.bottom && last.top < next.bottom) {
          const content = collapsed(node.data.slice(last.start, next.end));
          lines[lines.length - 1] = { ...union(last, next), start: last.start, end: next.end, content };
        } else lines.push(next);
      }
    }
    return lines;
  }

  /** A line up to `end`, with a mark for the rest; null where nothing of it fits. */
  #shortened(node: Text, line: Line, end: number): Line | null {
    const characters = Array.from(node.data.slice(line.start, line.end));
    const size = (line.bottom - line.top) / 2;
    while (characters.length > 0) {
      characters.pop();
      const box = this.#boxOf(node, line.start, line.start + characters.join('').length);
      if (box && box.right + size <= end) {
        const { left, top, right, bottom } = box;
        const content = `${collapsed(characters.join(''))}…`;
        return { ...line, left, top, bottom, right: right + size, content };
      }
    }
    return null;
  }

  #drawing(svg: SVGSVGElement): void {
    const matrix = svg.getScreenCTM();
    const box = svg.getBoundingClientRect();
    if (!matrix || box.width === 0 || box.height === 0) return;
    const { a, b, c, d, e, f } = matrix;
    const content = [...svg.children].flatMap((child) => this.#copy(child, a, d));
    if (content.length === 0) return;
    const isMoved = a === 1 && d === 1 && b === 0 && c === 0;
    const transform = isMoved
      ? `translate(${round(e)} ${round(f)})`
      : `matrix(${[a, b, c, d].map((value) => Number(value.toFixed(6))).join(' ')} ${round(e)} ${round(f)})`;
    this.#push({ name: 'g', attributes: { transform }, content }, box);
  }

  /** A copy of an element of a drawing that is scaled by `across` and `down`, with its style as attributes. */
  #copy(element: Element, across: number, down: number): Shape[] {
    const { localName: name } = element;
    const places = PLACES[name];
    if (!places) return [];
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility !== 'visible') return [];
    const attributes: Record<string, string | number | undefined> = {};
    for (const place of places) attributes[place] = element.getAttribute(place) ?? undefined;
    if (name === 'path' && !attributes.d) return [];
    if (style.opacity !== '1') attributes.opacity = style.opacity;
    if (name === 'g') {
      const content = [...element.children].flatMap((child) => this.#copy(child, across, down));
      return content.length > 0 ? [{ name, attributes, content }] : [];
    }
    Object.assign(attributes, inked(style, across, down));
    if (name !== 'text' && name !== 'tspan') return [{ name, attributes }];
    Object.assign(attributes, fontOf(style, this.#surroundings.fontFamily).attributes, {
      fill: style.fill,
      'text-anchor': style.textAnchor === 'start' ? undefined : style.textAnchor,
    });
    const content = [...element.childNodes].flatMap((child): Shape[] =>
      child.nodeType === Node.ELEMENT_NODE
        ? this.#copy(child as Element, across, down)
        : [
            {
              name: '',
              attributes: {},
              content: child.nodeType === Node.TEXT_NODE ? (child as Text).data : '',
            },
          ],
    );
    return [{ name, attributes, content }];
  }
}
