import katex from 'katex';
import { rewrite, unescapeHtml } from './markup.mjs';

/** Converts TeX to MathML: browsers render it without style sheet, fonts or inline styles. */
const mathml = (text, displayMode) =>
  katex
    .renderToString(unescapeHtml(text).trim(), { output: 'mathml', displayMode, strict: 'error' })
    .replace(/^<span class="katex">([^]*)<\/span>$/, '$1');

/** Renders `<span class="tex">` inline, and `<div class="tex">` as a block that may scroll. */
export function fillFormulas(html) {
  const inline = rewrite(html, 'span', 'class="tex"', ({ start, content }) => {
    return `<span${start}>${mathml(content, false)}</span>`;
  });
  return rewrite(inline, 'div', 'class="tex"', ({ start, content }) => {
    return `<div${start} tabindex="0">${mathml(content, true)}</div>`;
  });
}
