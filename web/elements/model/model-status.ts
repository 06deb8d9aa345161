import { css, html, nothing, type TemplateResult } from 'lit';
import { bytesOf } from '../../models/known-models.js';
import { type ModelSession, nameOf } from '../../sources/model.js';
import type { Language } from '../base/language.js';
import { styled } from '../base/styled.js';
import { type ModelStrings, modelStringsFor } from './strings.js';

export const modelStatusStyles = css`
  .model-status {
    display: grid;
    gap: 0.4rem;
    justify-items: start;
    font-size: 0.875rem;
    line-height: 1.5;
  }
  .waiting .model-status {
    justify-items: center;
  }
  .model-status p {
    margin: 0;
  }
  .model-status .bar {
    width: min(100%, 20rem);
    height: 0.5rem;
    border-radius: 0.25rem;
    background: var(--_ramp-0);
    overflow: hidden;
    forced-color-adjust: none;
  }
  .model-status .bar span {
    display: block;
    height: 100%;
    width: calc(var(--share) * 100%);
    background: var(--_arc);
  }
  @media print {
    .model-status {
      display: none;
    }
  }
`;

/**
 * Bytes, time left and a button to stop while a model is loaded, and one while it computes for long; a button to load it
 * where it was stopped or failed.
 */
export function modelStatus(
  session: ModelSession | null,
  language: Language,
): TemplateResult | typeof nothing {
  if (!session || (session.model && !session.isBusy)) return nothing;
  const strings = modelStringsFor(language);
  const name = nameOf(session.source);
  if (session.model) {
    return html`<div part="model-status" class="model-status">
      <p role="status">${strings.computing(name)}</p>
      ${stopButton(session, strings)}
    </div>`;
  }
  if (session.isLoading) return loading(session, name, language);
  if (session.isWaiting) {
    return html`<div part="model-status" class="model-status">
      <button
        type="button"
        class="control"
        @click=${() => {
          session.load();
        }}
      >
        ${strings.loadAndCompute(name, bytesOf(session.source))}
      </button>
    </div>`;
  }
  return html`<div part="model-status" class="model-status">
    ${session.isStopped ? html`<p role="status">${strings.stopped(name)}</p>` : nothing}
    <button
      type="button"
      class="control"
      @click=${() => {
        session.load();
      }}
    >
      ${session.isStopped ? strings.again : strings.retry}
    </button>
  </div>`;
}

function loading(session: ModelSession, name: string, language: Language): TemplateResult {
  const strings = modelStringsFor(language);
  const { progress } = session;
  // What is not open yet is not complete: the last bytes are still to be read.
  const share = progress?.total ? Math.min(0.99, progress.loaded / progress.total) : 0;
  const seconds = progress?.secondsLeft ?? null;
  return html`<div part="model-status" class="model-status">
    <p>
      <span role="status">${strings.loading(name)}</span>
      ${
        progress
          ? html`<span class="number"
              >${strings.bytes(progress.loaded, progress.total)}${
                progress.total ? ` · ${Math.floor(share * 100)} %` : ''
              }${seconds === null ? '' : ` · ${strings.secondsLeft(seconds)}`}</span
            >`
          : nothing
      }
    </p>
    <div
      class="bar"
      role="progressbar"
      aria-label=${strings.loading(name)}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${Math.floor(share * 100)}
    >
      <span ${styled({ '--share': share })}></span>
    </div>
    ${stopButton(session, strings)}
  </div>`;
}

const stopButton = (session: ModelSession, strings: ModelStrings): TemplateResult =>
  html`<button
    type="button"
    class="control"
    @click=${() => {
      session.stop();
    }}
  >
    ${strings.stop}
  </button>`;

/** One line about an open model: family, sizes, licence. */
export function modelFacts(
  session: ModelSession | null,
  language: Language,
): TemplateResult | typeof nothing {
  const { model = null, facts = null } = session ?? {};
  if (!model || !facts) return nothing;
  const strings = modelStringsFor(language);
  const { family, numLayers, numHeads, parameterCount, reader, startId } = model;
  // An encoder–decoder has layers that read, and others that write.
  const layers = startId === null ? String(numLayers) : strings.readAndWrite(reader.numLayers, numLayers);
  const sizes = strings.facts(family, layers, numHeads, strings.count(parameterCount));
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
