import { css, html, type TemplateResult } from 'lit';
import { WrongFile } from '../../api/wrong-file.js';
import type { Language } from './language.js';
import { loadingStringsFor } from './strings.js';

export const waitingStyles = css`
  .waiting {
    text-align: center;
    display: grid;
    gap: 0.75rem;
    justify-items: center;
  }
  .waiting p {
    margin: 0;
  }
  .waiting .quiet {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .problem {
    color: var(--_query);
    font-weight: 600;
  }
  .problem .detail {
    font-weight: 400;
    overflow-wrap: anywhere;
  }
`;

interface Loading {
  /** null until it is loaded. */
  readonly module: unknown;
  /** Why the last attempt failed; null otherwise. */
  readonly failure: unknown;
  readonly retry: () => void;
}

/**
 * Placeholder of a figure: the element's own content, and below it the state of loading. `idle` is shown when the
 * module is loaded and there is nothing to draw.
 */
export function waiting(modules: Loading, language: Language, idle = ''): TemplateResult {
  const strings = loadingStringsFor(language);
  return html`
    <div part="waiting" class="waiting">
      <slot></slot>
      ${
        modules.failure !== null
          ? html`<p class="problem" role="alert">
                ${strings.failed} ${loadFailure(modules.failure, language)}
              </p>
              <button @click=${modules.retry}>${strings.retry}</button>`
          : html`<p class="quiet" role="status">${modules.module ? idle : strings.loading}</p>`
      }
    </div>
  `;
}

/** What a reader or the site's author can do about a file that could not be loaded. */
export function loadFailure(failure: unknown, language: Language): TemplateResult | string {
  const strings = loadingStringsFor(language);
  return failure instanceof WrongFile
    ? html`${strings.wrongFile} <span class="detail" lang="en">${failure.message}</span>`
    : strings.checkNetwork;
}
