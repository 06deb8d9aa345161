import { html, type TemplateResult } from 'lit';
import type { Flow, Step } from './flow.js';

/** The operation that computes a step, in symbols. */
export function operation(step: Step, { plain, heads, headDim, ropeBase, masked }: Flow): TemplateResult {
  const projection = (from: string, matrix: string, turns = false) =>
    plain ? html`= ${from}` : html`${turns ? 'R · ' : ''}${from} · W<sub>${matrix}</sub>`;
  switch (step) {
    case 'x':
      return html`X`;
    case 'q':
      return projection('X', 'Q', ropeBase !== null);
    case 'k':
      return projection('X', 'K', ropeBase !== null);
    case 'v':
      return projection('X', 'V');
    case 'scores':
      return html`Q · Kᵀ`;
    case 'scaled':
      return html`÷ √${headDim}`;
    case 'masked':
      return masked ? html`+ M` : html`+ 0`;
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
