import type { ReactiveController, ReactiveElement } from 'lit';
import { SizeObserver } from './size-observer.js';

/** Calls back when the host first renders the part that matches a selector, and whenever the part's size changes. */
export class WidthController implements ReactiveController {
  readonly #observer: SizeObserver;
  #observed: Element | null = null;

  constructor(
    private readonly host: ReactiveElement,
    private readonly selector: string,
    changed: () => void,
  ) {
    this.#observer = new SizeObserver(changed);
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdated(): void {
    const part = this.host.renderRoot.querySelector(this.selector);
    // Observing the same part again would call back at every update.
    if (part === this.#observed) return;
    if (part) this.#observer.observe(part);
    else this.#observer.disconnect();
    this.#observed = part;
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#observed = null;
  }
}
