import { html, type TemplateResult } from 'lit';
import { numberTable } from '../base/data-table.js';
import type { Measures, PatchFigure } from './patch-figure.js';
import type { PatchMaps } from './patch-maps.js';
import { headName, type PatchStrings, tokenName } from './strings.js';

const MEASURES = ['within2', 'sameRowOrColumn', 'distance', 'colourDistance'] as const;

/** Table of the measures of every head and of uniform weights. */
export function measuresTable(figure: PatchFigure, strings: PatchStrings): TemplateResult {
  const row = (name: string, measures: Measures) => ({
    name,
    values: MEASURES.map((measure) => measures[measure]),
  });
  return numberTable({
    caption: strings.measures,
    corner: strings.measuresCorner,
    columns: MEASURES.map((measure) => strings.measure[measure]),
    rows: [
      ...figure.heads.map(({ measures }, head) => row(headName(figure, head, strings), measures)),
      row(strings.uniform, figure.uniform),
    ],
    digits: 2,
  });
}

/** Table of the weights in one head's map. */
export function mapTable(
  figure: PatchMaps,
  head: number,
  query: number,
  strings: PatchStrings,
): TemplateResult {
  const map = [...figure.map(head, query)];
  const upTo = (length: number) => Array.from({ length }, (_, index) => index);
  return numberTable({
    caption: strings.tableCaption(headName(figure, head, strings), tokenName(figure, query, strings)),
    corner: strings.tableCorner,
    columns: upTo(figure.columns).map((column) => String(column + 1)),
    rows: upTo(figure.rows).map((row) => ({
      name: String(row + 1),
      values: map.slice(row * figure.columns, (row + 1) * figure.columns),
    })),
  });
}

/** Explains why the document's 196 tokens do not form a grid: one of them is CLS. */
export function trap({ counts, claimedCells, side }: PatchFigure, strings: PatchStrings): TemplateResult {
  const [claimed] = counts;
  return html`
    <div role="group" part="trap" class="trap" aria-labelledby="trap">
      <p class="title" id="trap">${strings.trap}</p>
      <code lang="en">attn[0, i, 0, 1:].reshape(${side}, ${side})</code>
      <p>${strings.trapClaim(claimed?.tokens ?? 0, claimedCells)}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">${strings.trapTokens}</th>
            <th scope="col">${strings.trapCells}</th>
            <th scope="col">${strings.trapGrid(side)}</th>
          </tr>
        </thead>
        <tbody>
          ${counts.map(({ tokens, cells }) => {
            const fits = cells === side ** 2;
            return html`<tr>
              <td class="number"><data value=${tokens}>${tokens}</data></td>
              <td class="number"><data value=${cells}>${cells}</data></td>
              <td>
                <span aria-hidden="true">${fits ? '✓' : '✗'}</span> ${fits ? strings.fits : strings.fitsNot}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  `;
}
