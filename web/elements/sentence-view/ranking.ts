import { css, html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../../sources/figure.js';
import { languageOfText } from '../base/language.js';
import { scaleOf } from './legend.js';
import type { Place } from './selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from './strings.js';
import { styled } from '../base/styled.js';

/** Number of keys in the ranking; one more line has the sum of the other keys' weights. */
const LINES = 5;

/** Styles of a list whose entries have a label, a bar and a number. */
export const barListStyles = css`
  .bars {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.2rem;
    grid-template-columns: minmax(0, max-content) minmax(3rem, 1fr) max-content;
    font-size: 0.875rem;
    line-height: 1.5;
    max-width: 22rem;
  }
  .bars li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    column-gap: 0.7rem;
    align-items: center;
  }
  .bars .bar {
    height: 0.55rem;
    border-radius: 0.15rem;
    print-color-adjust: exact;
  }
`;

export const rankingStyles = css`
  ${barListStyles}
  .ranking .title {
    font-size: 0.8125rem;
    color: var(--_muted);
    margin: 0 0 0.4rem;
  }
  .ranking .bar {
    background: var(--_ramp-0);
    overflow: hidden;
  }
  .ranking .bar span {
    display: block;
    height: 100%;
    width: calc(var(--w) * 100%);
    background: var(--_color);
  }
  .ranking .rest {
    color: var(--_muted);
  }
  /* The bar of the sum is grey, because the colour ramp stands for single weights. */
  .ranking .rest .bar {
    --_color: color-mix(in oklab, currentColor 45%, transparent);
  }
`;

/** Shows the query's keys by weight, or without a query the head's strongest pairs, as bars on the legend's scale. */
export function ranking(figure: Figure, head: number, { query }: Place, strings: Strings): TemplateResult {
  if (query === null) {
    return bars(
      scaleOf(figure),
      strings.strongestPairs,
      figure.strongestPairs(head).map(({ query, key, weight }) => ({
        label: `${figure.quoted(query)} → ${figure.quoted(key)}`,
        weight,
      })),
    );
  }
  const all = figure.ranking(head, query);
  // If one key remains, it is shown itself instead of a sum.
  const shown = all.length === LINES + 1 ? all : all.slice(0, LINES);
  const rest = all.slice(shown.length);
  return bars(
    scaleOf(figure),
    strings.wordRanking(figure.quoted(query)),
    shown.map(({ key, weight }) => ({ label: figure.quoted(key), weight })),
    rest.length === 0
      ? undefined
      : { label: strings.others(rest.length), weight: rest.reduce((sum, { weight }) => sum + weight, 0) },
  );
}

interface Bar {
  label: string;
  weight: number;
}

function bars(scale: number, title: string, lines: readonly Bar[], rest?: Bar): TemplateResult {
  const line = ({ label, weight }: Bar, className: string, lang: string | undefined) => html`
    <li class=${className}>
      <span lang=${lang ?? nothing}>${label}</span>
      <span class="bar ramp" ${styled({ '--w': Math.min(1, weight / scale) })}><span></span></span>
      <data class="number" value=${weight}>${formatWeight(weight)}</data>
    </li>
  `;
  return html`
    <div part="ranking" class="ranking">
      <p class="title" id="ranking">${title}</p>
      <ol class="bars" aria-labelledby="ranking">
        ${lines.map((entry) => line(entry, '', languageOfText(entry.label)))}
        ${rest ? line(rest, 'rest', undefined) : nothing}
      </ol>
    </div>
  `;
}
