import { css, html, type ReactiveController, type ReactiveElement, render } from 'lit';
import type { Language } from './language.js';
import { problemStrings } from './problem.js';

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
}

export const consentStyles = css`
  .consent {
    display: grid;
    gap: 0.6rem;
    justify-items: start;
    margin-block: 0 1rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--_control-line);
    border-radius: 0.4rem;
    font-size: 0.875rem;
    line-height: 1.5;
  }
  .consent p {
    margin: 0;
    max-width: 44rem;
    overflow-wrap: anywhere;
  }
  @media print {
    .consent {
      display: none;
    }
  }
`;

/** Where addresses lead that the page's author or its reader has chosen: another state may name them again. */
const chosen = new Set<string>();

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
    render(this.#asked ? this.#question(this.#asked.wanted) : '', this.#box);
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

  #question(wanted: readonly Wanted[]) {
    const strings = problemStrings(this.language(), this.host);
    if (!strings) return '';
    const bad = wanted.find(({ server }) => server === 'refused');
    if (bad) {
      return html`<div part="consent" class="consent">
        <p role="alert">${strings.badAddress(bad.address.slice(0, 200))}</p>
      </div>`;
    }
    const servers = wanted.flatMap(({ server }) => (server === null || server === 'refused' ? [] : server));
    const names = [...new Set(servers.map(({ name, isOwn }) => (isOwn ? strings.ownServer(name) : name)))];
    const addresses = wanted.map(({ address }) => address).join(', ');
    const bytes = servers.reduce<number | null>(
      (sum, server) => (sum === null || server.bytes === null ? null : sum + server.bytes),
      0,
    );
    return html`<div part="consent" class="consent" role="group" aria-label=${strings.consent}>
      <p role="status">${strings.asks(addresses, names.join(', '), bytes)}</p>
      <button type="button" class="control" @click=${this.#agree}>${strings.ask(names.join(', '))}</button>
    </div>`;
  }
}
