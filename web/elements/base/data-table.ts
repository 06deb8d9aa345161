import { css, html, type TemplateResult } from 'lit';
import { formatWeight } from './strings.js';

export const dataTableStyles = css`
  .scroll {
    max-height: 28rem;
    overflow-y: auto;
    margin-top: 0.6rem;
  }
  .scroll table {
    border-collapse: collapse;
    font-size: 0.8125rem;
  }
  .scroll caption {
    text-align: start;
    padding-bottom: 0.4rem;
    color: var(--_muted);
  }
  .scroll th {
    font-weight: 400;
    text-align: end;
    white-space: nowrap;
  }
  .scroll :is(th, td) {
    padding: 0.15rem 0.5rem;
  }
  .scroll td {
    text-align: end;
  }
  .scroll tbody tr {
    border-top: 1px solid var(--_line);
  }
  .definitions {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0.5rem 0;
    font-size: 0.8125rem;
    max-width: 44rem;
  }
  .definitions dd {
    margin: 0;
    color: var(--_muted);
  }
  @media print {
    .scroll {
      max-height: none;
    }
  }
`;

/** A table of numbers with named rows and columns; NaN leaves a cell empty. */
export interface NumberTable {
  caption: string;
  /** Text of the top left cell, such as "query ↓ key →". */
  corner: string;
  columns: readonly string[];
  rows: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Number of decimals shown, 4 by default; `<data>` elements hold the full number. */
  digits?: number;
}

/** A table inside its own focusable scroll container; `header` holds the header cells, `rows` the rows below. */
export const scrollTable = (
  caption: string,
  header: unknown,
  rows: unknown,
  className = '',
): TemplateResult => html`
  <div class="scroll sideways ${className}" role="group" aria-label=${caption} tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${header}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>
`;

export function numberTable({ caption, corner, columns, rows, digits = 4 }: NumberTable): TemplateResult {
  return scrollTable(
    caption,
    [corner, ...columns].map((name) => html`<th scope="col">${name}</th>`),
    rows.map(
      ({ name, values }) => html`
        <tr>
          <th scope="row">${name}</th>
          ${values.map((value) =>
            Number.isNaN(value)
              ? html`<td class="number">–</td>`
              : html`<td class="number"><data value=${value}>${formatWeight(value, digits)}</data></td>`,
          )}
        </tr>
      `,
    ),
  );
}

/** What the columns of a table mean. */
export const definitions = (entries: readonly (readonly [name: string, meaning: string])[]): TemplateResult =>
  html`<dl class="definitions">
    ${entries.map(
      ([name, meaning]) =>
        html`<dt>${name}</dt>
          <dd>${meaning}</dd>`,
    )}
  </dl>`;
