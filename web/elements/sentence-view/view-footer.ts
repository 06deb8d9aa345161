import { css, html, nothing, type TemplateResult } from 'lit';
import type { OriginLabels } from './weights-origin.js';

export const footerStyles = css`
  .alone {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-top: 0.75rem;
    line-height: 1.6;
  }
  .alone p {
    margin: 0;
  }
  .alone .description {
    text-align: center;
    text-wrap: balance;
    font-size: 0.9375rem;
  }
  .alone .label {
    text-align: center;
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .alone .legend {
    width: 100%;
    margin-inline: auto;
  }
`;

export interface FooterContent {
  /** Null for weights from `data` or `src`. */
  origin: OriginLabels | null;
  /** The figure in one sentence. */
  description: string;
  /** Sentence about the locked word or pair, announced to screen readers. */
  announcement: string;
  legend: TemplateResult | typeof nothing;
  /** Says why the last request is not drawn; '' if it is drawn. */
  problem: string;
  /** How far the download of a model is. */
  status: TemplateResult | typeof nothing;
  numbers: TemplateResult;
}

/** Renders description, origin, legend and table of numbers below a view outside an explorer. */
export const viewFooter = (content: FooterContent): TemplateResult => {
  const { origin, description, announcement, legend, problem, status, numbers } = content;
  return html`
    <div class="alone">
      <p part="description" class="description">${description}</p>
      ${origin ? html`<p part="label" class="label">${origin.label}. ${origin.limits} ${origin.unknown}</p>` : nothing}
      ${status} ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`} ${legend}
      ${numbers}
      <p class="visually-hidden" role="status">${announcement}</p>
    </div>
  `;
};
