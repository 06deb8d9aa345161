import { html, type TemplateResult } from 'lit';

/** Renders a text with subscripts in the names of matrices and sizes, such as `W_O`, `d_k` and `H_kv`. */
export const withSubscripts = (text: string): (string | TemplateResult)[] =>
  text.split(/\b(W_[QKVO]|d_[kv]|H_kv)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const [letter, subscript] = part.split('_');
    return html`${letter}<sub>${subscript}</sub>`;
  });
