/** What of a figure shows its state best: the part that is worth having in view. */
const PARTS: Readonly<Record<string, string>> = {
  'mha-explorer': '[part~=arcs-view]',
  'mha-shapes': '[part~=stage]:has([aria-pressed=true])',
  'mha-steps': '[role=tabpanel]',
  'mha-training': '[part~=words]',
};

export const shownPart = (figure: Element): Element =>
  figure.shadowRoot?.querySelector(PARTS[figure.localName] ?? ':host') ?? figure;

/** How much of a figure stays in view while the prose of a narrow screen is read (`--held`), in pixels. */
export const heldHeight = (): number => Math.min(0.4 * innerHeight, 288);

/** Below what stays at the top of the screen. */
const ceiling = (): number => document.querySelector('body > header')?.getBoundingClientRect().bottom ?? 0;

/** Scrolls no further than it takes to see a part from its beginning, and as much of it as is held. */
export function bringIntoView(part: Element): void {
  const { top, bottom, height } = part.getBoundingClientRect();
  const begins = top >= Math.floor(ceiling());
  // A pixel or two are lost where heights are rounded.
  if (begins && Math.min(bottom, innerHeight) - top >= Math.min(height, heldHeight()) - 2) return;
  part.scrollIntoView({
    block: begins && height < innerHeight - ceiling() ? 'nearest' : 'start',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
}
