import type { ReactiveController, ReactiveElement } from 'lit';

/** Calls back when the host first renders the part that matches a selector, and whenever the part's size changes. */
export class WidthController implements ReactiveController {
  readonly #observer: ResizeObserver | null;
  #observed: Element | null = null;

  constructor(
    private readonly host: ReactiveElement,
    private readonly selector: string,
    changed: () => void,
  ) {
    const notify = (): void => {
      if (this.#observed) changed();
    };
    // Changing sizes inside the callback would raise a "ResizeObserver loop" error: wait for the next frame.
    const notifyNextFrame = (): void => void requestAnimationFrame(notify);
    this.#observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(notifyNextFrame);
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdated(): void {
    const part = this.host.renderRoot.querySelector(this.selector);
    // Observing the same part again would call back at every update.
    if (part === this.#observed) return;
    this.#observer?.disconnect();
    if (part) this.#observer?.observe(part);
    this.#observed = part;
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observed = null;
  }
}
