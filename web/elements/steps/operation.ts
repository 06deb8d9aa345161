import { html, type TemplateResult } from 'lit';
import type { Flow, Step } from './flow.js';

/** The operation that computes a step, in symbols. */
export function operation(step: Step, { plain, heads, headDim }: Flow, mask: string): TemplateResult {
  const projection = (from: string, matrix: string) =>
    plain ? html`= ${from}` : html`${from} · W<sub>${matrix}</sub>`;
  switch (step) {
    case 'x':
      return html`X`;
    case 'q':
      return projection('X', 'Q');
    case 'k':
      return projection('X', 'K');
    case 'v':
      return projection('X', 'V');
    case 'scores':
      return html`Q · Kᵀ`;
    case 'scaled':
      return html`÷ √${headDim}`;
    case 'masked':
      return mask === 'none' ? html`+ 0` : html`+ M`;
    case 'weights':
      return html`softmax`;
    case 'context':
      return html`× V`;
    case 'concat':
      return heads === 1 ? html`= C` : html`[C<sub>1</sub> … C<sub>${heads}</sub>]`;
    case 'output':
      return plain ? html`= C` : html`× W<sub>O</sub>`;
  }
}
