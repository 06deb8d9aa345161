const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/**
 * Calls back once, when the element is at most one screen away from the viewport (immediately without
 * IntersectionObserver). One observer serves all elements of a page.
 *
 * @returns a function that cancels the callback
 */
export function whenNear(element: Element, callback: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    callback();
    return () => undefined;
  }
  if (!observer) addEventListener('beforeprint', notifyAll);
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) notify(target);
      }
    },
    { rootMargin: '100% 0px' },
  );
  waiting.set(element, callback);
  observer.observe(element);
  return () => stop(element);
}

function notify(element: Element): void {
  const callback = waiting.get(element);
  stop(element);
  callback?.();
}

/** Calls all waiting callbacks before printing, which shows all elements. */
function notifyAll(): void {
  for (const element of [...waiting.keys()]) notify(element);
}

function stop(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
