import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { readFragment, writeFragment } from './url-fragment.js';

/** Milliseconds between changes of the page's address; browsers throttle more frequent ones. */
const PAUSE = 200;

/** The element whose state is kept; the texts map attribute names to values, as in the fragment. */
interface Host extends ReactiveControllerHost {
  /** Name of the element's state in the fragment; null keeps none there. */
  readonly urlState: string | null;
  readonly isConnected: boolean;
  readonly consent: { readonly isAsking: boolean };
  stateTexts(): ReadonlyMap<string, string>;
  adoptTexts(texts: ReadonlyMap<string, string>): void;
}

/**
 * Keeps an element's state in the page's fragment under the name `url-state`. Only what differs from the attributes
 * that the author wrote is kept.
 */
export class UrlStateController implements ReactiveController {
  #authored: ReadonlyMap<string, string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The page's fragment when it was last read or written. */
  #known = '';

  constructor(private readonly host: Host) {
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
    // Lit's last update may run after the element was removed.
    if (!this.#authored || !this.host.isConnected) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#write, PAUSE);
  }

  readonly #read = (): void => {
    if (!this.#authored || this.host.urlState === null) return;
    this.#known = location.hash;
    this.host.adoptTexts(new Map([...this.#authored, ...readFragment(this.host.urlState)]));
  };

  readonly #write = (): void => {
    // A state that waits for the reader stays in the address.
    if (!this.#authored || this.host.urlState === null || this.host.consent.isAsking) return;
    // The event that tells of a new fragment may still be to come: it is read first.
    if (location.hash !== this.#known) {
      this.#known = location.hash;
      this.#timer = setTimeout(this.#write, PAUSE);
      return;
    }
    const changed = [...this.host.stateTexts()].filter(([name, text]) => this.#authored?.get(name) !== text);
    writeFragment(this.host.urlState, new Map(changed));
    this.#known = location.hash;
  };
}
