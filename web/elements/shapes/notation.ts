/** Letters with their subscripts and colours, and formulas filled with numbers. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Dimension } from './sizes.js';
import type { Line, Side } from './stages.js';
import { formatCount } from './strings.js';

export const notationStyles = css`
  .axis {
    font-weight: 650;
  }
  .axis.b {
    color: var(--_axis-b);
  }
  .axis.h {
    color: var(--_axis-h);
  }
  .axis.l {
    color: var(--_axis-l);
  }
  .axis.s {
    color: var(--_axis-s);
  }
  .axis.d {
    color: var(--_axis-d);
  }
  sub {
    font-size: 0.72em;
    line-height: 0;
  }
  .formula {
    overflow-wrap: normal;
  }
  .formula .result {
    font-weight: 650;
  }
`;

/** `d_k`, `W_Q` in a text as letters with a subscript. */
export function withSubscripts(text: string): TemplateResult {
  const parts = text.split(/(\p{L}_\p{L}+)/u);
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const [base, subscript] = part.split('_');
    return html`${base}<sub>${subscript}</sub>`;
  })}`;
}

export const letterOf = ({ letter, axis }: Dimension): TemplateResult =>
  html`<span class="axis ${axis}">${withSubscripts(letter)}</span>`;

export const lettersOf = (side: Side): string => side.map(({ letter }) => letter).join('·');

const isRounded = (value: number): boolean => Math.round(value * 100) / 100 !== value;
const equals = (value: number): string => (isRounded(value) ? '≈' : '=');

/** B × H × L × S = 1 × 12 × 197 × 197 = 465,708 */
export function formula({ operator, factors, value }: Omit<Line, 'name'>): TemplateResult {
  const sign = operator === '√' ? '' : ` ${operator} `;
  const root = operator === '√' ? operator : '';
  const joined = (parts: readonly unknown[]) =>
    parts.map((part, index) => html`${index === 0 ? root : sign}${part}`);
  const filled =
    factors.length === 1 && root === ''
      ? nothing
      : html`= ${joined(factors.map(({ size }) => formatCount(size)))} `;
  return html`<span class="formula number"
    >${joined(factors.map(letterOf))} ${filled}${equals(value)}
    <data class="result" value=${value}>${formatCount(value)}</data></span
  >`;
}

/** The same as plain text. */
export function formulaText({ operator, factors, value }: Omit<Line, 'name'>): string {
  const root = operator === '√' ? operator : '';
  const joined = (parts: readonly string[]) => root + parts.join(root ? '' : ` ${operator} `);
  const letters = joined(factors.map(({ letter }) => letter));
  return `${letters} = ${joined(factors.map(({ size }) => formatCount(size)))} ${equals(value)} ${formatCount(value)}`;
}
