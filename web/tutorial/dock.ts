/**
 * The dock: where a press of a button in the prose changes a figure that is out of sight, the figure comes to the bottom edge of
 * the screen, and the reader stays where they read.
 */
import { language, texts } from './language.js';
import {
  bringIntoView,
  chosenWords,
  dockHeight,
  headerBottom,
  isSeen,
  scrollBehavior,
  shownPart,
} from './shown-part.js';

interface Dock {
  readonly figure: HTMLElement;
  button: HTMLElement;
  /** Scrolls inside to what the figure shows now, until the reader scrolls there. */
  show(): void;
  close(): void;
}

let docked: Dock | null = null;

/** Lower screens have no room for prose and a dock. */
const isTall = matchMedia('(min-height: 32rem)');

const isButtonSeen = (button: Element, bottom: number): boolean => {
  const box = button.getBoundingClientRect();
  return box.top >= headerBottom() && box.bottom <= bottom;
};

/** Scrolls to the figure's part if the button stays in view; tells whether both are. */
function scrollToBoth(button: Element, part: Element): boolean {
  const from = scrollY;
  bringIntoView(part, 'instant');
  const areSeen = isSeen(part) && isButtonSeen(button, innerHeight);
  const to = scrollY;
  // Before the next paint, so this is not seen.
  scrollTo({ top: from, behavior: 'instant' });
  if (areSeen && to !== from) scrollTo({ top: to, behavior: scrollBehavior() });
  return areSeen;
}

/** Scrolls inside the dock: the figure's part at the top, or its heaviest word where that would be cut off. */
function scrollInside(figure: HTMLElement): void {
  const { top, height } = figure.getBoundingClientRect();
  const room = Math.min(height, figure.clientHeight);
  const offset = (element: Element) => element.getBoundingClientRect().top - top + figure.scrollTop;
  const part = shownPart(figure);
  let start = part === figure ? 0 : offset(part);
  const words = part.localName === 'mha-matrix' ? [] : chosenWords(figure);
  const [heaviest] = words;
  if (heaviest) {
    const range = (of: readonly Element[]) => {
      const tops = of.map(offset);
      const bottoms = of.map((word) => offset(word) + word.getBoundingClientRect().height);
      return [Math.min(...tops), Math.max(...bottoms)] as const;
    };
    let [from, to] = range(words);
    if (to - from > room) [from, to] = range([heaviest]);
    if (from < start || to > start + room) {
      // Not past the part's end, where another part would begin.
      const end = part === figure ? Infinity : offset(part) + part.getBoundingClientRect().height;
      start = Math.min((from + to - room) / 2, end - room);
    }
  }
  figure.scrollTop = start;
}

/** The dock's edge: a handle that goes to the figure's own place, and a button that closes the dock. */
function edgeOf(dock: () => Dock | null): HTMLElement {
  const edge = document.createElement('div');
  edge.className = 'dock-edge';
  edge.popover = 'manual';
  const button = (name: 'toFigure' | 'closeDock', act: () => void) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = name === 'toFigure' ? 'handle' : 'close';
    element.ariaLabel = texts[language()][name];
    element.addEventListener('click', act);
    edge.append(element);
    return element;
  };
  const handle = button('toFigure', () => {
    const figure = dock()?.figure;
    dock()?.close();
    figure?.scrollIntoView({ behavior: scrollBehavior() });
  });
  button('closeDock', () => dock()?.close());
  // Pulled down, it closes.
  handle.addEventListener('pointerdown', ({ pointerId, clientY }) => {
    handle.setPointerCapture(pointerId);
    handle.onpointermove = (event) => {
      if (event.clientY - clientY > 48) dock()?.close();
    };
  });
  handle.addEventListener('lostpointercapture', () => (handle.onpointermove = null));
  return edge;
}

function open(button: HTMLElement, figure: HTMLElement): Dock {
  const listening = new AbortController();
  const { signal } = listening;
  // Keeps the figure's place, so that nothing moves.
  const place = document.createElement('div');
  place.className = 'dock-place';
  const box = figure.getBoundingClientRect();
  place.style.height = `${box.height}px`;
  figure.style.setProperty('--dock-width', `${box.width}px`);
  figure.style.setProperty('--dock-left', `${box.left}px`);
  const edge = edgeOf(() => docked);
  edge.style.setProperty('--dock-width', `${box.width}px`);
  edge.style.setProperty('--dock-left', `${box.left}px`);
  figure.before(place, edge);
  figure.popover = 'manual';
  figure.classList.add('held');
  figure.showPopover();
  edge.showPopover();

  let isFollowing = true;
  const handle = edge.querySelector<HTMLElement>('.handle');
  const show = () => {
    if (isFollowing) scrollInside(figure);
  };
  // Drawn only now, or higher with its new state.
  const sizes = new ResizeObserver(show);
  for (const part of [figure, ...(figure.shadowRoot?.children ?? [])]) sizes.observe(part);
  const follow = () => (isFollowing = false);
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    figure.addEventListener(name, follow, { signal, passive: true });

  const dock: Dock = {
    figure,
    button,
    show() {
      isFollowing = true;
      // What was pressed, in short what is shown.
      if (handle) handle.dataset.shows = this.button.textContent.trim();
      show();
    },
    close() {
      const hadFocus = figure.matches(':focus-within') || edge.matches(':focus-within');
      listening.abort();
      sizes.disconnect();
      places.disconnect();
      figure.popover = null;
      figure.classList.remove('held');
      place.remove();
      edge.remove();
      docked = null;
      if (hadFocus) this.button.focus({ preventScroll: true });
    },
  };
  // Back in its place when the reader comes to it, and when they leave its prose.
  const prose = button.closest('.prose') ?? button;
  let wasHere: boolean | null = null;
  const places = new IntersectionObserver(
    (rows) => {
      for (const { target, isIntersecting } of rows) {
        if (target === place) {
          if (isIntersecting && wasHere === false) dock.close();
          wasHere = isIntersecting;
        } else if (!isIntersecting) dock.close();
      }
    },
    { rootMargin: `-25% 0px -${Math.round(dockHeight() + 40)}px` },
  );
  places.observe(place);
  places.observe(prose);
  addEventListener('keydown', ({ key }) => key === 'Escape' && dock.close(), { signal });
  addEventListener('beforeprint', () => dock.close(), { signal });
  // The address bar of a phone changes only the height.
  const width = innerWidth;
  addEventListener('resize', () => innerWidth !== width && dock.close(), { signal });
  return dock;
}

/** Shows a figure and the button of the prose that changed it together, and scrolls no more than needed. */
export async function showTogether(button: HTMLElement, figure: HTMLElement): Promise<void> {
  if (docked?.figure !== figure) {
    docked?.close();
    const part = shownPart(figure);
    if (!isTall.matches) {
      bringIntoView(part);
      return;
    }
    if (scrollToBoth(button, part)) return;
    docked = open(button, figure);
  }
  const dock = docked;
  dock.button = button;
  // What the new state shows has its size with the next frame.
  await new Promise(requestAnimationFrame);
  // It may have been closed meanwhile.
  if (docked !== dock) return;
  dock.show();
  const hidden = button.getBoundingClientRect().bottom - (innerHeight - dockHeight() - 48);
  if (hidden > 0) scrollBy({ top: hidden, behavior: scrollBehavior() });
}
