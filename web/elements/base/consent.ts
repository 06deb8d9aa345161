import { type CSSResult, type ReactiveController, type ReactiveElement, render } from 'lit';
import type { Language } from './language.js';

/** The server that an address would be requested from. */
interface Server {
  /** Where the address leads. */
  readonly href: string;
  readonly name: string;
  /** Whether it is the page's own. */
  readonly isOwn: boolean;
  /** Size of the download; null where that is not known before it is asked. */
  readonly bytes: number | null;
}

/** An address that a state names; `refused` is for one that no figure takes, null for one that asks no other server. */
export interface Wanted {
  readonly address: string;
  readonly server: Server | 'refused' | null;
}

/** Finds the server in an attribute's text, by attribute. */
export type Servers = Readonly<Record<string, (text: string) => Wanted['server']>>;

interface Host extends ReactiveElement {
  /** The addresses that the attributes hold. */
  readonly addresses: () => readonly Wanted[];
  readonly addStyles: (styles: readonly CSSResult[]) => void;
}

/** Where addresses lead that the page's author or its reader has chosen: another state may name them again. */
const chosen = new Set<string>();

/** Loaded when a link first names a server. */
let question: typeof import('./consent-question.js') | null = null;

/** Keeps a state that names a server from being adopted until the reader agrees. */
export class Consent implements ReactiveController {
  #asked: { readonly wanted: readonly Wanted[]; readonly before: string; readonly adopt: () => void } | null =
    null;
  #box: HTMLElement | null = null;

  constructor(
    private readonly host: Host,
    private readonly language: () => Language,
  ) {
    host.addController(this);
  }

  /** Whether a state waits for the reader, who may agree to it. */
  get isAsking(): boolean {
    return this.#asked?.wanted.every(({ server }) => server !== 'refused') ?? false;
  }

  /** Adopts a state: at once, if it names no other address than those that were chosen. */
  request(wanted: readonly Wanted[], adopt: () => void): void {
    const before = this.#remember();
    const held = this.host.addresses().map(({ address }) => address);
    const asked = wanted.filter(({ address, server }) =>
      server === 'refused' ? !held.includes(address) : server !== null && !chosen.has(server.href),
    );
    this.#asked = asked.length === 0 ? null : { wanted: asked, before, adopt };
    if (!this.#asked) adopt();
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    // An address that was set otherwise answers the question.
    if (this.#remember() !== this.#asked?.before) this.#asked = null;
  }

  hostUpdated(): void {
    if (!this.#asked && !this.#box) return;
    if (!this.#box) {
      this.#box = document.createElement('div');
      this.host.renderRoot.prepend(this.#box);
    }
    if (this.#asked && !question) void this.#loadQuestion();
    const { wanted } = this.#asked ?? {};
    if (wanted && question) this.host.addStyles([question.consentStyles]);
    render(wanted && question ? question.ask(wanted, this.language(), this.#agree) : '', this.#box);
  }

  async #loadQuestion(): Promise<void> {
    question = await import('./consent-question.js');
    this.host.requestUpdate();
  }

  #remember(): string {
    const addresses = this.host.addresses();
    for (const { server } of addresses) if (server && server !== 'refused') chosen.add(server.href);
    return addresses.map(({ address }) => address).join('\n');
  }

  readonly #agree = (): void => {
    const { adopt } = this.#asked ?? {};
    this.#asked = null;
    adopt?.();
    // The button is gone: the focus goes on to what stops the download.
    void this.host.updateComplete.then(() =>
      ['.model-status button', 'button, summary, [tabindex="0"]']
        .map((selector) => this.host.renderRoot.querySelector<HTMLElement>(selector))
        .find((found) => found !== null)
        ?.focus(),
    );
  };
}
