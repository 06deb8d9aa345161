/** A figure as an SVG document, made from what the browser has laid out: boxes, text, drawings and canvases. */
import { computedColours } from '../palette.js';
import { Piece } from './piece.js';
import { type Box, boxOf, overlap, round, union } from './shapes.js';
import { type Shape, svgMarkup } from './svg-markup.js';

/** What of an element is its picture. */
export interface Picture {
  /** One sentence that says what it shows; becomes the picture's name. */
  readonly title: string;
  /** Selects what is drawn of the shadow tree, all of it by default. Each match keeps its place unless it would overlap. */
  readonly parts?: string;
  /** Whether form controls belong to it, with what the reader has entered. */
  readonly withControls?: boolean;
}

const MARGIN = 16;
/** Between two pieces that do not stand side by side: at most, and where they would overlap. */
const GAP = 24;
const APART = 16;

/**
 * @throws Error where the element has no layout: it is hidden or not part of the page
 */
export function figureSvg(host: HTMLElement, { title, parts, withControls = false }: Picture): string {
  const root = host.shadowRoot ?? host;
  const [paper = ''] = computedColours(root, ['var(--mha-paper, Canvas)']);
  const { color, fontFamily } = getComputedStyle(host);
  const restore = unscroll(root);
  try {
    const pieces = [...(parts === undefined ? root.children : root.querySelectorAll(parts))]
      .map((part) => new Piece(part, { paper, fontFamily, withControls }))
      .filter(({ isEmpty }) => !isEmpty);
    if (pieces.length === 0) {
      throw new Error(
        `<${host.localName}> has no layout: it is hidden or not in the page, so nothing is drawn`,
      );
    }
    const { width, height, shapes } = placed(pieces);
    return svgMarkup(
      {
        name: 'svg',
        attributes: {
          xmlns: 'http://www.w3.org/2000/svg',
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: 'img',
          'font-family': fontFamily,
          fill: color,
        },
        content: [
          { name: 'title', attributes: {}, content: title },
          { name: 'rect', attributes: { width, height, fill: paper } },
          ...shapes,
        ],
      },
      root,
    );
  } finally {
    restore();
  }
}

/** Ends transitions and scrolls everything back to its start, so that nothing lies over anything else. */
function unscroll(root: ParentNode): () => void {
  const scrolled: [Element, number, number][] = [];
  const sticking: HTMLElement[] = [];
  const visit = (within: ParentNode): void => {
    if (within instanceof ShadowRoot) {
      for (const animation of within.getAnimations()) {
        if (animation instanceof CSSTransition) animation.finish();
      }
    }
    for (const { shadowRoot } of within.querySelectorAll('*')) if (shadowRoot) visit(shadowRoot);
    for (const element of within.querySelectorAll('.frame, .sideways')) {
      if (element.scrollLeft !== 0 || element.scrollTop !== 0) {
        scrolled.push([element, element.scrollLeft, element.scrollTop]);
      }
    }
    sticking.push(...within.querySelectorAll<HTMLElement>('.sticks'));
  };
  visit(root);
  for (const [element] of scrolled) element.scrollTo({ left: 0, top: 0, behavior: 'instant' });
  for (const { style } of sticking) style.position = 'static';
  return () => {
    for (const { style } of sticking) style.removeProperty('position');
    for (const [element, left, top] of scrolled) element.scrollTo({ left, top, behavior: 'instant' });
  };
}

/** The pieces in rows, each where it is on the page as far as none lies over another. */
function placed(pieces: readonly Piece[]): { width: number; height: number; shapes: Shape[] } {
  const rows: (Box & { pieces: Piece[] })[] = [];
  for (const piece of pieces.toSorted((a, b) => a.start - b.start)) {
    const row = rows.at(-1);
    const isBeside = row && piece.top < row.bottom - 1 && !row.pieces.some((other) => overlap(piece, other));
    if (!isBeside) rows.push({ ...boxOf(piece), pieces: [piece] });
    else rows[rows.length - 1] = { ...union(row, piece), pieces: [...row.pieces, piece] };
  }
  const left = Math.min(...rows.map((row) => row.left));
  const shapes: Shape[] = [];
  let y = MARGIN;
  rows.forEach((row, index) => {
    const above = rows[index - 1];
    if (above) y += row.top < above.bottom ? APART : Math.min(GAP, row.top - above.bottom);
    const transform = `translate(${round(MARGIN - left)} ${round(y - row.top)})`;
    shapes.push({
      name: 'g',
      attributes: { transform },
      content: row.pieces.flatMap((piece) => [...piece.shapes, ...piece.rings]),
    });
    y += row.bottom - row.top;
  });
  return {
    width: Math.ceil(Math.max(...rows.map((row) => row.right)) - left + 2 * MARGIN),
    height: Math.ceil(y + MARGIN),
    shapes,
  };
}
