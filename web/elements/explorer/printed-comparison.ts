import { css, html, nothing, type TemplateResult } from 'lit';
import type { DocumentResult, Row } from '../../index.js';
import type { Language } from '../base/language.js';
import type { ComputedFigure } from '../sentence-view/computed-figure.js';
import type { HeadName } from '../sentence-view/figure.js';
import type { Strings } from '../sentence-view/strings.js';

export const comparisonStyles = css`
  .compared {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem 3rem;
    align-items: start;
    font-size: 0.875rem;
  }
  @container (min-width: 52rem) {
    .compared {
      grid-template-columns: minmax(0, max-content) minmax(15rem, 1fr);
    }
  }
  .findings {
    display: grid;
    max-width: 30rem;
    gap: 0.75rem;
  }
  .comparison table {
    border-collapse: collapse;
    line-height: 1.4;
  }
  .compared .title {
    grid-column: 1 / -1;
    font-weight: 650;
    margin-bottom: -0.5rem;
  }
  .comparison th,
  .comparison td {
    text-align: start;
    padding: 0.3rem clamp(0.5rem, 3cqi, 1.75rem) 0.3rem 0;
    white-space: nowrap;
    border-bottom: 1px solid var(--_line);
  }
  .comparison td:nth-child(odd) {
    padding-inline-end: clamp(0.4rem, 2cqi, 0.9rem);
  }
  .comparison thead th {
    font-weight: 400;
    color: var(--_muted);
  }
  .comparison .printed {
    color: var(--_muted);
  }
  .comparison .verdict {
    padding-inline-end: 0;
  }
`;

/** Number of decimals in the printed table, at least 2 because parsing has removed trailing zeros. */
function decimals(rows: readonly Row[]): number {
  return Math.max(2, ...rows.map(({ weight }) => String(weight).split('.')[1]?.length ?? 0));
}

/** Two table cells: the pair, as `query → key` or only the key if all rows have the same query, and the weight. */
function cells(row: Row, digits: number, className: string): TemplateResult {
  const weight = Number(row.weight);
  return html`
    <td class=${className}>
      ${row.query === undefined ? nothing : html`${row.query} → `}${row.key ?? row.token}
    </td>
    <td class="number ${className}"><data value=${weight}>${weight.toFixed(digits)}</data></td>
  `;
}

/** Whether the example's printed table contains attention weights; some contain other numbers. */
const printsWeights = ({ printed }: DocumentResult): boolean =>
  printed?.some(({ weight }) => weight !== undefined) ?? false;

/** Shows one head's computed and printed weights side by side; `note` explains the comparison. */
function printedComparison(
  result: DocumentResult,
  head: HeadName,
  strings: Strings,
  note: TemplateResult,
): TemplateResult | typeof nothing {
  const { computed, printed, verdicts } = result;
  if (!printed || !verdicts || !printsWeights(result)) return nothing;
  const belongs = (row: Row) =>
    row.head === undefined || row.head === (typeof head === 'number' ? head + 1 : head);
  const rows = computed.flatMap((row, index) => {
    const other = printed[index];
    return other && belongs(row) ? [{ row, other, agrees: verdicts[index] === true }] : [];
  });
  if (rows.length === 0) {
    return html`<section part="comparison" class="compared">
      <p>${strings.notPrinted(strings.head(head, null))}</p>
      ${note}
    </section>`;
  }
  const digits = decimals(printed);
  const agreeing = (all: readonly boolean[]) => all.filter(Boolean).length;
  return html`
    <section part="comparison" class="compared">
      <p id="comparison" class="title">${strings.comparison} · ${strings.head(head, null)}</p>
      <div class="comparison sideways" role="group" aria-labelledby="comparison" tabindex="0">
        <table aria-labelledby="comparison">
          <thead>
            <tr>
              <th scope="colgroup" colspan="2">${strings.computed}</th>
              <th scope="colgroup" colspan="2">${strings.printed}</th>
              <th scope="col">${strings.verdict}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ row, other, agrees }) => html`
                <tr>
                  ${cells(row, digits, 'computed')} ${cells(other, digits, 'printed')}
                  <td class="verdict">
                    <span aria-hidden="true">${agrees ? '✓' : '✗'}</span> ${
                      agrees ? strings.agrees : strings.differs
                    }
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      <div class="findings">
        <p>
          ${strings.agreement(agreeing(rows.map(({ agrees }) => agrees)), rows.length)}
          ${
            rows.length < computed.length
              ? strings.agreementInFigure(agreeing(verdicts), computed.length)
              : nothing
          }
        </p>
        <p>${strings.reproducible}</p>
        ${note}
      </div>
    </section>
  `;
}

/** What a document says of its weights, with its printed numbers where it has some. */
export function documentNote(
  { note, result }: ComputedFigure,
  head: HeadName,
  language: Language,
  strings: Strings,
): TemplateResult | typeof nothing {
  const text = html`<p part="note" class="note">${note[language]}</p>`;
  return result && printsWeights(result) ? printedComparison(result, head, strings, text) : text;
}
