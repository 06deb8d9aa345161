import { css, html, type TemplateResult } from 'lit';
import type { Wanted } from './consent.js';
import type { Language } from './language.js';
import { problemStringsFor } from './problem-strings.js';

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

/** Asks whether the servers of a state may be asked, or says that no figure takes one of its addresses. */
export function ask(wanted: readonly Wanted[], language: Language, agree: () => void): TemplateResult {
  const strings = problemStringsFor(language);
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
    <button type="button" class="control" @click=${agree}>${strings.ask(names.join(', '))}</button>
  </div>`;
}
