import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import type { ModelSession } from '../../sources/model.js';
import { modelStringsFor } from './strings.js';

/** One line about an open model: family, sizes, licence. */
export function modelFacts(
  session: ModelSession | null,
  language: Language,
): TemplateResult | typeof nothing {
  const { model = null, facts = null } = session ?? {};
  if (!model || !facts) return nothing;
  const strings = modelStringsFor(language);
  const { family, numLayers, numHeads, parameterCount } = model;
  const sizes = strings.facts(family, numLayers, numHeads, strings.count(parameterCount));
  const license = facts.license === null ? strings.noLicense : strings.license(facts.license);
  return html`<p part="model-facts" class="quiet">${sizes} · ${license}</p>`;
}

/** Hub names of models that have learned Korean. */
const KOREAN_MODELS = ['lassl/bert-ko-small', 'beomi/kcbert-base'];

/** Says why a Korean sentence needs another model, and offers models that have learned Korean. */
export function hangulAdvice(text: string, open: (address: string) => void): TemplateResult {
  return html`<div part="advice" class="unknown" role="status">
    ${text}
    ${KOREAN_MODELS.map(
      (model) =>
        html`<button
          type="button"
          class="control"
          @click=${() => {
            open(model);
          }}
        >
          ${model}
        </button> `,
    )}
  </div>`;
}
