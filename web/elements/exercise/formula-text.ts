import { css, html, nothing, type TemplateResult } from 'lit';

export const formulaTextStyles = css`
  .formula {
    font-family: var(--mha-number-font, ui-monospace, monospace);
    font-size: 0.9375em;
    font-variant-ligatures: none;
    font-feature-settings: 'zero' 0;
  }
  .formula :is(sub, sup) {
    font-size: 0.72em;
    line-height: 0;
  }
`;

/** Sets the character after `_` or `^` as subscript or superscript: `W_i^Q`. */
const formula = (text: string): (string | TemplateResult)[] =>
  [...text.matchAll(/[_^](.)|[^_^]+/gu)].map(([whole, one]) => {
    if (one === undefined) return whole;
    return whole.startsWith('_') ? html`<sub>${one}</sub>` : html`<sup>${one}</sup>`;
  });

/** Renders a sentence with formulas between backticks. Words in formulas are English in every language. */
export const withFormulas = (text: string): (string | TemplateResult)[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 0
        ? part
        : html`<code class="formula" lang=${/[a-z]{4}/i.test(part) ? 'en' : nothing}>${formula(part)}</code>`,
    );
