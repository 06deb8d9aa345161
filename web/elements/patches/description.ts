import { html, type TemplateResult } from 'lit';
import { formatWeight } from '../base/strings.js';
import type { PatchFigure } from './patch-figure.js';
import type { PatchMaps } from './patch-maps.js';
import { DIGITS, headName, type PatchStrings, tokenName } from './strings.js';

/** The figure in one sentence: the pair's weight, or without a key the query's largest weight. */
export function describe(
  figure: PatchMaps,
  head: number,
  query: number,
  key: number | null,
  strings: PatchStrings,
): string {
  const ranking = figure.ranking(head, query);
  const of = key ?? ranking[0]?.key ?? figure.first;
  const weight = figure.at(head, query, of);
  const words = [
    headName(figure, head, strings),
    strings.pair(
      tokenName(figure, query, strings),
      tokenName(figure, of, strings),
      formatWeight(weight, DIGITS),
    ),
  ] as const;
  if (key === null)
    return strings.describe(...words, ranking.filter((entry) => entry.weight === weight).length);
  const rank = ranking.findIndex((entry) => entry.weight === weight) + 1;
  return strings.describePair(...words, rank, figure.size);
}

/** Shows with numbers how softmax gives the weight of the pair that `describe` names. */
export function why(
  figure: PatchFigure,
  head: number,
  query: number,
  key: number | null,
  strings: PatchStrings,
): TemplateResult {
  const of = key ?? figure.ranking(head, query)[0]?.key ?? 1;
  const { score, highest, total } = figure.softmax(head, query, of);
  const number = (value: number, digits = 2) =>
    html`<data value=${value}>${formatWeight(value, digits).replace('-', '−')}</data>`;
  return html`
    <p part="why" class="quiet">
      ${strings.why}
      <span class="number"
        >e^(${number(score)} − ${number(highest)}) ÷ ${number(total)} =
        ${number(figure.at(head, query, of), DIGITS)}</span
      >
      <span class="note">${strings.softmax}</span>
    </p>
  `;
}
