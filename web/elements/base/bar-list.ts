import { css, html, nothing, type TemplateResult } from 'lit';
import type { Language } from './language.js';
import { formatWeight } from './strings.js';
import { styled } from './styled.js';

/** Styles of lists whose lines have a label, a bar and a number. */
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

export interface Bar {
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
            <data class="number" value=${value}>${formatWeight(value, digits).replace('-', '−')}</data>
          </li>
        `,
      )}
    </ol>
  </div>
`;
