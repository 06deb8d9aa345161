import { css, html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import { type NumberTable, numberTable } from '../base/data-table.js';
import type { Strings } from './strings.js';

export const aloneStyles = css`
  .alone {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-top: 0.75rem;
    line-height: 1.6;
  }
  .alone p {
    margin: 0;
  }
  .alone .description {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
  }
  .alone .label {
    text-align: center;
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .alone .legend {
    width: 100%;
    margin-inline: auto;
  }
`;

/** What a view says about itself where no explorer says it. */
export interface Companions {
  /** Where the weights come from, and which words a model does not know; null where they were handed in. */
  origin: { label: string; unknown: string } | null;
  /** The figure in one sentence. */
  description: string;
  /** The locked word or pair in one sentence, spoken when it changes. */
  spoken: string;
  legend: TemplateResult | typeof nothing;
  readonly tables: () => readonly NumberTable[];
  /** Why the last thing asked for is not drawn; empty where it is. */
  problem: string;
  strings: Strings;
}

/** A description, a legend and a table of numbers below a view that stands alone. */
export class Alone {
  #open = false;

  constructor(private readonly host: ReactiveElement) {}

  render({ origin, description, spoken, legend, tables, problem, strings }: Companions): TemplateResult {
    return html`
      <div class="alone">
        <p part="description" class="description">${description}</p>
        ${origin ? html`<p part="label" class="label">${origin.label}. ${origin.unknown}</p>` : nothing}
        ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`} ${legend}
        <details part="numbers" class="numbers" @toggle=${this.#toggled}>
          <summary>${strings.dataTable}</summary>
          ${this.#open ? tables().map(numberTable) : nothing}
        </details>
        <p class="visually-hidden" role="status">${spoken}</p>
      </div>
    `;
  }

  readonly #toggled = (event: Event): void => {
    this.#open = (event.currentTarget as HTMLDetailsElement).open;
    this.host.requestUpdate();
  };
}
