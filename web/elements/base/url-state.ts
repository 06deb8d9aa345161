import type { ReactiveController } from 'lit';
import type { MhaElement } from './mha-element.js';
import { readFragment, writeFragment } from './url-fragment.js';

/** The browser refuses too many changes of the address in a short time. */
const PAUSE = 200;

/**
 * Keeps an element's state in the page's fragment, under the name that its `url-state` gives: what differs from how
 * the author wrote the element, and nothing else.
 */
export class UrlStateController implements ReactiveController {
  #authored: ReadonlyMap<string, string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: MhaElement) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.host.urlState === null) return;
    this.#authored ??= this.host.stateTexts();
    this.#read();
    addEventListener('hashchange', this.#read);
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#read);
    clearTimeout(this.#timer);
  }

  hostUpdated(): void {
    // The last update may come when the element is gone.
    if (!this.#authored || !this.host.isConnected) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#write, PAUSE);
  }

  readonly #read = (): void => {
    if (!this.#authored || this.host.urlState === null) return;
    this.host.adoptTexts(new Map([...this.#authored, ...readFragment(this.host.urlState)]));
  };

  readonly #write = (): void => {
    if (!this.#authored || this.host.urlState === null) return;
    const changed = [...this.host.stateTexts()].filter(([name, text]) => this.#authored?.get(name) !== text);
    writeFragment(this.host.urlState, new Map(changed));
  };
}
