import type { ReactiveController, ReactiveElement } from 'lit';

/** Loads a module when its host comes near the viewport and needs it, then updates the host. */
export class ModuleController<Module> implements ReactiveController {
  /** The loaded module; null until then. */
  module: Module | null = null;

  /** Error of the last attempt to load the module; null if it did not fail. */
  failure: unknown = null;

  /** Whether the host has come near the viewport. */
  isNear = false;

  #started = false;
  #stop = (): void => undefined;

  /**
   * @param loadModule loads it
   * @param isWanted whether the host needs the module; checked at every update
   */
  constructor(
    private readonly host: ReactiveElement,
    private readonly loadModule: () => Promise<Module>,
    private readonly isWanted: () => boolean = () => true,
  ) {
    host.addController(this);
  }

  /** The loaded module. @throws Error before it is loaded */
  get loaded(): Module {
    if (this.module === null) throw new Error('the module is not loaded yet');
    return this.module;
  }

  hostConnected(): void {
    this.#stop = whenNear(this.host, () => {
      this.isNear = true;
      this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#stop();
  }

  hostUpdate(): void {
    if (this.isNear && !this.#started && this.isWanted()) void this.#load();
  }

  readonly retry = (): void => {
    this.failure = null;
    this.#started = false;
    this.host.requestUpdate();
  };

  async #load(): Promise<void> {
    this.#started = true;
    try {
      this.module = await this.loadModule();
    } catch (error) {
      this.failure = error;
    }
    this.host.requestUpdate();
  }
}

/** What is called when an element has come near. */
const waiting = new Map<Element, Set<() => void>>();
let observer: IntersectionObserver | undefined;

/**
 * Calls back once, when the element is at most one screen away from the viewport (immediately without
 * IntersectionObserver). One observer serves all elements of a page.
 *
 * @returns a function that cancels the callback
 */
function whenNear(element: Element, callback: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    callback();
    return () => undefined;
  }
  const callbacks = waiting.get(element) ?? new Set();
  waiting.set(element, callbacks.add(callback));
  observer ??= startObserving();
  observer.observe(element);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) stop(element);
  };
}

/** A function of its own: the observer's callback would keep alive the element for which it was made. */
function startObserving(): IntersectionObserver {
  addEventListener('beforeprint', notifyAll);
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.push(target);
      }
      schedule();
    },
    { rootMargin: '100% 0px' },
  );
}

/** Elements that have come near; they start one per task, so that none of the tasks is long. */
const near: Element[] = [];
let isScheduled = false;

function schedule(): void {
  if (isScheduled || near.length === 0) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    const element = near.shift();
    if (element) notify(element);
    schedule();
  });
}

function notify(element: Element): void {
  const callbacks = waiting.get(element) ?? [];
  stop(element);
  for (const callback of callbacks) callback();
}

/** Calls all waiting callbacks before printing, which shows all elements. */
function notifyAll(): void {
  for (const element of [...waiting.keys()]) notify(element);
}

function stop(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
