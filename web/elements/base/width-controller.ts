import type { ReactiveController, ReactiveElement } from 'lit';

/** Calls back when a part of its host, named by a selector, is first drawn and whenever its size changes. */
export class WidthController implements ReactiveController {
  readonly #observer: ResizeObserver | null;
  #observed: Element | null = null;

  constructor(
    private readonly host: ReactiveElement,
    private readonly selector: string,
    changed: () => void,
  ) {
    const draw = (): void => {
      if (this.#observed) changed();
    };
    // What is drawn while sizes are being told may change them again, which the page would be told of as an error.
    const drawNextFrame = (): void => void requestAnimationFrame(draw);
    this.#observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(drawNextFrame);
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdated(): void {
    const part = this.host.renderRoot.querySelector(this.selector);
    // To observe a part again would ask for an answer at every move of the pointer.
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
