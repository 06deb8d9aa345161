/**
 * Calls back in the frame after sizes of elements have changed. Observing begins in the next frame, too: WebKit may run an
 * element's first update inside another observer's callback, where new observations or sizes raise a "ResizeObserver loop" error.
 */
export class SizeObserver {
  #observer: ResizeObserver | null = null;
  #frame = 0;

  constructor(private readonly changed: () => void) {}

  /** Observes these elements, and no others any more. */
  observe(...elements: Element[]): void {
    this.disconnect();
    this.#frame = requestAnimationFrame(() => {
      this.#observer = new ResizeObserver(() => {
        this.#frame = requestAnimationFrame(this.changed);
      });
      for (const element of elements) this.#observer.observe(element);
    });
  }

  disconnect(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer?.disconnect();
  }
}
