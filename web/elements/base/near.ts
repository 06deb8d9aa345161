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
  if (!observer) addEventListener('beforeprint', arriveAll);
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) arrive(target);
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

function arrive(element: Element): void {
  const callback = waiting.get(element);
  stop(element);
  callback?.();
}

/** On paper everything is within sight. */
function arriveAll(): void {
  for (const element of [...waiting.keys()]) arrive(element);
}

function stop(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
