/** The part of each figure that shows its state best, to be kept in view. */
const PARTS: Readonly<Record<string, string>> = {
  'mha-explorer': '[part~=arcs-view]',
  'mha-shapes': '[part~=stage]:has([aria-pressed=true])',
  'mha-steps': '[role=tabpanel]',
  'mha-training': '[part~=words]',
};

export const shownPart = (figure: Element): Element =>
  figure.shadowRoot?.querySelector(PARTS[figure.localName] ?? ':host') ?? figure;

/** Returns the height of the visible part of a figure held on a narrow screen (`--held` in beside.css), in pixels. */
export const heldHeight = (): number => Math.min(0.4 * innerHeight, 288);

/** Returns the bottom edge of the sticky header. */
const headerBottom = (): number =>
  document.querySelector('body > header')?.getBoundingClientRect().bottom ?? 0;

/** Scrolls as little as needed to show a part from its top, at least `heldHeight` of it. */
export function bringIntoView(part: Element): void {
  const { top, bottom, height } = part.getBoundingClientRect();
  const showsTop = top >= Math.floor(headerBottom());
  // Heights are rounded: allow 2 pixels.
  if (showsTop && Math.min(bottom, innerHeight) - top >= Math.min(height, heldHeight()) - 2) return;
  part.scrollIntoView({
    block: showsTop && height < innerHeight - headerBottom() ? 'nearest' : 'start',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
}
