/**
 * The SVG document of a figure, made from the layout that the browser has computed. In reading order:
 *
 * 1. `figure-svg.ts`: scrolls everything to its start, turns each part into shapes, places the parts in rows, and rasterises
 *    the result where a PNG is asked for.
 * 2. `part.ts`: walks the DOM of one part, with its lines of text, its `<svg>` elements and cached styles.
 * 3. `shapes.ts`: CSS boxes (backgrounds, borders, shadows) as shapes, and shapes as XML with sRGB colours.
 */
import { computedColours } from '../palette.js';
import { Part } from './part.js';
import { type Box, round, type Shape, svgMarkup, union } from './shapes.js';

/**
 * What `toSVG()` and `toPNG()` export of an element; each element returns it from `picture()`, or null while it has
 * nothing to draw.
 *
 * The export follows these classes in the shadow trees:
 * - `.control`, `.controls`, `.buttons`, `.hint`, `.colours`, `.visually-hidden`, `<details>`, `<progress>` and the live
 *   regions are left out. So are form controls, unless `withControls` is set.
 * - `.frame` and `.sideways` are scroll containers: they are exported from their start, whole.
 * - `.sticks` is a sticky element: it is exported at its place in the normal flow.
 */
export interface Picture {
  /** The name of the picture: one sentence about what it shows. */
  readonly title: string;
  /** Selector of the exported parts of the shadow tree; all of it by default. Parts that would overlap are moved apart. */
  readonly parts?: string;
  /** Exports form controls with their values. */
  readonly withControls?: boolean;
}

const EXCLUDED =
  '.control, .controls, .buttons, .hint, .colours, .visually-hidden, details, progress, [role=status], [role=alert]';
const FORM_CONTROLS = 'input, select, label';
const SCROLLERS = '.frame, .sideways';
const STICKY = '.sticks';

const MARGIN = 16;
/** Largest vertical gap between two rows, and the gap between rows that would overlap. */
const MAX_GAP = 24;
const OVERLAP_GAP = 16;

/**
 * @throws Error where the element has no layout: it is hidden or not part of the page
 */
export function figureSvg(host: HTMLElement, { title, parts, withControls = false }: Picture): string {
  const root = host.shadowRoot ?? host;
  const [background = ''] = computedColours(root, ['var(--mha-paper, Canvas)']);
  const { color, fontFamily } = getComputedStyle(host);
  const excluded = withControls ? EXCLUDED : `${EXCLUDED}, ${FORM_CONTROLS}`;
  const restoreScrolling = scrollToStart(root);
  try {
    const drawn = [...(parts === undefined ? root.children : root.querySelectorAll(parts))]
      .map((element) => new Part(element, { background, fontFamily, excluded }))
      .filter(({ shapes }) => shapes.length > 0);
    if (drawn.length === 0) {
      throw new Error(
        `<${host.localName}> has no layout: it is hidden or not in the page, so nothing is drawn`,
      );
    }
    const { width, height, shapes } = inRows(drawn);
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
          { name: 'title', attributes: {}, content: [title] },
          { name: 'rect', attributes: { width, height, fill: background } },
          ...shapes,
        ],
      },
      root,
    );
  } finally {
    restoreScrolling();
  }
}

/** A shadow tree and all shadow trees within it. */
function treesIn(root: ParentNode): ParentNode[] {
  const trees = [root];
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) trees.push(...treesIn(shadowRoot));
  return trees;
}

/** Finishes transitions and resets scrolling and sticky elements; the result restores the last two. */
function scrollToStart(root: ParentNode): () => void {
  const trees = treesIn(root);
  const all = (selector: string) =>
    trees.flatMap((tree) => [...tree.querySelectorAll<HTMLElement>(selector)]);
  for (const tree of trees) {
    if (!(tree instanceof ShadowRoot)) continue;
    for (const animation of tree.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  }
  const scrolled = all(SCROLLERS)
    .filter(({ scrollLeft, scrollTop }) => scrollLeft !== 0 || scrollTop !== 0)
    .map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop }));
  const sticky = all(STICKY);
  for (const { element } of scrolled) element.scrollTo({ left: 0, top: 0, behavior: 'instant' });
  for (const { style } of sticky) style.position = 'static';
  return () => {
    for (const { style } of sticky) style.removeProperty('position');
    for (const { element, left, top } of scrolled) element.scrollTo({ left, top, behavior: 'instant' });
  };
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** Parts that stand side by side on the page stay in one row, at their places; the rows follow one another. */
function inRows(parts: readonly Part[]): { width: number; height: number; shapes: Shape[] } {
  const rows: { box: Box; parts: Part[] }[] = [];
  for (const part of parts.toSorted((a, b) => a.elementTop - b.elementTop)) {
    const row = rows.at(-1);
    if (row && part.box.top < row.box.bottom - 1 && !row.parts.some(({ box }) => overlap(part.box, box))) {
      row.box = union(row.box, part.box);
      row.parts.push(part);
    } else rows.push({ box: part.box, parts: [part] });
  }
  const left = Math.min(...rows.map(({ box }) => box.left));
  const shapes: Shape[] = [];
  let y = MARGIN;
  rows.forEach(({ box, parts }, index) => {
    const above = rows[index - 1]?.box;
    if (above) y += box.top < above.bottom ? OVERLAP_GAP : Math.min(MAX_GAP, box.top - above.bottom);
    const transform = `translate(${round(MARGIN - left)} ${round(y - box.top)})`;
    const content = parts.flatMap(({ shapes, outlines }) => [...shapes, ...outlines]);
    shapes.push({ name: 'g', attributes: { transform }, content });
    y += box.bottom - box.top;
  });
  return {
    width: Math.ceil(Math.max(...rows.map(({ box }) => box.right)) - left + 2 * MARGIN),
    height: Math.ceil(y + MARGIN),
    shapes,
  };
}

/**
 * Rasterises an SVG document as a PNG with `scale` pixels per CSS pixel.
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
