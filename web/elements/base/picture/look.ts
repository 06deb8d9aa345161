/** How elements look, asked of the browser once for all that match the same rules. */
import { pixels } from './shapes.js';
import type { Attributes } from './svg-markup.js';

/** What never belongs to a picture: tools, what is folded away, and what is only spoken. */
const SKIPPED =
  '.control, .controls, .buttons, .hint, .colours, .visually-hidden, details, progress, [role=status], [role=alert]';
const CONTROLS = 'input, select, label';

export interface Surroundings {
  readonly paper: string;
  readonly fontFamily: string;
  readonly withControls: boolean;
}

/** What of an element's style is the same for all elements that match the same rules. */
export class Look {
  readonly style: CSSStyleDeclaration;
  readonly isSkipped: boolean;
  readonly isVisible: boolean;
  readonly isCut: boolean;
  /** Whether there may be more to its box than a colour. */
  readonly hasFrame: boolean;
  /** Radius of its corners. */
  readonly rx: number | undefined;
  readonly #paint: Paint;
  readonly #paints = new Map<string, Paint>();
  readonly #looks = new Map<string, Look>();
  #font: Font | undefined;

  constructor(
    element: Element,
    private readonly surroundings: Surroundings,
  ) {
    this.style = getComputedStyle(element);
    const { style } = this;
    this.isSkipped =
      element.matches(surroundings.withControls ? SKIPPED : `${SKIPPED}, ${CONTROLS}`) ||
      style.display === 'none';
    this.isVisible = style.visibility === 'visible';
    this.isCut = style.textOverflow === 'ellipsis';
    this.#paint = paintIn(style);
    this.rx = pixels(style.borderTopLeftRadius) || undefined;
    this.hasFrame =
      ['canvas', 'input', 'select'].includes(element.localName) ||
      [style.backgroundImage, style.boxShadow, style.outlineStyle, style.borderStyle].some(
        (value) => value !== 'none',
      );
  }

  /** The look of an element below one with this look. To ask for every style of thousands of cells takes too long. */
  below(element: Element): Look {
    let key = element.localName;
    for (const state of STATES) key += `|${element.getAttribute(state) ?? ''}`;
    if (element.matches(':hover')) key += '|hover';
    let look = this.#looks.get(key);
    if (!look) this.#looks.set(key, (look = new Look(element, this.surroundings)));
    return look;
  }

  /** Its colour as a box, and its opacity; `isStyled`: an element around it has a style of its own. */
  paintOf(element: Element, isStyled: boolean): Paint {
    const own = element.getAttribute('style');
    if (own === null && !isStyled) return this.#paint;
    const known = own === null ? undefined : this.#paints.get(own);
    const paint = known ?? paintIn(getComputedStyle(element));
    if (own !== null) this.#paints.set(own, paint);
    return paint;
  }

  get font(): Font {
    return (this.#font ??= fontOf(this.style, this.surroundings.fontFamily));
  }
}

/** Attributes that the rules of style sheets ask for. */
const STATES = ['class', 'part', 'role', 'hidden', 'aria-pressed', 'aria-selected', 'aria-checked'];

interface Paint {
  readonly background: string;
  readonly opacity: string;
}

const paintIn = ({ backgroundColor, opacity }: CSSStyleDeclaration): Paint => ({
  background: backgroundColor,
  opacity,
});

/** How text is set: as attributes, and how far it reaches above and below its baseline. */
export interface Font {
  readonly attributes: Attributes;
  readonly ascent: number;
  readonly descent: number;
}

const metrics = new Map<string, { ascent: number; descent: number }>();
let ruler: CanvasRenderingContext2D | null | undefined;

/** What text of this style needs to look the same where `usual` is the font. */
export function fontOf(style: CSSStyleDeclaration, usual: string): Font {
  const { fontStyle, fontWeight, fontSize, fontFamily, fontVariantNumeric, textDecorationLine } = style;
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const size = pixels(fontSize);
  let found = metrics.get(font);
  if (!found) {
    ruler ??= document.createElement('canvas').getContext('2d');
    if (ruler) ruler.font = font;
    const measured = ruler?.measureText('x');
    found = {
      ascent: measured?.fontBoundingBoxAscent ?? 0.8 * size,
      descent: measured?.fontBoundingBoxDescent ?? 0.2 * size,
    };
    metrics.set(font, found);
  }
  const attributes = {
    fill: style.color,
    'font-size': size,
    'font-family': fontFamily === usual ? undefined : fontFamily,
    'font-weight': fontWeight === '400' ? undefined : fontWeight,
    'font-style': fontStyle === 'normal' ? undefined : fontStyle,
    'font-variant': fontVariantNumeric === 'normal' ? undefined : fontVariantNumeric,
    'text-decoration': textDecorationLine === 'none' ? undefined : textDecorationLine,
  };
  return { ...found, attributes };
}
