import { css, html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../../sources/figure.js';
import { type Language, languageOfText } from '../base/language.js';
import { scaleOf } from './legend.js';
import type { Place } from './selection.js';
import { formatWeight } from '../base/strings.js';
import type { ExplorerStrings } from '../explorer/strings.js';
import { styled } from '../base/styled.js';

/** Number of keys in the ranking; one more line has the sum of the other keys' weights. */
const LINES = 5;

/** Styles of lists whose lines have a label, a bar and a number. */
export const rankingStyles = css`
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

interface Bar {
  label: unknown;
  /** Language of the label. */
  lang?: Language | undefined;
  value: number;
  /** Length of the bar, 0 … 1; by default `value`. */
  share?: number;
  className?: string;
}

/** A titled list of numbers as bars. */
export const barList = (
  title: string,
  lines: readonly Bar[],
  { part, digits = 2 }: { part?: string; digits?: number } = {},
): TemplateResult => html`
  <div part=${part ?? nothing} class="ranking">
    <p class="title">${title}</p>
    <ol class="bars" aria-label=${title}>
      ${lines.map(
        ({ label, lang, value, share = value, className = '' }) => html`
          <li class=${className}>
            <span lang=${lang ?? nothing}>${label}</span>
            <span class="bar ramp" ${styled({ '--w': Math.min(1, Math.max(0, share)) })}><span></span></span>
            <data class="number" value=${value}>${formatWeight(value, digits)}</data>
          </li>
        `,
      )}
    </ol>
  </div>
`;

/**
 * Shows the query's keys by weight, a key's queries where it is chosen alone, or else the head's strongest pairs, as bars on
 * the legend's scale; nothing where all weights are 0.
 */
export function ranking(
  figure: Figure,
  head: number,
  { query, key }: Place,
  strings: ExplorerStrings['ranking'],
): TemplateResult | typeof nothing {
  const scale = scaleOf(figure);
  const bar = (label: string, value: number): Bar => ({
    ...{ label, lang: languageOfText(label), value, share: value / scale },
  });
  if (query === null && key === null) {
    const pairs = figure.strongestPairs(head);
    const bars = pairs.map(({ query, key, weight }) =>
      bar(`${figure.quoted(query)} → ${figure.quotedKey(key)}`, weight),
    );
    return barList(strings.pairs, bars, { part: 'ranking' });
  }
  const isOfKey = query === null;
  const all = isOfKey ? figure.lookers(head, key ?? 0) : figure.ranking(head, query);
  if (all[0]?.weight === 0) return nothing;
  // If one word remains, it is shown itself instead of a sum.
  const shown = all.length === LINES + 1 ? all : all.slice(0, LINES);
  const rest = all.slice(shown.length);
  const bars = shown.map((pair) =>
    bar(isOfKey ? figure.quoted(pair.query) : figure.quotedKey(pair.key), pair.weight),
  );
  // The weights of several words on one are of different rows: their sum means nothing.
  if (rest.length > 0 && !isOfKey) {
    const value = rest.reduce((sum, { weight }) => sum + weight, 0);
    bars.push({ label: strings.others(rest.length), value, share: value / scale, className: 'rest' });
  }
  const title = isOfKey ? strings.ofKey(figure.quotedKey(key ?? 0)) : strings.ofQuery(figure.quoted(query));
  return barList(title, bars, { part: 'ranking' });
}
