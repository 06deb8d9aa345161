/** The parts of each figure that show its state best, to be kept in view: the first that there is. */
const PARTS: readonly (readonly [figure: string, ...parts: string[]])[] = [
  // What is wrong with the mask of the trap is seen best in all rows together.
  ['mha-explorer[mask=trap]', '[part~=matrix-view]'],
  ['mha-explorer', '[part~=arcs-view]'],
  ['mha-patches', '[part~=map]'],
  ['mha-shapes', '[part~=stage]:has([aria-pressed=true])'],
  ['mha-steps', '[role=tabpanel]'],
  ['mha-training', '.arcs.pair', '[part~=words]'],
];

export function shownPart(figure: Element): Element {
  const parts = PARTS.filter(([kind]) => figure.matches(kind)).flatMap(([, ...selectors]) => selectors);
  for (const part of parts) {
    const found = figure.shadowRoot?.querySelector(part);
    if (found) return found;
  }
  return figure;
}

/** The chosen word of a sentence and the word with its largest weight; empty for other figures. */
export function chosenWords(figure: Element): Element[] {
  const arcs = figure.shadowRoot?.querySelector('mha-arcs')?.shadowRoot;
  const chosen = arcs?.querySelector('.query');
  if (!arcs || !chosen) return [];
  const weight = (word: Element) => Number(word.querySelector('data')?.value ?? 0);
  const [heaviest] = [...arcs.querySelectorAll('[part~=word]')].sort((a, b) => weight(b) - weight(a));
  return heaviest ? [heaviest, chosen] : [chosen];
}

/** Returns the height of the dock (`--dock` in dock.css), in pixels: as much of a figure as is to be in view. */
export const dockHeight = (): number => Math.min(0.38 * innerHeight, 320);

/** Returns the bottom edge of the sticky header. */
export const headerBottom = (): number =>
  document.querySelector('body > header')?.getBoundingClientRect().bottom ?? 0;

/** Tells whether a part is seen from its top, at least as much of it as a dock shows. */
export function isSeen(part: Element): boolean {
  const { top, bottom, height } = part.getBoundingClientRect();
  // Heights are rounded: allow 2 pixels.
  return (
    top >= Math.floor(headerBottom()) &&
    Math.min(bottom, innerHeight) - top >= Math.min(height, dockHeight()) - 2
  );
}

export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';

/** Scrolls as little as needed to see a part. */
export function bringIntoView(part: Element, behavior = scrollBehavior()): void {
  if (isSeen(part)) return;
  const { top, height } = part.getBoundingClientRect();
  const fits = top >= Math.floor(headerBottom()) && height < innerHeight - headerBottom();
  part.scrollIntoView({ block: fits ? 'nearest' : 'start', behavior });
}
