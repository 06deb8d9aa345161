const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/**
 * Calls back once, when the element comes within a screen of what the reader sees (at once where that cannot be
 * observed). One observer serves all elements of a page.
 *
 * @returns stops waiting
 */
export function whenNear(element: Element, arrived: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    arrived();
    return () => undefined;
  }
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        const callback = waiting.get(target);
        stop(target);
        callback?.();
      }
    },
    { rootMargin: '100% 0px' },
  );
  waiting.set(element, arrived);
  observer.observe(element);
  return () => {
    stop(element);
  };
}

function stop(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
