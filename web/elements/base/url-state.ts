import type { ReactiveController, ReactiveControllerHost } from 'lit';

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

// The URL fragment as a list: `#chapter-3&cat.head=2` has an anchor, which is kept, and the field `head` of the element `cat`.

const parts = (): string[] => location.hash.slice(1).split('&').filter(Boolean);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded, such as a lone %: keep it.
    return text;
  }
}

/** A lone surrogate, which a sentence may contain, cannot be encoded: replace it. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** Tells whether a part is a field of `owner`. Names of elements may contain dots, names of fields may not. */
const isOf = (owner: string) => {
  const name = encoded(owner);
  return (part: string): boolean => /^([^=]*)\.[^.=]*=/.exec(part)?.[1] === name;
};

/** The fields of one element, by name. */
function readFragment(owner: string): Map<string, string> {
  const prefix = `${encoded(owner)}.`;
  return new Map(
    parts()
      .filter(isOf(owner))
      .map((part) => {
        const [name = '', ...value] = part.slice(prefix.length).split('=');
        return [decoded(name), decoded(value.join('='))];
      }),
  );
}

/** Replaces the fields of one element without a new history entry. */
function writeFragment(owner: string, fields: ReadonlyMap<string, string>): void {
  const prefix = `${encoded(owner)}.`;
  const isOwn = isOf(owner);
  const others = parts().filter((part) => !isOwn(part));
  const own = [...fields].map(([name, value]) => `${prefix}${name}=${encoded(value)}`);
  const fragment = [...others, ...own].join('&');
  if (fragment === location.hash.slice(1)) return;
  // The full URL: a fragment alone would be resolved against <base>.
  const url = new URL(location.href);
  url.hash = fragment;
  try {
    history.replaceState(history.state, '', url);
  } catch (error) {
    // A document without a URL of its own (srcdoc) cannot keep state in it.
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
}
