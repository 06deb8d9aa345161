import { css, html, type TemplateResult } from 'lit';
import type { Strings } from '../sentence-view/strings.js';
import { whyNot } from './why-not.js';

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

/** What a figure waits for. */
interface Awaited {
  /** null until it is there. */
  readonly module: unknown;
  /** Why the last attempt to load it failed; null where it did not. */
  readonly failure: unknown;
  readonly retry: () => void;
}

/**
 * Stands where a figure will: the element's own content, and whether the module is still coming. `idle` is said when
 * it is there and there is nothing to draw.
 */
export function waiting(modules: Awaited, strings: Strings, idle = ''): TemplateResult {
  return html`
    <div part="waiting" class="waiting">
      <slot></slot>
      ${
        modules.failure !== null
          ? html`<p class="problem" role="alert">${strings.failed} ${whyNot(modules.failure, strings)}</p>
              <button @click=${modules.retry}>${strings.retry}</button>`
          : html`<p class="quiet" role="status">${modules.module ? idle : strings.loading}</p>`
      }
    </div>
  `;
}
