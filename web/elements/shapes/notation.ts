/** Renders letters with subscripts and colours, and formulas with their numbers. */
import { css, html, type TemplateResult } from 'lit';
import { withSubscripts } from '../base/subscripts.js';
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
  .result {
    font-weight: 650;
  }
`;

export const letterOf = ({ letter, axis }: Dimension): TemplateResult =>
  html`<span class="axis ${axis}">${withSubscripts(letter)}</span>`;

export const lettersOf = (side: Side): string => side.map(({ letter }) => letter).join('·');

const isRounded = (value: number): boolean => Math.round(value * 100) / 100 !== value;
const equals = (value: number): string => (isRounded(value) ? '≈' : '=');

const joined = (parts: readonly unknown[], operator: Line['operator']): TemplateResult[] =>
  parts.map((part, index) => html`${operator === '√' ? '√' : index > 0 ? ` ${operator} ` : ''}${part}`);

/** Renders B × H × L × S = 1 × 12 × 197 × 197. */
export function filled({ operator, factors }: Pick<Line, 'operator' | 'factors'>): TemplateResult {
  const numbers = factors.map(({ size }) => formatCount(size));
  return html`<span class="formula number"
    >${joined(factors.map(letterOf), operator)} = ${joined(numbers, operator)}</span
  >`;
}

/** Renders B × H × L × S = 1 × 12 × 197 × 197 = 465,708. */
export const formula = ({ value, ...line }: Omit<Line, 'name'>): TemplateResult =>
  html`${filled(line)} ${equals(value)}
    <data class="result number" value=${value}>${formatCount(value)}</data>`;

/** Writes the same as `formula` as plain text. */
export function formulaText({ operator, factors, value }: Omit<Line, 'name'>): string {
  const root = operator === '√' ? operator : '';
  const joined = (parts: readonly string[]) => root + parts.join(root ? '' : ` ${operator} `);
  const letters = joined(factors.map(({ letter }) => letter));
  return `${letters} = ${joined(factors.map(({ size }) => formatCount(size)))} ${equals(value)} ${formatCount(value)}`;
}
