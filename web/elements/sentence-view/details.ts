import { css, html, nothing, type TemplateResult } from 'lit';
import type { Figure } from './figure.js';
import { languageOfText } from '../base/language.js';
import { scaleOf } from './scale.js';
import type { Place } from './selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from './strings.js';
import { styled } from '../base/styled.js';

/** Lines of a ranking before the rest is summed up. */
const LINES = 5;
/** Where the legend has numbers, as shares of its scale. */
export const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** A number of the legend, without zeros that say nothing. */
export const tickText = (value: number): string => String(Number(value.toFixed(4)));

export const detailStyles = css`
  .legend {
    display: grid;
    gap: 0.3rem;
    font-size: 0.8125rem;
    max-width: 22rem;
  }
  .legend .scale {
    height: 0.7rem;
    border-radius: 0.2rem;
    background: linear-gradient(to right in oklab, var(--_ramp-0), var(--_ramp-40) 40%, var(--_ramp-100));
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  .legend .ticks {
    display: flex;
    justify-content: space-between;
    font-size: 0.75rem;
  }
  .legend p {
    margin: 0;
    color: var(--_muted);
  }
  .ranking .title {
    font-size: 0.8125rem;
    color: var(--_muted);
    margin: 0 0 0.4rem;
  }
  .ranking ol {
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
  .ranking li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    column-gap: 0.7rem;
    align-items: center;
  }
  .ranking .bar {
    height: 0.55rem;
    border-radius: 0.15rem;
    background:
      linear-gradient(var(--_color) 0 0) no-repeat 0 0 / calc(var(--w) * 100%) 100%,
      var(--_ramp-0);
    print-color-adjust: exact;
  }
  .ranking .rest {
    color: var(--_muted);
  }
  /* A sum has no colour on the scale of weights. */
  .ranking .rest .bar {
    --_color: color-mix(in oklab, currentColor 45%, transparent);
  }
`;

/** What the rows of these heads sum to, in a sentence; empty where weights are taken out of sight. */
export function sumsOfRows(figure: Figure, heads: readonly number[], strings: Strings): string {
  if (figure.partial) return '';
  const extents = heads.map((head) => figure.extent(head));
  const least = Math.min(...extents.map((extent) => extent.least));
  const most = Math.max(...extents.map((extent) => extent.most));
  return strings.rowSums(formatWeight(least), formatWeight(most));
}

/**
 * What the colours mean: always visible, the same for all heads. `scale` is the weight of the last colour; `heads` are
 * those whose rows it speaks of.
 */
export function legend(
  strings: Strings,
  figure: Figure,
  scale: number,
  heads: readonly number[],
): TemplateResult {
  const isBeyond = heads.some((head) => figure.extent(head).largest > scale);
  return html`
    <div part="legend" class="legend">
      <span>${strings.legend}</span>
      <div class="scale"></div>
      <div class="ticks number" aria-hidden="true">
        ${TICKS.map((tick) => html`<span>${tickText(tick * scale)}</span>`)}
      </div>
      <p>
        ${scale === 1 && !isBeyond ? strings.fixedScale : strings.scaleUpTo(tickText(scale))}
        ${sumsOfRows(figure, heads, strings)}
      </p>
    </div>
  `;
}

/** The chosen word's keys, or without one the head's strongest pairs, as bars on the scale of the legend. */
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
  // One word alone is not summed up: it takes the same line itself.
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
      <span class="bar ramp" ${styled({ '--w': Math.min(1, weight / scale) })}></span>
      <data class="number" value=${weight}>${formatWeight(weight)}</data>
    </li>
  `;
  return html`
    <div part="ranking" class="ranking">
      <p class="title" id="ranking">${title}</p>
      <ol aria-labelledby="ranking">
        ${lines.map((entry) => line(entry, '', languageOfText(entry.label)))}
        ${rest ? line(rest, 'rest', undefined) : nothing}
      </ol>
    </div>
  `;
}
