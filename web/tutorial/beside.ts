import { shownPart } from './shown-part.js';

/** Sets `--from`: the offset of the figure's most important part, for the style sheet. */
function setPartOffset(column: HTMLElement): void {
  const figure = column.querySelector(':scope > [url-state]:not(.held)');
  if (!figure) return;
  const from = shownPart(figure).getBoundingClientRect().top - figure.getBoundingClientRect().top;
  column.style.setProperty('--from', `${Math.floor(from)}px`);
}

/** Side by side, as in the style sheet. */
const wide = matchMedia('(min-width: 64rem)');

/**
 * Sets `--height` of prose and figure for the style sheet: side by side, columns taller than the screen stick with their end in
 * view, a figure controlled by prose with its most important part.
 */
export function keepInView(): void {
  const observer = new ResizeObserver((entries) => {
    if (!wide.matches) return;
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
  const observeAll = () => {
    for (const side of document.querySelectorAll('.beside > *')) {
      // Observed anew: its size is told again.
      observer.unobserve(side);
      observer.observe(side);
    }
  };
  wide.addEventListener('change', observeAll);
  observeAll();
}
