/** Resolves in the next task, before which the browser may have painted and answered its reader. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Starts something when the reader comes near a part of the page, within a screen's height of it, or prints the page. */
export function whenNear(part: Element, start: () => void): void {
  const begin = () => {
    observer.disconnect();
    removeEventListener('beforeprint', begin, true);
    start();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    },
    { rootMargin: '100%' },
  );
  observer.observe(part);
  // Captured: before the figures draw themselves for paper.
  addEventListener('beforeprint', begin, true);
}
