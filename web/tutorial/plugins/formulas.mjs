import katex from 'katex';
import { rewrite, unescapeHtml } from './markup.mjs';

/** TeX to MathML alone: the browser's own formulas need neither a style sheet nor fonts nor inline styles. */
const mathml = (text, displayMode) =>
  katex
    .renderToString(unescapeHtml(text).trim(), { output: 'mathml', displayMode, strict: 'error' })
    .replace(/^<span class="katex">([^]*)<\/span>$/, '$1');

/** Renders `<span class="tex">` within a line and `<div class="tex">` on a line of its own, which may scroll. */
export function fillFormulas(html) {
  const inline = rewrite(html, 'span', 'class="tex"', ({ start, content }) => {
    return `<span${start}>${mathml(content, false)}</span>`;
  });
  return rewrite(inline, 'div', 'class="tex"', ({ start, content }) => {
    return `<div${start} tabindex="0">${mathml(content, true)}</div>`;
  });
}
