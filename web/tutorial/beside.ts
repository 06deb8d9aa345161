import { heldHeight, shownPart } from './shown-part.js';

/** Tells the style sheet where in a figure the part begins that is worth having in view (`--from`). */
function tellPart(column: HTMLElement): void {
  const figure = column.firstElementChild;
  if (!figure) return;
  const from = shownPart(figure).getBoundingClientRect().top - figure.getBoundingClientRect().top;
  column.style.setProperty('--from', `${Math.floor(from)}px`);
}

/** Screens that are too narrow for prose and figure beside each other, and tall enough for one over the other. */
const narrow = matchMedia('(max-width: 63.99rem) and (min-height: 32rem)');

/** Whether the prose of a figure is being read, down to where the figure takes its own place. */
function isRead(column: HTMLElement): boolean {
  const prose = column.previousElementSibling?.getBoundingClientRect();
  const line = innerHeight - heldHeight();
  const gap = parseFloat(getComputedStyle(column).marginTop);
  return narrow.matches && prose !== undefined && prose.top < line && prose.bottom + gap > line;
}

/** What is held shows one part of it: where the keyboard goes to another, the figure takes its own place. */
function letGo(column: HTMLElement, event: FocusEvent): void {
  const [target] = event.composedPath();
  if (!column.classList.contains('held') || !(target instanceof Element)) return;
  if (!target.matches(':focus-visible')) return;
  const { top, bottom } = target.getBoundingClientRect();
  if (top >= column.getBoundingClientRect().top && bottom <= innerHeight) return;
  column.classList.replace('held', 'let-go');
  target.scrollIntoView({ block: 'center' });
}

/** Holds a figure at the foot of a narrow screen while its prose is read, and lets go of it for the keyboard. */
function hold(column: HTMLElement): void {
  const look = () => {
    column.classList.toggle('held', isRead(column) && !column.classList.contains('let-go'));
  };
  // Only near the screen: what is far away is not laid out.
  new IntersectionObserver(([row]) => {
    if (row?.isIntersecting) addEventListener('scroll', look, { passive: true });
    else removeEventListener('scroll', look);
    look();
  }).observe(column.parentElement ?? column);
  new MutationObserver(() => {
    requestAnimationFrame(() => {
      tellPart(column);
    });
  }).observe(column.firstElementChild ?? column, { attributes: true });
  column.addEventListener('focusin', (event) => {
    letGo(column, event);
  });
  column.addEventListener('focusout', ({ relatedTarget }) => {
    if (!column.contains(relatedTarget as Node | null)) column.classList.remove('let-go');
  });
}

/**
 * Tells the style sheet how tall prose and figure beside each other are (`--height`): what is taller than the
 * screen sticks with its end in view instead of its beginning, a figure that the prose drives with the driven part.
 * On narrow screens such a figure is held at the foot while its prose is read.
 */
export function keepInView(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const [size] = borderBoxSize;
      if (!size || !(target instanceof HTMLElement)) continue;
      target.style.setProperty('--height', `${Math.ceil(size.blockSize)}px`);
      // In the next frame: to measure is to lay out, which within the observer's own turn may change sizes again.
      if (target.matches('.linked')) {
        requestAnimationFrame(() => {
          tellPart(target);
        });
      }
    }
  });
  for (const side of document.querySelectorAll('.beside > *')) observer.observe(side);
  for (const column of document.querySelectorAll<HTMLElement>('.beside > .linked')) hold(column);
}
