import { css, html, nothing, type TemplateResult } from 'lit';

export const richStyles = css`
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

/** `W_i^Q`: one character is lowered or raised. */
const formula = (text: string): (string | TemplateResult)[] =>
  [...text.matchAll(/[_^](.)|[^_^]+/gu)].map(([whole, one]) => {
    if (one === undefined) return whole;
    return whole.startsWith('_') ? html`<sub>${one}</sub>` : html`<sup>${one}</sup>`;
  });

/** A sentence whose formulas stand between backticks. Words in them are English in every language. */
export const rich = (text: string): (string | TemplateResult)[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 0
        ? part
        : html`<code class="formula" lang=${/[a-z]{4}/i.test(part) ? 'en' : nothing}>${formula(part)}</code>`,
    );
