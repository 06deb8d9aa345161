import { heldHeight, shownPart } from './shown-part.js';

/** Sets `--from`: the offset of the figure's most important part, for the style sheet. */
function setPartOffset(column: HTMLElement): void {
  const figure = column.firstElementChild;
  if (!figure) return;
  const from = shownPart(figure).getBoundingClientRect().top - figure.getBoundingClientRect().top;
  column.style.setProperty('--from', `${Math.floor(from)}px`);
}

/** Too narrow for prose and figure side by side, but tall enough for one above the other. */
const narrow = matchMedia('(max-width: 63.99rem) and (min-height: 32rem)');

/** Whether the figure's prose is on screen and the figure's own place is still below. */
function isRead(column: HTMLElement): boolean {
  if (!narrow.matches) return false;
  const prose = column.previousElementSibling?.getBoundingClientRect();
  const line = innerHeight - heldHeight();
  const gap = parseFloat(getComputedStyle(column).marginTop);
  return prose !== undefined && prose.top < line && prose.bottom + gap > line;
}

/** A held figure shows only one part: when the focus moves to another, the figure returns to its own place. */
function releaseOnFocus(column: HTMLElement, event: FocusEvent): void {
  const [target] = event.composedPath();
  if (!column.classList.contains('held') || !(target instanceof Element)) return;
  if (!target.matches(':focus-visible')) return;
  const { top, bottom } = target.getBoundingClientRect();
  if (top >= column.getBoundingClientRect().top && bottom <= innerHeight) return;
  column.classList.replace('held', 'let-go');
  target.scrollIntoView({ block: 'center' });
}

/** Holds a figure at the bottom of a narrow screen while its prose is read. */
function hold(column: HTMLElement): void {
  const update = () => {
    column.classList.toggle('held', isRead(column) && !column.classList.contains('let-go'));
  };
  // Listens to scrolling only near the screen: content farther away is not laid out (content-visibility).
  new IntersectionObserver(([row]) => {
    if (row?.isIntersecting) addEventListener('scroll', update, { passive: true });
    else removeEventListener('scroll', update);
    update();
  }).observe(column.parentElement ?? column);
  new MutationObserver(() => {
    requestAnimationFrame(() => {
      setPartOffset(column);
    });
  }).observe(column.firstElementChild ?? column, { attributes: true });
  column.addEventListener('focusin', (event) => {
    releaseOnFocus(column, event);
  });
  column.addEventListener('focusout', ({ relatedTarget }) => {
    if (!column.contains(relatedTarget as Node | null)) column.classList.remove('let-go');
  });
}

/**
 * Sets `--height` of prose and figure for the style sheet: columns taller than the screen stick with their end in view, a
 * figure controlled by prose with its most important part. On narrow screens such a figure is held at the bottom while its
 * prose is read.
 */
export function keepInView(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const [size] = borderBoxSize;
      if (!size || !(target instanceof HTMLElement)) continue;
      target.style.setProperty('--height', `${Math.ceil(size.blockSize)}px`);
      // Waits for the next frame: measuring forces layout, which in the observer's callback could change sizes again.
      if (target.matches('.linked')) {
        requestAnimationFrame(() => {
          setPartOffset(target);
        });
      }
    }
  });
  for (const side of document.querySelectorAll('.beside > *')) observer.observe(side);
  for (const column of document.querySelectorAll<HTMLElement>('.beside > .linked')) hold(column);
}
