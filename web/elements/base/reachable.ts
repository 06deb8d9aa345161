import { noChange } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { DirectiveResult, ElementPart } from 'lit/directive.js';
import { SizeObserver } from './size-observer.js';

/** See {@link reachable}. */
class Reachable extends AsyncDirective {
  #box: Element | null = null;
  #label: string | null = null;
  readonly #observer = new SizeObserver(() => {
    this.#update();
  });

  render(label: string | null): unknown {
    this.#label = label;
    return noChange;
  }

  override update({ element }: ElementPart, [label]: [string | null]): unknown {
    if (this.#box !== element) {
      this.#box = element;
      this.reconnected();
    }
    return this.render(label);
  }

  override reconnected(): void {
    if (this.#box) this.#observer.observe(this.#box, ...this.#box.children);
  }

  override disconnected(): void {
    this.#observer.disconnect();
  }

  #update(): void {
    const box = this.#box;
    if (!box) return;
    if (box.scrollWidth > box.clientWidth) {
      box.setAttribute('tabindex', '0');
      if (this.#label === null) return;
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', this.#label);
    } else if (box.matches(':focus')) {
      // Without its tab stop the box would lose the focus.
      box.addEventListener('blur', () => this.#update(), { once: true });
    } else {
      box.removeAttribute('tabindex');
      if (this.#label === null) return;
      box.removeAttribute('role');
      box.removeAttribute('aria-label');
    }
  }
}

/**
 * Makes a box that scrolls sideways a tab stop with a name, only while it is narrower than its content: so that the keyboard
 * can scroll it, and a box that does not scroll is no stop. `label` is null for a box that has a name anyhow.
 */
export const reachable: (label: string | null) => DirectiveResult = directive(Reachable);
