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
    font-size: 0.875rem;
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
`;

interface Loading {
  /** The loaded module; null until then. */
  readonly module: unknown;
  /** Error of the last attempt to load the module; null if it did not fail. */
  readonly failure: unknown;
  readonly retry: () => void;
}

/**
 * Placeholder of a figure: the element's own content and, below it, a message about loading. `idle` is shown when the
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

/** Tells the reader or the page's author what to do about a file that could not be loaded. */
function loadFailure(failure: unknown, language: Language): TemplateResult {
  const { wrongFile, checkNetwork } = loadingStringsFor(language);
  return html`${failure instanceof WrongFile ? wrongFile : checkNetwork}
    <span class="detail" lang="en">${failure instanceof Error ? failure.message : failure}</span>`;
}
