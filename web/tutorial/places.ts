/**
 * The fragment has one place of the page and the figures' states: `#chapter-3&cat.head=2`. Browsers scroll only to
 * fragments that are just an id, so the page does it itself.
 */

const parts = (): string[] => location.hash.slice(1).split('&').filter(Boolean);
const isState = (part: string): boolean => part.includes('=');

function place(): HTMLElement | null {
  const name = parts().find((part) => !isState(part));
  return name === undefined ? null : document.getElementById(name);
}

/** Returns the fragment with another place and the same states. */
export const fragmentOf = (name: string): string => `#${[name, ...parts().filter(isState)].join('&')}`;

/** Opens the disclosures that a place is in. */
function unfold(target: Element): void {
  for (let at = target.closest('details'); at; at = at.parentElement?.closest('details') ?? null)
    at.open = true;
}

function follow(link: HTMLAnchorElement): void {
  const name = link.hash.slice(1);
  const target = document.getElementById(name);
  if (!target) return;
  history.pushState(null, '', fragmentOf(name));
  unfold(target);
  target.scrollIntoView();
  // After this focus, the next Tab continues from the target.
  target.focus({ preventScroll: true });
}

/** Marks the current chapter in the list of chapters. */
function markCurrent(links: ReadonlyMap<Element, HTMLAnchorElement>): void {
  let current: HTMLAnchorElement | null = null;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target);
        if (!link || isIntersecting === (link === current)) continue;
        current?.removeAttribute('aria-current');
        current = isIntersecting ? link : null;
        current?.setAttribute('aria-current', 'location');
      }
    },
    // This margin leaves a line at a third of the screen: at most one chapter intersects it.
    { rootMargin: '-33% 0px -67% 0px' },
  );
  for (const chapter of links.keys()) observer.observe(chapter);
}

/** Makes links within the page keep the figures' states in the fragment. */
export function keepPlaces(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      follow(link);
    });
  }
  const show = () => {
    const target = place();
    if (!target) return;
    unfold(target);
    target.scrollIntoView();
  };
  addEventListener('popstate', show);
  if (parts().some(isState)) show();

  const chapterLinks = links
    .filter((link) => link.closest('.chapters'))
    .map((link) => [document.getElementById(link.hash.slice(1)), link] as const);
  markCurrent(
    new Map(chapterLinks.filter((pair): pair is [HTMLElement, HTMLAnchorElement] => pair[0] !== null)),
  );
}
