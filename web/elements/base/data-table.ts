import { css, html, type TemplateResult } from 'lit';
import { formatWeight } from './strings.js';

export const dataTableStyles = css`
  .numbers summary {
    cursor: pointer;
    width: fit-content;
    min-height: 24px;
    padding-block: 0.15rem;
    font-size: 0.875rem;
  }
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
  @media print {
    .scroll {
      max-height: none;
    }
  }
`;

/** A table of numbers: names for its rows and columns, and one number per pair; NaN where there is none. */
export interface NumberTable {
  caption: string;
  /** What stands over the names of the rows, such as "query ↓ key →". */
  corner: string;
  columns: readonly string[];
  rows: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Decimals that are shown; the elements behind the text hold the full number. 4 by default. */
  digits?: number;
}

/** The numbers behind a figure, in a container that scrolls by itself and can be reached by Tab. */
export function numberTable({ caption, corner, columns, rows, digits = 4 }: NumberTable): TemplateResult {
  return html`
    <div class="scroll sideways" role="group" aria-label=${caption} tabindex="0">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${corner}</th>
            ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, values }) => html`
              <tr>
                <th scope="row">${name}</th>
                ${values.map((value) =>
                  Number.isNaN(value)
                    ? html`<td class="number">–</td>`
                    : html`<td class="number">
                        <data value=${value}>${formatWeight(value, digits)}</data>
                      </td>`,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
