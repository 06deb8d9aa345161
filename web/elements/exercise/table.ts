import { html, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import { shownNumber } from './message.js';
import type { ExerciseNumber, Grid, Name, Table } from './questions.js';
import { withFormulas } from './formula-text.js';
import { textsFor } from './strings.js';

/** A table of numbers and shapes for a hint or a solution, in a scroll container of its own. */
export function table(
  exercise: ExerciseNumber,
  { digits, columns, rows }: Table,
  language: Language,
): TemplateResult {
  const { caption = '', parts } = textsFor(language)[exercise];
  const named = (name: Name) =>
    typeof name === 'string' ? name : withFormulas(`\`${parts[name.part]?.prompt.split('`')[1] ?? ''}\``);
  const cell = (value: string | number) =>
    typeof value === 'number' ? html`<data value=${value}>${shownNumber(value, digits)}</data>` : value;
  return html`
    <div class="table sideways" role="group" aria-label=${caption} tabindex="0">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${columns.map((name) => html`<th scope="col">${named(name)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, cells }) => html`
              <tr>
                <th scope="row">${named(name)}</th>
                ${cells.map((value) => html`<td>${cell(value)}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** Converts a computed matrix to a table with rows and columns numbered from 1. */
export const tableOf = ({ rows }: Grid): Table => ({
  digits: 2,
  columns: rows[0]?.map((_, column) => String(column + 1)) ?? [],
  rows: rows.map((cells, row) => ({ name: String(row + 1), cells })),
});
